import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Effect, Layer } from "effect"
import { primaryCalendar } from "../../../Services/Calendar/Calendar.ts"
import {
  daysAhead,
  freeSlots,
  isFree,
  merged,
  type Period,
  proposals,
  usualSlots
} from "../../../Services/Calendar/FreeSlots.ts"
import { MeetingTimes, type MeetingTimesShape } from "../../../Services/Calendar/MeetingTimes.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { fromMillis, type Timestamp, toMillis } from "../../../Services/Core/Timestamp.ts"
import { Notifications } from "../../../Services/Events/Notifications.ts"
import type { LeadId } from "../../../Services/Leads/Ids.ts"
import { hostOf } from "../../../Services/Replies/ReplyFacts.ts"
import { lockAccount } from "../../Platform/Postgres/AccountLock.ts"
import { fromSql, single } from "../../Platform/Postgres/Sql.ts"
import { CalendarConnection } from "../Google/CalendarConnection.ts"

interface BusyRow {
  readonly from: Timestamp
  readonly to: Timestamp
}

const periods = (rows: ReadonlyArray<BusyRow>): ReadonlyArray<Period> =>
  rows.map(({ from, to }) => ({ from: toMillis(from), to: toMillis(to) }))

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { calendar } = yield* CalendarConnection
  const notifications = yield* Notifications

  const mirror = Effect.gen(function* () {
    const { accountId } = yield* Caller
    const [row] = yield* sql`
      select from calendar_mirror m join connection c
        on c.account_id = m.account_id and c.service in ('calendar', 'calendar_microsoft')
      where m.account_id = ${accountId} and m.synced_at is not null and m.can_write and c.state = 'connected'`.pipe(
      fromSql()
    )
    return row
  })

  /** The time zone and holidays of the people whom leads will meet. */
  const host = Effect.gen(function* () {
    const { accountId } = yield* Caller
    const { phone, zone: accountZone } = single(
      yield* sql<{ readonly phone: string | null; readonly zone: string }>`
        select phone, time_zone as zone from account where account_id = ${accountId}`.pipe(fromSql())
    )
    return hostOf({ account_phone: phone, account_time_zone: accountZone })
  })

  /** Agreed meetings, which may not be in the calendar yet. */
  const meetings = (from: number, to: number, except: LeadId | null) =>
    Effect.flatMap(Caller, ({ accountId }) =>
      sql<BusyRow>`
        select starts_at as "from", ends_at as "to" from meeting
        where account_id = ${accountId} and status in ('scheduled', 'confirmed')
          and starts_at < ${fromMillis(to)} and ends_at > ${fromMillis(from)}
          and lead_id is distinct from ${except}::bigint`.pipe(Effect.map(periods), fromSql())
    )

  /** The lead's own meeting does not block a time, because it would be moved. */
  const ownTimes = (leadId: LeadId) =>
    Effect.flatMap(Caller, ({ accountId }) =>
      sql<BusyRow>`
        select i.told_starts_at as "from", i.told_ends_at as "to"
        from meeting m join meeting_invitation i on i.account_id = m.account_id and i.meeting_id = m.meeting_id
        where m.account_id = ${accountId} and m.lead_id = ${leadId} and i.way = 'calendar' and not i.is_cancelled
          and i.told_starts_at is not null and m.status in ('scheduled', 'confirmed')
        union all
        -- What the scheduler booked stands there by the scheduler's hand.
        select m.starts_at, m.ends_at from meeting m
        where m.account_id = ${accountId} and m.lead_id = ${leadId} and m.booked_through = 'scheduler'
          and m.status in ('scheduled', 'confirmed')`.pipe(Effect.map(periods), fromSql())
    )

  const service: MeetingTimesShape = {
    availability: Effect.fn("MeetingTimes.availability")(function* (period, lead) {
      const agreed = yield* meetings(period.from, period.to, lead)
      if (agreed.length > 0) return "taken"
      if ((yield* mirror) === undefined) return "unknown"
      const [from, to] = [fromMillis(period.from), fromMillis(period.to)]
      const busy = yield* calendar.busy(primaryCalendar, from, to).pipe(
        // If the calendar does not answer, the mirror decides.
        Effect.catchAll(() =>
          Effect.flatMap(Caller, ({ accountId }) =>
            sql<BusyRow>`
              select starts_at as "from", ends_at as "to" from calendar_event
              where account_id = ${accountId} and is_busy and ends_at > ${from} and starts_at < ${to}`.pipe(
              Effect.map(periods),
              fromSql()
            )
          )
        )
      )
      const mine = yield* ownTimes(lead)
      const others = busy.filter((one) => !mine.some((event) => event.from <= one.from && event.to >= one.to))
      return isFree(period, merged(others)) ? "free" : "taken"
    }),

    proposalsFor: Effect.fn("MeetingTimes.proposalsFor")(function* ({ leadId, wish: request, window, zone }) {
      const { isClosed, zone: hostZone } = yield* host
      const { accountId } = yield* Caller
      const now = yield* Clock.currentTimeMillis
      const days = daysAhead(now, request)
      const until = now + (days + 2) * 86_400_000
      // Events of a calendar that was disconnected are ignored.
      const events = yield* sql<BusyRow>`
        select starts_at as "from", ends_at as "to" from calendar_event
        where account_id = ${accountId} and is_busy and ends_at > ${fromMillis(now)}
          and starts_at < ${fromMillis(until)}`.pipe(Effect.map(periods), fromSql())
      const busy = [...events, ...(yield* meetings(now, until, null))]
      const hostWindow = { ...usualSlots.hostWindow, isClosed }
      const slots = freeSlots(now, busy, { ...usualSlots, days, zone, window, hostZone, hostWindow })
      return proposals(slots, { zone, seed: leadId, wish: request }).map(({ from }) => fromMillis(from))
    }),

    hasCalendar: Effect.map(mirror, (row) => row !== undefined),

    adviseCalendar: Effect.gen(function* () {
      if ((yield* mirror) !== undefined) return
      const { accountId } = yield* Caller
      // Locked, so that two leads at the same time cause only one notice.
      yield* lockAccount(sql, accountId, "bookings")
      const earlier = yield* sql`
        select from notification where account_id = ${accountId} and kind = 'calendar_missing'
        union all
        select from connection where account_id = ${accountId} and service in ('calendar', 'calendar_microsoft')
          and state in ('connected', 'needs_reconnect')
        limit 1`.pipe(fromSql())
      if (earlier.length === 0) yield* notifications.tell({ kind: "calendar_missing" })
    }).pipe(Effect.withSpan("MeetingTimes.adviseCalendar"))
  }
  return service
})

export const MeetingTimesPostgres = Layer.effect(MeetingTimes, make)
