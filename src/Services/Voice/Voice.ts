import { Context, Data, type Effect, type Option, Schema } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { ServiceMode } from "../Core/Outside/IntegrationModes.ts"
import type { Timestamp } from "../Core/Timestamp.ts"
import type { ProspectingVoice } from "../Prospecting/ProspectingSettings.ts"
import type { Language } from "../Text/Language.ts"

/** The gateway's id for a call. It is created before dialing, so that the call can be found again. */
export const CallReference = Schema.UUID.pipe(Schema.brand("CallReference"))
export type CallReference = typeof CallReference.Type

export const VoiceProvider = Schema.Literal("elevenlabs", "twilio", "sandbox")
export type VoiceProvider = typeof VoiceProvider.Type

/** A call to make, with all information for the caller. Goal, context and names are data, not instructions. */
export interface CallOrder {
  readonly accountId: AccountId
  readonly reference: CallReference
  /** E.164. */
  readonly phone: string
  readonly voice: ProspectingVoice
  readonly language: Language
  /** The business that calls. */
  readonly businessName: string
  readonly personName: string | null
  readonly companyName: string | null
  /** The first sentence of the call. If null, the caller chooses it. */
  readonly openingLine: string | null
  readonly goal: string
  /** Whether the goal is an instruction for the caller that must not be said to the lead. */
  readonly isProspecting?: boolean
  readonly context: string | null
  /** The owner's instructions for all calls. */
  readonly instructions: string | null
}

export const TranscriptTurn = Schema.Struct({
  role: Schema.Literal("agent", "person"),
  text: Schema.String,
  at_seconds: Schema.NullOr(Schema.Int).annotations({ description: "Seconds since the call was answered." })
})
export type TranscriptTurn = typeof TranscriptTurn.Type

/** The ways in which a call can end. */
export const CallEnd = Schema.Literal("completed", "no_answer", "busy", "failed", "cancelled")
export type CallEnd = typeof CallEnd.Type

/** The result of a call that has ended. Null means unknown. */
export interface CallResult {
  /** `completed` means that a person or machine answered and the call ran to its end. */
  readonly status: CallEnd
  /** In snake_case. */
  readonly failureReason: string | null
  /** Whether a person answered. False if a machine did. */
  readonly wasPickedUp: boolean | null
  readonly goalAchieved: boolean | null
  readonly summary: string | null
  readonly transcript: ReadonlyArray<TranscriptTurn>
  readonly durationSeconds: number | null
}

/** The result of a call without a conversation. */
export const unansweredCall = (status: CallEnd, failureReason: string | null): CallResult => ({
  status,
  failureReason,
  wasPickedUp: false,
  goalAchieved: false,
  summary: null,
  transcript: [],
  durationSeconds: null
})

export type CallProgress =
  | { readonly _tag: "Dialing" }
  | { readonly _tag: "InProgress" }
  | { readonly _tag: "Ended"; readonly result: CallResult }

export interface PlacedCall {
  readonly providerCallId: string
  /** The text of a played message, if there is no conversation. */
  readonly spokenText: string | null
}

/** The call was certainly not made. With `retryAfterSeconds`, it may be tried again. */
export class CallNotPlaced extends Data.TaggedError("CallNotPlaced")<{
  readonly reason: string
  readonly retryAfterSeconds?: number | undefined
}> {}

/** It is unknown whether the provider accepted the order, so the call must be looked up. */
export class CallMaybePlaced extends Data.TaggedError("CallMaybePlaced")<{ readonly reason: string }> {}

/** The facts by which a call is looked up. */
export interface DialedCall {
  readonly reference: CallReference
  readonly phone: string
  readonly dialedAt: Timestamp
}

export interface FoundCall {
  readonly providerCallId: string
  readonly progress: CallProgress
}

/** Makes calls in which an agent talks or a message is played, and reports their results. */
export class Voice extends Context.Tag("Voice")<
  Voice,
  {
    readonly mode: ServiceMode
    readonly provider: VoiceProvider
    /** Makes one call. Calling this twice makes two calls. */
    readonly place: (order: CallOrder) => Effect.Effect<PlacedCall, CallNotPlaced | CallMaybePlaced>
    /** None if the provider does not know the call. */
    readonly progress: (
      call: DialedCall & { readonly providerCallId: string }
    ) => Effect.Effect<Option.Option<CallProgress>, Transient>
    /**
     * The provider's calls that may be this order's. A provider that stores the reference returns the one call or none.
     * Others return all calls to the number at that time, which may belong to other orders.
     */
    readonly find: (call: DialedCall) => Effect.Effect<ReadonlyArray<FoundCall>, Transient>
  }
>() {}
