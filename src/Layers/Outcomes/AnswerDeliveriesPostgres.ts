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
          insert into lead_answer_delivery as d (account_id, open_question_id, lead_id, answer_id, status, delivered_at)
          select account_id, open_question_id, ${leadId}, answer_id, 'delivered', instant() from lead_answer
          where account_id = ${accountId} and answer_id = ${answerId} and open_question_id is not null
          on conflict (account_id, open_question_id, lead_id) do update
            set status = 'delivered', delivered_at = instant()
            where d.status = 'queued' and d.answer_id = excluded.answer_id`.pipe(Effect.asVoid, fromSql())
    })
  )
)
