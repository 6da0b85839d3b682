import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Schema } from "effect"
import { SimulatedConsents } from "../../../Services/Connections/OAuth.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { fromMillis, parseInstant } from "../../../Services/Core/Timestamp.ts"
import { SimulatedScheduler } from "../../../Services/Scheduler/Scheduler.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { schedulerService } from "../CalendlyApi.ts"
import { type BookingRow, bookingColumns } from "./CalendlySandboxViews.ts"

const mostBookings = 200

const short = Schema.String.pipe(Schema.maxLength(300))
const Act = Schema.Union(
  Schema.Struct({
    act: Schema.Literal("book"),
    url: Schema.String.pipe(Schema.maxLength(2000)),
    name: short,
    email: short,
    starts_at: short
  }),
  Schema.Struct({ act: Schema.Literal("reschedule"), invitee_uri: short, starts_at: short }),
  Schema.Struct({
    act: Schema.Literal("cancel"),
    invitee_uri: short,
    by: Schema.optionalWith(Schema.Literal("invitee", "host"), { default: () => "invitee" as const }),
    reason: Schema.optionalWith(short, { default: () => "" })
  }),
  Schema.Struct({
    act: Schema.Literal("slow_down"),
    seconds: Schema.optionalWith(Schema.Number.pipe(Schema.between(1, 86_400)), { default: () => 60 })
  }),
  Schema.Struct({ act: Schema.Literal("revoke", "expire", "lose_notices", "send_notices") })
)
export type Act = typeof Act.Type
export const decodeAct = Schema.decodeUnknownOption(Act)
export const decodeActJson = Schema.decodeUnknownOption(Schema.parseJson(Act))

const when = (text: string) => {
  // The browser's field has neither seconds nor a zone, so it is read as UTC.
  const parsed = parseInstant(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(text) ? `${text}:00Z` : text)
  return parsed === undefined ? undefined : fromMillis(parsed.millis)
}

/** The sandbox page with the account's bookings and the actions on them. */
export const makeSandboxForms = Effect.gen(function* () {
  const consents = yield* SimulatedConsents
  const simulated = yield* SimulatedScheduler
  const sql = yield* SqlClient

  const bookings = Effect.gen(function* () {
    const { accountId } = yield* Caller
    return yield* sql<BookingRow>`
      select ${sql.literal(bookingColumns)} from sandbox_scheduler_booking
      where account_id = ${accountId} order by created_at desc, invitee_id limit ${mostBookings}`.pipe(fromSql())
  })

  /** Returns the address of the new booking, an empty text if there is none, and undefined for an invalid time. */
  const act = Effect.fnUntraced(function* (given: Act) {
    const { accountId } = yield* Caller
    switch (given.act) {
      case "book":
      case "reschedule": {
        const startsAt = when(given.starts_at)
        if (startsAt === undefined) return undefined
        return given.act === "book"
          ? yield* simulated.book({ ...given, startsAt })
          : yield* simulated.reschedule(given.invitee_uri, startsAt)
      }
      case "cancel":
        yield* simulated.cancel(given.invitee_uri, given.by, given.reason)
        return given.invitee_uri
      case "revoke":
        yield* consents.revokeAll(schedulerService)
        return ""
      case "expire":
        yield* consents.expireAll(schedulerService)
        return ""
      case "slow_down":
        yield* sql`
          update sandbox_scheduler set slow_until = instant() + make_interval(secs => ${given.seconds})
          where account_id = ${accountId}`.pipe(fromSql())
        return ""
      case "lose_notices":
      case "send_notices":
        yield* sql`
          update sandbox_scheduler set loses_notices = ${given.act === "lose_notices"}
          where account_id = ${accountId}`.pipe(fromSql())
        return ""
    }
  })

  return { bookings, act }
})
