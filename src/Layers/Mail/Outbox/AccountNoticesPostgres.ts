import { randomUUID } from "node:crypto"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, Option } from "effect"
import { ownerNoticeType } from "../../../Services/Events/OwnerNotices.ts"
import { TaskQueue } from "../../../Services/Jobs/TaskQueue.ts"
import { MailDomain } from "../../../Services/Leads/Email/LeadEmails.ts"
import { AccountNotices, type NoticeFile } from "../../../Services/Mail/AccountNotices.ts"
import { mailDigest, StrangerMails } from "../../../Services/Mail/StrangerMails.ts"
import { sendEmail } from "../../../Services/Outreach/OutreachTasks.ts"
import { writtenLanguage } from "../../../Services/Text/Language.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { isStopped } from "../Sql.ts"

const attachmentOf = ({ customer_file_id, file_name, media_type, size_bytes }: NoticeFile): NoticeFile => ({
  customer_file_id,
  file_name,
  media_type,
  size_bytes
})

export const AccountNoticesPostgres = Layer.effect(
  AccountNotices,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const tasks = yield* TaskQueue
    const domain = yield* MailDomain
    const strangers = yield* StrangerMails
    return AccountNotices.of({
      queue: Effect.fn("AccountNotices.queue")(function* (
        accountId,
        { files = [], isAskedFor = false, isReserved = false, subject, text, to }
      ) {
        if (!isReserved) {
          const mail = { to, text: mailDigest(subject, text) }
          const isWithinLimits = yield* strangers.reserve(accountId, [mail], { isAskedFor }).pipe(
            Effect.as(true),
            Effect.catchTag("Refused", ({ fields }) =>
              Effect.as(
                Effect.logInfo("a mail to an address that has not confirmed was not queued").pipe(
                  Effect.annotateLogs({ account_id: accountId, ...fields })
                ),
                false
              )
            )
          )
          if (!isWithinLimits) return Option.none()
        }
        const rows = yield* sql<{ readonly id: number }>`
          insert into email_message (account_id, direction, message_type, status, message_id, from_address, to_address,
            subject, body_text, attachments, language)
          select p.account_id, 'outbound', ${ownerNoticeType}::text, 'queued', ${`<${randomUUID()}@${domain}>`}::text,
            a.handle || ${`@${domain}`}, ${to}::text, ${subject}::text, ${text}::text,
            ${JSON.stringify(files.map(attachmentOf))}::jsonb, ${writtenLanguage(text) ?? null}::text
          from prospecting_config p join account a on a.account_id = p.account_id
          where p.account_id = ${accountId}
            and (${isAskedFor} or not exists (select from lead l where l.account_id = ${accountId} and l.account_id = p.account_id and l.email = ${to}))
            and not exists (select from email_suppression s where s.account_id = ${accountId} and s.account_id = p.account_id and s.email = ${to})
            and not ${isStopped(sql, sql`lower(${to}::text)`)}
          returning email_message_id as id`.pipe(fromSql())
        yield* tasks.enqueueMany(
          sendEmail,
          rows.map(({ id }) => ({ payload: { accountId, emailMessageId: id } }))
        )
        return Option.map(Option.fromNullable(rows[0]), ({ id }) => id)
      }),

      withdraw: Effect.fn("AccountNotices.withdraw")(function* (accountId, address) {
        yield* sql`
          update email_message set status = 'cancelled', failure_reason = 'withdrawn'
          where account_id = ${accountId} and lead_id is null and direction = 'outbound' and status = 'queued'
            and message_type = ${ownerNoticeType} and to_address = ${address}`
      }, fromSql())
    })
  })
)
