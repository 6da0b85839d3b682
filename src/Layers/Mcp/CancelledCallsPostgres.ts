import { createHash } from "node:crypto"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { CancelledCalls } from "../../Services/Mcp/CancelledCalls.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

/** Clients choose the ids, which may be long. */
const hashOf = (call: string): string => createHash("sha256").update(call).digest("base64url")

/** The time for which a cancellation is stored, in milliseconds. The process that runs the call checks every second. */
const lifetime = 60_000

const make = Effect.map(SqlClient, (sql) =>
  CancelledCalls.of({
    note: Effect.fn("CancelledCalls.note")(function* (call, at) {
      const { accountId } = yield* Caller
      yield* sql`delete from cancelled_call
        where account_id = ${accountId} and cancelled_at < ${new Date(at - lifetime)}`.pipe(fromSql())
      yield* sql`
        insert into cancelled_call (account_id, call_hash, cancelled_at)
        values (${accountId}, ${hashOf(call)}, ${new Date(at)})
        on conflict (account_id, call_hash) do update set cancelled_at = excluded.cancelled_at`.pipe(fromSql())
    }),

    noted: Effect.fnUntraced(function* (accountId, calls) {
      const byHash = new Map(calls.map((call) => [hashOf(call), call]))
      // Timestamps are usually read in whole seconds, but the call may have begun within the same second.
      const rows = yield* sql<{ readonly hash: string; readonly at: number }>`
        select call_hash as hash, (extract(epoch from cancelled_at) * 1000)::float8 as at from cancelled_call
        where account_id = ${accountId} and call_hash = any(${[...byHash.keys()]}::text[])`.pipe(fromSql())
      return rows.flatMap(({ at, hash }) => {
        const call = byHash.get(hash)
        return call === undefined ? [] : [{ call, at: Math.round(at) }]
      })
    })
  })
)

/** Stores cancellations of calls in the database. */
export const CancelledCallsPostgres = Layer.effect(CancelledCalls, make)
