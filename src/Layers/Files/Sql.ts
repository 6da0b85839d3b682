import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import { Effect } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import type { CustomerFileId } from "../../Services/Files/Ids.ts"

/** Removes files with their bytes. */
export const removeFiles = (
  sql: SqlClient,
  accountId: AccountId,
  ids: ReadonlyArray<CustomerFileId>
): Effect.Effect<void, SqlError> =>
  ids.length === 0
    ? Effect.void
    : sql`delete from customer_file where account_id = ${accountId} and customer_file_id = any(${ids})`.pipe(
        Effect.asVoid
      )
