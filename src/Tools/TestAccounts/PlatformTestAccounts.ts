import { Effect, Schema } from "effect"
import { Plan } from "../../Services/Accounts/Ids.ts"
import { LeadId } from "../../Services/Leads/Ids.ts"
import { TestAccountId } from "../../Services/TestAccounts/Ids.ts"
import {
  idleDays,
  mostStartDays,
  mostTestAccounts,
  TestAccounts,
  TestAccountView
} from "../../Services/TestAccounts/TestAccounts.ts"
import {
  type AdvanceTarget,
  advanceIncomplete,
  callOutcomes,
  durationInvalid,
  durationOf,
  mostAdvanceDays,
  PlayedView,
  playChannels,
  TestClock,
  TestClockView
} from "../../Services/TestAccounts/TestClock.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"

const ShownTestAccount = Schema.Struct({
  ...TestAccountView.fields,
  token: Schema.String.annotations({ description: "Its secret token, which begins with pgt_. It is shown this once." })
})

const testAccountId = Param.id(TestAccountId, "The test account, as list_test_accounts names it.")

const ownOrNamed = Param.optional(
  Param.id(TestAccountId, "The test account. A call with its own token, which begins with pgt_, leaves it out.")
)

const createTestAccount = Tool.make("create_test_account", {
  kind: "write",
  idempotent: false,
  openWorld: false,
  answersSecret: true,
  description: `Makes an account to try integrations on. It has its own token, data and clock, and everything that would leave the gateway goes to simulated services, except webhooks. An account has ${mostTestAccounts} at most, and one that is not called for ${idleDays} days is deleted.`,
  parameters: {
    name: Param.text("What the test account is for. Its business has this name.", { minLength: 1, maxLength: 100 }),
    plan: Param.withDefault(Param.oneOf(Plan.literals, "The plan that it behaves like."), "paid"),
    country: Param.optional(
      Param.text("ISO code of the country it is in, two capital letters. Its language and its hours follow from it.", {
        minLength: 2,
        maxLength: 2
      })
    ),
    starts_at: Param.optional(
      Param.instant(`What its clock shows at first, at most ${mostStartDays} days from now. By default the present.`)
    )
  },
  returns: ShownTestAccount,
  errors: {
    Refused: [
      "country_invalid",
      "inside_test_account",
      "starts_at_out_of_range",
      "test_accounts_unavailable",
      "too_many_test_accounts"
    ]
  },
  example: { name: "Integration tests" },
  run: Effect.fnUntraced(function* ({ country, name, plan, starts_at }) {
    const accounts = yield* TestAccounts
    const { token, view } = yield* accounts.create({ name, plan, country, startsAt: starts_at })
    return { ...view, token }
  })
})

const listTestAccounts = Tool.make("list_test_accounts", {
  kind: "read",
  openWorld: false,
  description: "Lists the account's test accounts. Their tokens are never shown.",
  parameters: {},
  returns: Schema.Struct({ test_accounts: Schema.Array(TestAccountView) }),
  example: {},
  run: Effect.fnUntraced(function* () {
    const accounts = yield* TestAccounts
    return { test_accounts: yield* accounts.list }
  })
})

const resetTestAccount = Tool.make("reset_test_account", {
  kind: "destructive",
  idempotent: false,
  openWorld: false,
  answersSecret: true,
  description:
    "Empties a test account and sets its clock back to the start. All its tokens end at once, and the answer has a new one.",
  parameters: { test_account_id: testAccountId },
  returns: ShownTestAccount,
  errors: { NotFound: ["test_account_not_found"] },
  example: { test_account_id: 1 },
  run: Effect.fnUntraced(function* ({ test_account_id }) {
    const accounts = yield* TestAccounts
    const { token, view } = yield* accounts.reset(test_account_id)
    return { ...view, token }
  })
})

const deleteTestAccount = Tool.make("delete_test_account", {
  kind: "destructive",
  idempotent: true,
  openWorld: false,
  description: "Deletes a test account with everything in it. Its tokens end at once.",
  parameters: { test_account_id: testAccountId },
  returns: Schema.Struct({ test_account_id: TestAccountId, deleted: Schema.Literal(true) }),
  errors: { NotFound: ["test_account_not_found"] },
  example: { test_account_id: 1 },
  run: Effect.fnUntraced(function* ({ test_account_id }) {
    const accounts = yield* TestAccounts
    yield* accounts.remove(test_account_id)
    return { test_account_id, deleted: true as const }
  })
})

