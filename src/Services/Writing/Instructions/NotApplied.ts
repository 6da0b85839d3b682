import { Schema } from "effect"

/** Why an instruction of the owner is not followed. */
export type NotAppliedReason =
  | "not_understood"
  | "only_partly"
  | "fact"
  | "other_language"
  | "not_for_lead"
  | "too_many"
  | "condition"
  | "placeholder"
  | "language_of_lead"
  | "context"
  | "criterion"

/** An owner's words that are not followed, and why. */
export const NotApplied = Schema.Struct({
  text: Schema.String.annotations({ description: "The owner's own words." }),
  reason: Schema.String.annotations({ description: "Why, in the account's language." })
})
export type NotApplied = typeof NotApplied.Type

/** The field of answers with the instructions that are not followed. */
export const notAppliedField = {
  not_applied: Schema.Array(NotApplied).annotations({
    description:
      "What of the instructions is not carried out, because rules write the messages and do not understand it. Empty where a language model writes: it gets all instructions."
  })
} as const
