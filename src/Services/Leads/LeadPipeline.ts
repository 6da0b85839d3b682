import { Schema } from "effect"
import { type Refused, refused } from "../../Errors.ts"
import { PipelineState } from "./Ids.ts"

export const FinalOutcome = Schema.Literal("won", "lost", "gave_up")
export type FinalOutcome = typeof FinalOutcome.Type

/**
 * What decides whether an operation on a lead is possible. A lead with an outcome is finished. `hasScheduledMeeting` is
 * read before the operation's own meeting is stored or cancelled.
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

/** The types of entries in the lifecycle history. The last six do not change the pipeline state. */
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
  /** The lead is already in the target state. The operation succeeds without a change or a history entry. */
  | { readonly _tag: "Unchanged"; readonly state: LeadState }
  | { readonly _tag: "Refused"; readonly reason: TransitionRefusal }

const unchanged = (state: LeadState): Transition => ({ _tag: "Unchanged", state })
const refuse = (reason: TransitionRefusal): Transition => ({ _tag: "Refused", reason })

const applied = (state: LeadState, event: LifecycleEventType, change: Partial<LeadState>): Transition => ({
  _tag: "Applied",
  state: { ...state, ...change },
  event
})

/** Moves the lead to `pipeline`, unless it is already there. */
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

// A person handles a lead with a meeting. A lead that was won can have a meeting too, and stays won.
const bookMeeting = (state: LeadState): Transition =>
  applied(state, "meeting_booked", {
    hasScheduledMeeting: true,
    pipeline: state.pipeline === "finished" ? "finished" : "user_controlled"
  })

// The meeting is cancelled in any case. The lead returns to the pipeline only if prospecting may continue.
const cancelMeeting = (state: LeadState): Transition => {
  if (!state.hasScheduledMeeting) return refuse("no_scheduled_meeting")
  const staysOutside = state.pipeline === "finished" || state.isUnsubscribed
  return applied(state, "meeting_cancelled", {
    hasScheduledMeeting: false,
    pipeline: staysOutside ? state.pipeline : "in_pipeline"
  })
}

// A later outcome corrects an earlier one. The history shows both.
const registerFinal = (state: LeadState, outcome: FinalOutcome): Transition =>
  state.outcome === outcome ? unchanged(state) : applied(state, `outcome_${outcome}`, { pipeline: "finished", outcome })

const transitions: { readonly [O in LeadOperation]: (state: LeadState) => Transition } = {
  start,
  take_over: takeOver,
  send_message: (state) => (state.isUnsubscribed ? refuse("lead_unsubscribed") : takeOver(state)),
  stop: (state) => moveTo(state, "finished", "stopped"),
  pause,
  resume: (state) => (state.isPaused ? applied(state, "resumed", { isPaused: false }) : unchanged(state)),
  recover,
  return_to_pipeline: returnToPipeline,
  flag_for_review: flagForReview,
  unsubscribe: (state) =>
    state.isUnsubscribed
      ? unchanged(state)
      : applied(state, "unsubscribed", { isUnsubscribed: true, pipeline: "finished" }),
  book_meeting: bookMeeting,
  cancel_meeting: cancelMeeting,
  register_won: (state) => registerFinal(state, "won"),
  register_lost: (state) => registerFinal(state, "lost"),
  register_gave_up: (state) => registerFinal(state, "gave_up"),
  register_negotiating: (state) => applied(state, "outcome_negotiating", {}),
  register_unresponsive: (state) => applied(state, "outcome_unresponsive", {})
}

/**
 * The result of an operation on a lead. An operation whose result already applies succeeds without a change. Only
 * `recover` leaves `finished`, and only `pause` and `resume` change the pause.
 */
export const transition = (state: LeadState, operation: LeadOperation): Transition => transitions[operation](state)

const bothValues = [true, false]

const allStates: ReadonlyArray<LeadState> = PipelineState.literals.flatMap((pipeline) =>
  [undefined, ...FinalOutcome.literals].flatMap((outcome) =>
    bothValues.flatMap((isPaused) =>
      bothValues.flatMap((isUnsubscribed) =>
        bothValues.map((hasScheduledMeeting) => ({ pipeline, outcome, isPaused, isUnsubscribed, hasScheduledMeeting }))
      )
    )
  )
)

/** The reasons for which an operation can be refused, collected by trying it on every state. */
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
    "If it was recorded by mistake, correct it with register_lead_outcome: won and lost replace each other, and gave_up undoes both. A lead with gave_up can be recovered."
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

/** The error of a refused operation. */
export const transitionRefused = (reason: TransitionRefusal, leadId: number): Refused => {
  const [error, detail] = refusals[reason]
  return refused(reason, error, detail, { lead_id: leadId })
}
