import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import type { NotFound, Refused, Transient } from "../../src/Errors.ts"
import { chatAppTaskHandlers } from "../../src/Layers/ChatApp/ChatAppTasks.ts"
import { mailTasks } from "../../src/Layers/Mail/MailTasks.ts"
import { makeComposeTouchHandler } from "../../src/Layers/Outreach/Composing/ComposeTouch.ts"
import { fromSql } from "../../src/Layers/Platform/Postgres/Sql.ts"
import { voiceTaskHandlers } from "../../src/Layers/Voice/VoiceTasks.ts"
import { Blacklist } from "../../src/Services/Blacklist/Blacklist.ts"
import { Campaigns } from "../../src/Services/Campaigns/Campaigns.ts"
import { sandboxLinePrefix } from "../../src/Services/ChatApp/ChatAppRules.ts"
import type { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { now, plusSeconds } from "../../src/Services/Core/Timestamp.ts"
import type { LeadId } from "../../src/Services/Leads/Ids.ts"
import type { LeadOperation } from "../../src/Services/Leads/LeadPipeline.ts"
import { Leads } from "../../src/Services/Leads/Leads.ts"
import { Meetings } from "../../src/Services/Meetings/Meetings.ts"
import { Outcomes } from "../../src/Services/Outcomes/Outcomes.ts"
import type { OutreachChannel } from "../../src/Services/Outreach/Ids.ts"
import { placeVoiceCall, sendChatAppMessage, sendEmail } from "../../src/Services/Outreach/OutreachTasks.ts"
import { ProspectingConfig } from "../../src/Services/Prospecting/ProspectingConfig.ts"
import { insertCampaign, insertLead } from "../support/leads/LeadServices.ts"
import { isLockAwaited } from "../support/logs/LockWaits.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { claimTouches, onMonday, TestEngine } from "./support/touches.ts"

interface Prospect {
  readonly accountId: number
  readonly leadId: LeadId
  readonly email: string | null
  readonly phone: string | null
}

let leads = 0

/** An account whose leads can be reached by the channel alone, with one of them that is due. */
const prospectFor = (channel: OutreachChannel) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const caller = yield* makeAccount()
    const { accountId } = caller
    const me = as(caller)
    if (channel === "chatapp") {
      yield* sql`insert into chatapp_line (account_id, status, uses_own_number, phone, provider_line_id)
        values (${accountId}, 'live', false, '+15550100000', ${`${sandboxLinePrefix}${accountId}`})`
    }
    yield* sql`
      update prospecting_config set voice_calling_active = ${channel === "voice"} where account_id = ${accountId}`
    const number = ++leads
    const email = channel === "email" ? `prospect${number}@client.example` : null
    const phone = channel === "email" ? null : `+55119${60_000_000 + number}`
    const campaign_id = yield* me(insertCampaign("Clinics"))
    const columns = { email, phone, campaign_id, time_zone: "UTC", next_touch_at: "2026-01-05T12:00:00Z" }
    const leadId = yield* me(insertLead(columns))
    return { caller, me, prospect: { accountId, leadId, email, phone } satisfies Prospect }
  })

const transition =
  (operation: LeadOperation) =>
  ({ leadId }: Prospect) =>
    Effect.flatMap(Leads, (service) => service.transition(leadId, operation))

type Change = (
  prospect: Prospect
) => Effect.Effect<
  unknown,
  NotFound | Refused | Transient,
  Blacklist | Caller | Campaigns | Leads | Meetings | Outcomes | ProspectingConfig | SqlClient
>

/** Everything that forbids a contact, as its own operation has it, and what the touch says then. */
const stops: ReadonlyArray<readonly [state: string, reason: string, change: Change]> = [
  ["stopped", "finished", transition("stop")],
  ["paused", "paused", transition("pause")],
  ["taken over", "user_controlled", transition("take_over")],
  ["in review", "pending_review", transition("flag_for_review")],
  ["unsubscribed", "unsubscribed", transition("unsubscribe")],
  [
    "closed",
    "finished",
    ({ leadId }: Prospect) =>
      Effect.flatMap(Outcomes, (outcomes) =>
        outcomes.register(leadId, { outcome: "won", reason: undefined, dealValueBrl: undefined })
      )
  ],
  [
    "blacklisted",
    "blacklisted",
    ({ email, phone }: Prospect) =>
      Effect.flatMap(Blacklist, (blacklist) =>
        email === null ? blacklist.add("phone", phone ?? "", "Other") : blacklist.add("email", email, "Other")
      )
  ],
  [
    "of a paused campaign",
    "campaign_paused",
    () => Effect.flatMap(Campaigns, (campaigns) => campaigns.setActive("Clinics", false))
  ],
  [
    "of an account that stopped prospecting",
    "account_prospecting_off",
    () => Effect.flatMap(ProspectingConfig, (config) => config.setActive(false))
  ]
]

