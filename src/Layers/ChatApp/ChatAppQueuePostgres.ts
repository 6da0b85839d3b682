import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import type { ChatAppMessageId } from "../../Services/ChatApp/ChatAppMessages.ts"
import { ChatAppQueue } from "../../Services/ChatApp/ChatAppQueue.ts"
import type { TouchId } from "../../Services/Outreach/TouchLedger.ts"
import { inOrderOf, isQueuedUnanswered } from "../Outreach/Sql.ts"
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

      addTexts: (messages) =>
        sql<{ readonly id: ChatAppMessageId; readonly touchId: TouchId }>`
          insert into chatapp_message (account_id, lead_id, touch_id, direction, kind, message_type, status, phone, body)
          select account_id, lead_id, touch_id, 'outbound', 'text', message_type, 'queued', phone, body
          from unnest(${messages.map(({ accountId }) => accountId)}::bigint[],
            ${messages.map(({ leadId }) => leadId)}::bigint[], ${messages.map(({ touchId }) => touchId)}::bigint[],
            ${messages.map(({ messageType }) => messageType)}::text[], ${messages.map(({ phone }) => phone)}::text[],
            ${messages.map(({ body }) => body)}::text[])
            as m (account_id, lead_id, touch_id, message_type, phone, body)
          returning chatapp_message_id as id, touch_id as "touchId"`.pipe(Effect.map(inOrderOf(messages)), fromSql()),

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
