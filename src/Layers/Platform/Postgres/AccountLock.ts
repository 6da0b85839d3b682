import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { Transient } from "../../../Errors.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { fromSql } from "./Sql.ts"

/** The subjects that can be locked. For each, an account's transactions run one after another. */
export type AccountTurn =
  | "answers"
  | "bookings"
  | "erasure"
  | "feed"
  | "generation"
  | "import"
  | "knowledge"
  | "meetings"
  | "online_searches"
  | "reports"
  | "site_records"
  | "test_accounts"
  | "voice_calls"
  | "webhooks"
  | "websites"

/**
 * Locks the subject until the transaction ends, alone or shared. It uses a row instead of an advisory lock: on a
 * cluster the row is on the account's node, and a prepared transaction keeps the lock until it is committed.
 */
export const lockAccount = (
  sql: SqlClient,
  accountId: AccountId,
  turn: AccountTurn,
  mode: "alone" | "shared" = "alone"
): Effect.Effect<void, Transient> => {
  const take = sql`
    select from account_lock where account_id = ${accountId} and turn = ${turn}
    ${sql.literal(mode === "alone" ? "for no key update" : "for share")}`
  // If the row does not exist, the account's first transaction creates it.
  const make = sql`
    insert into account_lock (account_id, turn) values (${accountId}, ${turn}) on conflict do nothing`
  return take.pipe(
    Effect.flatMap((rows) => (rows.length > 0 ? Effect.void : Effect.zipRight(make, take))),
    Effect.asVoid,
    fromSql()
  )
}