const changeMeeting = (columns: string) => (prospect: Prospect) =>
  Effect.flatMap(SqlClient, (sql) =>
    sql`
      update meeting set ${sql.literal(columns)}
      where account_id = ${prospect.accountId} and lead_id = ${prospect.leadId}`.pipe(fromSql())
  )

const cancelMeeting = ({ leadId }: Prospect) =>
  Effect.gen(function* () {
    const meetings = yield* Meetings
    const { meetings: standing } = yield* meetings.list({ leadId, includeCancelled: false, includePast: false })
    for (const { meeting_id } of standing) {
      const options = { nextTouchAt: yield* now, reason: undefined, additionalInstructions: undefined }
      yield* meetings.cancel(meeting_id, options)
    }
  })

/** A lead whose meeting stands, and that the account handed back all the same. */
const handedBack = (operation: LeadOperation) => (prospect: Prospect) =>
  Effect.zipRight(transition("recover")(prospect), transition(operation)(prospect))

const isBroad = ([state]: (typeof stops)[number]) => state.startsWith("of a")

/** What forbids a notice of a meeting to a lead that was handed over because of that meeting. */
const noticeStops: typeof stops = [
  ...stops.filter(([state]) => ["stopped", "unsubscribed", "closed", "blacklisted"].includes(state)),
  ["handed back and paused", "paused", handedBack("pause")],
  ["handed back and in review", "pending_review", handedBack("flag_for_review")],
  ["no longer to meet", "meeting_cancelled", cancelMeeting],
  ["to meet at another time", "meeting_moved", changeMeeting("starts_at = starts_at - interval '1 hour'")],
  ["met already", "meeting_over", changeMeeting("status = 'held'")],
  ["in the meeting", "meeting_over", changeMeeting("starts_at = instant()")]
]

const takenOver: (typeof stops)[number] = ["taken over by hand", "user_controlled", transition("take_over")]

/** A lead of whose meeting a notice is due. */
const meet = ({ leadId }: Prospect, notice: "meeting_booked" | "meeting_reminder") =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const meetings = yield* Meetings
    const unit = yield* UnitOfWork
    const present = yield* now
    const startsAt = plusSeconds(present, 20 * 3600)
    const { meeting_id } = yield* unit.write(
      meetings.book({
        leadId,
        startsAt,
        endsAt: plusSeconds(startsAt, 1800),
        title: "Reunião",
        bookedThrough: "conversation",
        announceAt: notice === "meeting_booked" ? present : undefined
      })
    )
    const earlier = notice === "meeting_reminder" ? 48 : 0
    yield* sql`update meeting set created_at = created_at - make_interval(hours => ${earlier}),
      announce_at = announce_at - interval '1 minute' where meeting_id = ${meeting_id}`
  })

const messageTables = { email: "email_message", chatapp: "chatapp_message", voice: "voice_call" }
const idColumns = { email: "email_message_id", chatapp: "chatapp_message_id", voice: "voice_call_request_id" }
/** What the sandboxes of the providers took. */
const ledgers = { email: "sandbox_mail", chatapp: "sandbox_chatapp_message", voice: "sandbox_voice_call" }

const sendTasks = {
  email: { task: sendEmail, id: "emailMessageId" },
  chatapp: { task: sendChatAppMessage, id: "chatAppMessageId" },
  voice: { task: placeVoiceCall, id: "voiceCallRequestId" }
}

const info = { id: "1", attempt: 1, maxAttempts: 6 }

/** The account's touch goes on as the job engine would have it: it is written and queued. */
const write = (accountId: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const handler = yield* makeComposeTouchHandler
    const [stored] = yield* sql`select account_id as "accountId", lead_id as "leadId", touch_id as "touchId"
      from touch where account_id = ${accountId} and status = 'writing'`
    yield* Effect.withClock(handler.run(stored, info), onMonday)
  })

/** Its message goes on: it is sent. */
const send = (accountId: number, channel: OutreachChannel) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { id, task } = sendTasks[channel]
    const [row] = yield* sql<{ readonly id: number }>`
      select ${sql(idColumns[channel])} as id from ${sql(messageTables[channel])} where account_id = ${accountId}`
    const handlers = [...mailTasks, ...chatAppTaskHandlers, ...voiceTaskHandlers]
    const run = Effect.gen(function* () {
      for (const handler of handlers) {
        if (handler.task.name === task.name) yield* handler.run({ accountId, [id]: row?.id }, info)
      }
    })
    // A call is dialled only at hours at which people may be called.
    yield* Effect.withClock(run, onMonday)
  })

const countOf = (table: string, accountId: number) =>
  Effect.flatMap(SqlClient, (sql) =>
    Effect.map(sql`select from ${sql(table)} where account_id = ${accountId}`, (rows) => rows.length)
  )

/**
 * Runs `work` against a change that holds the lead: the work comes to its last look, waits there, and only then the
 * change is made and committed.
 */
