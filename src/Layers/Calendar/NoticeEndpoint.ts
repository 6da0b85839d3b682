import { timingSafeEqual } from "node:crypto"
import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { AccountId } from "../../Services/Accounts/Ids.ts"
import { UnitOfWork } from "../../Services/Core/UnitOfWork.ts"
import { TaskQueue } from "../../Services/Jobs/TaskQueue.ts"
import { type Endpoint, type RequestScope, refusal } from "../Platform/Http/Endpoint.ts"
import { transientAnswer } from "../Platform/Http/EndpointAnswers.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { channelHash } from "./CalendarMirror.ts"
import { syncCalendar, syncKey } from "./CalendarTasks.ts"

/** Where the provider says that something changed; what, it does not say. */
export const noticePath = "/calendar/notices"

const unknownChannel = refusal(
  404,
  "UnknownChannel",
  "There is no such channel.",
  "Notices are taken of channels that the gateway opened, with their token."
)
const taken = HttpServerResponse.empty({ status: 204 })

const accountOf = (channelId: string): AccountId | undefined => {
  const digits = /^pgw-(\d{1,15})-[0-9a-z]{16}$/.exec(channelId)?.[1]
  return digits === undefined ? undefined : AccountId.make(Number(digits))
}

/**
 * A notice says no more than that the calendar is to be read: forged or replayed, it can bring about nothing else, and
 * however many come, one read waits.
 */
export const noticeEndpoints: Effect.Effect<
  ReadonlyArray<Endpoint<RequestScope>>,
  never,
  SqlClient | UnitOfWork | TaskQueue
> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const tasks = yield* TaskQueue

  const take = Effect.gen(function* () {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const channelId = headers["x-goog-channel-id"] ?? ""
    const accountId = accountOf(channelId)
    if (accountId === undefined) return unknownChannel
    const [row] = yield* sql<{ readonly hash: Uint8Array; readonly last: number | null; readonly isDue: boolean }>`
      select channel_token_hash as hash, last_message_number as last, due_at <= instant() as "isDue" from calendar_mirror
      where account_id = ${accountId} and channel_id = ${channelId}`.pipe(fromSql())
    const given = channelHash((headers["x-goog-channel-token"] ?? "").slice(0, 300))
    if (row === undefined || !timingSafeEqual(Buffer.from(row.hash), given)) return unknownChannel
    const number = Number(headers["x-goog-message-number"] ?? "")
    const isNew = Number.isSafeInteger(number) && number > (row.last ?? 0)
    // The first one says that the channel is open, a lower one came before.
    if (headers["x-goog-resource-state"] === "sync" || !isNew) return taken
    yield* unit.write(
      Effect.gen(function* () {
        yield* sql`
          update calendar_mirror set due_at = instant(), last_message_number = greatest(last_message_number, ${number})
          where account_id = ${accountId} and channel_id = ${channelId}`.pipe(fromSql())
        if (!row.isDue) yield* tasks.enqueue(syncCalendar, { accountId }, { jobKey: syncKey(accountId) })
      })
    )
    return taken
  }).pipe(Effect.catchTag("Transient", (failure) => Effect.succeed(transientAnswer(failure))))

  return [{ path: noticePath, methods: { POST: take } }]
})
