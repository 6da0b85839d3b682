import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { PipelineState } from "../../src/Services/Leads/Ids.ts"
import {
  FinalOutcome,
  type LeadOperation,
  type LeadState,
  leadOperations,
  type Transition,
  type TransitionRefusal,
  transition,
  transitionRefused
} from "../../src/Services/Leads/LeadPipeline.ts"

const plain = (pipeline: PipelineState): LeadState => ({
  pipeline,
  isPaused: false,
  isUnsubscribed: false,
  outcome: undefined,
  hasScheduledMeeting: false
})

/** `!reason` for a refusal, `=` for no change, otherwise `pipeline state/event`. */
const summary = (result: Transition): string => {
  switch (result._tag) {
    case "Refused":
      return `!${result.reason}`
    case "Unchanged":
      return "="
    case "Applied":
      return `${result.state.pipeline}/${result.event}`
  }
}

type Row = { readonly [P in PipelineState]: string }
const everywhere = (text: (pipeline: PipelineState) => string): Row => ({
  not_started: text("not_started"),
  in_pipeline: text("in_pipeline"),
  pending_review: text("pending_review"),
  user_controlled: text("user_controlled"),
  finished: text("finished")
})

/** The result of each operation on a lead without flags, by pipeline state. */
const table: { readonly [O in LeadOperation]: Row } = {
  start: {
    not_started: "in_pipeline/started",
    in_pipeline: "=",
    pending_review: "!lead_pending_review",
    user_controlled: "!lead_user_controlled",
    finished: "!lead_finished"
  },
  take_over: {
    not_started: "user_controlled/taken_over",
    in_pipeline: "user_controlled/taken_over",
    pending_review: "user_controlled/taken_over",
    user_controlled: "=",
    finished: "!lead_finished"
  },
  send_message: {
    not_started: "user_controlled/taken_over",
    in_pipeline: "user_controlled/taken_over",
    pending_review: "user_controlled/taken_over",
    user_controlled: "=",
    finished: "!lead_finished"
  },
  stop: { ...everywhere(() => "finished/stopped"), finished: "=" },
  pause: {
    ...everywhere((pipeline) => `${pipeline}/paused`),
    user_controlled: "!lead_user_controlled",
    finished: "!lead_finished"
  },
  resume: everywhere(() => "="),
  recover: {
    not_started: "!lead_not_started",
    in_pipeline: "=",
    pending_review: "!lead_pending_review",
    user_controlled: "in_pipeline/recovered",
    finished: "in_pipeline/recovered"
  },
  return_to_pipeline: {
    not_started: "!lead_not_started",
    in_pipeline: "=",
    pending_review: "in_pipeline/returned_to_pipeline",
    user_controlled: "!lead_user_controlled",
    finished: "!lead_finished"
  },
  flag_for_review: {
    not_started: "!lead_not_started",
    in_pipeline: "pending_review/flagged_for_review",
    pending_review: "=",
    user_controlled: "!lead_user_controlled",
    finished: "!lead_finished"
  },
  unsubscribe: everywhere(() => "finished/unsubscribed"),
  book_meeting: { ...everywhere(() => "user_controlled/meeting_booked"), finished: "finished/meeting_booked" },
  cancel_meeting: everywhere(() => "!no_scheduled_meeting"),
  register_won: everywhere(() => "finished/outcome_won"),
  register_lost: everywhere(() => "finished/outcome_lost"),
  register_gave_up: everywhere(() => "finished/outcome_gave_up"),
  register_negotiating: everywhere((pipeline) => `${pipeline}/outcome_negotiating`),
  register_unresponsive: everywhere((pipeline) => `${pipeline}/outcome_unresponsive`)
}

/** Every possible state: an outcome only if the lead is finished. */
const allStates: ReadonlyArray<LeadState> = PipelineState.literals.flatMap((pipeline) =>
  [undefined, ...(pipeline === "finished" ? FinalOutcome.literals : [])].flatMap((outcome) =>
    [false, true].flatMap((isPaused) =>
      [false, true].flatMap((isUnsubscribed) =>
        [false, true].map((hasScheduledMeeting) => ({
          pipeline,
          outcome,
          isPaused,
          isUnsubscribed,
          hasScheduledMeeting
        }))
      )
    )
  )
)

