import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, Option, Redacted } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { Caller } from "../../Services/Core/Caller.ts"
import { UnitOfWork } from "../../Services/Core/UnitOfWork.ts"
import { type KeyedCall, KeyedCalls } from "../../Services/Mcp/KeyedCalls.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { Sealing } from "../Platform/Sealing.ts"

/** No call runs longer: the database ends statements, and whatever asks outside services, before that. */
const longestCall = "5 minutes"

interface Row {
  readonly isSame: boolean
  readonly isOld: boolean
  readonly answer: Uint8Array | null
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const sealing = yield* Sealing
  const ofAccount = (accountId: AccountId, key: string) => sealing.withPhrase(`${accountId} ${key}`)
  const ownerOf = (accountId: AccountId): string => `keyed_call:${accountId}`

  const existing = Effect.fnUntraced(function* (
    accountId: AccountId,
    marks: ReadonlyArray<Buffer>,
    { digest, tool }: { readonly tool: string; readonly digest: string }
  ) {
    const rows = yield* sql<Row>`
      select tool_name = ${tool} and arguments_digest = ${digest} as "isSame", answer,
        begun_at < instant() - interval '${sql.literal(longestCall)}' as "isOld"
      from keyed_call where account_id = ${accountId} and key_hash = any(${[...marks]}::bytea[])`.pipe(fromSql())
    return Option.fromNullable(rows[0])
  })

  return KeyedCalls.of({
    begin: Effect.fn("KeyedCalls.begin")(function* (key, call) {
      const { accountId } = yield* Caller
      const { marks, open } = ofAccount(accountId, key)
      const [mark, ...olderMarks] = marks
      const callOf = ({ answer, isOld, isSame }: Row): KeyedCall => {
        if (!isSame) return { _tag: "Taken" }
        if (answer === null) return { _tag: isOld ? "Lost" : "Running" }
        return Option.match(open(answer, ownerOf(accountId)), {
          onNone: (): KeyedCall => ({ _tag: "Lost" }),
          onSome: (text) => ({ _tag: "Answered", answer: Redacted.value(text) })
        })
      }
      // The key that seals was changed since.
      const older = olderMarks.length === 0 ? Option.none<Row>() : yield* existing(accountId, olderMarks, call)
      if (Option.isSome(older)) return callOf(older.value)
      const begun = yield* sql`
        insert into keyed_call (account_id, key_hash, tool_name, arguments_digest, begun_at)
        values (${accountId}, ${mark}, ${call.tool}, ${call.digest}, instant())
        on conflict (account_id, key_hash) do nothing returning key_hash`.pipe(fromSql())
      if (begun.length > 0) return { _tag: "Begun" } as const
      // It is missing where it was released in the same moment: the call that had it did nothing.
      return Option.match(yield* existing(accountId, marks, call), {
        onNone: (): KeyedCall => ({ _tag: "Running" }),
        onSome: callOf
      })
    }),

    answered: Effect.fn("KeyedCalls.answered")(function* (key, answer) {
      const { accountId } = yield* Caller
      const { marks, seal } = ofAccount(accountId, key)
      yield* sql`update keyed_call set answer = ${seal(Redacted.make(answer), ownerOf(accountId))}
        where account_id = ${accountId} and key_hash = any(${[...marks]}::bytea[])`.pipe(fromSql())
    }),

    release: Effect.fn("KeyedCalls.release")(function* (key) {
      const { accountId } = yield* Caller
      const { marks } = ofAccount(accountId, key)
      yield* sql`delete from keyed_call
        where account_id = ${accountId} and key_hash = any(${[...marks]}::bytea[]) and answer is null`.pipe(fromSql())
    }),

    forgetOld: unit
      .acrossAccounts(sql`delete from keyed_call where begun_at < instant() - interval '1 day'`)
      .pipe(Effect.asVoid, fromSql())
  })
})

/** Keys of writes and what these answered, for a day. */
export const KeyedCallsPostgres = Layer.effect(KeyedCalls, make)
