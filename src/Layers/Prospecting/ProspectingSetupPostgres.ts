import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { ProspectingSetup } from "../../Services/Prospecting/ProspectingSetup.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

export const ProspectingSetupPostgres = Layer.effect(
  ProspectingSetup,
  Effect.map(SqlClient, (sql) =>
    ProspectingSetup.of({
      begin: (accountId) =>
        sql`insert into prospecting_config (account_id) values (${accountId})`.pipe(Effect.asVoid, fromSql())
    })
  )
)
