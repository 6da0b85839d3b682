import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { type DueNotice, MeetingNotices } from "../../Services/Meetings/MeetingNotices.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"

/**
 * A lead gets a confirmation after the platform agreed on a meeting, and another one if it moves. Every lead is
 * reminded once: a day before, or an hour before if it learned of the time later. There is no reminder if it learned of
 * the time in the last three hours. The announced start is stored, so a moved meeting is due again. Every change of a
 * meeting locks its lead first.
 */
export const MeetingNoticesPostgres = Layer.effect(
  MeetingNotices,
  Effect.map(Effect.all([SqlClient, UnitOfWork]), ([sql, unit]) => {
    const isOpen = sql`m.status in ('scheduled', 'confirmed') and m.starts_at > instant() and uses_test_clock(m.account_id)`
    const isReachable = sql`
      l.pipeline_state in ('user_controlled', 'in_pipeline') and l.unsubscribed_at is null and l.paused_at is null
        and not exists (select from touch t where t.account_id = m.account_id and t.meeting_id = m.meeting_id
          and t.status in ('writing', 'queued'))`
    const needsAnnouncement = sql`m.announced_for is distinct from m.starts_at and m.announce_at <= instant()`
    const learnedAt = sql`
      lateral (select coalesce(max(t.created_at), m.created_at) as at from touch t
        where t.account_id = m.account_id and t.meeting_id = m.meeting_id and t.notice = 'meeting_booked'
          and t.meeting_starts_at = m.starts_at) learned`
    const isReminderDue = sql`
      m.lead_reminded_for is distinct from m.starts_at and m.starts_at <= instant() + interval '24 hours'
        and (m.announce_at is null or m.announced_for = m.starts_at)
        and (learned.at <= m.starts_at - interval '24 hours' or learned.at <= m.starts_at - interval '3 hours'
          and m.starts_at <= instant() + interval '1 hour')
        and least(coalesce(m.remind_lead_at, '-infinity'), m.starts_at - interval '1 hour') <= instant()`
    return MeetingNotices.of({
      isAnyDue: unit
        .acrossAccounts(sql<{ readonly due: boolean }>`
        select exists (select from meeting m join lead l using (account_id, lead_id)
            where ${isOpen} and ${isReachable} and ${needsAnnouncement})
          or exists (select from meeting m join lead l using (account_id, lead_id), ${learnedAt}
            where ${isOpen} and ${isReachable} and ${isReminderDue}) as due`)
        .pipe(
          Effect.map((rows) => single(rows).due),
          fromSql()
        ),

      claim: (limit) =>
        unit
          .acrossAccounts(sql<DueNotice>`
          with announced as (
            select m.account_id, m.meeting_id, m.starts_at, 'meeting_booked' as notice
            from meeting m join lead l using (account_id, lead_id)
            where ${isOpen} and ${isReachable}
              and ${needsAnnouncement}
            order by m.announce_at limit ${limit} for update of l, m skip locked
          ), reminded as (
            select m.account_id, m.meeting_id, m.starts_at, 'meeting_reminder' as notice
            from meeting m join lead l using (account_id, lead_id), ${learnedAt}
            where ${isOpen} and ${isReachable} and ${isReminderDue}
            order by m.starts_at limit ${limit} for update of l, m skip locked
          ), due as (
            select * from announced union all select * from reminded
          )
          update meeting m set
            announced_for = case when due.notice = 'meeting_booked' then due.starts_at else m.announced_for end,
            lead_reminded_for = case when due.notice = 'meeting_reminder' then due.starts_at else m.lead_reminded_for end
          from due where m.account_id = due.account_id and m.meeting_id = due.meeting_id and m.starts_at = due.starts_at
            and case when due.notice = 'meeting_booked' then m.announced_for else m.lead_reminded_for end
              is distinct from due.starts_at
          returning m.account_id as "accountId", m.meeting_id as "meetingId", due.notice`)
          .pipe(fromSql()),

      postpone: ({ accountId, meetingId, notice }, until) => {
        const retryAt =
          notice === "meeting_reminder"
            ? sql`remind_lead_at = ${until}, lead_reminded_for = null`
            : sql`announce_at = ${until}, announced_for = null`
        return sql`
          update meeting set ${retryAt} where account_id = ${accountId} and meeting_id = ${meetingId}`.pipe(
          Effect.asVoid,
          fromSql()
        )
      }
    })
  })
)
