import { Context, type Effect, Schema } from "effect"
import type { NotFound, Refused, Transient } from "../../Errors.ts"
import { AccountId } from "../Accounts/Ids.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import { ServiceMode } from "../Core/Outside/IntegrationModes.ts"
import { Timestamp } from "../Core/Timestamp.ts"
import * as Task from "../Jobs/Task.ts"
import { LeadId } from "../Leads/Ids.ts"
import type { TouchId } from "../Outreach/TouchLedger.ts"
import { Language } from "../Text/Language.ts"
import { TranscriptTurn } from "./Voice.ts"

export const VoiceCallRequestId = Schema.Int.pipe(Schema.brand("VoiceCallRequestId"))
export type VoiceCallRequestId = typeof VoiceCallRequestId.Type

/** Requested by the owner for a goal, or made by prospecting on its own initiative. */
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

/** A call to the owner that simulates calling a lead. */
export const StagedCall = Schema.Struct({
  personName: Schema.String,
  companyName: Schema.NullOr(Schema.String),
  businessName: Schema.String,
  instructions: Schema.NullOr(Schema.String),
  language: Language
})
export type StagedCall = typeof StagedCall.Type

/** The key that limits a call to one waiting task that dials it. */
export const dialJobKey = (accountId: AccountId, id: VoiceCallRequestId): string => `voice_dial:${accountId}:${id}`

/** The key that limits a call to one waiting task that asks for its state. */
export const followJobKey = (accountId: AccountId, id: VoiceCallRequestId): string => `voice_follow:${accountId}:${id}`

/** Asks the provider for a call's state repeatedly until it has ended. */
export const followVoiceCall = Task.make("follow_voice_call", {
  payload: Schema.Struct({ accountId: AccountId, voiceCallRequestId: VoiceCallRequestId })
})

/** Ends calls that got no more reports, and queues lost tasks again. */
export const tendVoiceCalls = Task.make("tend_voice_calls", {
  payload: Schema.Struct({}),
  maxAttempts: 3,
  timeout: "5 minutes"
})

/** A call in a list. */
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

/** A call with its transcript. */
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

/** The most unfinished goal-driven calls of an account. */
export const maximumOpenCalls = 100

/** The most unfinished simulated calls of an account. All of them ring at the same phone, one after another. */
export const maximumOpenSimulations = 3

/** How long a call may stay queued. Later, it would ring at an unexpected hour. */
export const longestWaitSeconds = 2 * 60 * 60

/** Telephone calls of an account. Call methods that change something in a transaction. */
export class VoiceCalls extends Context.Tag("VoiceCalls")<
  VoiceCalls,
  {
    /**
     * Queues a call that the owner requests. Refused with the reason of `callablePhone`, or with `phone_blacklisted`,
     * `lead_unsubscribed` or `too_many_open_calls`.
     */
    readonly placeGoalDriven: (call: {
      readonly phone: string
      readonly goal: string
      readonly context: string | null
    }) => Effect.Effect<QueuedVoiceCall, Refused | Transient, Caller>
    /** Queues a call of prospecting to a lead's number. Whether it is allowed is checked when it is dialed. */
    readonly queueForLead: (call: {
      readonly leadId: LeadId
      readonly touchId: TouchId | null
      readonly goal: string
      readonly context: string | null
      readonly openingLine: string | null
    }) => Effect.Effect<VoiceCallRequestId, NotFound | Refused | Transient, Caller>
    /**
     * Queues a simulated call of a lead, made to the owner's number. Refused with `too_many_open_calls`. It causes no
     * event and is in no list.
     */
    readonly placeSimulated: (call: {
      readonly phone: string
      readonly goal: string
      readonly openingLine: string
      readonly staged: StagedCall
    }) => Effect.Effect<QueuedVoiceCall, Refused | Transient, Caller>
    readonly getSimulated: (id: VoiceCallRequestId) => Effect.Effect<SimulatedCallView, NotFound | Transient, Caller>
    readonly get: (id: VoiceCallRequestId) => Effect.Effect<VoiceCallView, NotFound | Transient, Caller>
    /** Goal-driven calls, newest first. */
    readonly listGoalDriven: (options: {
      readonly page: number
      readonly pageSize: number
    }) => Effect.Effect<VoiceCallPage, Transient, Caller>
  }
>() {}
