import { createHash } from "node:crypto"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { Schema } from "effect"
import { type JsonSchema, modelOf, OpenApiDocument, type ToolOperation } from "../../generate/Document.ts"
import { exitCodes, PgwError } from "./ExitCodes.ts"
import { cacheFolder, writePrivate } from "./Profiles.ts"

const Parameter = Schema.Struct({
  name: Schema.String,
  type: Schema.Literal("string", "integer", "number", "boolean"),
  required: Schema.Boolean,
  description: Schema.String,
  choices: Schema.optional(Schema.Array(Schema.String)),
  default: Schema.optional(Schema.String)
})
export type Parameter = typeof Parameter.Type

/** What the command line needs to know of a tool. */
export const KnownTool = Schema.Struct({
  name: Schema.String,
  path: Schema.String,
  group: Schema.String,
  kind: Schema.Literal("read", "write", "destructive"),
  description: Schema.String,
  parameters: Schema.Array(Parameter),
  reasons: Schema.Record({ key: Schema.String, value: Schema.Array(Schema.String) }),
  rows: Schema.optional(Schema.Struct({ key: Schema.String, firstPage: Schema.Number }))
})
export type KnownTool = typeof KnownTool.Type

const Cached = Schema.parseJson(
  Schema.Struct({
    format: Schema.Literal(1),
    etag: Schema.String,
    checked_at_millis: Schema.Number,
    tools: Schema.Array(KnownTool)
  })
)
type Cached = typeof Cached.Type

const typesOf = ({ type }: JsonSchema): ReadonlyArray<string> =>
  type === undefined ? [] : typeof type === "string" ? [type] : type

const parameterType = (schema: JsonSchema): Parameter["type"] => {
  const types = typesOf(schema)
  return types.includes("integer")
    ? "integer"
    : types.includes("number")
      ? "number"
      : types.includes("boolean")
        ? "boolean"
        : "string"
}

const parameterOf = (name: string, schema: JsonSchema, required: boolean): Parameter => ({
  name,
  type: parameterType(schema),
  required,
  description: schema.description ?? "",
  ...(schema.enum === undefined
    ? {}
    : { choices: schema.enum.filter((value): value is string => typeof value === "string") }),
  ...(schema.default === undefined
    ? {}
    : { default: typeof schema.default === "string" ? schema.default : JSON.stringify(schema.default) })
})

const knownTool = ({
  arguments: args,
  description,
  group,
  kind,
  name,
  prefix,
  reasons,
  rows
}: ToolOperation): KnownTool => ({
  name,
  path: `${prefix}/tools/${name}`,
  group,
  kind,
  description,
  parameters: Object.entries(args.properties ?? {}).map(([parameter, schema]) =>
    parameterOf(parameter, schema, args.required?.includes(parameter) === true)
  ),
  reasons,
  ...(rows === undefined ? {} : { rows })
})

/** The gateway is asked again after this time whether its tools are still the same. */
const freshMillis = 10 * 60_000
const requestMillis = 60_000

const cacheFile = (url: string): string =>
  path.join(cacheFolder(), `${createHash("sha256").update(url).digest("hex").slice(0, 16)}.json`)

const readCache = async (url: string): Promise<Cached | undefined> => {
  try {
    return Schema.decodeUnknownSync(Cached)(await fs.readFile(cacheFile(url), "utf8"))
  } catch {
    return undefined
  }
}

const writeCache = (url: string, cached: Cached): Promise<void> =>
  // Without a place for it, the next command asks again.
  writePrivate(cacheFile(url), Schema.encodeSync(Cached)(cached)).catch(() => undefined)

/** The gateway's tools, from its document. The document needs no token and is large, so an extract is stored. */
export const loadTools = async (url: string, now = Date.now()): Promise<ReadonlyArray<KnownTool>> => {
  const cached = await readCache(url)
  if (cached !== undefined && now - cached.checked_at_millis < freshMillis) return cached.tools
  const response = await fetch(`${url}/openapi.json`, {
    headers: cached === undefined ? {} : { "If-None-Match": cached.etag },
    signal: AbortSignal.timeout(requestMillis)
  }).catch(() => undefined)
  if (response?.status === 304 && cached !== undefined) {
    await writeCache(url, { ...cached, checked_at_millis: now })
    return cached.tools
  }
  if (response?.ok !== true) {
    if (cached !== undefined) return cached.tools
    throw new PgwError(
      `The gateway at ${url} cannot be reached.`,
      "Check the address, or run pgw login.",
      exitCodes.tryAgain
    )
  }
  const { tools } = modelOf(Schema.decodeUnknownSync(OpenApiDocument)(await response.text()))
  const knownTools = tools.map(knownTool)
  const etag = response.headers.get("etag")
  if (etag !== null) await writeCache(url, { format: 1, etag, checked_at_millis: now, tools: knownTools })
  return knownTools
}

/** How many letters must change, for suggestions. */
const distance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}

const longestName = 100

/** The tool of this name, or an error with the nearest one. */
export const toolNamed = (tools: ReadonlyArray<KnownTool>, name: string): KnownTool => {
  const exactName = name.replaceAll("-", "_")
  const exact = tools.find((tool) => tool.name === exactName)
  if (exact !== undefined) return exact
  const [nearest] =
    exactName.length > longestName
      ? []
      : tools.toSorted((a, b) => distance(a.name, exactName) - distance(b.name, exactName))
  throw new PgwError(
    `There is no tool ${name}.`,
    nearest === undefined
      ? "pgw tools lists them."
      : `Did you mean ${nearest.name}? pgw tools ${name.split("_")[0]} searches.`
  )
}

/** The tools that have all words in their name, group or description, those with them in the name first. */
export const searchTools = (tools: ReadonlyArray<KnownTool>, query: string): ReadonlyArray<KnownTool> => {
  const words = query
    .toLowerCase()
    .split(/[\s_]+/)
    .filter((word) => word !== "")
  const inName = ({ name }: KnownTool): number => words.filter((word) => name.includes(word)).length
  return tools
    .filter(({ description, group, name }) => {
      const text = `${name} ${group} ${description}`.toLowerCase()
      return words.every((word) => text.includes(word))
    })
    .toSorted((a, b) => inName(b) - inName(a))
}
