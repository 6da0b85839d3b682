import { Schema } from "effect"
import { fromMillis, Timestamp } from "../Core/Timestamp.ts"
import { LeadId, LeadStatus, PipelineState } from "../Leads/Ids.ts"
import { type LeadOperation, type LeadState, transition } from "../Leads/LeadPipeline.ts"
import { type ProgressEvent, passedBy, progressEvents } from "../Leads/LeadProgress.ts"
import { MeetingId } from "../Meetings/Ids.ts"
import type { Consequence, ReplyJudgement } from "../Replies/ReplySituation.ts"
import { Language } from "../Text/Language.ts"
import { hashOf } from "../Text/PlainText.ts"
import { effectTexts } from "./EffectTexts.ts"

const optionalText = Schema.NullOr(Schema.String)

/** The simulated lead's profile. */
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

/** A profile without anything except a name. */
export const emptyProfile: Omit<SimulatedProfile, "lead_name"> = {
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

/** The state that the same lead would have in the pipeline. */
export const SimulatedState = Schema.Struct({
  status: LeadStatus,
  pipeline_state: PipelineState,
  is_unsubscribed: Schema.Boolean,
  language: Schema.NullOr(Language).annotations({
    description: "Null until the lead has written enough to detect it."
  }),
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

/** The events of the feed for a status that replaces another one. */
const raisedEvents = (before: LeadStatus, after: LeadStatus): ReadonlyArray<ProgressEvent> => {
  const passed = passedBy(after).filter((status) => !passedBy(before).includes(status))
  return (["Confirmed", "Interested"] as const).flatMap((status) =>
    passed.includes(status) ? [progressEvents[status]] : []
  )
}

/** Something that prospecting would have done. */
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

/**
 * The lead id for rules and the writer. The same person always has the same id, which belongs to no account's lead.
 */
export const subjectOf = ({ company_name, lead_name }: SimulatedProfile): LeadId =>
  LeadId.make(-1 - (hashOf(`${lead_name}|${company_name ?? ""}`) % 1_000_000))

/** The only meeting of a simulated lead. */
export const simulatedMeetingId = MeetingId.make(1)

interface Step {
  readonly state: SimulatedState
  readonly effects: ReadonlyArray<SimulatedEffect>
  /** Whether the lead is to get a confirmation of a new or moved meeting. */
  readonly isMeetingNew: boolean
  /** Whether the reply itself set the next contact. */
  readonly isTouchSet: boolean
}

const asLeadState = ({ is_unsubscribed, meeting, pipeline_state }: SimulatedState): LeadState => ({
  pipeline: pipeline_state,
  isPaused: false,
  isUnsubscribed: is_unsubscribed,
  outcome: undefined,
  hasScheduledMeeting: meeting !== null
})

/** The state after an operation of the pipeline. A refused operation changes nothing. */
const stateAfter = (state: SimulatedState, operation: LeadOperation): SimulatedState => {
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

/** Applies the consequences of a reply to the simulated lead. Effects on anything else are only recorded. */
export const applyConsequences = (
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
  const addEffect = (kind: SimulatedEffect["kind"], detail: string): void => {
    effects.push({ kind, detail, at })
  }
  const operate = (operation: LeadOperation): void => {
    const next = stateAfter(state, operation)
    if (next.pipeline_state !== state.pipeline_state) {
      addEffect("pipeline_changed", `${state.pipeline_state} → ${next.pipeline_state}`)
    }
    state = next
  }
  const addJudgement = (judgement: ReplyJudgement | undefined): void => {
    if (judgement !== undefined) addEffect("judged", `${decided[judgement.decidedBy]}: ${judgement.reason}`)
  }
  const touchAt = (millis: number): void => {
    if (state.pipeline_state !== "in_pipeline") return
    state = { ...state, next_touch_at: fromMillis(millis) }
    isTouchSet = true
  }
  const setMeeting = ({
    _tag,
    endsAt,
    startsAt
  }: Extract<Consequence, { readonly _tag: "BookMeeting" | "MoveMeeting" }>): void => {
    const meeting = { starts_at: fromMillis(startsAt), ends_at: fromMillis(endsAt) }
    state = { ...state, meeting }
    if (_tag === "BookMeeting") operate("book_meeting")
    addEffect(_tag === "BookMeeting" ? "meeting_booked" : "meeting_moved", meeting.starts_at)
    isMeetingNew = true
  }
  const callOffMeeting = (nextTouchAt: number | undefined): void => {
    addEffect("meeting_called_off", state.meeting?.starts_at ?? "")
    if (nextTouchAt !== undefined) {
      operate("cancel_meeting")
      touchAt(nextTouchAt)
    }
    state = { ...state, meeting: null }
  }
  for (const consequence of consequences) {
    switch (consequence._tag) {
      case "BeginAnew":
        state = { ...state, touch_count: 0, language: consequence.language ?? state.language }
        break
      case "SetStatus":
        addEffect("status_changed", `${state.status} → ${consequence.status}`)
        for (const event of raisedEvents(state.status, consequence.status)) addEffect("event_raised", event)
        state = { ...state, status: consequence.status }
        break
      case "Notify":
        addEffect("owner_notified", consequence.kind)
        break
      case "MailOwner":
        addEffect("owner_mailed", consequence.kind)
        break
      case "Unsubscribe":
        operate("unsubscribe")
        break
      case "Stop":
        operate("stop")
        addJudgement(consequence.judgement)
        break
      case "FlagForReview":
        operate("flag_for_review")
        addEffect(
          "sent_for_review",
          [why[consequence.reason], consequence.criterion].filter((part) => part !== undefined).join(": ")
        )
        addJudgement(consequence.judgement)
        break
      case "TouchAt":
        touchAt(consequence.at)
        break
      case "HoldingLine":
        // It is the turn that follows.
        break
      case "WaitUntil":
        if (state.pipeline_state === "in_pipeline") state = { ...state, next_touch_at: fromMillis(consequence.at) }
        break
      case "AskOwner":
        addEffect("owner_asked", consequence.question)
        break
      case "RegisterReferral": {
        const { email, name, phone } = consequence.contact
        addEffect("referral_registered", [name, email, phone].filter((part) => part !== null).join(", "))
        break
      }
      case "BookMeeting":
      case "MoveMeeting":
        setMeeting(consequence)
        break
      case "CallOffMeeting":
        callOffMeeting(consequence.touchAt)
        break
    }
  }
  return { state, effects, isMeetingNew, isTouchSet }
}

/** A person decides on a message that failed its checks. */
export const sentForReview = (state: SimulatedState): SimulatedState => stateAfter(state, "flag_for_review")
