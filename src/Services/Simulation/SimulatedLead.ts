import { Schema } from "effect"
import { fromMillis, Timestamp } from "../Core/Timestamp.ts"
import { LeadId, LeadStatus, PipelineState } from "../Leads/Ids.ts"
import { type LeadOperation, type LeadState, transition } from "../Leads/LeadPipeline.ts"
import { MeetingId } from "../Meetings/Ids.ts"
import type { Consequence, ReplyJudgement } from "../Replies/ReplyConsequences.ts"
import { Language } from "../Text/Language.ts"
import { hashOf } from "../Text/PlainText.ts"
import { effectTexts } from "./EffectTexts.ts"

const optionalText = Schema.NullOr(Schema.String)

/** Who the made-up lead is. */
export const SimulatedProfile = Schema.Struct({
  lead_name: Schema.String,
  company_name: optionalText,
  company_description: optionalText,
  website: optionalText,
  phone: optionalText,
  city: optionalText,
  state: optionalText,
  cnae: optionalText,
  cnpj: optionalText,
  country: optionalText,
  background: optionalText,
  goal: optionalText,
  notes: optionalText,
  first_touch_instructions: optionalText
})
export type SimulatedProfile = typeof SimulatedProfile.Type

/** Of whom nothing is known but a name. */
export const nobody: Omit<SimulatedProfile, "lead_name"> = {
  company_name: null,
  company_description: null,
  website: null,
  phone: null,
  city: null,
  state: null,
  cnae: null,
  cnpj: null,
  country: null,
  background: null,
  goal: null,
  notes: null,
  first_touch_instructions: null
}

export const SimulatedMeeting = Schema.Struct({ starts_at: Timestamp, ends_at: Timestamp })

/** How far the platform is with it: what the same lead would be in the pipeline. */
export const SimulatedState = Schema.Struct({
  status: LeadStatus,
  pipeline_state: PipelineState,
  is_unsubscribed: Schema.Boolean,
  language: Schema.NullOr(Language).annotations({ description: "Null until the lead wrote enough to tell." }),
  touch_count: Schema.Int.annotations({ description: "Messages of the platform since the lead wrote last." }),
  next_touch_at: Schema.NullOr(Timestamp).annotations({
    description: "When the platform would contact the lead next, by the simulation's own clock."
  }),
  meeting: Schema.NullOr(SimulatedMeeting)
})
export type SimulatedState = typeof SimulatedState.Type

export const newState: SimulatedState = {
  status: "Cold",
  pipeline_state: "in_pipeline",
  is_unsubscribed: false,
  language: null,
  touch_count: 0,
  next_touch_at: null,
  meeting: null
}

/** Something that prospecting would have done, and the simulation did not. */
export const SimulatedEffect = Schema.Struct({
  kind: Schema.Literal(
    "status_changed",
    "pipeline_changed",
    "event_raised",
    "owner_notified",
    "owner_mailed",
    "owner_asked",
    "sent_for_review",
    "judged",
    "referral_registered",
    "meeting_booked",
    "meeting_moved",
    "meeting_called_off",
    "touch_skipped"
  ),
  detail: Schema.String.annotations({
    description:
      "What it is about, in the account's language; statuses, events and kinds of notifications by the names that tools and webhooks have for them."
  }),
  at: Timestamp
})
export type SimulatedEffect = typeof SimulatedEffect.Type

/** The lead that rules and the writer are told of: the same for the same person, and no lead of any account. */
export const subjectOf = ({ company_name, lead_name }: SimulatedProfile): LeadId =>
  LeadId.make(-1 - (hashOf(`${lead_name}|${company_name ?? ""}`) % 1_000_000))

/** The one meeting that a made-up lead can have. */
export const simulatedMeetingId = MeetingId.make(1)

interface Step {
  readonly state: SimulatedState
  readonly effects: ReadonlyArray<SimulatedEffect>
  /** Whether the lead is to be told of a meeting that stands now. */
  readonly isMeetingNew: boolean
  /** Whether the reply itself set when the lead is contacted next. */
  readonly isTouchSet: boolean
}

const asLeadState = ({ is_unsubscribed, meeting, pipeline_state }: SimulatedState): LeadState => ({
  pipeline: pipeline_state,
  isPaused: false,
  isUnsubscribed: is_unsubscribed,
  outcome: undefined,
  hasScheduledMeeting: meeting !== null
})

