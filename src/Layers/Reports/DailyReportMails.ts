import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Effect } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { OwnerMails } from "../../Services/Events/OwnerNotices.ts"
import { TaskQueue } from "../../Services/Jobs/TaskQueue.ts"
import { leadPageDays, leadPagePath, leadPageToken } from "../../Services/Leads/LeadPageLink.ts"
import { dailyReport, mailDailyReport, queueDailyReports, reportHour } from "../../Services/Reports/DailyReport.ts"
import { languageOf } from "../../Services/Text/Language.ts"
import { recurring } from "../Platform/Jobs/Recurring.ts"
import { handle } from "../Platform/Jobs/TaskHandler.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { Settings } from "../Platform/Settings.ts"
import { changedBlocks } from "./ChangesSince.ts"
import { beginningOf, dayAfter } from "./RolledDays.ts"

/** Queues yesterday's report for accounts where it is morning, or where a morning was missed. */
export const queueReports = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const tasks = yield* TaskQueue
  const due = yield* unit
    .acrossAccounts(sql<{ readonly accountId: AccountId; readonly day: string }>`
    select a.account_id as "accountId", ((instant() at time zone a.time_zone)::date - 1)::text as day
    from prospecting_config p join account a using (account_id)
    where extract(hour from instant() at time zone a.time_zone) >= ${reportHour} and uses_test_clock(a.account_id)
      and not exists (select from daily_report r where r.account_id = p.account_id
        and r.day = (instant() at time zone a.time_zone)::date - 1)
    order by p.account_id`)
    .pipe(fromSql())
  yield* tasks.enqueueMany(
    mailDailyReport,
    due.map((payload) => ({ payload, jobKey: `daily_report:${payload.accountId}:${payload.day}` }))
  )
})

/** Mails the report of a day, once. */
export const mailReport = (accountId: AccountId, day: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const unit = yield* UnitOfWork
    const mails = yield* OwnerMails
    const { baseUrl } = yield* Settings
    yield* unit.write(
      Effect.gen(function* () {
        const rows = yield* sql<{ readonly zone: string; readonly language: string; readonly key: Uint8Array }>`
          select time_zone as zone, language_key as language, mail_key as key from account
          where account_id = ${accountId} for no key update`.pipe(fromSql())
        const account = rows[0]
        if (account === undefined) return
        const insertedReports = yield* sql`
          insert into daily_report (account_id, day) values (${accountId}, ${day}::date)
          on conflict do nothing returning account_id`.pipe(fromSql())
        const from = beginningOf(day, account.zone)
        // The window includes its last second.
        const to = Math.min(beginningOf(dayAfter(day, 1), account.zone) - 1000, yield* Clock.currentTimeMillis)
        if (insertedReports.length === 0) return
        const changes = yield* changedBlocks(sql, { accountId, zone: account.zone }, from, to).pipe(fromSql())
        const expiresAt = (yield* Clock.currentTimeMillis) + leadPageDays * 86_400_000
        const report = dailyReport(day, changes, {
          language: languageOf(account.language),
          timeZone: account.zone,
          linkTo: (leadId) =>
            `${baseUrl}${leadPagePath(leadId)}${leadPageToken(account.key, { accountId, leadId, expiresAt })}`
        })
        if (report !== undefined) yield* mails.tell(accountId, report)
      })
    )
  })

export const dailyReportTasks = [
  handle(queueDailyReports, () => queueReports),
  handle(mailDailyReport, ({ accountId, day }) => mailReport(accountId, day))
]

export const dailyReportRecurring = [recurring("queue_daily_reports", "3 * * * *", queueDailyReports, {})]
