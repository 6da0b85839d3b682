import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { AnswerDeliveries } from "../../Services/Outcomes/AnswerDeliveries.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

export const AnswerDeliveriesPostgres = Layer.effect(
  AnswerDeliveries,
  Effect.map(SqlClient, (sql) =>
    AnswerDeliveries.of({
      delivered: (accountId, leadId, answerId) =>
        sql`
          update lead_answer_delivery set status = 'delivered', delivered_at = instant()
          where account_id = ${accountId} and lead_id = ${leadId} and answer_id = ${answerId} and status = 'queued'`.pipe(
          Effect.asVoid,
          fromSql()
        )
    })
  )
)
