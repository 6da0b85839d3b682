import { Context, type Effect, Schema } from "effect"
import type { NotFound, Refused, Transient } from "../../Errors.ts"
import { AccountId } from "../Accounts/Ids.ts"
import type { Caller } from "../Core/Caller.ts"
import { ServiceMode } from "../Core/IntegrationModes.ts"
import { Timestamp } from "../Core/Timestamp.ts"
import * as Task from "../Jobs/Task.ts"
import { LeadId } from "../Leads/Ids.ts"
import type { TouchId } from "../Outreach/TouchLedger.ts"
import { Language } from "../Text/Language.ts"
import { TranscriptTurn } from "./Voice.ts"

export const VoiceCallRequestId = Schema.Int.pipe(Schema.brand("VoiceCallRequestId"))
export type VoiceCallRequestId = typeof VoiceCallRequestId.Type

/** Asked for by the owner for a goal, or made by prospecting of its own accord. */
export const VoiceCallKind = Schema.Literal("goal_driven", "prospecting")
export type VoiceCallKind = typeof VoiceCallKind.Type

export const VoiceCallStatus = Schema.Literal(
  "queued",
  "dialing",
  "in_progress",
  "completed",
  "no_answer",
  "busy",
  "failed",
  "cancelled"
)
export type VoiceCallStatus = typeof VoiceCallStatus.Type

/** A call to the owner in which a lead that is made up is called. */
export const StagedCall = Schema.Struct({
  personName: Schema.String,
  companyName: Schema.NullOr(Schema.String),
  businessName: Schema.String,
  instructions: Schema.NullOr(Schema.String),
  language: Language
})
export type StagedCall = typeof StagedCall.Type

/** At most one task that dials a call waits under this key. */
export const dialJobKey = (accountId: AccountId, id: VoiceCallRequestId): string => `voice_dial:${accountId}:${id}`

/** At most one task that asks after a call waits under this key. */
export const followJobKey = (accountId: AccountId, id: VoiceCallRequestId): string => `voice_follow:${accountId}:${id}`

/** Asks the provider how a call goes, again and again until it has ended. */
export const followVoiceCall = Task.make("follow_voice_call", {
  payload: Schema.Struct({ accountId: AccountId, voiceCallRequestId: VoiceCallRequestId })
})

/** Ends calls of which nothing is heard any more, and queues lost tasks again. */
export const tendVoiceCalls = Task.make("tend_voice_calls", {
  payload: Schema.Struct({}),
  maxAttempts: 3,
  timeout: "5 minutes"
})

/** A call as lists show it. */
export const VoiceCallSummary = Schema.Struct({
  voice_call_request_id: VoiceCallRequestId,
  phone_number: Schema.String.annotations({ description: "E.164: a plus and up to 15 digits." }),
  goal: Schema.String,
  status: VoiceCallStatus,
  was_picked_up: Schema.NullOr(Schema.Boolean).annotations({
    description:
      "Whether a person answered: false for a machine and for no answer, null while or where nobody can tell."
  }),
  goal_achieved: Schema.NullOr(Schema.Boolean).annotations({
    description: "Null until the call has ended, and where it cannot be told."
  }),
  summary: Schema.NullOr(Schema.String),
  failure_reason: Schema.NullOr(Schema.String).annotations({
    description: "In snake_case: why the call was cancelled or failed, or what answered in place of a person."
  }),
  duration_seconds: Schema.NullOr(Schema.Int),
  mode: Schema.NullOr(ServiceMode).annotations({
    description: "Sandbox: the call was simulated and no telephone rang. Null until it is dialed."
  }),
  created_at: Timestamp,
  dialed_at: Schema.NullOr(Timestamp),
  finished_at: Schema.NullOr(Timestamp)
})
export type VoiceCallSummary = typeof VoiceCallSummary.Type

/** A call with everything that was said. */
export const VoiceCallView = Schema.Struct({
  ...VoiceCallSummary.fields,
  kind: VoiceCallKind,
  lead_id: Schema.NullOr(LeadId).annotations({ description: "The lead with this number, where there is one." }),
  context: Schema.NullOr(Schema.String),
  cost_brl: Schema.NullOr(Schema.Number).annotations({
    description: "By the configured price of a minute; null where none is configured."
  }),
  transcript: Schema.Array(TranscriptTurn).annotations({
    description: "In the order spoken; empty until the call ended."
  })
})
export type VoiceCallView = typeof VoiceCallView.Type

/** What a simulation shows of its call. */
export type SimulatedCallView = Omit<VoiceCallView, "kind" | "lead_id" | "phone_number" | "context"> & {
  readonly opening_line: string | null
}

export const QueuedVoiceCall = Schema.Struct({
  voice_call_request_id: VoiceCallRequestId,
  phone_number: Schema.String,
  status: VoiceCallStatus,
  created_at: Timestamp
})
export type QueuedVoiceCall = typeof QueuedVoiceCall.Type

export interface VoiceCallPage {
  readonly calls: ReadonlyArray<VoiceCallSummary>
  readonly total: number
}

/** Goal-driven calls of one account that have not ended. */
export const maximumOpenCalls = 100

/** Simulated calls of one account that have not ended: they all ring at one telephone, one after another. */
export const maximumOpenSimulations = 3

/** How long a call may wait for its turn: later it would ring at an hour that nobody chose. */
export const longestWaitSeconds = 2 * 60 * 60

/** Telephone calls of the account. Methods that change something belong in a transaction. */
export class VoiceCalls extends Context.Tag("VoiceCalls")<
  VoiceCalls,
  {
    /**
     * Queues a call that the owner asks for. Refused with the reason of `callablePhone`, or with `phone_blacklisted`,
     * `lead_unsubscribed` or `too_many_open_calls`.
     */
    readonly placeGoalDriven: (call: {
      readonly phone: string
      readonly goal: string
      readonly context: string | null
    }) => Effect.Effect<QueuedVoiceCall, Refused | Transient, Caller>
    /** Queues a call that prospecting makes to a lead, at its number; whether it may be made is seen when it is dialed. */
    readonly queueForLead: (call: {
      readonly leadId: LeadId
      readonly touchId: TouchId | null
      readonly goal: string
      readonly context: string | null
      readonly openingLine: string | null
    }) => Effect.Effect<VoiceCallRequestId, NotFound | Refused | Transient, Caller>
    /**
     * Queues a call to the owner's own number in which a made-up lead is called. Refused with
     * `too_many_open_calls`. No event tells of it, and no list shows it.
     */
    readonly placeSimulated: (call: {
      readonly phone: string
      readonly goal: string
      readonly openingLine: string
      readonly staged: StagedCall
    }) => Effect.Effect<QueuedVoiceCall, Refused | Transient, Caller>
    readonly getSimulated: (id: VoiceCallRequestId) => Effect.Effect<SimulatedCallView, NotFound | Transient, Caller>
    readonly get: (id: VoiceCallRequestId) => Effect.Effect<VoiceCallView, NotFound | Transient, Caller>
    /** Goal-driven ones, newest first. */
    readonly listGoalDriven: (options: {
      readonly page: number
      readonly pageSize: number
    }) => Effect.Effect<VoiceCallPage, Transient, Caller>
  }
>() {}
