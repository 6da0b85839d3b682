import { Schema } from "effect"
import { type Refused, refused } from "../../Errors.ts"
import { PipelineState } from "./Ids.ts"

export const FinalOutcome = Schema.Literal("won", "lost", "gave_up")
export type FinalOutcome = typeof FinalOutcome.Type

/**
 * What decides whether an operation on a lead is possible. A lead with an outcome is finished. Whether a meeting is
 * scheduled is asked before the operation's own meeting is written down or cancelled.
 */
export interface LeadState {
  readonly pipeline: PipelineState
  readonly isPaused: boolean
  readonly isUnsubscribed: boolean
  readonly outcome: FinalOutcome | undefined
  readonly hasScheduledMeeting: boolean
}

export const leadOperations = [
  "start",
  "take_over",
  "send_message",
  "stop",
  "pause",
  "resume",
  "recover",
  "return_to_pipeline",
  "flag_for_review",
  "unsubscribe",
  "book_meeting",
  "cancel_meeting",
  "register_won",
  "register_lost",
  "register_gave_up",
  "register_negotiating",
  "register_unresponsive"
] as const
export type LeadOperation = (typeof leadOperations)[number]

/** What the lifecycle history calls a change. The last six change no pipeline state. */
export const LifecycleEventType = Schema.Literal(
  "registered",
  "started",
  "taken_over",
  "stopped",
  "paused",
  "resumed",
  "recovered",
  "returned_to_pipeline",
  "flagged_for_review",
  "unsubscribed",
  "meeting_booked",
  "meeting_cancelled",
  "outcome_won",
  "outcome_lost",
  "outcome_gave_up",
  "outcome_negotiating",
  "outcome_unresponsive",
  "status_changed",
  "touch_scheduled",
  "interest_shown"
)
export type LifecycleEventType = typeof LifecycleEventType.Type

export type TransitionRefusal =
  | "lead_finished"
  | "lead_has_final_outcome"
  | "lead_unsubscribed"
  | "lead_user_controlled"
  | "lead_pending_review"
  | "lead_not_started"
  | "no_scheduled_meeting"

export type Transition =
  | { readonly _tag: "Applied"; readonly state: LeadState; readonly event: LifecycleEventType }
  /** The lead already is where the operation leads: it succeeds, nothing changes, and the history has no new entry. */
  | { readonly _tag: "Unchanged"; readonly state: LeadState }
  | { readonly _tag: "Refused"; readonly reason: TransitionRefusal }

const unchanged = (state: LeadState): Transition => ({ _tag: "Unchanged", state })
const refuse = (reason: TransitionRefusal): Transition => ({ _tag: "Refused", reason })

const applied = (state: LeadState, event: LifecycleEventType, change: Partial<LeadState>): Transition => ({
  _tag: "Applied",
  state: { ...state, ...change },
  event
})

/** Moves the lead to `pipeline` unless it is there. */
const moveTo = (state: LeadState, pipeline: PipelineState, event: LifecycleEventType): Transition =>
  state.pipeline === pipeline ? unchanged(state) : applied(state, event, { pipeline })

const takeOver = (state: LeadState): Transition =>
  state.pipeline === "finished" ? refuse("lead_finished") : moveTo(state, "user_controlled", "taken_over")

const start = (state: LeadState): Transition => {
  switch (state.pipeline) {
    case "not_started":
    case "in_pipeline":
      return state.isUnsubscribed ? refuse("lead_unsubscribed") : moveTo(state, "in_pipeline", "started")
    default:
      return refuse(`lead_${state.pipeline}`)
  }
}

const pause = (state: LeadState): Transition => {
  if (state.isPaused) return unchanged(state)
  switch (state.pipeline) {
    case "user_controlled":
    case "finished":
      return refuse(`lead_${state.pipeline}`)
    default:
      return applied(state, "paused", { isPaused: true })
  }
}

