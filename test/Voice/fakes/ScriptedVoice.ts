import { Effect, Layer, Option } from "effect"
import {
  type CallMaybePlaced,
  type CallNotPlaced,
  type CallOrder,
  type CallProgress,
  type FoundCall,
  Voice
} from "../../../src/Services/Voice/Voice.ts"

export interface ScriptedVoice {
  /** The calls that were really made, in order. */
  readonly made: Array<CallOrder>
  /** What comes of each order before it is answered; the call is made unless it fails first. */
  place: (order: CallOrder) => Effect.Effect<void, CallNotPlaced | CallMaybePlaced>
  /** What comes after the call is made and before that is known. */
  afterwards: Effect.Effect<void, CallMaybePlaced>
  progress: CallProgress
  /** False hides every call from look-ups. */
  finds: boolean
  finding: number
}

/** A telephone that does as it is told. */
export const scriptedVoice = (): ScriptedVoice => ({
  made: [],
  place: () => Effect.void,
  afterwards: Effect.void,
  progress: { _tag: "Dialing" },
  finds: true,
  finding: 0
})

export const idOf = (order: CallOrder): string => `call_${order.reference}`

export const voiceLayer = (script: ScriptedVoice) =>
  Layer.succeed(
    Voice,
    Voice.of({
      mode: "live",
      provider: "elevenlabs",
      place: (order) =>
        Effect.gen(function* () {
          yield* script.place(order)
          script.made.push(order)
          yield* script.afterwards
          return { providerCallId: idOf(order), spokenText: null }
        }),
      progress: ({ providerCallId }) =>
        Effect.succeed(
          script.made.some((order) => idOf(order) === providerCallId) ? Option.some(script.progress) : Option.none()
        ),
      find: ({ reference }) =>
        Effect.sync(() => {
          script.finding++
          const found = script.made.filter((order) => script.finds && order.reference === reference)
          return found.map((order): FoundCall => ({ providerCallId: idOf(order), progress: script.progress }))
        })
    })
  )
