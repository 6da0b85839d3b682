import { SqlClient } from "@effect/sql/SqlClient"
import { Context, Effect, Layer } from "effect"
import { notFound } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import {
  type LoggedRequestView,
  type RequestErrors,
  type RequestFilter,
  RequestTrail,
  requestDays,
  usageDays
} from "../../Services/Accounts/RequestTrail.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { type LoggedRequest, RequestLog } from "../../Services/Core/RequestLog.ts"
import { makeBatchedLog } from "../Platform/Postgres/BatchedLog.ts"
import { makeDayPartitions } from "../Platform/Postgres/DayPartitions.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

/** The most entries that wait, with about 600 bytes each. */
const mostWaiting = 50_000
/** Accounts with dropped requests that are counted separately. */
const mostAccountsWithLoss = 10_000
/** The most requests with one id, since callers choose their ids. */
const mostWithOneId = 100
const hour = 3_600_000

interface Entry extends LoggedRequest {
  readonly droppedBefore: number
}

interface UsageRow {
  readonly accountId: AccountId
  readonly startsAt: number
  readonly tool: string
  readonly tokenId: number
  calls: number
  failed: number
  milliseconds: number
}

/**
 * Returns the number of calls by account, hour, tool and token. They are sorted, so that two processes that update the
 * same rows cannot deadlock.
 */
const usageOf = (entries: ReadonlyArray<Entry>): ReadonlyArray<UsageRow> => {
  const rows = new Map<string, UsageRow>()
  for (const { accountId, at, milliseconds, reason, tokenId = 0, tool } of entries) {
    if (tool === undefined) continue
    const startsAt = Math.floor(at / hour) * hour
    const key = `${accountId} ${startsAt} ${tool} ${tokenId}`
    const row = rows.get(key) ?? { accountId, startsAt, tool, tokenId, calls: 0, failed: 0, milliseconds: 0 }
    row.calls += 1
    row.failed += reason === undefined ? 0 : 1
    row.milliseconds += milliseconds
    rows.set(key, row)
  }
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
}

const instant = (millis: number): string => new Date(millis).toISOString()

const makeWrites = (sql: SqlClient) => {
  const insert = (entries: ReadonlyArray<Entry>) => sql`
    insert into request_entry (account_id, at, access_token_id, request_id, route, tool, status, reason, milliseconds,
      argument_names, argument_values, dropped_before)
    select e.account_id, e.at, e.token, e.request, e.route, e.tool, e.status, e.reason, e.ms,
      string_to_array(e.names, ','), e.argument_values, e.dropped
    from unnest(${entries.map(({ accountId }) => accountId)}::bigint[],
      ${entries.map(({ at }) => instant(at))}::timestamptz[],
      ${entries.map(({ tokenId }) => tokenId ?? null)}::bigint[],
      ${entries.map(({ requestId }) => requestId.slice(0, 200))}::text[],
      ${entries.map(({ route }) => route)}::text[], ${entries.map(({ tool }) => tool ?? null)}::text[],
      ${entries.map(({ status }) => status)}::integer[], ${entries.map(({ reason }) => reason ?? null)}::text[],
      ${entries.map(({ milliseconds }) => milliseconds)}::integer[],
      ${entries.map(({ arguments: { names } }) => names.join(","))}::text[],
      ${entries.map(({ arguments: { values } }) => JSON.stringify(values))}::jsonb[],
      ${entries.map(({ droppedBefore }) => droppedBefore)}::integer[])
      as e (account_id, at, token, request, route, tool, status, reason, ms, names, argument_values, dropped)
    -- An account that was closed in between has no log any more.
    join account a on a.account_id = e.account_id`

  const addUsage = (rows: ReadonlyArray<UsageRow>) => sql`
    insert into call_usage as u (account_id, starts_at, tool, access_token_id, calls, failed_calls, milliseconds)
    select r.account_id, r.starts_at, r.tool, r.token, r.calls, r.failed, r.ms
    from unnest(${rows.map(({ accountId }) => accountId)}::bigint[],
      ${rows.map(({ startsAt }) => instant(startsAt))}::timestamptz[], ${rows.map(({ tool }) => tool)}::text[],
      ${rows.map(({ tokenId }) => tokenId)}::bigint[], ${rows.map(({ calls }) => calls)}::bigint[],
      ${rows.map(({ failed }) => failed)}::bigint[], ${rows.map(({ milliseconds }) => milliseconds)}::bigint[])
      as r (account_id, starts_at, tool, token, calls, failed, ms)
    join account a on a.account_id = r.account_id
    order by r.account_id, r.starts_at, r.tool, r.token
    on conflict (account_id, starts_at, tool, access_token_id) do update set calls = u.calls + excluded.calls,
      failed_calls = u.failed_calls + excluded.failed_calls, milliseconds = u.milliseconds + excluded.milliseconds`

  return { insert, addUsage }
}

