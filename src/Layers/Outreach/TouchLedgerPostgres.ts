import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { TouchLedger } from "../../Services/Outreach/TouchLedger.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

export const TouchLedgerPostgres = Layer.effect(
  TouchLedger,
  Effect.map(SqlClient, (sql) =>
    TouchLedger.of({
      settle: Effect.fn("TouchLedger.settle")(function* ({ accountId, end, reason, touchId }) {
        yield* sql`
          update touch set status = ${end}, reason = ${reason ?? null}, finished_at = instant()
          where account_id = ${accountId} and touch_id = ${touchId} and status in ('writing', 'queued')`.pipe(fromSql())
      }),

      sent: Effect.fn("TouchLedger.sent")(function* (accountId, leadId, touchId) {
        yield* sql`
          with settled as (
            update touch set status = 'done', reason = null, finished_at = instant()
            where account_id = ${accountId} and touch_id = ${touchId ?? null} and status in ('writing', 'queued')
          )
          update lead set last_outbound_at = instant() where account_id = ${accountId} and lead_id = ${leadId}`.pipe(
          fromSql()
        )
      }),

      received: Effect.fn("TouchLedger.received")(function* (accountId, leadId) {
        yield* sql`
          update lead set last_inbound_at = instant() where account_id = ${accountId} and lead_id = ${leadId}`.pipe(
          fromSql()
        )
      })
    })
  )
)