const after = (state: LeadState, operation: LeadOperation): LeadState => {
  const result = transition(state, operation)
  return result._tag === "Refused" ? state : result.state
}

describe("transition", () => {
  for (const operation of leadOperations) {
    it(`${operation} of a lead without flags`, () => {
      assert.deepStrictEqual(
        everywhere((pipeline) => summary(transition(plain(pipeline), operation))),
        table[operation]
      )
    })
  }

  it("refuses whatever would contact or bring back a lead that unsubscribed", () => {
    const unsubscribed = (pipeline: PipelineState) => ({ ...plain(pipeline), isUnsubscribed: true })
    for (const operation of ["send_message", "recover"] as const) {
      assert.deepStrictEqual(
        everywhere((pipeline) => summary(transition(unsubscribed(pipeline), operation))),
        everywhere(() => "!lead_unsubscribed")
      )
    }
    assert.strictEqual(summary(transition(unsubscribed("pending_review"), "return_to_pipeline")), "!lead_unsubscribed")
    assert.strictEqual(summary(transition(unsubscribed("not_started"), "start")), "!lead_unsubscribed")
    assert.strictEqual(summary(transition(unsubscribed("finished"), "unsubscribe")), "=")
  })

  it("recovers a given-up lead without its outcome, and none that was won or lost", () => {
    const ended = (outcome: FinalOutcome) => transition({ ...plain("finished"), outcome }, "recover")
    assert.deepStrictEqual(ended("gave_up"), {
      _tag: "Applied",
      state: plain("in_pipeline"),
      event: "recovered"
    })
    assert.strictEqual(summary(ended("won")), "!lead_has_final_outcome")
    assert.strictEqual(summary(ended("lost")), "!lead_has_final_outcome")
  })

  it("lets a later outcome correct an earlier one, and records the same one once", () => {
    const won = after(plain("user_controlled"), "register_won")
    assert.strictEqual(summary(transition(won, "register_won")), "=")
    const lost = transition(won, "register_lost")
    assert.deepInclude(lost, { _tag: "Applied", event: "outcome_lost" })
    assert.strictEqual(after(won, "register_lost").outcome, "lost")
  })

  it("sends a lead whose meeting is cancelled back to the pipeline, unless it is finished or unsubscribed", () => {
    const met = (change: Partial<LeadState>) => ({ ...plain("user_controlled"), hasScheduledMeeting: true, ...change })
    const cancelled = (change: Partial<LeadState>) => after(met(change), "cancel_meeting")
    assert.deepStrictEqual(cancelled({}), plain("in_pipeline"))
    assert.strictEqual(cancelled({ isUnsubscribed: true }).pipeline, "user_controlled")
    assert.strictEqual(cancelled({ pipeline: "finished" }).pipeline, "finished")
    assert.strictEqual(cancelled({ pipeline: "finished", outcome: "won" }).outcome, "won")
    assert.isFalse(cancelled({ pipeline: "finished", outcome: "won" }).hasScheduledMeeting)
  })
})

/** Laws for every step from every state. */
const stepLaws: { readonly [law: string]: (before: LeadState, operation: LeadOperation, after: LeadState) => boolean } =
  {
    "only recover takes a lead out of finished": (before, operation, next) =>
      before.pipeline !== "finished" || next.pipeline === "finished" || operation === "recover",
    "only pause and resume touch the pause": (before, operation, next) =>
      before.isPaused === next.isPaused || operation === "pause" || operation === "resume",
    "pause and resume touch nothing else": (before, operation, next) =>
      (operation !== "pause" && operation !== "resume") ||
      JSON.stringify({ ...before, isPaused: false }) === JSON.stringify({ ...next, isPaused: false }),
    "nobody is subscribed again": (before, _, next) => !before.isUnsubscribed || next.isUnsubscribed,
    "nobody who unsubscribed enters the pipeline": (before, _, next) =>
      !before.isUnsubscribed || next.pipeline !== "in_pipeline" || before.pipeline === "in_pipeline",
    "who was won or lost is never recovered": (before, operation, next) =>
      operation !== "recover" || (before.outcome !== "won" && before.outcome !== "lost") || before === next,
    "an outcome means finished": (_, __, next) => next.outcome === undefined || next.pipeline === "finished",
    "only the three final outcomes and recover change the outcome": (before, operation, next) =>
      before.outcome === next.outcome ||
      ["register_won", "register_lost", "register_gave_up", "recover"].includes(operation),
    "only meetings' own operations touch the meeting": (before, operation, next) =>
      before.hasScheduledMeeting === next.hasScheduledMeeting ||
      operation === "book_meeting" ||
      operation === "cancel_meeting",
    "nothing leads to not_started": (before, _, next) =>
      next.pipeline !== "not_started" || before.pipeline === "not_started"
  }

