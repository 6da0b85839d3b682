import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Effect, Option } from "effect"
import { databaseConflictReason } from "../../../Errors.ts"
import { AccountId } from "../../../Services/Accounts/Ids.ts"
import type { TaskQueue } from "../../../Services/Jobs/TaskQueue.ts"
import { readJson, textAt } from "../../Platform/AnswerPaths.ts"
import { endpointBody } from "../../Platform/Http/Bodies/RequestBody.ts"
import { type Endpoint, type RequestScope, refusal } from "../../Platform/Http/Endpoint.ts"
import { transientAnswer } from "../../Platform/Http/EndpointAnswers.ts"
import { makeGroupedWrites } from "../../Platform/Postgres/grouped/GroupedWrites.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { channelHash } from "./CalendarMirror.ts"
import { makeCalendarSyncThrottle } from "./CalendarSyncThrottle.ts"

/** The route for Google's change notices. They do not say what changed. */
export const noticePath = "/calendar/notices"

/** The route for Microsoft's change notices, with the channel in the query. */
export const microsoftNoticePath = `${noticePath}/microsoft`

const mostOfOneStatement = 500
const largestNotice = 256 * 1024
const longestValidation = 2000

const validationAnswer = (text: string) =>
  HttpServerResponse.text(text.slice(0, longestValidation), {
    headers: { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" }
  })

const unknownChannel = refusal(
  404,
  "UnknownChannel",
  "There is no such channel.",
  "Notices are taken of channels that the gateway opened, with their token."
)
const accepted = HttpServerResponse.empty({ status: 204 })

const accountOf = (channelId: string): AccountId | undefined => {
  const digits = /^pgw-(\d{1,15})-[0-9a-z]{16}$/.exec(channelId)?.[1]
  return digits === undefined ? undefined : AccountId.make(Number(digits))
}

interface Notice {
  readonly accountId: AccountId
  readonly channelId: string
  readonly hash: Buffer
  /** Null if the notice only confirms the channel. */
  readonly number: number | null
}

interface Known {
  readonly place: number
  readonly wasDue: boolean
}

/**
 * A notice only causes a read of the calendar, so a forged or repeated one does no harm, and several lead to one read.
 * One statement checks many notices and marks calendars as due. Reads are queued after the answer. If the gateway stops
 * in between, the sweep finds them.
 */
export const noticeEndpoints: Effect.Effect<
  ReadonlyArray<Endpoint<RequestScope>>,
  never,
  SqlClient | TaskQueue
> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const reads = yield* makeCalendarSyncThrottle

  const note = yield* makeGroupedWrites({
    name: "calendar_notices",
    mostItems: mostOfOneStatement,
    write: (notices: ReadonlyArray<Notice>) =>
      Effect.gen(function* () {
        // In a fixed order, so that two gateways cannot deadlock.
        const sortedNotices = notices.toSorted((one, other) => one.accountId - other.accountId)
        const accounts = sortedNotices.map(({ accountId }) => accountId)
        const channels = yield* sql<Known>`
            with given as (
              select g.place, g.account_id, g.channel_id, g.hash, g.number
              from unnest(${accounts}::bigint[], ${sortedNotices.map(({ channelId }) => channelId)}::text[],
                ${sortedNotices.map(({ hash }) => hash)}::bytea[], ${sortedNotices.map(({ number }) => number)}::bigint[])
                with ordinality as g (account_id, channel_id, hash, number, place)
            ), known as (
              select g.place, m.account_id, m.channel_id, m.due_at <= instant() as was_due,
                -- A lower number came before.
                case when g.number > coalesce(m.last_message_number, 0) then g.number end as news
              from given g join calendar_mirror m on m.account_id = g.account_id and m.channel_id = g.channel_id
                and m.channel_token_hash = g.hash
              where m.account_id = any(${accounts}::bigint[])
            ), noted as (
              update calendar_mirror m set due_at = instant(),
                last_message_number = greatest(m.last_message_number, n.number)
              from (
                select account_id, channel_id, max(news) as number from known where news is not null
                group by account_id, channel_id
              ) n
              -- Not onto a channel that was opened in between: its numbers begin anew, and whoever opened it reads now.
              where m.account_id = any(${accounts}::bigint[]) and m.account_id = n.account_id
                and m.channel_id = n.channel_id
              returning m.account_id
            )
            -- Of several about one calendar the first brings about the read.
            select k.place::int as place, k.was_due or n.account_id is null
              or k.place > min(k.place) over (partition by k.account_id, k.news is not null) as "wasDue"
            from known k left join noted n on n.account_id = k.account_id and k.news is not null`.pipe(
          fromSql(),
          Effect.retry({ times: 2, while: ({ reason }) => reason === databaseConflictReason })
        )
        const places = new Map(channels.map(({ place, wasDue }) => [sortedNotices[place - 1], wasDue]))
        return notices.map((notice) => places.get(notice) ?? ("unknown" as const))
      })
  })

  const take = Effect.gen(function* () {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const channelId = headers["x-goog-channel-id"] ?? ""
    const accountId = accountOf(channelId)
    if (accountId === undefined) return unknownChannel
    const number = Number(headers["x-goog-message-number"] ?? "")
    const isOfChange = headers["x-goog-resource-state"] !== "sync" && Number.isSafeInteger(number)
    const wasDue = yield* note({
      accountId,
      channelId,
      hash: channelHash((headers["x-goog-channel-token"] ?? "").slice(0, 300)),
      number: isOfChange ? number : null
    })
    if (wasDue === "unknown") return unknownChannel
    if (!wasDue) reads.queue(accountId)
    return accepted
  }).pipe(Effect.catchTag("Transient", (failure) => Effect.succeed(transientAnswer(failure))))

  /**
   * Handles Microsoft's notices. Microsoft first checks the address by sending a text that must be returned. Its
   * notices have no number, so they are ordered by arrival.
   */
  const takeFromMicrosoft = Effect.gen(function* () {
    const { url } = yield* HttpServerRequest.HttpServerRequest
    const query = new URL(url, "http://gateway.invalid").searchParams
    const validation = query.get("validationToken")
    if (validation !== null) return validationAnswer(validation)
    const channelId = query.get("channel") ?? ""
    const accountId = accountOf(channelId)
    if (accountId === undefined) return unknownChannel
    const body = yield* endpointBody({ limit: largestNotice, tenant: accountId })
    const wasDue = yield* note({
      accountId,
      channelId,
      hash: channelHash(textAt(Option.getOrUndefined(readJson(body)), "value", 0, "clientState").slice(0, 300)),
      number: yield* Clock.currentTimeMillis
    })
    if (wasDue === "unknown") return unknownChannel
    if (!wasDue) reads.queue(accountId)
    return accepted
  }).pipe(
    Effect.catchTags({
      Transient: (failure) => Effect.succeed(transientAnswer(failure)),
      RequestRefused: () => Effect.succeed(unknownChannel)
    })
  )

  return [
    { path: noticePath, methods: { POST: take } },
    { path: microsoftNoticePath, methods: { POST: takeFromMicrosoft } }
  ]
})
