import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import type { ChatAppMessageId } from "../../Services/ChatApp/ChatAppMessages.ts"
import { ChatAppQueue } from "../../Services/ChatApp/ChatAppQueue.ts"
import { isQueuedUnanswered } from "../Outreach/Sql.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"

export const ChatAppQueuePostgres = Layer.effect(
  ChatAppQueue,
  Effect.map(SqlClient, (sql) =>
    ChatAppQueue.of({
      add: ({ accountId, body, failure, follows, isVerbatim = false, leadId, media, messageType, phone, touchId }) =>
        sql<{ readonly id: ChatAppMessageId }>`
          insert into chatapp_message (account_id, lead_id, touch_id, direction, kind, message_type, status,
            failure_reason, phone, body, is_verbatim, media_url, media_type, media_name, follows_message_id)
          values (${accountId}, ${leadId}, ${touchId ?? null}, 'outbound', ${media === undefined ? "text" : "media"},
            ${messageType}, ${failure === undefined ? "queued" : "failed"}, ${failure ?? null}, ${phone}, ${body},
            ${isVerbatim}, ${media?.url ?? null}, ${media?.kind ?? null}, ${media?.fileName ?? null}, ${follows ?? null})
          returning chatapp_message_id as id`.pipe(
          Effect.map((rows) => single(rows).id),
          fromSql()
        ),

      cancelOwnersOwn: (accountId, leadId) =>
        sql`
          update chatapp_message set status = 'cancelled', failure_reason = 'lead_finished'
          where account_id = ${accountId} and lead_id = ${leadId} and direction = 'outbound' and status = 'queued'
            and message_type = 'user_written'`.pipe(Effect.asVoid, fromSql()),

      cancelAnswered: (accountId, leadId) =>
        sql`
          update chatapp_message set status = 'cancelled', failure_reason = 'lead_replied', deferred_until = null
          where ${isQueuedUnanswered(sql, accountId, leadId)} and not is_verbatim`.pipe(Effect.asVoid, fromSql())
    })
  )
)
