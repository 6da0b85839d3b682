import { readFileSync } from "node:fs"
import { Schema } from "effect"

/**
 * The contract: every tool as it was agreed, those still to be built among them, in one file per group. Hosts decide by
 * `idempotent` and `open_world` what they repeat and what they ask a person about.
 */
const folder = new URL("agreed/", import.meta.url)

const read = <A, I>(file: string, schema: Schema.Schema<A, I>): A =>
  Schema.decodeUnknownSync(Schema.parseJson(schema))(readFileSync(new URL(file, folder), "utf8"))

const AgreedParameter = Schema.Struct({
  name: Schema.String,
  type: Schema.Literal("string", "integer", "number", "boolean"),
  required: Schema.Boolean,
  default: Schema.optional(Schema.Union(Schema.String, Schema.Number, Schema.Boolean)),
  enum: Schema.optional(Schema.Array(Schema.String)),
  list_of: Schema.optional(Schema.Array(Schema.String)),
  min: Schema.optional(Schema.Number),
  max: Schema.optional(Schema.Number),
  min_length: Schema.optional(Schema.Number),
  max_length: Schema.optional(Schema.Number),
  fallback: Schema.optional(Schema.Boolean)
})
export type AgreedParameter = typeof AgreedParameter.Type

const AgreedTool = Schema.Struct({
  name: Schema.String,
  kind: Schema.Literal("R", "W", "D"),
  idempotent: Schema.Boolean,
  open_world: Schema.Boolean,
  parameters: Schema.Array(AgreedParameter)
})

/** The groups in the order of the catalog. */
export const agreedGroups = read("groups.json", Schema.Array(Schema.String))

const fileOf = (group: string): string =>
  `${group
    .toLowerCase()
    .match(/[a-z]+/g)
    ?.join("-")}.json`

export const agreedTools = agreedGroups.flatMap((group) =>
  read(fileOf(group), Schema.Array(AgreedTool)).map((tool) => ({ ...tool, group }))
)
