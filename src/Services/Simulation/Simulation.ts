import { Context, type Effect, Schema } from "effect"
import type { NotFound, Permanent, Refused, Transient } from "../../Errors.ts"
import { CampaignId } from "../Campaigns/Ids.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import { ServiceMode } from "../Core/Outside/IntegrationModes.ts"
import { Timestamp } from "../Core/Timestamp.ts"
import { NamedContact } from "../Replies/Contacts/NamedContact.ts"
import {
  MeetingChange,
  ProposedMeeting,
  RefusalReason,
  ReplyClass,
  type ReplyReading
} from "../Replies/ReplyReading.ts"
import { Language } from "../Text/Language.ts"
import { TranscriptTurn } from "../Voice/Voice.ts"
import { VoiceCallRequestId, VoiceCallStatus } from "../Voice/VoiceCalls.ts"
import { ConsideredSource } from "../Writing/Answers/ConsideredSources.ts"
import { notAppliedField } from "../Writing/Instructions/NotApplied.ts"
import { SimulationLeadId } from "./Ids.ts"
import { SimulatedEffect, SimulatedProfile, SimulatedState } from "./SimulatedLead.ts"

export const SimulationChannel = Schema.Literal("email", "chatapp")
export type SimulationChannel = typeof SimulationChannel.Type

/** How a message of the lead was read. */
export const SimulatedReading = Schema.Struct({
  class: ReplyClass,
  confidence: Schema.Number,
  language: Schema.NullOr(Language),
  refusal_reason: Schema.NullOr(RefusalReason),
  question: Schema.NullOr(Schema.String),
  return_date: Schema.NullOr(Schema.String),
  contact: Schema.NullOr(NamedContact),
  proposed_meeting: Schema.NullOr(ProposedMeeting),
  meeting_change: Schema.NullOr(MeetingChange),
  decided_by: Schema.Literal("rules", "model")
})

export const readingView = (reading: ReplyReading): typeof SimulatedReading.Type => ({
  class: reading.class,
  confidence: reading.confidence,
  language: reading.language,
  refusal_reason: reading.refusalReason,
  question: reading.question,
  return_date: reading.returnDate,
  contact: reading.contact,
  proposed_meeting: reading.proposedMeeting,
  meeting_change: reading.meetingChange,
  decided_by: reading.decidedBy
})

/** A message of a simulation, in either direction and on either channel. */
const SimulatedMessageView = Schema.Struct({
  sequence: Schema.Int,
  channel: SimulationChannel,
  author: Schema.Literal("agent", "lead"),
  message_type: Schema.NullOr(Schema.Literal("first_contact", "follow_up", "response", "direct")).annotations({
    description: "Of the agent's messages, as reports count them."
  }),
  subject: Schema.NullOr(Schema.String),
  body: Schema.String,
  at: Timestamp.annotations({ description: "By the simulation's own clock: when it would have been sent." }),
  reading: Schema.NullOr(SimulatedReading),
  rests_on: Schema.Array(ConsideredSource).annotations({
    description:
      "The answers and passages of files that were considered for a message of the agent, with why each is used in it or not."
  })
})
/** A message as it is stored. */
export interface SimulatedMessage extends Omit<typeof SimulatedMessageView.Type, "reading"> {
  readonly reading: ReplyReading | null
}

export const SimulationView = Schema.Struct({
  simulationLeadId: SimulationLeadId,
  finished: Schema.Boolean,
  mode: ServiceMode.annotations({
    description: "Sandbox: rules read and wrote instead of a language model, as in prospecting without one."
  }),
  campaign_id: Schema.NullOr(CampaignId),
  campaign: Schema.NullOr(Schema.String),
  lead: Schema.Struct({ ...SimulatedProfile.fields, ...SimulatedState.fields }),
  transcript: Schema.Array(SimulatedMessageView).annotations({
    description: "Of both channels together, in the order in which it was written."
  }),
  agent_silent_reason: Schema.NullOr(Schema.String).annotations({
    description: "Why the agent did not write in the last turn, in snake_case; null if it did."
  }),
  effects: Schema.Array(SimulatedEffect).annotations({
    description: "What prospecting would have done in addition to writing. None of it happened."
  }),
  ...notAppliedField,
  created_at: Timestamp,
  finished_at: Schema.NullOr(Timestamp)
})
export type SimulationView = typeof SimulationView.Type