const getTestClock = Tool.make("get_test_clock", {
  kind: "read",
  openWorld: false,
  description:
    "Shows the clock of a test account, and whether it is being advanced. An advance that was interrupted, for example by a restart, continues.",
  parameters: { test_account_id: ownOrNamed },
  returns: TestClockView,
  errors: {
    NotFound: ["test_account_not_found"],
    Refused: ["live_account_has_no_clock", "test_accounts_unavailable"],
    Transient: ["test_account_unavailable"]
  },
  example: { test_account_id: 1 },
  run: ({ test_account_id }) => Effect.flatMap(TestClock, (clock) => clock.get(test_account_id))
})

const targetOf = (to: AdvanceTarget | undefined, by: string | undefined) => {
  if ((to === undefined) === (by === undefined)) return advanceIncomplete
  if (to !== undefined) return Effect.succeed(to)
  const millis = by === undefined ? undefined : durationOf(by)
  return millis === undefined ? durationInvalid : Effect.succeed<AdvanceTarget>({ _tag: "By", millis })
}

const advanceTestClock = Tool.make("advance_test_clock", {
  kind: "write",
  idempotent: false,
  openWorld: false,
  description: `Moves the clock of a test account forward and runs everything that falls due, in order: messages, follow-ups, reminders, reports, retries. The answer comes when it has arrived, or after some seconds with the status advancing: then ask get_test_clock. At most ${mostAdvanceDays} days at a time.`,
  parameters: {
    test_account_id: ownOrNamed,
    to: Param.optional(Param.instant("The instant to advance to.")),
    by: Param.optional(
      Param.text("How far to advance instead: a number of minutes, hours, days or weeks, such as 36 hours.", {
        minLength: 1,
        maxLength: 40
      })
    )
  },
  returns: TestClockView,
  errors: {
    NotFound: ["test_account_not_found"],
    Refused: [
      "advance_target_missing",
      "advance_too_far",
      "duration_invalid",
      "live_account_has_no_clock",
      "test_accounts_unavailable",
      "test_clock_advancing",
      "test_clock_goes_forward"
    ],
    Transient: ["test_account_unavailable"]
  },
  transaction: "several",
  example: { test_account_id: 1, by: "3 days" },
  run: Effect.fnUntraced(function* ({ by, test_account_id, to }) {
    const clock = yield* TestClock
    const target = yield* targetOf(to === undefined ? undefined : { _tag: "To", instant: to }, by)
    return yield* clock.advance(test_account_id, target)
  })
})

const playProspect = Tool.make("play_prospect", {
  kind: "write",
  idempotent: false,
  openWorld: false,
  description:
    "Answers as a lead of a test account: writes a mail, which replies to the last one that the lead got, or a message in the messaging app, or decides how the next call to the lead goes. Advance the clock to see what follows.",
  parameters: {
    test_account_id: ownOrNamed,
    lead_id: Param.id(LeadId, "The lead who answers."),
    channel: Param.oneOf(playChannels, "Where the lead answers."),
    text: Param.optional(
      Param.text("What the lead writes. For voice, what the lead says, one line for each time.", { maxLength: 10_000 })
    ),
    outcome: Param.optional(Param.oneOf(callOutcomes, "For voice: how the next call goes.")),
    is_auto_reply: Param.withDefault(
      Param.boolean("For e-mail: whether a machine answers, as with an absence notice."),
      false
    )
  },
  returns: PlayedView,
  errors: {
    NotFound: ["lead_not_found", "test_account_not_found"],
    Refused: [
      "lead_has_no_email",
      "lead_has_no_phone",
      "live_account_has_no_clock",
      "message_refused",
      "outcome_missing",
      "test_accounts_unavailable",
      "text_missing"
    ],
    Transient: ["test_account_unavailable"]
  },
  transaction: "several",
  passesOnWords: false,
  example: { test_account_id: 1, lead_id: 1, channel: "email", text: "Quanto custa?" },
  run: Effect.fnUntraced(function* ({ channel, is_auto_reply, lead_id, outcome, test_account_id, text }) {
    const clock = yield* TestClock
    return yield* clock.play(test_account_id, {
      leadId: lead_id,
      channel,
      text: text === undefined || text.trim() === "" ? undefined : text,
      outcome,
      isAutoReply: is_auto_reply
    })
  })
})

/** Test accounts for integrations, with their own clocks. */
export const platformTestAccounts = [
  createTestAccount,
  listTestAccounts,
  resetTestAccount,
  deleteTestAccount,
  getTestClock,
  advanceTestClock,
  playProspect
] as const
