import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { BusinessSetup } from "../../Services/Knowledge/BusinessSetup.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

export const BusinessSetupPostgres = Layer.effect(
  BusinessSetup,
  Effect.map(SqlClient, (sql) =>
    BusinessSetup.of({
      begin: (accountId, businessName) =>
        sql`insert into business_profile (account_id, business_name) values (${accountId}, ${businessName})`.pipe(
          Effect.asVoid,
          fromSql()
        )
    })
  )
)
