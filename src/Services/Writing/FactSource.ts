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

export const sourceKey = (source: FactSource): string =>
  source.kind === "faq" ? `faq:${source.answer_id}` : `file:${source.business_file_id}:${source.sequence}`

/** An answer, and where it comes from. */
export interface SourcedAnswer {
  readonly text: string
  /** Absent for an answer of the owner's without an id. */
  readonly source: FactSource | undefined
}
