import { Schema } from "effect"

/** Why something that an owner asks for is not carried out. */
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

/** Words of an owner that are not carried out, and why. */
export const NotApplied = Schema.Struct({
  text: Schema.String.annotations({ description: "The owner's own words." }),
  reason: Schema.String.annotations({ description: "Why, in the account's language." })
})
export type NotApplied = typeof NotApplied.Type

/** The field in which answers say what of the instructions is not carried out. */
export const notAppliedField = {
  not_applied: Schema.Array(NotApplied).annotations({
    description:
      "What of the instructions is not carried out, because rules write the messages and do not understand it. Empty where a language model writes: it gets all instructions."
  })
} as const
