import { Effect, Random } from "effect"

/** What ids of ours begin with; letters beyond v are none of theirs. */
export const ownPrefix = "gate"

const letters = "0123456789abcdefghijklmnopqrstuv"

/** An id of ours for an event, as the provider takes them: inserting it again makes no second event. */
export const newEventId: Effect.Effect<string> = Effect.map(
  Effect.replicateEffect(Random.nextIntBetween(0, letters.length), 26),
  (drawn) => `${ownPrefix}${drawn.map((index) => letters[index] ?? "0").join("")}`
)
