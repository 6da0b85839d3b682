import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Option, Schema } from "effect"
import { Accounts } from "../../Services/Accounts/Accounts.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import type { Timestamp } from "../../Services/Core/Timestamp.ts"
import { Notifications } from "../../Services/Events/Notifications.ts"
import * as Task from "../../Services/Jobs/Task.ts"
import type { LeadId } from "../../Services/Leads/Ids.ts"
import type { MeetingId } from "../../Services/Meetings/Ids.ts"
import { recurring } from "../Platform/Jobs/Recurring.ts"
import { handle } from "../Platform/Jobs/TaskHandler.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

const remindOfMeetings = Task.make("remind_of_meetings", {
  payload: Schema.Struct({}),
  maxAttempts: 3,
  timeout: "5 minutes"
})

const batch = 200

interface DueReminder {
  readonly accountId: AccountId
  readonly meetingId: MeetingId
  readonly leadId: LeadId
  readonly startsAt: Timestamp
}

/**
 * Marks up to `batch` meetings as reminded, and notifies their owners: a day before, or an hour before if booked later.
 * Returns how many there were.
 */
const remindBatch = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const accounts = yield* Accounts
  const notifications = yield* Notifications
  const due = yield* unit
    .acrossAccounts(sql<DueReminder>`
    with due as (
      select account_id, meeting_id from meeting
      where reminded_at is null and status in ('scheduled', 'confirmed') and uses_test_clock(account_id)
        and starts_at > instant() and starts_at <= instant() + interval '24 hours'
        and (created_at <= starts_at - interval '24 hours' or starts_at <= instant() + interval '1 hour')
      order by starts_at limit ${batch} for update skip locked
    )
    update meeting m set reminded_at = instant() from due
    where m.account_id = due.account_id and m.meeting_id = due.meeting_id and m.reminded_at is null
    returning m.account_id as "accountId", m.meeting_id as "meetingId", m.lead_id as "leadId",
      m.starts_at as "startsAt"`)
    .pipe(fromSql())
  for (const { accountId, leadId, meetingId, startsAt } of due) {
    const plan = yield* accounts.planOf(accountId)
    if (Option.isNone(plan)) continue
    yield* notifications
      .tellOfLead({ kind: "meeting_reminder", leadId, at: startsAt }, { meeting_id: meetingId, starts_at: startsAt })
      .pipe(Effect.provideService(Caller, Caller.forTask(accountId, plan.value, `meeting-${meetingId}`)))
  }
  return due.length
})

/** Sends reminders of all near meetings, each batch in a separate transaction. */
export const remind = Effect.flatMap(UnitOfWork, (unit) =>
  Effect.asVoid(Effect.repeat(unit.write(remindBatch), { while: (count) => count === batch }))
).pipe(Effect.withSpan("Meetings.remind"))

export const meetingTasks = [handle(remindOfMeetings, () => remind)]
export const meetingRecurring = [recurring("remind_of_meetings", "*/5 * * * *", remindOfMeetings, {})]
