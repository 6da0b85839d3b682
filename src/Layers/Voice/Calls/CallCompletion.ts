import { Context, Effect, Layer } from "effect"
import { makeCallBatches } from "./CallBatches.ts"
import { makeCallSteps } from "./CallSteps.ts"

const make = Effect.gen(function* () {
  const steps = yield* makeCallSteps
  return { ...steps, batches: yield* makeCallBatches(steps) }
})

/** The steps of calls through their states, and the batches that run many of them in one transaction. */
export class VoiceCallCompletion extends Context.Tag("VoiceCallCompletion")<
  VoiceCallCompletion,
  Effect.Effect.Success<typeof make>
>() {}

export const VoiceCallCompletionLive = Layer.effect(VoiceCallCompletion, make)
