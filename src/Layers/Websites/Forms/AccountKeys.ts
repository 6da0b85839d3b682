import { SqlClient } from "@effect/sql/SqlClient"
import { Cache, Effect } from "effect"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { fromSql, single } from "../../Platform/Postgres/Sql.ts"

/** Reads the secret with which an account's tokens are signed. It never changes, so it is cached. */
export const makeAccountKeys = Effect.flatMap(SqlClient, (sql) =>
  Cache.make({
    capacity: 2000,
    timeToLive: "10 minutes",
    lookup: (accountId: AccountId) =>
      sql<{ readonly key: Uint8Array }>`select mail_key as key from account where account_id = ${accountId}`.pipe(
        Effect.map((rows) => single(rows).key),
        fromSql()
      )
  })
)
export type AccountKeys = Effect.Effect.Success<typeof makeAccountKeys>
