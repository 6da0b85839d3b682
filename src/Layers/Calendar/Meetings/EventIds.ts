import { Effect, Random } from "effect"

/** The prefix of event ids that the gateway makes. The provider allows letters only up to v. */
export const ownPrefix = "gate"

const letters = "0123456789abcdefghijklmnopqrstuv"

/** A new id for an event. Inserting an event twice with the same id creates only one. */
export const newEventId: Effect.Effect<string> = Effect.map(
  Effect.replicateEffect(Random.nextIntBetween(0, letters.length), 26),
  (drawn) => `${ownPrefix}${drawn.map((index) => letters[index] ?? "0").join("")}`
)
