import { Context, Data, type Effect, type Option, Schema } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { ServiceMode } from "../Core/IntegrationModes.ts"
import type { Timestamp } from "../Core/Timestamp.ts"
import type { ProspectingVoice } from "../Prospecting/ProspectingSettings.ts"
import type { Language } from "../Text/Language.ts"

/** Ours, made before dialing: what a call is found again by. */
export const CallReference = Schema.UUID.pipe(Schema.brand("CallReference"))
export type CallReference = typeof CallReference.Type

export const VoiceProvider = Schema.Literal("elevenlabs", "twilio", "sandbox")
export type VoiceProvider = typeof VoiceProvider.Type

/** A call to be made, with all that the caller is told. Goal, context and names are material, not instructions. */
export interface CallOrder {
  readonly accountId: AccountId
  readonly reference: CallReference
  /** E.164. */
  readonly phone: string
  readonly voice: ProspectingVoice
  readonly language: Language
  /** On whose behalf. */
  readonly businessName: string
  readonly personName: string | null
  readonly companyName: string | null
  /** Said first; null leaves it to the caller. */
  readonly openingLine: string | null
  readonly goal: string
  /** The goal is told to whoever talks with the lead, and is not to be read out. */
  readonly isProspecting?: boolean
  readonly context: string | null
  /** The owner's for all calls. */
  readonly instructions: string | null
}

export const TranscriptTurn = Schema.Struct({
  role: Schema.Literal("agent", "person"),
  text: Schema.String,
  at_seconds: Schema.NullOr(Schema.Int).annotations({ description: "Seconds since the call was answered." })
})
export type TranscriptTurn = typeof TranscriptTurn.Type

/** How a call can end. */
export const CallEnd = Schema.Literal("completed", "no_answer", "busy", "failed", "cancelled")
export type CallEnd = typeof CallEnd.Type

/** What is known of a call that has ended; null is unknown. */
export interface CallResult {
  /** `completed`: somebody or something answered, and the call ran to its end. */
  readonly status: CallEnd
  /** In snake_case. */
  readonly failureReason: string | null
  /** Whether a person answered: false for a machine. */
  readonly wasPickedUp: boolean | null
  readonly goalAchieved: boolean | null
  readonly summary: string | null
  readonly transcript: ReadonlyArray<TranscriptTurn>
  readonly durationSeconds: number | null
}

/** How a call ended that never became a conversation. */
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
  /** What is said, where a message is played and no conversation held. */
  readonly spokenText: string | null
}

/** The call was certainly not made. With `retryAfterSeconds` a later attempt may be. */
export class CallNotPlaced extends Data.TaggedError("CallNotPlaced")<{
  readonly reason: string
  readonly retryAfterSeconds?: number | undefined
}> {}

/** The provider may or may not have taken the order: it has to be looked for. */
export class CallMaybePlaced extends Data.TaggedError("CallMaybePlaced")<{ readonly reason: string }> {}

/** What a call is asked after by. */
export interface DialedCall {
  readonly reference: CallReference
  readonly phone: string
  readonly dialedAt: Timestamp
}

export interface FoundCall {
  readonly providerCallId: string
  readonly progress: CallProgress
}

/** The telephone: makes calls in which an agent talks, or plays a message, and tells what became of them. */
export class Voice extends Context.Tag("Voice")<
  Voice,
  {
    readonly mode: ServiceMode
    readonly provider: VoiceProvider
    /** Makes the call; never more than one, but called twice it makes two. */
    readonly place: (order: CallOrder) => Effect.Effect<PlacedCall, CallNotPlaced | CallMaybePlaced>
    /** Nothing where the provider does not know the call. */
    readonly progress: (
      call: DialedCall & { readonly providerCallId: string }
    ) => Effect.Effect<Option.Option<CallProgress>, Transient>
    /**
     * The calls that this order may have become. Where the provider keeps our reference that is the call or nothing;
     * else all to the number at that time, of which some may belong to other orders.
     */
    readonly find: (call: DialedCall) => Effect.Effect<ReadonlyArray<FoundCall>, Transient>
  }
>() {}
