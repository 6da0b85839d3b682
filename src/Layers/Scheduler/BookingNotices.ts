import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import type { Transient } from "../../Errors.ts"
import { TaskQueue } from "../../Services/Jobs/TaskQueue.ts"
import { isSigned } from "../../Services/Scheduler/NoticeSignature.ts"
import { resourceOf } from "../../Services/Scheduler/SchedulerRules.ts"
import { makeAccountSeal } from "../Platform/Postgres/AccountSeal.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { schedulerService } from "./CalendlyApi.ts"
import { CalendlyNotice } from "./CalendlyShapes.ts"
import { SchedulerSettings } from "./SchedulerSettings.ts"
import { lookAtBooking } from "./SchedulerTasks.ts"

export type TakenNotice = "taken" | "forged" | "unknown_address" | "unreadable"

/**
 * Receives webhook deliveries about bookings. A delivery only says which booking to read again, so a forged one cannot
 * change anything.
 */
export class BookingNotices extends Context.Tag("BookingNotices")<
  BookingNotices,
  {
    /** `key` is the last part of the called address. `body` has the bytes as they were received. */
    readonly take: (
      key: string,
      signature: string | undefined,
      body: Uint8Array
    ) => Effect.Effect<TakenNotice, Transient>
  }
>() {}

const decodeNotice = Schema.decodeUnknownOption(CalendlyNotice)
const keyShape = /^[A-Za-z0-9_-]{43}$/

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const tasks = yield* TaskQueue
  const seal = yield* makeAccountSeal
  const { apiUrl, signingKey } = yield* SchedulerSettings

  return BookingNotices.of({
    take: Effect.fn("BookingNotices.take")(function* (key, signature, body) {
      if (!keyShape.test(key)) return "unknown_address"
      const sealed = yield* seal.accountOfAddressKey(key)
      if (Option.isNone(sealed)) return "unknown_address"
      const accountId = sealed.value
      const [row] = yield* sql<{ readonly simulated: string | null }>`
        select x.signing_key as simulated
        from scheduler_account s
        join connection c on c.account_id = s.account_id and c.service = ${schedulerService} and c.state <> 'disconnected'
        left join sandbox_scheduler x on x.account_id = s.account_id and x.holder = c.settings ->> 'label'
        where s.account_id = ${accountId} and s.webhook_key = ${key} and c.account_id = ${accountId}`.pipe(fromSql())
      if (row === undefined) return "unknown_address"
      const right = signingKey ?? (row.simulated === null ? undefined : Redacted.make(row.simulated))
      const seconds = Math.floor((yield* Clock.currentTimeMillis) / 1000)
      if (right === undefined || !isSigned(right, signature, body, seconds)) return "forged"
      const notice = decodeNotice(Buffer.from(body).toString("utf8"))
      if (Option.isNone(notice)) return "unreadable"
      const { event, payload } = notice.value
      if (!event.startsWith("invitee.") || resourceOf("invitee", apiUrl, payload.uri) === undefined) return "taken"
      // Repeated deliveries cause only one waiting task, and each task stays within the scheduler's limits.
      yield* tasks.enqueue(
        lookAtBooking,
        { accountId, inviteeUri: payload.uri },
        { jobKey: `look_at_booking ${accountId} ${payload.uri}` }
      )
      return "taken"
    })
  })
})

export const BookingNoticesPostgres = Layer.effect(BookingNotices, make)
