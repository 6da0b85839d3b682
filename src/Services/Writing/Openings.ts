import { Schema } from "effect"

/**
 * How a first message begins, in the order of the phrase books: with the offer, with an introduction and a question, or
 * with a greeting.
 */
export const Opening = Schema.Literal("offer", "introduction", "greeting")
export type Opening = typeof Opening.Type

export const openings: ReadonlyArray<Opening> = Opening.literals
