import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import type { CustomerFileId } from "../../Services/Files/Ids.ts"

/** Removes files for good. Leads, exports and messages that refer to them do so no more; to be run in a transaction. */
export const removeFiles = (sql: SqlClient, accountId: AccountId, ids: ReadonlyArray<CustomerFileId>) =>
  Effect.gen(function* () {
    if (ids.length === 0) return
    yield* sql`
      update lead set presentation_file_id = null
      where account_id = ${accountId} and presentation_file_id = any(${ids}::bigint[])`
    yield* sql`
      update lead_export set customer_file_id = null
      where account_id = ${accountId} and customer_file_id = any(${ids}::bigint[])`
    yield* sql`
      update chatapp_message set customer_file_id = null
      where account_id = ${accountId} and customer_file_id = any(${ids}::bigint[])`
    yield* sql`delete from customer_file where account_id = ${accountId} and customer_file_id = any(${ids}::bigint[])`
  })
