import { type ApiModel, type JsonSchema, refName, resolved, type ToolGroup, type ToolOperation } from "./Document.ts"
import { kebab, pascal } from "./Names.ts"
import { sampleOf } from "./samples.ts"
import { refsIn, typeOf } from "./TypeScriptTypes.ts"
import type { Files } from "./typescript.ts"

/** Text of the catalog in Markdown: nothing of it is HTML, a link or an expression of the site's templates. */
const plain = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll("{{", "&#123;&#123;")
    .replaceAll(/[*_[\]`]/g, String.raw`\$&`)

const cell = (text: string): string => plain(text).replaceAll("|", String.raw`\|`).replaceAll(/\s+/g, " ")

const code = (text: string): string => `\`${text.replaceAll("|", String.raw`\|`)}\``

const fenced = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``

const kindTexts = {
  read: "Changes nothing.",
  write: "Changes something.",
  destructive: "Takes something away."
} as const

const parameterType = (schema: JsonSchema): string => {
  const types = schema.type === undefined ? [] : typeof schema.type === "string" ? [schema.type] : schema.type
  return schema.enum === undefined
    ? types.filter((type) => type !== "null").join(" or ")
    : schema.enum
        .filter((value) => value !== null)
        .map((value) => (typeof value === "string" ? value : JSON.stringify(value)))
        .join(", ")
}

const parameterTable = ({ properties = {}, required = [] }: JsonSchema): string => {
  const rows = Object.entries(properties).map(([name, schema]) => {
    const notes = [
      ...(required.includes(name) ? ["Required."] : []),
      schema.description ?? "",
      ...(schema.default === undefined ? [] : [`By default ${JSON.stringify(schema.default)}.`])
    ]
    return `| ${code(name)} | ${cell(parameterType(schema))} | ${cell(notes.join(" "))} |`
  })
  return rows.length === 0
    ? "The tool takes no parameters."
    : ["| Parameter | Type | Meaning |", "|---|---|---|", ...rows].join("\n")
}

/** The types of an answer: its own, and those that it shares with other answers. */
const answerTypes = ({ schemas }: ApiModel, { answer, name }: ToolOperation): string => {
  const shared = new Map<string, JsonSchema>()
  const visit = (schema: JsonSchema): void => {
    for (const ref of refsIn(schema)) {
      if (shared.has(ref)) continue
      const target = resolved(schemas, { $ref: `#/components/schemas/${ref}` })
      shared.set(ref, target)
      visit(target)
    }
  }
  const isNamed = answer.$ref !== undefined && refName(answer.$ref) === `${name}_answer`
  const answerSchema = isNamed ? resolved(schemas, answer) : answer
  visit(answerSchema)
  return [
    `type Answer = ${typeOf(answerSchema)}`,
    ...[...shared].map(([ref, schema]) => `type ${pascal(ref)} = ${typeOf(schema)}`)
  ].join("\n\n")
}

const errorTable = (tool: ToolOperation): string => {
  const rows = Object.entries(tool.reasons).map(
    ([type, reasons]) => `| ${code(type)} | ${reasons.map(code).join(", ")} |`
  )
  return rows.length === 0 ? "" : ["| Type | Reasons |", "|---|---|", ...rows].join("\n")
}

const toolPage = (model: ApiModel, group: ToolGroup, tool: ToolOperation): string => {
  const sample = sampleOf(group, tool)
  return [
    `---\ntitle: ${tool.name}\noutline: 2\n---`,
    `# ${code(tool.name)}`,
    plain(tool.description),
    `${kindTexts[tool.kind]} Of the group [${group.name}](./index.md#${kebab(group.name)}).`,
    "## Parameters",
    parameterTable(tool.arguments),
    "## Example",
    [
      "::: code-group",
      fenced("sh [curl]", sample.curl),
      fenced("ts [TypeScript]", sample.typescript),
      fenced("python [Python]", sample.python),
      ":::"
    ].join("\n\n"),
    `\`GATEWAY\` and \`TOKEN\` are the gateway's address and an access token. The clients: [TypeScript](../clients/typescript/README.md), [Python](../clients/python/README.md).`,
    "## Answer",
    fenced("ts", answerTypes(model, tool)),
    "## Errors",
    "Every tool can also fail [before it runs](../docs/how-to/repeat-calls.md#what-is-refused), and with `Transient` if it is to be repeated.",
    errorTable(tool),
    ""
  ].join("\n\n")
}

const toolIndex = (model: ApiModel): string =>
  [
    "---\ntitle: Tools\noutline: 2\n---",
    "# Tools",
    `${model.tools.length} tools in ${model.groups.length} groups. Each is one call with POST.`,
    ...model.groups.flatMap(({ description, name, tools }) => [
      `## ${name}`,
      plain(description),
      [
        "| Tool | What it does |",
        "|---|---|",
        ...tools.map((tool) => `| [${code(tool.name)}](./${tool.name}.md) | ${cell(tool.description)} |`)
      ].join("\n")
    ]),
    ""
  ].join("\n\n")

export interface NavigationItem {
  readonly text: string
  readonly link?: string
  readonly collapsed?: boolean
  readonly items?: ReadonlyArray<NavigationItem>
}

/** The groups, for the side of the page. With all tools, each page would be larger than its content. */
export const toolNavigation = ({ groups }: ApiModel): ReadonlyArray<NavigationItem> =>
  groups.map(({ name }) => ({ text: name, link: `/tools/#${kebab(name)}` }))

/** A page for each tool, and the list of all. */
export const toolPages = (model: ApiModel): Files =>
  new Map([
    ["tools/index.md", toolIndex(model)] as const,
    ...model.groups.flatMap((group) =>
      group.tools.map((tool) => [`tools/${tool.name}.md`, toolPage(model, group, tool)] as const)
    )
  ])
