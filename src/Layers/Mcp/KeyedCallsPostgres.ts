import { createHash } from "node:crypto"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { Caller } from "../../Services/Core/Caller.ts"
import { type KeyedCall, KeyedCalls } from "../../Services/Mcp/KeyedCalls.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

const hashOf = (key: string): Buffer => createHash("sha256").update(key).digest()

/** No call runs longer: the database ends statements, and whatever asks outside services, before that. */
const longestCall = "5 minutes"

interface Row {
  readonly isSame: boolean
  readonly isOld: boolean
  readonly answer: string | null
}

const found = (row: Row | undefined): KeyedCall => {
  // It went while it was looked for: the call that had it did nothing.
  if (row === undefined) return { _tag: "Running" }
  if (!row.isSame) return { _tag: "Taken" }
  if (row.answer !== null) return { _tag: "Answered", answer: row.answer }
  return { _tag: row.isOld ? "Lost" : "Running" }
}

const make = Effect.map(SqlClient, (sql) =>
  KeyedCalls.of({
    begin: Effect.fn("KeyedCalls.begin")(function* (key, { digest, tool }) {
      const { accountId } = yield* Caller
      yield* sql`delete from keyed_call
        where account_id = ${accountId} and begun_at < instant() - interval '1 day'`.pipe(fromSql())
      const begun = yield* sql`
        insert into keyed_call (account_id, key_hash, tool_name, arguments_digest, begun_at)
        values (${accountId}, ${hashOf(key)}, ${tool}, ${digest}, instant())
        on conflict (account_id, key_hash) do nothing returning key_hash`.pipe(fromSql())
      if (begun.length > 0) return { _tag: "Begun" } as const
      const rows = yield* sql<Row>`
        select tool_name = ${tool} and arguments_digest = ${digest} as "isSame", answer,
          begun_at < instant() - interval '${sql.literal(longestCall)}' as "isOld"
        from keyed_call where account_id = ${accountId} and key_hash = ${hashOf(key)}`.pipe(fromSql())
      return found(rows[0])
    }),

    answered: Effect.fn("KeyedCalls.answered")(function* (key, answer) {
      const { accountId } = yield* Caller
      yield* sql`update keyed_call set answer = ${answer}
        where account_id = ${accountId} and key_hash = ${hashOf(key)}`.pipe(fromSql())
    }),

    release: Effect.fn("KeyedCalls.release")(function* (key) {
      const { accountId } = yield* Caller
      yield* sql`delete from keyed_call
        where account_id = ${accountId} and key_hash = ${hashOf(key)} and answer is null`.pipe(fromSql())
    })
  })
)

/** Keys of writes and what these answered, for a day. */
export const KeyedCallsPostgres = Layer.effect(KeyedCalls, make)