/** Each call of these operations adds an entry to the history. */
const appending: ReadonlySet<LeadOperation> = new Set(["book_meeting", "register_negotiating", "register_unresponsive"])

describe("every step", () => {
  for (const [law, holds] of Object.entries(stepLaws)) {
    it(law, () => {
      for (const state of allStates) {
        for (const operation of leadOperations) {
          assert.isTrue(holds(state, operation, after(state, operation)), `${operation} of ${JSON.stringify(state)}`)
        }
      }
    })
  }

  it("is without a change when it is unchanged, and a repetition of it changes nothing", () => {
    for (const state of allStates) {
      for (const operation of leadOperations) {
        const result = transition(state, operation)
        if (result._tag === "Unchanged") assert.deepStrictEqual(result.state, state)
        if (result._tag !== "Applied") continue
        const again = transition(result.state, operation)
        if (appending.has(operation)) assert.deepStrictEqual(again, { ...result, state: result.state })
        else if (operation === "cancel_meeting") assert.strictEqual(summary(again), "!no_scheduled_meeting")
        else assert.strictEqual(summary(again), "=", `${operation} of ${JSON.stringify(state)}`)
      }
    }
  })
})

describe("any sequence of operations", () => {
  const operations = fc.array(fc.constantFrom(...leadOperations), { maxLength: 40 })
  const journey = (steps: ReadonlyArray<LeadOperation>): ReadonlyArray<LeadState> =>
    steps.reduce<ReadonlyArray<LeadState>>(
      (states, operation) => [...states, after(states.at(-1) ?? plain("not_started"), operation)],
      [plain("not_started")]
    )

  it("keeps who unsubscribed out of the pipeline for ever", () => {
    fc.assert(
      fc.property(operations, operations, (before, rest) => {
        const states = journey([...before, "unsubscribe", ...rest])
        return states.slice(before.length + 1).every(({ pipeline }) => pipeline === "finished")
      })
    )
  })

  it("keeps who was won finished until the outcome is corrected", () => {
    fc.assert(
      fc.property(operations, operations, (before, rest) => {
        const others = rest.filter((operation) => operation !== "register_gave_up")
        const states = journey([...before, "register_won", ...others])
        return states.slice(before.length + 1).every(({ pipeline }) => pipeline === "finished")
      })
    )
  })

  it("ends paused exactly when the last pause or resume that was not refused was a pause", () => {
    fc.assert(
      fc.property(operations, (steps) => {
        const states = journey(steps)
        const last = steps.findLastIndex(
          (operation, index) =>
            operation === "resume" ||
            (operation === "pause" && transition(states[index] ?? plain("not_started"), operation)._tag !== "Refused")
        )
        return states.at(-1)?.isPaused === (last >= 0 && steps[last] === "pause")
      })
    )
  })

  it("reaches only states that the database admits", () => {
    fc.assert(
      fc.property(operations, (steps) =>
        journey(steps).every(({ outcome, pipeline }) => outcome === undefined || pipeline === "finished")
      )
    )
  })
})

describe("transitionRefused", () => {
  it("names the reason, the lead and what to do, for each reason", () => {
    const reasons: ReadonlyArray<TransitionRefusal> = [
      "lead_finished",
      "lead_has_final_outcome",
      "lead_unsubscribed",
      "lead_user_controlled",
      "lead_pending_review",
      "lead_not_started",
      "no_scheduled_meeting"
    ]
    for (const reason of reasons) {
      const error = transitionRefused(reason, 7)
      assert.deepInclude(error, { _tag: "Refused", reason, fields: { lead_id: 7 } })
      assert.isNotEmpty(error.error)
      assert.isNotEmpty(error.detail)
    }
  })
})