/** The state after an operation of the lead's pipeline; one that is refused changes nothing. */
const operated = (state: SimulatedState, operation: LeadOperation): SimulatedState => {
  const result = transition(asLeadState(state), operation)
  if (result._tag !== "Applied") return state
  const { isUnsubscribed, pipeline } = result.state
  return {
    ...state,
    pipeline_state: pipeline,
    is_unsubscribed: isUnsubscribed,
    next_touch_at: pipeline === "in_pipeline" ? state.next_touch_at : null
  }
}

/**
 * Carries out what a reply brings about, on the made-up lead alone. What prospecting would do to anything else is only
 * told.
 */
export const carryOut = (
  before: SimulatedState,
  consequences: ReadonlyArray<Consequence>,
  { language, now }: { readonly now: number; readonly language: Language }
): Step => {
  const { decided, why } = effectTexts(language)
  const at = fromMillis(now)
  let state = before
  let isMeetingNew = false
  let isTouchSet = false
  const effects: Array<SimulatedEffect> = []
  const tell = (kind: SimulatedEffect["kind"], detail: string): void => {
    effects.push({ kind, detail, at })
  }
  const operate = (operation: LeadOperation): void => {
    const next = operated(state, operation)
    if (next.pipeline_state !== state.pipeline_state) {
      tell("pipeline_changed", `${state.pipeline_state} → ${next.pipeline_state}`)
    }
    state = next
  }
  const tellWhy = (judgement: ReplyJudgement | undefined): void => {
    if (judgement !== undefined) tell("judged", `${decided[judgement.decidedBy]}: ${judgement.reason}`)
  }
  const touchAt = (millis: number): void => {
    if (state.pipeline_state !== "in_pipeline") return
    state = { ...state, next_touch_at: fromMillis(millis) }
    isTouchSet = true
  }
  for (const consequence of consequences) {
    switch (consequence._tag) {
      case "BeginAnew":
        state = { ...state, touch_count: 0, language: consequence.language ?? state.language }
        break
      case "SetStatus":
        tell("status_changed", `${state.status} → ${consequence.status}`)
        state = { ...state, status: consequence.status }
        break
      case "Announce":
        tell("event_raised", consequence.event)
        break
      case "Notify":
        tell("owner_notified", consequence.kind)
        break
      case "MailOwner":
        tell("owner_mailed", consequence.kind)
        break
      case "Unsubscribe":
        operate("unsubscribe")
        break
      case "Stop":
        operate("stop")
        tellWhy(consequence.judgement)
        break
      case "FlagForReview":
        operate("flag_for_review")
        tell(
          "sent_for_review",
          [why[consequence.reason], consequence.criterion].filter((part) => part !== undefined).join(": ")
        )
        tellWhy(consequence.judgement)
        break
      case "TouchAt":
        touchAt(consequence.at)
        break
      case "WaitUntil":
        if (state.pipeline_state === "in_pipeline") state = { ...state, next_touch_at: fromMillis(consequence.at) }
        break
      case "AskOwner":
        tell("owner_asked", consequence.question)
        break
      case "RegisterReferral": {
        const { email, name, phone } = consequence.contact
        tell("referral_registered", [name, email, phone].filter((part) => part !== null).join(", "))
        break
      }
      case "BookMeeting":
      case "MoveMeeting": {
        const meeting = { starts_at: fromMillis(consequence.startsAt), ends_at: fromMillis(consequence.endsAt) }
        state = { ...state, meeting }
        if (consequence._tag === "BookMeeting") operate("book_meeting")
        tell(consequence._tag === "BookMeeting" ? "meeting_booked" : "meeting_moved", meeting.starts_at)
        isMeetingNew = true
        break
      }
      case "CallOffMeeting":
        tell("meeting_called_off", state.meeting?.starts_at ?? "")
        if (consequence.touchAt !== undefined) {
          operate("cancel_meeting")
          touchAt(consequence.touchAt)
        }
        state = { ...state, meeting: null }
        break
    }
  }
  return { state, effects, isMeetingNew, isTouchSet }
}

/** A message that was not written well is a person's to decide on. */
export const sentForReview = (state: SimulatedState): SimulatedState => operated(state, "flag_for_review")
