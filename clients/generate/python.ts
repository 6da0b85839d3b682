import { type ApiModel, type JsonSchema, refName, resolved, type ToolGroup, type ToolOperation } from "./Document.ts"
import { pascal, snake } from "./Names.ts"
import { wrapped } from "./TypeScriptTypes.ts"
import type { Files } from "./typescript.ts"

const keywords = new Set(
  "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield".split(
    " "
  )
)

/** Names that mean something else in the methods of a group. */
const ownNames = new Set(["self", "options"])

/** The name of an argument in Python. */
export const parameterName = (name: string): string => (keywords.has(name) || ownNames.has(name) ? `${name}_` : name)

const union = (types: ReadonlyArray<string>): string => [...new Set(types)].join(" | ")

/** A JSON value in Python. */
export const literal = (value: unknown): string =>
  value === null ? "None" : typeof value === "boolean" ? (value ? "True" : "False") : JSON.stringify(value)

const literals = (values: ReadonlyArray<unknown>): string => {
  const texts = values.filter((value) => value !== null).map(literal)
  return union([
    ...(texts.length === 0 ? [] : [`Literal[${texts.join(", ")}]`]),
    ...(values.includes(null) ? ["None"] : [])
  ])
}

/** Writes the classes of objects, each under a name of where it is used first. */
class TypeWriter {
  readonly classes: Array<string> = []
  readonly #model: ApiModel
  readonly #named = new Set<string>()

  constructor(model: ApiModel) {
    this.#model = model
  }

  typeOf(schema: JsonSchema, name: string): string {
    if (schema.$ref !== undefined) return this.#shared(refName(schema.$ref))
    if ("const" in schema) return literals([schema.const])
    if (schema.enum !== undefined) return literals(schema.enum)
    const choices = schema.anyOf ?? schema.oneOf
    if (choices !== undefined) return this.#union(choices, name)
    if (schema.allOf !== undefined) return this.typeOf(schema.allOf[0] ?? {}, name)
    const types = schema.type === undefined ? [] : typeof schema.type === "string" ? [schema.type] : schema.type
    return types.length === 0 ? "Any" : union(types.map((type) => this.#typeOfKind(type, schema, name)))
  }

  /** Variants of an object get a name each, and the union theirs. */
  #union(choices: ReadonlyArray<JsonSchema>, name: string): string {
    const isOfVariants = choices.filter(({ properties }) => properties !== undefined).length > 1
    const type = union(choices.map((choice, index) => this.typeOf(choice, isOfVariants ? `${name}${index + 1}` : name)))
    if (!isOfVariants) return type
    if (!this.#named.has(name)) {
      this.#named.add(name)
      this.classes.push(`${name}: TypeAlias = ${JSON.stringify(type)}\n`)
    }
    return name
  }

  #shared(ref: string): string {
    const name = pascal(ref)
    if (!this.#named.has(name)) {
      const schema = this.#model.schemas[ref] ?? {}
      const type = this.typeOf(schema, name)
      if (type !== name) {
        this.#named.add(name)
        this.classes.push(`${name}: TypeAlias = ${JSON.stringify(type)}\n`)
      }
    }
    return name
  }

