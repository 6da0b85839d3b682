import type { ApiModel, JsonSchema, ToolGroup, ToolOperation } from "./Document.ts"
import { camel, pascal } from "./Names.ts"
import { docComment, objectType, refsIn, typeOf, wrapped } from "./TypeScriptTypes.ts"

export type Files = ReadonlyMap<string, string>

const argumentsType = ({ name }: ToolOperation): string => `${pascal(name)}Arguments`
const answerType = ({ name }: ToolOperation): string => `${pascal(name)}Answer`
const prefixName = (prefix: string): string => camel(prefix)

/** Names that a module cannot export, and members that a client has itself. */
const reservedNames = new Set(["delete", "export", "import", "default", "new", "call", "send", "url", "events"])

const checkedName = (name: string): string => {
  if (reservedNames.has(name)) throw new Error(`A client cannot have ${name}: give it another name.`)
  return name
}

const toolComment = (tool: ToolOperation, namespace: string): string => {
  const reasons = Object.entries(tool.reasons).map(([type, names]) => `${type}: ${names.join(", ")}`)
  const example = `await gateway.${namespace}.${camel(tool.name)}(${
    Object.keys(tool.example).length === 0 ? "" : JSON.stringify(tool.example)
  })`
  return docComment(
    [
      ...wrapped(tool.description),
      "",
      ...reasons.flatMap((line) => wrapped(`- ${line}`)),
      "",
      "@example",
      "```ts",
      example,
      "```"
    ],
    ""
  )
}

const reasonsType = (tool: ToolOperation): string =>
  `{ ${Object.entries(tool.reasons)
    .map(([type, names]) => `readonly ${type}: ${names.map((name) => JSON.stringify(name)).join(" | ")}`)
    .join("; ")} }`

const isPlainObject = ({ $ref, properties = {}, type }: JsonSchema): boolean =>
  $ref === undefined && type === "object" && Object.keys(properties).length > 0

const typeText = (name: string, schema: JsonSchema): string =>
  isPlainObject(schema) ? `export interface ${name} ${typeOf(schema)}\n` : `export type ${name} = ${typeOf(schema)}\n`

const toolText = (tool: ToolOperation, namespace: string): string => {
  const types = `${argumentsType(tool)}, ${answerType(tool)}, ${reasonsType(tool)}`
  const make =
    tool.rows === undefined
      ? `tool<${types}>(${JSON.stringify(tool.name)}, ${JSON.stringify(tool.kind)})`
      : `paged<${types}, ${JSON.stringify(tool.rows.key)}>(${JSON.stringify(tool.name)}, ${JSON.stringify(tool.rows.key)}, ${tool.rows.firstPage})`
  const hasArguments = Object.keys(tool.arguments.properties ?? {}).length > 0
  return [
    hasArguments
      ? `export interface ${argumentsType(tool)} ${objectType(tool.arguments, "", true)}\n`
      : `export type ${argumentsType(tool)} = Readonly<Record<string, never>>\n`,
    typeText(answerType(tool), tool.answer),
    `${toolComment(tool, namespace)}export const ${checkedName(camel(tool.name))} = /* @__PURE__ */ ${prefixName(tool.prefix)}.${make}\n`
  ].join("\n")
}

/** Schemas that answers share, in the order of the document. */
const sharedSchemas = (model: ApiModel): ReadonlySet<string> => {
  const toolSchemas = new Set(model.tools.flatMap(({ name }) => [`${name}_arguments`, `${name}_answer`]))
  const shared = new Set<string>()
  const visit = (name: string): void => {
    const schema = model.schemas[name]
    if (schema === undefined) throw new Error(`The document has no schema ${name}.`)
    for (const ref of refsIn(schema)) {
      if (shared.has(ref) || toolSchemas.has(ref)) continue
      shared.add(ref)
      visit(ref)
    }
  }
  for (const { name } of model.tools) visit(`${name}_answer`)
  return shared
}

