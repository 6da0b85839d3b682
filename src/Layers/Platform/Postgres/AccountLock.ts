import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { Transient } from "../../../Errors.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { fromSql } from "./Sql.ts"

/** What an account's transactions may have to take turns in. */
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
  | "voice_calls"
  | "webhooks"
  | "websites"

/**
 * Held until the transaction ends, alone or together with others that share it. A row's lock, and no advisory one: it
 * lies with the account's own rows, and a transaction that is prepared on several nodes keeps it until it is decided.
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
  // The first of its account makes the row.
  const make = sql`
    insert into account_lock (account_id, turn) values (${accountId}, ${turn}) on conflict do nothing`
  return take.pipe(
    Effect.flatMap((rows) => (rows.length > 0 ? Effect.void : Effect.zipRight(make, take))),
    Effect.asVoid,
    fromSql()
  )
}