export const StartedVoiceSimulation = Schema.Struct({
  simulationLeadId: SimulationLeadId,
  callId: VoiceCallRequestId,
  status: VoiceCallStatus,
  phone_number: Schema.String.annotations({ description: "The owner's stored number, which is called." })
})
export type StartedVoiceSimulation = typeof StartedVoiceSimulation.Type

export const VoiceSimulationView = Schema.Struct({
  simulationLeadId: SimulationLeadId,
  callId: VoiceCallRequestId,
  status: VoiceCallStatus,
  finished: Schema.Boolean.annotations({ description: "Poll until it is true." }),
  mode: Schema.NullOr(ServiceMode).annotations({
    description: "Sandbox: no telephone rang. Null until the call is dialed."
  }),
  goal: Schema.String.annotations({ description: "What the agent should achieve." }),
  opening_line: Schema.NullOr(Schema.String),
  was_picked_up: Schema.NullOr(Schema.Boolean),
  goal_achieved: Schema.NullOr(Schema.Boolean),
  summary: Schema.NullOr(Schema.String),
  failure_reason: Schema.NullOr(Schema.String),
  duration_seconds: Schema.NullOr(Schema.Int),
  cost_brl: Schema.NullOr(Schema.Number),
  transcript: Schema.Array(TranscriptTurn),
  created_at: Timestamp,
  finished_at: Schema.NullOr(Timestamp)
})
export type VoiceSimulationView = typeof VoiceSimulationView.Type

/** The most messages of one simulation, and the most simulations of an account. New ones replace older ones. */
export const maximumMessages = 200
export const maximumSimulations = 200

/**
 * Tries prospecting on a simulated lead, with the real reader, writer, knowledge and settings, but on separate rows.
 * Nothing is sent, no lead changes, and no one is notified.
 */
export class Simulation extends Context.Tag("Simulation")<
  Simulation,
  {
    /**
     * Starts with a message of the agent, or of the lead if it opens the conversation. Call it outside of transactions.
     */
    readonly start: (options: {
      readonly channel: SimulationChannel
      readonly campaign: string | undefined
      readonly profile: SimulatedProfile
      readonly isOpenedByLead: boolean
      readonly leadMessage: string | undefined
      readonly subject: string | undefined
    }) => Effect.Effect<SimulationView, NotFound | Refused | Transient, Caller>
    /** Processes the lead's next message. Call it outside of transactions. */
    readonly continueWith: (
      id: SimulationLeadId,
      turn: {
        readonly channel: SimulationChannel
        readonly leadMessage: string
        readonly subject: string | undefined
      }
    ) => Effect.Effect<SimulationView, NotFound | Refused | Transient, Caller>
    readonly inspect: (id: SimulationLeadId) => Effect.Effect<SimulationView, NotFound | Transient, Caller>
    /** Ends the simulation. A repeated call changes nothing. */
    readonly finish: (id: SimulationLeadId) => Effect.Effect<SimulationView, NotFound | Transient, Caller>
    /** Queues a call to the owner's own stored number. Call it outside of transactions. */
    readonly startCall: (options: {
      readonly campaign: string | undefined
      readonly profile: SimulatedProfile
    }) => Effect.Effect<StartedVoiceSimulation, NotFound | Refused | Transient | Permanent, Caller>
    readonly callStatus: (
      id: SimulationLeadId,
      callId: VoiceCallRequestId
    ) => Effect.Effect<VoiceSimulationView, NotFound | Transient, Caller>
  }
>() {}
