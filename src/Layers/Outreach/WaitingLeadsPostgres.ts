import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { WaitingLeads } from "../../Services/Outreach/WaitingLeads.ts"
import { recheckSkipped } from "./Sql.ts"

export const WaitingLeadsPostgres = Layer.effect(
  WaitingLeads,
  Effect.map(SqlClient, (sql) => ({
    recheck: Effect.flatMap(Caller, ({ accountId }) => recheckSkipped(sql, accountId))
  }))
)
