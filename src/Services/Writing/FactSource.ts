import { Schema } from "effect"

/** The source of a fact in a message. */
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

/** An answer and its source. */
export interface SourcedAnswer {
  readonly text: string
  /** Absent for an owner's answer without an id. */
  readonly source: FactSource | undefined
}
