import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { PendingTouches } from "../../Services/Outreach/PendingTouches.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

export const PendingTouchesPostgres = Layer.effect(
  PendingTouches,
  Effect.map(SqlClient, (sql) =>
    PendingTouches.of({
      skipAnswered: (accountId, leadId) =>
        sql`
          update touch t set status = 'skipped', reason = 'lead_replied', finished_at = instant()
          where t.account_id = ${accountId} and t.lead_id = ${leadId} and t.status in ('writing', 'queued')
            and t.meeting_id is null
            and not exists (select from email_message m
              where m.account_id = t.account_id and m.touch_id = t.touch_id and m.status = 'sending')
            and not exists (select from chatapp_message m
              where m.account_id = t.account_id and m.touch_id = t.touch_id and m.status = 'sending')
            and not exists (select from voice_call v
              where v.account_id = t.account_id and v.touch_id = t.touch_id and v.status in ('dialing', 'in_progress'))`.pipe(
          Effect.asVoid,
          fromSql()
        )
    })
  )
)