  #typeOfKind(type: string, schema: JsonSchema, name: string): string {
    switch (type) {
      case "integer":
        return "int"
      case "number":
        return "float"
      case "string":
        return "str"
      case "boolean":
        return "bool"
      case "null":
        return "None"
      case "array":
        return schema.items === undefined || schema.items === false
          ? "list[Any]"
          : `list[${this.typeOf(schema.items, `${name}Item`)}]`
      case "object":
        return this.#object(schema, name)
      default:
        throw new Error(`There is no type for ${type}.`)
    }
  }

  #object({ additionalProperties, properties = {}, required = [] }: JsonSchema, name: string): string {
    const members = Object.entries(properties)
    if (members.length === 0) {
      const value = typeof additionalProperties === "object" ? this.typeOf(additionalProperties, `${name}Value`) : "Any"
      return `dict[str, ${value}]`
    }
    if (this.#named.has(name)) return name
    this.#named.add(name)
    const fields = members.map(([key, schema]) => {
      const type = this.typeOf(schema, `${name}${pascal(key)}`)
      return { key, type: required.includes(key) ? type : `NotRequired[${type}]`, description: schema.description }
    })
    const isPlain = fields.every(({ key }) => /^[a-z_]\w*$/i.test(key) && !keywords.has(key))
    this.classes.push(
      isPlain
        ? `class ${name}(TypedDict):\n${fields
            .map(({ description, key, type }) =>
              [
                ...(description === undefined ? [] : wrapped(description, 100).map((line) => `    # ${line}`)),
                `    ${key}: ${type}`
              ].join("\n")
            )
            .join("\n")}\n`
        : `${name} = TypedDict("${name}", {${fields.map(({ key, type }) => `${JSON.stringify(key)}: ${JSON.stringify(type)}`).join(", ")}})\n`
    )
    return name
  }
}

const constantName = (name: string): string => `_${name.toUpperCase()}`

const toolConstant = ({ kind, name, prefix, rows }: ToolOperation): string =>
  `${constantName(name)} = Tool(${[
    JSON.stringify(name),
    JSON.stringify(`${prefix}/tools/${name}`),
    kind === "read" ? "True" : "False",
    ...(rows === undefined ? [] : [JSON.stringify(rows.key), String(rows.firstPage)])
  ].join(", ")})\n`

const docstring = (tool: ToolOperation, indent: string): string => {
  const reasons = Object.entries(tool.reasons).map(([type, names]) => `${type}: ${names.join(", ")}`)
  const [first = "", ...rest] = wrapped(tool.description, 100)
  const lines = [...rest, "", "Reasons of errors:", ...reasons.flatMap((line) => wrapped(line, 100))]
  const safe = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll('"""', "'''")
  return `${indent}"""${safe(first)}\n${lines.map((line) => `${indent}${safe(line)}`.trimEnd()).join("\n")}\n${indent}"""\n`
}

interface Signature {
  readonly parameters: ReadonlyArray<string>
  readonly values: string
}

const signatureOf = (tool: ToolOperation, writer: TypeWriter, skipped: ReadonlyArray<string>): Signature => {
  const members = Object.entries(tool.arguments.properties ?? {}).filter(([name]) => !skipped.includes(name))
  const required = tool.arguments.required ?? []
  const parameters = members
    .map(([name, schema]) => {
      const type = writer.typeOf(schema, `${pascal(tool.name)}${pascal(name)}`)
      return required.includes(name)
        ? { isRequired: true, text: `${parameterName(name)}: ${type}` }
        : { isRequired: false, text: `${parameterName(name)}: ${union([...type.split(" | "), "None"])} = None` }
    })
    .toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired))
  return {
    parameters: [...parameters.map(({ text }) => text), "options: Options | None = None"],
    values: `{${members.map(([name]) => `${JSON.stringify(name)}: ${parameterName(name)}`).join(", ")}}`
  }
}

const methodsOf = (tool: ToolOperation, writer: TypeWriter, model: ApiModel, isAsync: boolean): string => {
  const answer = `${pascal(tool.name)}Answer`
  const { parameters, values } = signatureOf(tool, writer, [])
  const method = [
    `    ${isAsync ? "async " : ""}def ${tool.name}(self, *, ${parameters.join(", ")}) -> ${answer}:\n`,
    docstring(tool, "        "),
    `        answer: ${answer} = ${isAsync ? "await " : ""}self._client.call(${constantName(tool.name)}, ${values}, options)\n`,
    "        return answer\n"
  ].join("")
  if (tool.rows === undefined) return method
  const rows = resolved(model.schemas, tool.answer).properties?.[tool.rows.key]
  const items = rows === undefined ? undefined : resolved(model.schemas, rows).items
  const row =
    items === undefined || items === false ? "Any" : writer.typeOf(items, `${answer}${pascal(tool.rows.key)}Item`)
  const paged = signatureOf(tool, writer, ["page"])
  return [
    method,
    "\n",
    `    def iter_${tool.name}(self, *, ${paged.parameters.join(", ")}) -> ${isAsync ? "Async" : ""}Iterator[${row}]:\n`,
    `        """The rows of all pages of ${tool.name}."""\n`,
    `        return self._client.rows(${constantName(tool.name)}, ${paged.values}, options)\n`
  ].join("")
}

const groupClass = (group: ToolGroup, writer: TypeWriter, model: ApiModel, isAsync: boolean): string => {
  const client = isAsync ? "AsyncClient" : "Client"
  return [
    `class ${isAsync ? "Async" : ""}${pascal(group.name)}Tools:\n`,
    `    """${group.description}"""\n\n`,
    `    def __init__(self, client: ${client}) -> None:\n        self._client = client\n\n`,
    group.tools.map((tool) => methodsOf(tool, writer, model, isAsync)).join("\n")
  ].join("")
}

const namespaces = (groups: ReadonlyArray<ToolGroup>, isAsync: boolean): string => {
  const client = isAsync ? "AsyncClient" : "Client"
  const prefix = isAsync ? "Async" : ""
  return [
    `class ${prefix}Namespaces(${client}):\n    """A client with the tools of each group."""\n\n`,
    groups
      .map(
        ({ description, name }) =>
          `    @cached_property\n    def ${snake(name)}(self) -> ${prefix}${pascal(name)}Tools:\n        """${description}"""\n        return ${prefix}${pascal(name)}Tools(self)\n`
      )
      .join("\n")
  ].join("")
}

/** The generated part of the Python client. */
export const pythonFiles = (model: ApiModel): Files => {
  const writer = new TypeWriter(model)
  const answers = model.tools.flatMap((tool) => {
    const name = `${pascal(tool.name)}Answer`
    const schema = resolved(model.schemas, tool.answer)
    const type = writer.typeOf(schema, name)
    return type === name ? [] : [`${name}: TypeAlias = ${JSON.stringify(type)}\n`]
  })
  const classes = [
    ...model.groups.map((group) => groupClass(group, writer, model, false)),
    ...model.groups.map((group) => groupClass(group, writer, model, true))
  ]
  return new Map([
    [
      "_generated.py",
      [
        '"""Tools and the types of their answers, generated from the gateway\'s document."""\n\n',
        "from __future__ import annotations\n\n",
        "from collections.abc import AsyncIterator, Iterator\nfrom functools import cached_property\n",
        "from typing import Any, Literal, NotRequired, TypeAlias, TypedDict\n\n",
        "from ._client import AsyncClient, Client\nfrom ._core import Options, Tool\n\n\n",
        model.tools.map(toolConstant).join(""),
        "\n\n",
        [
          ...writer.classes,
          ...answers,
          ...classes,
          namespaces(model.groups, false),
          namespaces(model.groups, true)
        ].join("\n\n")
      ].join("")
    ]
  ])
}
