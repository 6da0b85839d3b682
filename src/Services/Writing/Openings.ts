import { Schema } from "effect"

/**
 * How a first message begins, in the order of the phrase books' introductions: by what is offered, by an introduction
 * and a question, or by a greeting.
 */
export const Opening = Schema.Literal("offer", "introduction", "greeting")
export type Opening = typeof Opening.Type

export const openings: ReadonlyArray<Opening> = Opening.literals