const makeReads = (sql: SqlClient) => {
  const view = sql.literal(`e.at, e.request_id, e.access_token_id as token_id, e.route, e.tool, e.status, e.reason,
    e.milliseconds, e.argument_names, e.argument_values, e.dropped_before`)

  const matches = ({ since, tokenId, tool, until }: Pick<RequestFilter, "since" | "until" | "tool" | "tokenId">) =>
    sql`(${tool ?? null}::text is null or e.tool = ${tool ?? null})
      and (${tokenId ?? null}::bigint is null or e.access_token_id = ${tokenId ?? null})
      and (${since ?? null}::timestamptz is null or e.at >= ${since ?? null})
      and (${until ?? null}::timestamptz is null or e.at < ${until ?? null})`

  return { view, matches }
}

const makeTrail = (sql: SqlClient): Pick<RequestTrail["Type"], "list" | "get" | "errors"> => {
  const { matches, view } = makeReads(sql)
  return {
    list: Effect.fn("RequestTrail.list")(function* (filter, { before, limit }) {
      const { accountId } = yield* Caller
      const beforeAt = before === undefined ? null : instant(before.millis)
      const rows = yield* sql<LoggedRequestView & { readonly entry: number; readonly millis: number }>`
        select ${view}, e.request_entry_id as entry, (extract(epoch from e.at) * 1000)::bigint as millis
        from request_entry e
        where e.account_id = ${accountId} and ${matches(filter)}
          and (${filter.reason ?? null}::text is null or e.reason = ${filter.reason ?? null})
          and (not ${filter.onlyFailed}::boolean or e.reason is not null)
          and (${beforeAt}::timestamptz is null
            or (e.at, e.request_entry_id) < (${beforeAt}::timestamptz, ${before?.entry ?? 0}::bigint))
        order by e.at desc, e.request_entry_id desc limit ${limit + 1}`.pipe(fromSql())
      const listed = rows.slice(0, limit)
      const last = rows.length > limit ? listed.at(-1) : undefined
      return {
        requests: listed.map(({ entry: _entry, millis: _millis, ...request }) => request),
        next: last === undefined ? undefined : { millis: last.millis, entry: last.entry }
      }
    }),

    get: Effect.fn("RequestTrail.get")(function* (requestId) {
      const { accountId } = yield* Caller
      const rows = yield* sql<LoggedRequestView>`
        select ${view} from request_entry e where e.account_id = ${accountId} and e.request_id = ${requestId}
        order by e.at desc, e.request_entry_id desc limit ${mostWithOneId}`.pipe(fromSql())
      return rows.length === 0 ? yield* notFound("request", "request_id", requestId) : rows
    }),

    errors: Effect.fn("RequestTrail.errors")(function* (filter, limit) {
      const { accountId } = yield* Caller
      return yield* sql<RequestErrors>`
        select e.tool, e.reason, count(*) as requests, min(e.at) as first_at, max(e.at) as last_at,
          (array_agg(e.status order by e.at desc, e.request_entry_id desc))[1] as last_status,
          (array_agg(e.request_id order by e.at desc, e.request_entry_id desc))[1] as last_request_id
        from request_entry e
        where e.account_id = ${accountId} and e.reason is not null and ${matches(filter)}
        group by e.tool, e.reason order by requests desc, last_at desc, e.tool, e.reason limit ${limit}`.pipe(fromSql())
    })
  }
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const partitions = makeDayPartitions(sql, "request_entry")
  const usagePartitions = makeDayPartitions(sql, "call_usage")
  const { addUsage, insert } = makeWrites(sql)

  const log = yield* makeBatchedLog<Entry>({
    name: "requests",
    mostWaiting,
    pause: "1 second",
    partitions: {
      ...partitions,
      make: (millis) => Effect.zipRight(partitions.make(millis), usagePartitions.make(millis)),
      forget: () => {
        partitions.forget()
        usagePartitions.forget()
      }
    },
    write: (entries) => {
      const usage = usageOf(entries)
      return usage.length === 0
        ? insert(entries)
        : sql.withTransaction(Effect.zipRight(insert(entries), addUsage(usage)))
    }
  })

  /** Requests of each account that were dropped since its last entry. */
  const lost = new Map<AccountId, number>()

  const record = (request: LoggedRequest): void => {
    const droppedBefore = lost.get(request.accountId) ?? 0
    if (log.record({ ...request, droppedBefore })) {
      if (droppedBefore > 0) lost.delete(request.accountId)
    } else if (droppedBefore > 0 || lost.size < mostAccountsWithLoss) lost.set(request.accountId, droppedBefore + 1)
  }

  const trail = RequestTrail.of({
    ...makeTrail(sql),
    flush: log.flush,
    keep: Effect.zipWith(partitions.keep(requestDays), usagePartitions.keep(usageDays), (one, other) => [
      ...one,
      ...other
    ]).pipe(fromSql(), Effect.withSpan("RequestTrail.keep"))
  })
  return Context.make(RequestTrail, trail).pipe(Context.add(RequestLog, { record }))
})

/** Stores answered requests in batches, and counts them by hour. */
export const RequestLogPostgres = Layer.scopedContext(make)