const overtaken = <E, R, E2, R2>(
  work: Effect.Effect<void, E, R>,
  prospect: Prospect,
  change: Effect.Effect<unknown, E2, R2>
) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const unit = yield* UnitOfWork
    const isHeld = yield* Deferred.make<void>()
    const mayChange = yield* Deferred.make<void>()
    const changing = yield* Effect.fork(
      unit.write(
        Effect.gen(function* () {
          yield* sql`
            select from lead where account_id = ${prospect.accountId} and lead_id = ${prospect.leadId} for update`
          yield* Deferred.succeed(isHeld, undefined)
          yield* Deferred.await(mayChange)
          yield* change
        })
      )
    )
    yield* Deferred.await(isHeld)
    const working = yield* Effect.fork(work)
    yield* Effect.repeat(isLockAwaited, { until: (waits) => waits })
    yield* Deferred.succeed(mayChange, undefined)
    yield* Fiber.join(changing)
    yield* Fiber.join(working)
  })

layer(TestEngine, { excludeTestServices: true })("a lead that one statement before", (it) => {
  const channels = ["email", "chatapp", "voice"] as const
  const moments = ["it is written to", "the message is sent"] as const
  const cases = channels.flatMap((channel) =>
    moments.flatMap((moment) => stops.map(([state, reason, change]) => ({ channel, moment, state, reason, change })))
  )
  it.effect.each(cases)("$moment by $channel is $state gets nothing", ({ change, channel, moment, reason }) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { caller, me, prospect } = yield* prospectFor(channel)
      const { accountId } = caller
      yield* claimTouches
      if (moment === "the message is sent") yield* write(accountId)
      const isSent = moment === "the message is sent"
      yield* overtaken(
        Effect.if(isSent, { onTrue: () => send(accountId, channel), onFalse: () => write(accountId) }),
        prospect,
        me(change(prospect))
      )

      const touches = yield* sql`select status, reason from touch where account_id = ${accountId}`
      assert.deepStrictEqual(touches, [{ status: "skipped", reason }])
      const messages = yield* sql`select status from ${sql(messageTables[channel])} where account_id = ${accountId}`
      assert.deepStrictEqual(messages, isSent ? [{ status: "cancelled" }] : [])
      assert.strictEqual(yield* countOf(ledgers[channel], accountId), 0)
    })
  )

  const notices = ["meeting_booked", "meeting_reminder"] as const
  const noticeChannels = ["email", "chatapp"] as const
  const noticeCases = noticeChannels.flatMap((channel) =>
    notices.flatMap((notice) =>
      moments.flatMap((moment) =>
        [...noticeStops, ...(notice === "meeting_booked" ? [takenOver] : [])].map(([state, reason, change]) => ({
          channel,
          notice,
          moment,
          state,
          reason,
          change
        }))
      )
    )
  )
  it.effect.each(noticeCases)(
    "$moment by $channel is $state gets no $notice",
    ({ change, channel, moment, notice, reason }) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { caller, me, prospect } = yield* prospectFor(channel)
        const { accountId } = caller
        yield* me(meet(prospect, notice))
        yield* claimTouches
        const isSent = moment === "the message is sent"
        if (isSent) yield* write(accountId)
        yield* overtaken(
          Effect.if(isSent, { onTrue: () => send(accountId, channel), onFalse: () => write(accountId) }),
          prospect,
          me(change(prospect))
        )
        const touches = yield* sql`select notice, status, reason from touch where account_id = ${accountId}`
        assert.deepStrictEqual(touches, [{ notice, status: "skipped", reason }])
        assert.strictEqual(yield* countOf(ledgers[channel], accountId), 0)
      })
  )

  const allowed = noticeChannels.flatMap((channel) =>
    notices.flatMap((notice) =>
      [...stops.filter(isBroad), ...(notice === "meeting_reminder" ? [takenOver] : [])].map(([state, , change]) => ({
        channel,
        notice,
        state,
        change
      }))
    )
  )
  it.effect.each(allowed)("is $state gets its $notice by $channel", ({ change, channel, notice }) =>
    Effect.gen(function* () {
      const { caller, me, prospect } = yield* prospectFor(channel)
      yield* me(meet(prospect, notice))
      yield* me(change(prospect))
      yield* claimTouches
      yield* overtaken(write(caller.accountId), prospect, Effect.void)
      yield* overtaken(send(caller.accountId, channel), prospect, Effect.void)
      assert.strictEqual(yield* countOf(ledgers[channel], caller.accountId), 1)
    })
  )

  it.effect.each(channels)("nothing stops is sent its message by %s", (channel) =>
    Effect.gen(function* () {
      const { caller, prospect } = yield* prospectFor(channel)
      yield* claimTouches
      yield* overtaken(write(caller.accountId), prospect, Effect.void)
      yield* overtaken(send(caller.accountId, channel), prospect, Effect.void)
      assert.strictEqual(yield* countOf(ledgers[channel], caller.accountId), 1)
    })
  )
})
