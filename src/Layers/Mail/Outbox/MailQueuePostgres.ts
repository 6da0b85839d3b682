import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { MailQueue, type QueuedEmail } from "../../../Services/Mail/MailQueue.ts"
import type { TouchId } from "../../../Services/Outreach/TouchLedger.ts"
import { writtenLanguage } from "../../../Services/Text/Language.ts"
import { inOrderOf, isQueuedUnanswered } from "../../Outreach/Sql.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"

export const MailQueuePostgres = Layer.effect(
  MailQueue,
  Effect.map(SqlClient, (sql) =>
    MailQueue.of({
      add: (messages) =>
        sql<QueuedEmail & { readonly touchId: TouchId | null }>`
          insert into email_message (account_id, lead_id, touch_id, direction, message_type, status, message_id,
            from_address, to_address, subject, body_text, in_reply_to, thread_references, invitation,
            language)
          select account_id, lead_id, touch_id, 'outbound', message_type, 'queued',
            '<' || gen_random_uuid() || '@' || domain || '>', handle || '@' || domain, to_address, subject, body,
            in_reply_to, array(select jsonb_array_elements_text(thread_references::jsonb)), invitation, language
          from unnest(${messages.map(({ accountId }) => accountId)}::bigint[],
            ${messages.map(({ leadId }) => leadId)}::bigint[], ${messages.map(({ touchId }) => touchId)}::bigint[],
            ${messages.map(({ messageType }) => messageType)}::text[], ${messages.map(({ handle }) => handle)}::text[],
            ${messages.map(({ domain }) => domain)}::text[], ${messages.map(({ toAddress }) => toAddress)}::text[],
            ${messages.map(({ subject }) => subject)}::text[], ${messages.map(({ body }) => body)}::text[],
            ${messages.map(({ inReplyTo }) => inReplyTo)}::text[],
            ${messages.map(({ references }) => JSON.stringify(references))}::text[],
            ${messages.map(({ invitation }) => invitation ?? null)}::text[],
            ${messages.map(({ body }) => writtenLanguage(body) ?? null)}::text[])
            as m (account_id, lead_id, touch_id, message_type, handle, domain, to_address, subject, body, in_reply_to,
              thread_references, invitation, language)
          returning email_message_id as id, message_id as "messageId", to_address as "toAddress",
            touch_id as "touchId"`.pipe(Effect.map(inOrderOf(messages)), fromSql()),

      cancelOwnersOwn: (accountId, leadId) =>
        sql`
          update email_message set status = 'cancelled', failure_reason = 'lead_finished'
          where account_id = ${accountId} and lead_id = ${leadId} and direction = 'outbound' and status = 'queued'
            and message_type = 'user_written'`.pipe(Effect.asVoid, fromSql()),

      cancelAnswered: (accountId, leadId) =>
        sql`
          update email_message set status = 'cancelled', failure_reason = 'lead_replied'
          where ${isQueuedUnanswered(sql, accountId, leadId)}`.pipe(Effect.asVoid, fromSql())
    })
  )
)
