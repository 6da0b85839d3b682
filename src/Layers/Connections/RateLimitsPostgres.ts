import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { bucketOf, RateLimits } from "../../Services/Outbound/RateLimits.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"

interface Taken {
  readonly bucket: string
  readonly granted: number
  readonly tokens: number
  readonly emptyFor: number
}

const make = Effect.map(SqlClient, (sql) => {
  // One statement, so that no locks are held during a round trip.
  const takeMany: RateLimits["Type"]["takeMany"] = Effect.fnUntraced(function* ({
    costs,
    isWaitedFor,
    limits,
    service
  }) {
    const { accountId } = yield* Caller
    const buckets = limits.map((limit) => ({ ...limit, ...bucketOf(limit.allowance, limit.largestCost) }))
    const kept = (reserve: number) => (isWaitedFor ? 0 : reserve)
    let sum = 0
    const sums = costs.map((cost) => (sum += cost))
    const asked = sql`unnest(${buckets.map(({ bucket }) => bucket)}::text[],
      ${buckets.map(({ capacity }) => capacity)}::float8[], ${buckets.map(({ perSecond }) => perSecond)}::float8[],
      ${buckets.map(({ reserve }) => kept(reserve))}::float8[],
      ${buckets.map(({ largestCost }) => largestCost !== undefined)}::boolean[])
      as a (bucket, capacity, per_second, kept, has_costs)`
    const take = sql<Taken>`
      with held as materialized (
        select b.bucket, b.filled_at, b.empty_until, a.kept, a.has_costs, least(a.capacity, b.tokens
          + a.per_second * greatest(0, extract(epoch from instant() - b.filled_at)::float8)) as filled
        from connection_bucket b join ${asked} on a.bucket = b.bucket
        where b.account_id = ${accountId} and b.service = ${service} order by b.bucket for update of b
      ), enough as (
        -- Rounding must not refuse what has just flowed in.
        select (select count(*) from unnest(${sums}::float8[]) with ordinality as u (sum, place)
            where h.empty_until <= instant()
              and h.filled - h.kept >= case when h.has_costs then u.sum else u.place end - 1e-6) as uses
        from held h
      ), counted as (
        -- On a moved clock no time passes between two calls, and all of them are simulated.
        select case when count(*) < ${buckets.length} then 0 when test_clock() is not null then ${costs.length}
          else min(uses) end::int as granted from enough
      )
      update connection_bucket b set filled_at = greatest(h.filled_at, instant()), tokens = h.filled
        - case when g.granted = 0 then 0 when h.has_costs then (${sums}::float8[])[g.granted] else g.granted end
      from held h, counted g
      where b.account_id = ${accountId} and b.service = ${service} and b.bucket = h.bucket
      returning b.bucket, g.granted, b.tokens,
        extract(epoch from least(greatest(h.empty_until, instant()), instant() + interval '1 day') - instant())::float8
          as "emptyFor"`.pipe(fromSql())
    let taken = yield* take
    if (taken.length < buckets.length) {
      yield* sql`
        insert into connection_bucket (account_id, service, bucket, tokens, filled_at)
        select ${accountId}, ${service}, a.bucket, a.capacity, instant() from ${asked} order by a.bucket
        on conflict do nothing`.pipe(fromSql())
      taken = yield* take
    }
    const granted = taken[0]?.granted ?? 0
    const next = costs[granted]
    if (next === undefined) return { granted, seconds: 0, limit: undefined }
    const waits = buckets.map(({ bucket, largestCost, perSecond, reserve }, place) => {
      const left = taken.find((row) => row.bucket === bucket)
      const lacking = (largestCost === undefined ? 1 : next) + kept(reserve) - (left?.tokens ?? 0)
      return { limit: limits[place], seconds: Math.max(left?.emptyFor ?? 0, lacking / perSecond, 0.001) }
    })
    const longest = waits.reduce((one, other) => (other.seconds > one.seconds ? other : one))
    return { granted, ...longest }
  })

  return RateLimits.of({
    takeMany,

    take: ({ cost, largestCost, ...use }) =>
      Effect.map(
        takeMany({
          service: use.service,
          isWaitedFor: use.isWaitedFor,
          limits: [{ bucket: use.bucket, allowance: use.allowance, largestCost }],
          costs: [cost]
        }),
        ({ seconds }) => seconds
      ),

    left: Effect.fnUntraced(function* (service, { allowance, bucket, largestCost }) {
      const { accountId } = yield* Caller
      const { capacity, perSecond, reserve } = bucketOf(allowance, largestCost)
      const [row] = yield* sql<{ readonly filled: number }>`
        select case when test_clock() is not null then ${capacity}::float8 when empty_until > instant() then 0
          else least(${capacity}::float8, tokens
            + ${perSecond}::float8 * greatest(0, extract(epoch from instant() - filled_at)::float8)) end as filled
        from connection_bucket
        where account_id = ${accountId} and service = ${service} and bucket = ${bucket}`.pipe(fromSql())
      return Math.max(0, (row?.filled ?? capacity) - reserve)
    }),

    correct: Effect.fnUntraced(function* (service, bucket, told) {
      const { accountId } = yield* Caller
      const isOf = sql`account_id = ${accountId} and service = ${service} and bucket = ${bucket}`
      yield* "left" in told
        ? // It can only reduce the balance, because the service may count in another window.
          sql`update connection_bucket set tokens = least(tokens, ${told.left}::float8) where ${isOf}`.pipe(fromSql())
        : sql`
            update connection_bucket set tokens = least(tokens, 0),
              empty_until = greatest(empty_until, instant() + make_interval(secs => ${told.emptyForSeconds}::float8))
            where ${isOf}`.pipe(fromSql())
    }),

    blockedFor: Effect.fnUntraced(function* (service) {
      const { accountId } = yield* Caller
      const { seconds } = single(
        yield* sql<{ readonly seconds: number }>`
          select coalesce(greatest(0, extract(epoch from max(empty_until) - instant())), 0)::float8 as seconds
          from connection_bucket
          where account_id = ${accountId} and service = ${service} and empty_until > '-infinity'`.pipe(fromSql())
      )
      return seconds
    })
  })
})

export const RateLimitsPostgres = Layer.effect(RateLimits, make)
