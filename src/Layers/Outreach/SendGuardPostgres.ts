import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, Option } from "effect"
import { type SendFacts, sendBlockOf } from "../../Services/Outreach/SendBlocks.ts"
import { type SendBlock, SendGuard } from "../../Services/Outreach/SendGuard.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

export const SendGuardPostgres = Layer.effect(
  SendGuard,
  Effect.map(SqlClient, (sql) =>
    SendGuard.of({
      check: Effect.fn("SendGuard.check")(function* ({ accountId, channel, isAutonomous, leadId, touchId }) {
        const rows = yield* sql<SendFacts>`
          select * from send_guard(${accountId}, ${leadId}, ${channel === "email"}, ${touchId})`.pipe(fromSql())
        const row = rows[0]
        return row === undefined
          ? Option.some<SendBlock>("lead_not_found")
          : Option.fromNullable(sendBlockOf(row, isAutonomous))
      })
    })
  )
)
