import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { PendingTouches } from "../../Services/Outreach/PendingTouches.ts"
import type { Touch } from "../../Services/Outreach/TouchTasks.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

/** The days of silence after which a new conversation begins. A conversation gets one holding line. */
const daysBetweenHoldingLines = "14"

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
        ),

      holdLine: (accountId, leadId) =>
        sql<Touch>`
          insert into touch (account_id, lead_id, touch_number, status, notice)
          select ${accountId}, ${leadId}, 0, 'writing', 'holding_line'
          where not exists (select from touch t where t.account_id = ${accountId} and t.lead_id = ${leadId}
            and t.notice = 'holding_line' and t.status in ('writing', 'queued', 'done', 'unknown')
            and t.created_at > instant() - interval '${sql.literal(daysBetweenHoldingLines)} days')
          on conflict do nothing
          returning account_id as "accountId", lead_id as "leadId", touch_id as "touchId"`.pipe(
          Effect.map((rows) => rows[0]),
          fromSql()
        )
    })
  )
)
