import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import type { ChatAppMessageId } from "../../../Services/ChatApp/ChatAppMessages.ts"
import { ChatAppQueue } from "../../../Services/ChatApp/ChatAppQueue.ts"
import type { TouchId } from "../../../Services/Outreach/TouchLedger.ts"
import { writtenLanguage } from "../../../Services/Text/Language.ts"
import { inOrderOf, isQueuedUnanswered } from "../../Outreach/Sql.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"

export const ChatAppQueuePostgres = Layer.effect(
  ChatAppQueue,
  Effect.map(SqlClient, (sql) =>
    ChatAppQueue.of({
      add: (messages) =>
        sql<{ readonly id: ChatAppMessageId; readonly touchId: TouchId | null }>`
          insert into chatapp_message (account_id, lead_id, touch_id, direction, kind, message_type, status,
            failure_reason, phone, body, is_verbatim, media_url, media_type, media_name, follows_message_id,
            language)
          select account_id, lead_id, touch_id, 'outbound', case when media_url is null then 'text' else 'media' end,
            message_type, case when failure is null then 'queued' else 'failed' end, failure, phone, body, is_verbatim,
            media_url, media_type, media_name, follows, language
          from unnest(${messages.map(({ accountId }) => accountId)}::bigint[],
            ${messages.map(({ leadId }) => leadId)}::bigint[],
            ${messages.map(({ touchId = null }) => touchId)}::bigint[],
            ${messages.map(({ messageType }) => messageType)}::text[],
            ${messages.map(({ failure = null }) => failure)}::text[], ${messages.map(({ phone }) => phone)}::text[],
            ${messages.map(({ body }) => body)}::text[],
            ${messages.map(({ isVerbatim = false }) => isVerbatim)}::boolean[],
            ${messages.map(({ media }) => media?.url ?? null)}::text[],
            ${messages.map(({ media }) => media?.kind ?? null)}::text[],
            ${messages.map(({ media }) => media?.fileName ?? null)}::text[],
            ${messages.map(({ follows = null }) => follows)}::bigint[],
            ${messages.map(({ body }) => writtenLanguage(body) ?? null)}::text[])
            as m (account_id, lead_id, touch_id, message_type, failure, phone, body, is_verbatim, media_url, media_type,
              media_name, follows, language)
          returning chatapp_message_id as id, touch_id as "touchId"`.pipe(
          Effect.map(inOrderOf(messages)),
          Effect.map((rows) => rows.map(({ id }) => id)),
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
