import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Effect } from "effect"
import { chatAppTaskHandlers } from "../../src/Layers/ChatApp/ChatAppTasks.ts"
import { mailTasks } from "../../src/Layers/Mail/MailTasks.ts"
import { claimTouches } from "../../src/Layers/Outreach/ClaimTouches.ts"
import { makeComposeTouchHandler } from "../../src/Layers/Outreach/Composing/ComposeTouch.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { Timestamp } from "../../src/Services/Core/Timestamp.ts"
import type { LeadId } from "../../src/Services/Leads/Ids.ts"
import { Leads } from "../../src/Services/Leads/Leads.ts"
import { Meetings, type NewMeeting } from "../../src/Services/Meetings/Meetings.ts"
import { sendUrgentChatAppMessage, sendUrgentEmail } from "../../src/Services/Outreach/OutreachTasks.ts"
import { engineOver } from "../Outreach/support/touches.ts"
import { insertLead } from "../support/leads/LeadServices.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { databaseOfTime } from "../support/TestDatabase.ts"

let instant = "2026-03-02T12:00:00Z"

/** A database whose time the test sets. */
export const Timed = engineOver(databaseOfTime(() => instant))

/** Runs an effect at an instant, by the database's clock and the program's. */
export const at = <A, E, R>(moment: string, effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    instant = moment
    const millis = Date.parse(moment)
    const clock: Clock.Clock = Object.assign(Clock.make(), {
      unsafeCurrentTimeMillis: () => millis,
      currentTimeMillis: Effect.succeed(millis)
    })
    return Effect.withClock(effect, clock)
  })

export const info = { id: "1", attempt: 1, maxAttempts: 6 }

/** Runs each task twice, as after a crash before its end was recorded. */
export const twice = <E, R>(task: Effect.Effect<void, E, R>) => Effect.zipRight(task, task)

export const write = Effect.gen(function* () {
  const sql = yield* SqlClient
  const compose = yield* makeComposeTouchHandler
  const touches = yield* sql`select account_id as "accountId", lead_id as "leadId", touch_id as "touchId"
    from touch where status = 'writing' order by touch_id`
  yield* Effect.forEach(touches, (touch) => twice(compose.run(touch, info)))
})

export const send = Effect.gen(function* () {
  const sql = yield* SqlClient
  const handlers = [...mailTasks, ...chatAppTaskHandlers]
  const mails = yield* sql`select account_id as "accountId", email_message_id as "emailMessageId"
    from email_message where status = 'queued' order by email_message_id`
  const chats = yield* sql`select account_id as "accountId", chatapp_message_id as "chatAppMessageId"
    from chatapp_message where status = 'queued'`
  for (const handler of handlers) {
    const { name } = handler.task
    const payloads = name === sendUrgentEmail.name ? mails : name === sendUrgentChatAppMessage.name ? chats : []
    for (const payload of payloads) {
      yield* handler.run(payload, info)
      yield* handler.run(payload, info)
    }
  }
})

/** Everything that the platform does automatically at this time. */
export const work = Effect.gen(function* () {
  yield* Effect.all([claimTouches, claimTouches, claimTouches], { concurrency: "unbounded" })
  yield* write
  yield* send
})

/** What the providers' sandboxes received from the account, oldest first. */
export const sentTo = (accountId: number) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql<{ readonly channel: string; readonly text: string }>`
      select 'email' as channel, body_text as text, sandbox_mail_id as id from sandbox_mail
      where account_id = ${accountId} and direction = 'outbound' and to_address not like 'owner%'
      union all
      select 'chatapp', content ->> 'body', sandbox_chatapp_message_id from sandbox_chatapp_message
      where account_id = ${accountId}
      order by id`
  ).pipe(Effect.map((rows) => rows.map(({ channel, text }) => ({ channel, text }))))

/** A Monday, nine o'clock in São Paulo. The meetings are on Thursday at three in the afternoon. */
export const monday = "2026-03-02T12:00:00Z"
export const afterAWhile = "2026-03-02T12:15:00Z"
export const dayBefore = "2026-03-04T18:00:00Z"
export const thursday = "2026-03-05T18:00:00Z"

export const prospect = (columns: { readonly [column: string]: string | null } = {}) =>
  Effect.gen(function* () {
    const caller = yield* makeAccount()
    const me = as(caller)
    const lead = yield* me(
      insertLead({ time_zone: "America/Sao_Paulo", last_outbound_at: "2026-03-01T12:00:00Z", ...columns })
    )
    return { accountId: caller.accountId, me, lead }
  })

export const book = (leadId: LeadId, meeting: Partial<NewMeeting> = {}) =>
  Effect.gen(function* () {
    const meetings = yield* Meetings
    const unit = yield* UnitOfWork
    return yield* unit.write(
      meetings.book({
        leadId,
        startsAt: Timestamp.make(thursday),
        endsAt: Timestamp.make("2026-03-05T18:30:00Z"),
        title: "Reunião",
        bookedThrough: "conversation",
        announceAt: Timestamp.make("2026-03-02T12:05:00Z"),
        ...meeting
      })
    )
  })

export const change = (leadId: LeadId, operation: "take_over" | "unsubscribe" | "stop" | "recover") =>
  Effect.gen(function* () {
    const leads = yield* Leads
    const unit = yield* UnitOfWork
    yield* unit.write(leads.transition(leadId, operation))
  })

export const moveTo = (leadId: LeadId, startsAt: string) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql`
      update meeting set starts_at = ${startsAt}, ends_at = ${startsAt}::timestamptz + interval '30 minutes'
      where lead_id = ${leadId}`
  )
