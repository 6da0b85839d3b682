import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { now, type Timestamp } from "../../../Services/Core/Timestamp.ts"
import { invitationText } from "../../../Services/Mail/Invitations.ts"
import type { MeetingId } from "../../../Services/Meetings/Ids.ts"
import { MailedInvitations, type MailedInvitationsShape } from "../../../Services/Meetings/MailedInvitations.ts"
import { fromSql, single } from "../../Platform/Postgres/Sql.ts"
import { newEventId } from "./EventIds.ts"
import { type TitleRow, titleColumns, titleOf } from "./InvitationTitles.ts"

interface Row extends TitleRow {
  readonly meetingId: MeetingId
  readonly status: string
  readonly startsAt: Timestamp
  readonly endsAt: Timestamp
  readonly url: string | null
  readonly leadEmail: string | null
  readonly uid: string | null
  readonly isToldSo: boolean
}

/** Mails invitations if neither the scheduler nor a calendar sends them. */
const make = Effect.map(SqlClient, (sql) => {
  const service: MailedInvitationsShape = {
    attach: Effect.fn("MailedInvitations.attach")(function* ({ cancelledId, from, touchId }) {
      const { accountId } = yield* Caller
      const [row] = yield* sql<Row>`
        select m.meeting_id as "meetingId", m.status, m.starts_at as "startsAt", m.ends_at as "endsAt",
          m.meeting_url as url, ${titleColumns(sql)}, l.email as "leadEmail", i.uid,
          coalesce(i.told_starts_at = m.starts_at and i.told_ends_at = m.ends_at, false) as "isToldSo"
        from meeting m join lead l on l.account_id = m.account_id and l.lead_id = m.lead_id
          left join meeting_invitation i on i.account_id = m.account_id and i.meeting_id = m.meeting_id
        where m.account_id = ${accountId} and m.meeting_id = coalesce(${cancelledId ?? null}::bigint,
            (select t.meeting_id from touch t where t.account_id = ${accountId} and t.touch_id = ${touchId}))
          -- One that went out before the scheduler took the meeting over is withdrawn where the meeting is off.
          and (m.booked_through in ('conversation', 'voice') or m.booked_through = 'scheduler' and m.status = 'cancelled'
            and i.way = 'mail')
          and not coalesce(i.is_cancelled, false)
          and case when i.meeting_id is null then m.status <> 'cancelled' and not exists (
              select from calendar_mirror c join connection o on o.account_id = c.account_id
                and o.service in ('calendar', 'calendar_microsoft') and o.state = 'connected'
              where c.account_id = ${accountId} and c.can_write)
            else i.way = 'mail' end`.pipe(fromSql())
      if (row === undefined || row.leadEmail === null) return undefined
      const isOff = row.status === "cancelled"
      const uid = row.uid ?? `${yield* newEventId}@${from.address.split("@")[1] ?? "mail.invalid"}`
      // A changed invitation gets a higher number. A repeated one keeps it.
      const { sequence } = single(
        yield* sql<{ readonly sequence: number }>`
          insert into meeting_invitation as i (account_id, meeting_id, way, uid, told_starts_at, told_ends_at)
          values (${accountId}, ${row.meetingId}, 'mail', ${uid}, ${row.startsAt}, ${row.endsAt})
          on conflict (account_id, meeting_id) do update set told_starts_at = excluded.told_starts_at,
            told_ends_at = excluded.told_ends_at, is_cancelled = ${isOff},
            sequence = i.sequence + ${row.isToldSo && !isOff ? 0 : 1}
          returning i.sequence`.pipe(fromSql())
      )
      return invitationText({
        method: isOff ? "CANCEL" : "REQUEST",
        uid,
        sequence,
        stampedAt: yield* now,
        startsAt: row.startsAt,
        endsAt: row.endsAt,
        summary: titleOf(row),
        url: row.url ?? undefined,
        phone: row.leadPhone ?? undefined,
        organizer: from,
        attendee: { name: row.leadName, address: row.leadEmail }
      })
    })
  }
  return service
})

export const MailedInvitationsPostgres = Layer.effect(MailedInvitations, make)
