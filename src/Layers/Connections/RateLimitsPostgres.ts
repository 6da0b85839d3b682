import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { bucketOf, RateLimits } from "../../Services/Connections/RateLimits.ts"
import { Caller } from "../../Services/Core/Caller.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"

interface Taken {
  readonly was_granted: boolean
  readonly tokens: number
  readonly empty_for: number
}

const make = Effect.map(SqlClient, (sql) =>
  RateLimits.of({
    // One statement: the row's lock is held for no round trip.
    take: Effect.fnUntraced(function* ({ allowance, bucket, cost, isWaitedFor, largestCost, service }) {
      const { accountId } = yield* Caller
      const { capacity, perSecond, reserve } = bucketOf(allowance, largestCost)
      const kept = isWaitedFor ? 0 : reserve
      const filled = sql`least(${capacity}::float8, b.tokens
        + ${perSecond}::float8 * greatest(0, extract(epoch from instant() - b.filled_at)::float8))`
      // Rounding must not refuse what has just flowed in.
      // On a moved clock no time passes between two calls, and all of them are simulated.
      const isEnough = sql`(own_clock() is not null
        or (${filled} - ${kept}::float8 >= ${cost}::float8 - 1e-6 and b.empty_until <= instant()))`
      const { empty_for, tokens, was_granted } = single(
        yield* sql<Taken>`
          insert into connection_bucket as b (account_id, service, bucket, tokens, filled_at, was_granted)
          values (${accountId}, ${service}, ${bucket}, ${capacity}::float8 - ${cost}::float8, instant(), true)
          on conflict (account_id, service, bucket) do update set was_granted = ${isEnough},
            tokens = ${filled} - case when ${isEnough} then ${cost}::float8 else 0 end,
            filled_at = greatest(b.filled_at, instant())
          returning was_granted, tokens,
            greatest(0, extract(epoch from least(empty_until, instant() + interval '1 day') - instant()))::float8
              as empty_for`.pipe(fromSql())
      )
      return was_granted ? 0 : Math.max(empty_for, (cost + kept - tokens) / perSecond, 0.001)
    }),

    correct: Effect.fnUntraced(function* (service, bucket, told) {
      const { accountId } = yield* Caller
      const isOf = sql`account_id = ${accountId} and service = ${service} and bucket = ${bucket}`
      yield* "left" in told
        ? // It only ever takes away: what the service counts by may be another window.
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
)

export const RateLimitsPostgres = Layer.effect(RateLimits, make)
