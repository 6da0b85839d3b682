import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, Schema } from "effect"
import {
  AccountClosure,
  type AccountClosureView,
  closureDays,
  notClosing
} from "../../Services/Accounts/AccountClosure.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { ownerNeeded } from "../../Services/Accounts/Tokens/ManagedTokens.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import * as Task from "../../Services/Jobs/Task.ts"
import { recurring } from "../Platform/Jobs/Recurring.ts"
import { handle } from "../Platform/Jobs/TaskHandler.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"
import { isOfMember, removeAccount } from "./Sql.ts"

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork

  const owned = Effect.gen(function* () {
    const { accountId, tokenId } = yield* Caller
    if (tokenId !== undefined && (yield* isOfMember(sql, accountId, tokenId))) return yield* ownerNeeded
    return accountId
  })

  const remove = (accountId: AccountId) =>
    unit.write(
      Effect.gen(function* () {
        // There is no time limit, because an account may have millions of rows.
        yield* sql`select set_config('statement_timeout', '30min', true)`.pipe(fromSql())
        // The owner may have reopened the account since.
        const due = yield* sql`
          select from account where account_id = ${accountId} and closes_at <= instant() for update`.pipe(fromSql())
        if (due.length === 0) return false
        yield* removeAccount(sql, accountId)
        return true
      })
    )

  return AccountClosure.of({
    close: Effect.gen(function* () {
      const accountId = yield* owned
      const rows = yield* sql<AccountClosureView>`
        update account set was_prospecting = case when closes_at is null then is_prospecting_active else was_prospecting end,
          is_prospecting_active = false,
          closes_at = coalesce(closes_at, instant() + make_interval(days => ${closureDays}))
        where account_id = ${accountId} returning closes_at, is_prospecting_active`.pipe(fromSql())
      return single(rows)
    }).pipe(Effect.withSpan("AccountClosure.close")),

    reopen: Effect.gen(function* () {
      const accountId = yield* owned
      const rows = yield* sql<AccountClosureView>`
        update account set is_prospecting_active = coalesce(was_prospecting, is_prospecting_active), closes_at = null,
          was_prospecting = null
        where account_id = ${accountId} and closes_at is not null
        returning closes_at, is_prospecting_active`.pipe(fromSql())
      return rows[0] ?? (yield* notClosing)
    }).pipe(Effect.withSpan("AccountClosure.reopen")),

    removeDue: Effect.gen(function* () {
      const due = yield* sql<{ readonly id: AccountId }>`
        select account_id as id from account where closes_at <= instant() order by closes_at`.pipe(fromSql())
      const removed = yield* Effect.forEach(due, ({ id }) => remove(id))
      return removed.filter((isRemoved) => isRemoved).length
    }).pipe(Effect.withSpan("AccountClosure.removeDue"))
  })
})

export const AccountClosurePostgres = Layer.effect(AccountClosure, make)

const removeClosedAccounts = Task.make("remove_closed_accounts", {
  payload: Schema.Struct({}),
  maxAttempts: 3,
  timeout: "2 hours",
  pool: "long"
})

export const accountRemoval = {
  handler: handle(removeClosedAccounts, () =>
    Effect.asVoid(Effect.flatMap(AccountClosure, ({ removeDue }) => removeDue))
  ),
  recurring: recurring("remove_closed_accounts", "13 * * * *", removeClosedAccounts, {})
}
