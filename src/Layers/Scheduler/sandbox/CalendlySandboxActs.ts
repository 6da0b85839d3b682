import { randomUUID } from "node:crypto"
import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Effect, Layer, Redacted } from "effect"
import { notFound, refused } from "../../../Errors.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { parsedUrl } from "../../../Services/Core/Outside/ParsedUrl.ts"
import { type Timestamp, toMillis } from "../../../Services/Core/Timestamp.ts"
import { signatureOf } from "../../../Services/Scheduler/NoticeSignature.ts"
import { SimulatedScheduler } from "../../../Services/Scheduler/Scheduler.ts"
import { resourceOf } from "../../../Services/Scheduler/SchedulerRules.ts"
import { SimulatedHostCalendar } from "../../../Services/Scheduler/SimulatedHostCalendar.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { BookingNotices } from "../BookingNotices.ts"
import { simulatedApiUrl } from "../SchedulerSettings.ts"
import {
  type BookingBody,
  type BookingRow,
  bookingColumns,
  hostEventOf,
  inviteeUriOf,
  inviteeView,
  minutesOf,
  simulatedTypes
} from "./CalendlySandboxViews.ts"

const timeTaken = refused("time_taken", "Somebody else has booked this time.", "Choose another time.", {
  parameter: "starts_at"
})
const linkUsed = refused("link_used", "This link serves once, and was used.", "Ask for a new link.", {
  parameter: "url"
})
const isOver = refused("booking_over", "The booking was moved or cancelled already.", "Act on the one that stands.")

/** The pages and bookings of the calling account at the sandbox. */
const makeSandboxBookings = Effect.gen(function* () {
  const sql = yield* SqlClient
  const hostCalendar = yield* SimulatedHostCalendar

  const rowOf = Effect.fnUntraced(function* (inviteeUri: string) {
    const { accountId } = yield* Caller
    const id = inviteeUri.slice(inviteeUri.lastIndexOf("/") + 1)
    const rows = yield* sql<BookingRow>`
      select ${sql.literal(bookingColumns)} from sandbox_scheduler_booking
      where account_id = ${accountId} and invitee_id = ${id} for update`.pipe(fromSql())
    const isUri = resourceOf("invitee", simulatedApiUrl, inviteeUri) !== undefined
    const row = isUri ? rows[0] : undefined
    return row ?? (yield* notFound("booking", "invitee_uri", inviteeUri))
  })

  /** Returns the account and the event type of a booking page. */
  const pageOf = Effect.fnUntraced(function* (url: string) {
    const { accountId } = yield* Caller
    const given = parsedUrl(url)
    const key = given?.pathname.split("/").at(-1) ?? ""
    const [page] = yield* sql<{ readonly holder: string }>`
      select holder from sandbox_scheduler where account_id = ${accountId} and page_key = ${key}`.pipe(fromSql())
    const type = simulatedTypes.find(({ active, slug }) => active && slug === given?.searchParams.get("type"))
    if (page === undefined || given === undefined || type === undefined) {
      return yield* notFound("booking page", "url", url.slice(0, 300))
    }
    return {
      holder: page.holder,
      slug: type.slug,
      once: given.searchParams.get("once"),
      reference: given.searchParams.get("utm_content")
    }
  })

  const isFree = Effect.fnUntraced(function* (holder: string, slug: string, startsAt: Timestamp, but: string) {
    const { accountId } = yield* Caller
    const rows = yield* sql<{ readonly slug: string; readonly startsAt: number }>`
      select slug, extract(epoch from starts_at)::float8 * 1000 as "startsAt" from sandbox_scheduler_booking
      where account_id = ${accountId} and holder = ${holder} and is_active and invitee_id <> ${but}
        and starts_at > ${startsAt}::timestamptz - interval '1 day'
        and starts_at < ${startsAt}::timestamptz + interval '1 day'`.pipe(fromSql())
    const from = toMillis(startsAt)
    const to = from + minutesOf(slug) * 60_000
    return rows.every((row) => row.startsAt >= to || row.startsAt + minutesOf(row.slug) * 60_000 <= from)
  })

  const insert = Effect.fnUntraced(function* (
    booking: { readonly holder: string; readonly slug: string; readonly body: BookingBody },
    startsAt: Timestamp,
    oldInvitee: string | null
  ) {
    const { accountId } = yield* Caller
    const present = new Date(yield* Clock.currentTimeMillis).toISOString()
    const ids = { eventId: randomUUID(), inviteeId: randomUUID() }
    yield* sql`
      insert into sandbox_scheduler_booking (account_id, invitee_id, event_id, holder, slug, starts_at, old_invitee,
        body, created_at, updated_at)
      values (${accountId}, ${ids.inviteeId}, ${ids.eventId}, ${booking.holder}, ${booking.slug}, ${startsAt},
        ${oldInvitee}, ${JSON.stringify(booking.body)}::jsonb, ${present}, ${present})`.pipe(fromSql())
    const inviteeUri = inviteeUriOf(ids)
    yield* hostCalendar.put(hostEventOf(yield* rowOf(inviteeUri)))
    return inviteeUri
  })

  return { rowOf, pageOf, isFree, insert }
})

