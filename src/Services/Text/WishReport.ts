import { Schema } from "effect"
import { clip } from "./PlainText.ts"

/**
 * A wish of a prompt that was not fulfilled, why, and what would help. The text is for people, in the account's
 * language.
 */
export const UndoneWish = Schema.Struct({
  wish: Schema.String.annotations({ description: "The words of the prompt." }),
  reason: Schema.String,
  suggestion: Schema.String
})
export type UndoneWish = typeof UndoneWish.Type

/** The result of each wish of a prompt, and questions to the owner before the result is published. */
export const WishReport = Schema.Struct({
  done: Schema.Array(Schema.String),
  not_done: Schema.Array(UndoneWish),
  needs_input: Schema.Array(Schema.String)
})
export type WishReport = typeof WishReport.Type

export const Outcome = Schema.Literal("complete", "partial", "nothing_done")
export type Outcome = typeof Outcome.Type

export const outcomeOf = ({ done, not_done }: WishReport): Outcome =>
  not_done.length === 0 ? "complete" : done.length === 0 ? "nothing_done" : "partial"

/** The fields of a polled record that report the result of its prompt. */
export const reportFields = {
  outcome: Schema.NullOr(Outcome).annotations({
    description: "How much of the prompt was done. Null while it is unfinished, and where it failed for another reason."
  }),
  done: Schema.Array(Schema.String).annotations({ description: "What was done, in the account's language." }),
  not_done: Schema.Array(UndoneWish).annotations({
    description: "Wishes that were not understood whole, or cannot be done. Nothing was changed for these."
  }),
  needs_input: Schema.Array(Schema.String).annotations({
    description: "Questions to the owner. Nothing is published before they are answered by a change."
  })
} as const

/** A report as a record shows it. A record without a report shows an empty one. */
export const shownReport = (report: WishReport | null | undefined, unfinished = false) => {
  if (report === null || report === undefined) return { outcome: null, done: [], not_done: [], needs_input: [] }
  return { outcome: unfinished ? null : outcomeOf(report), ...report }
}

/** The report of a prompt that was fulfilled as a single wish. */
export const allDone = (prompt: string): WishReport => ({ done: [clip(prompt, 300)], not_done: [], needs_input: [] })

/** The failure code if no wish of the prompt was understood. */
export const notUnderstoodCode = "not_understood"

/** Why nothing was done, as a single text. */
export const detailOf = ({ not_done }: WishReport): string => not_done.map(({ reason }) => reason).join(" ")
