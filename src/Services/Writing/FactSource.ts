import { Schema } from "effect"

/** Where a fact stands that a message tells. */
export const FactSource = Schema.Union(
  Schema.Struct({
    kind: Schema.Literal("business_file"),
    business_file_id: Schema.Int,
    sequence: Schema.Int,
    title: Schema.String
  }),
  Schema.Struct({ kind: Schema.Literal("faq"), answer_id: Schema.Int })
)
export type FactSource = typeof FactSource.Type