/** The answer's own schema, where the operation only refers to it. */
const answerSchema = ({ schemas }: ApiModel, { answer, name }: ToolOperation): JsonSchema =>
  answer.$ref === undefined ? answer : (schemas[`${name}_answer`] ?? answer)

const importText = (names: ReadonlyArray<string>, from: string): string =>
  names.length === 0 ? "" : `import type { ${names.join(", ")} } from "${from}"\n`

const groupText = (group: ToolGroup, model: ApiModel, shared: ReadonlySet<string>): string => {
  const used = new Set(
    group.tools.flatMap((tool) => refsIn(answerSchema(model, tool))).filter((name) => shared.has(name))
  )
  const prefixes = [...new Set(group.tools.map(({ prefix }) => prefixName(prefix)))]
  return [
    docComment(wrapped(group.description), ""),
    `import { ${prefixes.join(", ")} } from "./prefixes.ts"\n`,
    importText([...used].map(pascal), "./shared.ts"),
    "\n",
    group.tools.map((tool) => toolText({ ...tool, answer: answerSchema(model, tool) }, camel(group.name))).join("\n")
  ].join("")
}

/** The `type`s of errors that no tool publishes. */
const refusalTypes = (model: ApiModel): ReadonlyArray<string> => {
  const ofTools = new Set(["NotFound", "Refused", "PlanRequired", "Transient", "Permanent"])
  const types = Object.values(model.schemas).flatMap(({ properties = {}, required = [] }) =>
    required.includes("error") && required.includes("detail") ? (properties["type"]?.enum ?? []) : []
  )
  return [...new Set(types.map(String))].filter((type) => !ofTools.has(type))
}

/** The generated part of the TypeScript client, by the name of the file. */
export const typeScriptFiles = (model: ApiModel): Files => {
  const shared = sharedSchemas(model)
  const fileOf = ({ name }: ToolGroup): string => `${camel(name)}.ts`
  const sharedText = [...shared].map((name) => {
    const schema = model.schemas[name] ?? {}
    const comment = schema.description === undefined ? "" : docComment(wrapped(schema.description), "")
    return `${comment}${typeText(pascal(name), schema)}`
  })
  const namespaces = model.groups.map((group) => ({ group, name: checkedName(camel(group.name)) }))
  return new Map([
    ...model.groups.map((group) => [fileOf(group), groupText(group, model, shared)] as const),
    [
      "prefixes.ts",
      `import { toolsUnder } from "../tool.ts"\n\n${[...new Set(model.tools.map(({ prefix }) => prefix))]
        .map((prefix) => `export const ${prefixName(prefix)} = /* @__PURE__ */ toolsUnder(${JSON.stringify(prefix)})\n`)
        .join("")}`
    ],
    ["shared.ts", sharedText.length === 0 ? "export {}\n" : sharedText.join("\n")],
    [
      "refusals.ts",
      `/** Why the gateway refuses a request before it reaches a tool. */\nexport type RefusalType =\n${refusalTypes(
        model
      )
        .map((type) => `  | ${JSON.stringify(type)}\n`)
        .join("")}`
    ],
    [
      "tools.ts",
      model.groups.map((group) => `export * from "./${fileOf(group)}"\n`).join("") +
        'export type * from "./shared.ts"\n'
    ],
    [
      "namespaces.ts",
      [
        'import { bind } from "../bind.ts"\n',
        'import { Client } from "../client.ts"\n',
        ...namespaces.map(({ group, name }) => `import * as ${name} from "./${fileOf(group)}"\n`),
        "\n/** A client with the tools of each group. */\nexport class Namespaces extends Client {\n",
        ...namespaces.map(
          ({ group, name }) =>
            `${docComment(wrapped(group.description), "  ")}  readonly ${name} = bind(this, ${name})\n`
        ),
        "}\n"
      ].join("")
    ]
  ])
}