/** Makes the actions of leads and hosts in the sandbox. Subscribers get the same notices as from the real scheduler. */
const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const notices = yield* BookingNotices
  const hostCalendar = yield* SimulatedHostCalendar
  const { insert, isFree, pageOf, rowOf } = yield* makeSandboxBookings

  /** Sends the notice to the subscribers. If it is lost, the next sweep finds the booking. */
  const notifySubscribers = Effect.fnUntraced(function* (
    event: "invitee.created" | "invitee.canceled",
    inviteeUri: string
  ) {
    const { accountId } = yield* Caller
    const row = yield* rowOf(inviteeUri)
    const receivers = yield* sql<{ readonly url: string; readonly key: string }>`
      select s.url, x.signing_key as key from sandbox_scheduler_subscription s
      join sandbox_scheduler x on x.account_id = s.account_id and x.holder = s.holder
      where s.account_id = ${accountId} and x.account_id = ${accountId} and s.holder = ${row.holder}
        and not x.loses_notices`.pipe(fromSql())
    const present = yield* Clock.currentTimeMillis
    const body = Buffer.from(
      JSON.stringify({ event, created_at: new Date(present).toISOString(), payload: inviteeView(row) })
    )
    for (const { key, url } of receivers) {
      const signature = signatureOf(Redacted.make(key), Math.floor(present / 1000), body)
      yield* notices.take(url.slice(url.lastIndexOf("/") + 1), signature, body)
    }
  })

  return SimulatedScheduler.of({
    book: Effect.fn("SimulatedScheduler.book")(function* ({ email, name, startsAt, url }) {
      const { accountId } = yield* Caller
      const inviteeUri = yield* unit.write(
        Effect.gen(function* () {
          const { holder, once, reference, slug } = yield* pageOf(url)
          if (!(yield* isFree(holder, slug, startsAt, ""))) return yield* timeTaken
          if (once !== null) {
            const used = yield* sql`
              update sandbox_scheduler_link set used_at = instant()
              where account_id = ${accountId} and code = ${once} and slug = ${slug} and used_at is null
              returning code`.pipe(fromSql())
            if (used.length === 0) return yield* linkUsed
          }
          const body = { name, email, tracking: { utm_content: reference }, cancellation: null }
          return yield* insert({ holder, slug, body }, startsAt, null)
        })
      )
      yield* notifySubscribers("invitee.created", inviteeUri)
      return inviteeUri
    }),

    reschedule: Effect.fn("SimulatedScheduler.reschedule")(function* (inviteeUri, startsAt) {
      const { accountId } = yield* Caller
      const moved = yield* unit.write(
        Effect.gen(function* () {
          const row = yield* rowOf(inviteeUri)
          if (!row.isActive) return yield* isOver
          if (!(yield* isFree(row.holder, row.slug, startsAt, row.inviteeId))) return yield* timeTaken
          const next = yield* insert(row, startsAt, inviteeUri)
          yield* sql`
            update sandbox_scheduler_booking set is_active = false, new_invitee = ${next},
              updated_at = ${new Date(yield* Clock.currentTimeMillis).toISOString()}
            where account_id = ${accountId} and invitee_id = ${row.inviteeId}`.pipe(fromSql())
          yield* hostCalendar.remove(hostEventOf(row).eventId)
          return next
        })
      )
      yield* notifySubscribers("invitee.canceled", inviteeUri)
      yield* notifySubscribers("invitee.created", moved)
      return moved
    }),

    cancel: Effect.fn("SimulatedScheduler.cancel")(function* (inviteeUri, by, reason) {
      const { accountId } = yield* Caller
      yield* unit.write(
        Effect.gen(function* () {
          const row = yield* rowOf(inviteeUri)
          if (!row.isActive) return yield* isOver
          const cancellation = {
            canceled_by: by === "host" ? row.holder : row.body.name,
            reason,
            canceler_type: by
          }
          yield* sql`
            update sandbox_scheduler_booking set is_active = false, body = body || ${JSON.stringify({ cancellation })}::jsonb,
              updated_at = ${new Date(yield* Clock.currentTimeMillis).toISOString()}
            where account_id = ${accountId} and invitee_id = ${row.inviteeId}`.pipe(fromSql())
          yield* hostCalendar.remove(hostEventOf(row).eventId)
        })
      )
      yield* notifySubscribers("invitee.canceled", inviteeUri)
    })
  })
})

export const SimulatedSchedulerPostgres = Layer.effect(SimulatedScheduler, make)
