import { Layer, Redacted } from "effect"
import { makeSealing, Sealing } from "../../src/Layers/Platform/Sealing.ts"

/** Seals with a key of the tests. */
export const SealingOfTests = Layer.succeed(
  Sealing,
  makeSealing([Redacted.make("a secret of the tests, long enough for all")])
)
