import { Context, type Effect, Schema } from "effect"
import { type NotFound, overloadedReason, type Refused, refused, type Transient, transient } from "../../Errors.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import { Timestamp } from "../Core/Timestamp.ts"
import { LeadId } from "../Leads/Ids.ts"
import type { TestAccountId } from "./Ids.ts"
import { testAccountsUnavailable } from "./TestAccounts.ts"

/** The maximum number of days by which one call advances the clock. */
export const mostAdvanceDays = 92

/** How many seconds a call waits for the clock to arrive. */
export const advanceWaitSeconds = 20

export const TestClockView = Schema.Struct({
  now: Timestamp.annotations({ description: "What the clock shows. It stands still until it is advanced." }),
  status: Schema.Literal("ready", "advancing").annotations({
    description: "Writes wait while it advances. Ask again with get_test_clock."
  }),
  advances_to: Schema.NullOr(Timestamp).annotations({ description: "Where the running advance ends." }),
  waiting_tasks: Schema.Int.annotations({ description: "What is queued, for this instant or a later one." }),
  failed_tasks: Schema.Int.annotations({ description: "Background work that failed for good since the start." })
})
export type TestClockView = typeof TestClockView.Type

/** The possible outcomes of the next call to a lead. */
export const callOutcomes = [
  "agrees",
  "asks_to_call_later",
  "declines",
  "wrong_person",
  "opts_out",
  "no_answer",
  "busy",
  "answering_machine"
] as const
export type CallOutcome = (typeof callOutcomes)[number]

export const playChannels = ["email", "chatapp", "voice"] as const

export interface Play {
  readonly leadId: LeadId
  readonly channel: (typeof playChannels)[number]
  /** What the lead writes, or says in the next call, one line at a time. */
  readonly text: string | undefined
  /** Only for calls. */
  readonly outcome: CallOutcome | undefined
  /** Whether the e-mail is an automatic answer, such as an absence notice. */
  readonly isAutoReply: boolean
}

export const PlayedView = Schema.Struct({
  lead_id: LeadId,
  channel: Schema.Literal(...playChannels),
  result: Schema.Literal("received", "prepared").annotations({
    description: "received: the account has the message. prepared: the next call to the lead goes like this."
  })
})
export type PlayedView = typeof PlayedView.Type

export const liveAccountHasNoClock = refused(
  "live_account_has_no_clock",
  "A live account lives by the real time.",
  "Send a token of a test account, or name one with test_account_id. create_test_account makes one."
)

export const clockIsAdvancing = refused(
  "test_clock_advancing",
  "The clock is advancing already.",
  "Wait until get_test_clock says ready."
)

/** The error of a write that waited `advanceWaitSeconds`. */
export const stillAdvancing = transient(
  overloadedReason,
  "The clock of the test account is being advanced, and this call has to wait.",
  5
)

export const clockGoesForward = refused(
  "test_clock_goes_forward",
  "The clock cannot be set back.",
  "Send a later instant. reset_test_account starts again."
)

export const advanceTooFar = refused(
  "advance_too_far",
  `One advance goes ${mostAdvanceDays} days at most.`,
  "Advance in several steps."
)

export const advanceIncomplete = refused(
  "advance_target_missing",
  "Neither to nor by says how far, or both do.",
  "Send to as an instant, or by such as 2 hours, 3 days or 1 week."
)

export const playTextMissing = refused("text_missing", "The lead says nothing.", "Send text: what the lead writes.")

export const playOutcomeMissing = refused(
  "outcome_missing",
  "It is not said how the call goes.",
  `Send outcome: ${callOutcomes.join(", ")}.`
)

export const contactMissing = (contact: "email" | "phone") =>
  refused(
    `lead_has_no_${contact}`,
    contact === "email" ? "The lead has no e-mail address." : "The lead has no phone number.",
    "Use another channel, or add the contact to the lead."
  )

export const durationInvalid = refused(
  "duration_invalid",
  "by is no length of time.",
  "Send a number and a unit: minutes, hours, days or weeks, such as 36 hours."
)

/** The time to which the clock is advanced. */
export type AdvanceTarget =
  | { readonly _tag: "To"; readonly instant: Timestamp }
  | { readonly _tag: "By"; readonly millis: number }

const units: { readonly [unit: string]: number } = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000
}

/** Parses `36 hours`, `1 day`, `90m` and similar. Returns milliseconds. */
export const durationOf = (text: string): number | undefined => {
  const [, count, unit = ""] = /^\s*(\d{1,6})\s*([a-z]+)\s*$/i.exec(text) ?? []
  const name = unit.toLowerCase()
  const millis = Object.entries(units).find(([each]) => each === name || `${each}s` === name || each[0] === name)?.[1]
  return count === undefined || millis === undefined ? undefined : Number(count) * millis
}

export interface TestClocks {
  readonly get: (id: TestAccountId | undefined) => Effect.Effect<TestClockView, NotFound | Refused | Transient, Caller>
  /** Advances the clock and runs due work in order. Returns when the clock has arrived, or after some seconds. */
  readonly advance: (
    id: TestAccountId | undefined,
    target: AdvanceTarget
  ) => Effect.Effect<TestClockView, NotFound | Refused | Transient, Caller>
  readonly play: (
    id: TestAccountId | undefined,
    play: Play
  ) => Effect.Effect<PlayedView, NotFound | Refused | Transient, Caller>
}

const noGateways = (id: TestAccountId | undefined) =>
  id === undefined ? liveAccountHasNoClock : testAccountsUnavailable

/**
 * The clocks of test accounts, and the simulated people whom they contact. Without an id, methods use the caller's own
 * account. The default has no test accounts.
 */
export class TestClock extends Context.Reference<TestClock>()("TestClock", {
  defaultValue: (): TestClocks => ({ get: noGateways, advance: noGateways, play: noGateways })
}) {}