const recover = (state: LeadState): Transition => {
  if (state.isUnsubscribed) return refuse("lead_unsubscribed")
  if (state.outcome === "won" || state.outcome === "lost") return refuse("lead_has_final_outcome")
  switch (state.pipeline) {
    case "not_started":
    case "pending_review":
      return refuse(`lead_${state.pipeline}`)
    case "in_pipeline":
      return unchanged(state)
    default:
      return applied(state, "recovered", { pipeline: "in_pipeline", outcome: undefined })
  }
}

const returnToPipeline = (state: LeadState): Transition => {
  switch (state.pipeline) {
    case "pending_review":
    case "in_pipeline":
      return state.isUnsubscribed ? refuse("lead_unsubscribed") : moveTo(state, "in_pipeline", "returned_to_pipeline")
    default:
      return refuse(`lead_${state.pipeline}`)
  }
}

const flagForReview = (state: LeadState): Transition => {
  switch (state.pipeline) {
    case "in_pipeline":
    case "pending_review":
      return moveTo(state, "pending_review", "flagged_for_review")
    default:
      return refuse(`lead_${state.pipeline}`)
  }
}

// Whoever has a meeting is the person's to talk to; a customer who was won can have one too, and stays won.
const bookMeeting = (state: LeadState): Transition =>
  applied(state, "meeting_booked", {
    hasScheduledMeeting: true,
    pipeline: state.pipeline === "finished" ? "finished" : "user_controlled"
  })

// The meeting is off in any case; the lead is approached again only where that is still wanted.
const cancelMeeting = (state: LeadState): Transition => {
  if (!state.hasScheduledMeeting) return refuse("no_scheduled_meeting")
  const staysOut = state.pipeline === "finished" || state.isUnsubscribed
  return applied(state, "meeting_cancelled", {
    hasScheduledMeeting: false,
    pipeline: staysOut ? state.pipeline : "in_pipeline"
  })
}

// A later outcome corrects an earlier one: the history keeps both.
const registerFinal = (state: LeadState, outcome: FinalOutcome): Transition =>
  state.outcome === outcome ? unchanged(state) : applied(state, `outcome_${outcome}`, { pipeline: "finished", outcome })

/**
 * What an operation makes of a lead. An operation whose result already holds succeeds without a change. Only `recover`
 * takes a lead out of `finished`, only `pause` and `resume` touch the pause.
 */
export const transition = (state: LeadState, operation: LeadOperation): Transition => {
  switch (operation) {
    case "start":
      return start(state)
    case "take_over":
      return takeOver(state)
    case "send_message":
      return state.isUnsubscribed ? refuse("lead_unsubscribed") : takeOver(state)
    case "stop":
      return moveTo(state, "finished", "stopped")
    case "pause":
      return pause(state)
    case "resume":
      return state.isPaused ? applied(state, "resumed", { isPaused: false }) : unchanged(state)
    case "recover":
      return recover(state)
    case "return_to_pipeline":
      return returnToPipeline(state)
    case "flag_for_review":
      return flagForReview(state)
    case "unsubscribe":
      return state.isUnsubscribed
        ? unchanged(state)
        : applied(state, "unsubscribed", { isUnsubscribed: true, pipeline: "finished" })
    case "book_meeting":
      return bookMeeting(state)
    case "cancel_meeting":
      return cancelMeeting(state)
    case "register_won":
      return registerFinal(state, "won")
    case "register_lost":
      return registerFinal(state, "lost")
    case "register_gave_up":
      return registerFinal(state, "gave_up")
    case "register_negotiating":
      return applied(state, "outcome_negotiating", {})
    case "register_unresponsive":
      return applied(state, "outcome_unresponsive", {})
  }
}

const eitherWay = [true, false]

const allStates: ReadonlyArray<LeadState> = PipelineState.literals.flatMap((pipeline) =>
  [undefined, ...FinalOutcome.literals].flatMap((outcome) =>
    eitherWay.flatMap((isPaused) =>
      eitherWay.flatMap((isUnsubscribed) =>
        eitherWay.map((hasScheduledMeeting) => ({ pipeline, outcome, isPaused, isUnsubscribed, hasScheduledMeeting }))
      )
    )
  )
)

