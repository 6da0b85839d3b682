import { Effect, Predicate } from "effect"
import { Timestamp } from "../../Services/Core/Timestamp.ts"
import * as ReplyPatterns from "../../Services/Replies/ReplyPatterns.ts"
import { readByRules } from "../../Services/Replies/ReplyRules.ts"
import { wishPatterns } from "../../Services/Replies/UnsubscribeWish.ts"
import { yieldToEventLoop } from "../Platform/Fairness/EventLoop.ts"

/** The expressions within exported values. */
const expressionsIn = (value: unknown): ReadonlyArray<RegExp> => {
  if (value instanceof RegExp) return [value]
  return Predicate.isObject(value) ? Object.values(value).flatMap(expressionsIn) : []
}

const sentence = "a plain sentence"

// The engine compiles an expression at its first use, and better at its second one.
const use = (expression: RegExp) => {
  for (let time = 0; time < 2; time++) {
    sentence.search(expression)
    if (expression.global) Array.from(sentence.matchAll(expression))
  }
}

/**
 * Uses what replies are read by, one expression in a turn of the event loop: at the first reply all of them at once would
 * hold it for a sixth of a second.
 */
export const warmReader: Effect.Effect<void> = Effect.forEach(
  [...wishPatterns, ...expressionsIn(ReplyPatterns)],
  (expression) =>
    Effect.zipRight(
      yieldToEventLoop,
      Effect.sync(() => use(expression))
    ),
  { discard: true }
).pipe(
  Effect.zipRight(yieldToEventLoop),
  Effect.zipRight(
    Effect.sync(() =>
      readByRules({
        text: sentence,
        receivedAt: Timestamp.make("2026-01-05T12:00:00Z"),
        timeZone: "America/Sao_Paulo",
        country: "BR",
        leadLanguage: "pt-BR",
        ownContacts: []
      })
    )
  ),
  Effect.asVoid
)
