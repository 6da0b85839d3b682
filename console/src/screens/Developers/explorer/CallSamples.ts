export const sampleKinds = ["curl", "typescript", "python", "mcp"] as const
export type SampleKind = (typeof sampleKinds)[number]

interface SampleTool {
  readonly name: string
  readonly group: string
  readonly routes: { readonly post: string }
}

type Arguments = Readonly<Record<string, unknown>>

const wordsOf = (name: string): ReadonlyArray<string> => name.split(/[^A-Za-z0-9]+/).filter((word) => word !== "")

const capital = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`

/** Abbreviations are words too. */
const lower = (word: string): string =>
  word === word.toUpperCase() ? word.toLowerCase() : `${word.charAt(0).toLowerCase()}${word.slice(1)}`

/** The names that the TypeScript client gives: `CRM integrations` becomes `crmIntegrations`. */
const camel = (name: string): string => {
  const [first = "", ...rest] = wordsOf(name).map(lower)
  return [first, ...rest.map(capital)].join("")
}

/** The names that the Python client gives: `CRM integrations` becomes `crm_integrations`. */
const snake = (name: string): string => wordsOf(name).join("_").toLowerCase()

const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const pythonValue = (value: unknown): string =>
  typeof value === "boolean" ? (value ? "True" : "False") : JSON.stringify(value)

const longestLine = 72

const joined = (members: ReadonlyArray<string>, indent: string): string => {
  const line = members.join(", ")
  return line.length <= longestLine ? line : `\n${members.map((member) => `${indent}${member}`).join(",\n")}\n`
}

const curlOf = ({ routes }: SampleTool, args: Arguments, origin: string): string =>
  [
    `curl -sS "${origin}${routes.post}" \\`,
    '  -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" \\',
    `  -d ${shellQuoted(JSON.stringify(args))}`
  ].join("\n")

const typescriptOf = ({ group, name }: SampleTool, args: Arguments): string => {
  const members = joined(
    Object.entries(args).map(([key, value]) => `${key}: ${JSON.stringify(value)}`),
    "  "
  )
  const object = members === "" ? "" : members.startsWith("\n") ? `{${members}}` : `{ ${members} }`
  return `const answer = await gateway.${camel(group)}.${camel(name)}(${object})`
}

const pythonOf = ({ group, name }: SampleTool, args: Arguments): string => {
  const members = Object.entries(args).map(([key, value]) => `${key}=${pythonValue(value)}`)
  return `answer = gateway.${snake(group)}.${name}(${joined(members, "    ")})`
}

const mcpOf = ({ name }: SampleTool, args: Arguments): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }, null, 2)

/** The kinds of sample that a tool has. The platform's tools are not served over MCP. */
export const kindsFor = ({ routes }: SampleTool): ReadonlyArray<SampleKind> =>
  sampleKinds.filter((kind) => kind !== "mcp" || !routes.post.startsWith("/platform/"))

/** Returns the call with these arguments as a sample for a terminal or a program. The token is never part of it. */
export const sampleOf = (kind: SampleKind, tool: SampleTool, args: Arguments, origin: string): string => {
  if (kind === "curl") return curlOf(tool, args, origin)
  if (kind === "typescript") return typescriptOf(tool, args)
  return kind === "python" ? pythonOf(tool, args) : mcpOf(tool, args)
}