/** The `reason`s for which an operation can be refused, found by trying it on every state. */
export const refusalsOf = (operation: LeadOperation): ReadonlyArray<TransitionRefusal> => [
  ...new Set(
    allStates.flatMap((state) => {
      const result = transition(state, operation)
      return result._tag === "Refused" ? [result.reason] : []
    })
  )
]

const refusals: { readonly [R in TransitionRefusal]: readonly [error: string, detail: string] } = {
  lead_finished: [
    "Prospecting of this lead is finished.",
    "Bring it back with recover_lead_to_pipeline first; a lead that was won or lost stays finished."
  ],
  lead_has_final_outcome: [
    "This lead was recorded as won or lost, which is final.",
    "Correct the outcome with register_lead_outcome if it was recorded by mistake."
  ],
  lead_unsubscribed: ["This lead has unsubscribed.", "Respect the wish: the platform contacts it no more."],
  lead_user_controlled: [
    "This lead was taken over, so the platform does not contact it.",
    "Hand it back with recover_lead_to_pipeline first."
  ],
  lead_pending_review: [
    "This lead waits for a human review.",
    "Decide with return_lead_to_pipeline, take_over_lead or stop_lead."
  ],
  lead_not_started: [
    "Prospecting of this lead has not started.",
    "It starts by itself once the lead has an e-mail address or a phone number."
  ],
  no_scheduled_meeting: ["This lead has no scheduled meeting.", "List its meetings with list_lead_meetings."]
}

/** The error that a refused operation on the lead answers with. */
export const transitionRefused = (reason: TransitionRefusal, leadId: number): Refused => {
  const [error, detail] = refusals[reason]
  return refused(reason, error, detail, { lead_id: leadId })
}

/** What else keeps a lead from being contacted, beside its pipeline state. */
export interface ContactFacts {
  readonly hasEmail: boolean
  readonly hasPhone: boolean
  /** Mail to the address comes back for good. */
  readonly isEmailFailed: boolean
  readonly isEmailBlacklisted: boolean
  readonly isPhoneBlacklisted: boolean
  /** A lead without a campaign belongs to no paused one. */
  readonly isCampaignPaused: boolean
  readonly isAccountProspecting: boolean
}

export const ProspectingBlock = Schema.Literal(
  "unsubscribed",
  "blacklisted",
  "email_undeliverable",
  "no_reachable_channel",
  "user_controlled",
  "finished",
  "pending_review",
  "campaign_paused",
  "account_prospecting_off"
)
export type ProspectingBlock = typeof ProspectingBlock.Type

/**
 * Everything but a pause that keeps the platform from contacting the lead. A lead is `blacklisted` when each contact it
 * has is: one blocked address leaves the other channel open. Likewise an address that mail comes back from.
 */
export const blocksOf = (
  state: Pick<LeadState, "pipeline" | "isUnsubscribed">,
  facts: ContactFacts
): ReadonlyArray<ProspectingBlock> => {
  const hasContact = facts.hasEmail || facts.hasPhone
  const isPhoneOpen = facts.hasPhone && !facts.isPhoneBlacklisted
  const hasOpenChannel = (facts.hasEmail && !facts.isEmailBlacklisted) || isPhoneOpen
  const blocks: Array<ProspectingBlock> = []
  if (state.isUnsubscribed) blocks.push("unsubscribed")
  if (hasContact && !hasOpenChannel) blocks.push("blacklisted")
  if (facts.hasEmail && facts.isEmailFailed && !isPhoneOpen) blocks.push("email_undeliverable")
  if (!hasContact) blocks.push("no_reachable_channel")
  if (state.pipeline === "user_controlled" || state.pipeline === "finished" || state.pipeline === "pending_review") {
    blocks.push(state.pipeline)
  }
  if (facts.isCampaignPaused) blocks.push("campaign_paused")
  if (!facts.isAccountProspecting) blocks.push("account_prospecting_off")
  return blocks
}
