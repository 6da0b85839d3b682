import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import type { EmailMessageId } from "../../Services/Leads/LeadEmail.ts"
import { MailQueue } from "../../Services/Mail/MailQueue.ts"
import { isQueuedUnanswered } from "../Outreach/Sql.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"

export const MailQueuePostgres = Layer.effect(
  MailQueue,
  Effect.map(SqlClient, (sql) =>
    MailQueue.of({
      add: ({
        accountId,
        body,
        domain,
        handle,
        inReplyTo,
        invitation,
        leadId,
        messageType,
        references,
        subject,
        toAddress,
        touchId
      }) =>
        sql<{ readonly id: EmailMessageId; readonly messageId: string; readonly toAddress: string }>`
          insert into email_message (account_id, lead_id, touch_id, direction, message_type, status, message_id,
            from_address, to_address, subject, body_text, in_reply_to, thread_references, invitation)
          values (${accountId}, ${leadId}, ${touchId}, 'outbound', ${messageType}, 'queued',
            '<' || gen_random_uuid() || ${`@${domain}>`}, ${`${handle}@${domain}`}, ${toAddress},
            ${subject}, ${body}, ${inReplyTo}, ${references}::text[], ${invitation ?? null})
          returning email_message_id as id, message_id as "messageId", to_address as "toAddress"`.pipe(
          Effect.map(single),
          fromSql()
        ),

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
