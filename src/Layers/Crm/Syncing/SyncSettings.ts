import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import type { CrmCustomField } from "../../../Services/Crm/CrmModel.ts"
import type { MinimumStatus } from "../../../Services/Crm/CrmRules.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"

/** The settings of an account for all of its CRMs. */
export const makeSyncSettings = Effect.map(SqlClient, (sql) => {
  const minimum = Effect.gen(function* () {
    const { accountId } = yield* Caller
    const rows = yield* sql<{ readonly minimum: MinimumStatus }>`
      select minimum_status as minimum from crm_setting where account_id = ${accountId}`.pipe(fromSql())
    return rows[0]?.minimum
  })

  const fields = Effect.gen(function* () {
    const { accountId } = yield* Caller
    return yield* sql<CrmCustomField>`
      select field_id, field_name, field_value from crm_custom_field
      where account_id = ${accountId} order by field_id`.pipe(fromSql())
  })

  return { minimum, fields }
})
