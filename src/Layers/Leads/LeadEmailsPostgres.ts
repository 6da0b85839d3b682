import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { notFound, refused } from "../../Errors.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { TaskQueue } from "../../Services/Jobs/TaskQueue.ts"
import type { ListedLeadEmail } from "../../Services/Leads/Email/LeadEmail.ts"
import { type LeadEmailPage, LeadEmails, MailDomain } from "../../Services/Leads/Email/LeadEmails.ts"
import { type MailRecipient, mailRefusalOf } from "../../Services/Leads/Email/MailRecipient.ts"
import { Leads } from "../../Services/Leads/Leads.ts"
import { MailQueue } from "../../Services/Mail/MailQueue.ts"
import { sendUrgentEmail } from "../../Services/Outreach/OutreachTasks.ts"
import { isSingleLine } from "../../Services/Text/SingleLine.ts"
import { countBlockOf } from "../Blacklist/Sql.ts"
import { outsideTransaction } from "../Platform/Postgres/OutsideTransaction.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"
import { emailJson, emailTime } from "./LeadEmailRows.ts"

const pageOf = (direction: "outbound" | "inbound") => `
  (select * from email_message
    where account_id = l.account_id and lead_id = l.lead_id and direction = '${direction}'
    order by ${emailTime("email_message")}, email_message_id limit $3 offset $4)`

const totalOf = (direction: "outbound" | "inbound") => `
  (select count(*) from email_message
    where account_id = l.account_id and lead_id = l.lead_id and direction = '${direction}')`

/** Returns no row if there is no such lead. */
const listStatement = (withBody: boolean) => `
select ${totalOf("outbound")} as "outboundTotal", ${totalOf("inbound")} as "inboundTotal",
  coalesce((
    select json_agg(${emailJson("m", { withBody })} order by ${emailTime("m")}, m.email_message_id)
    from (${pageOf("outbound")} union all ${pageOf("inbound")}) m
  ), '[]') as emails
from lead l where l.account_id = $1 and l.lead_id = $2`

const withBodies = listStatement(true)
const withoutBodies = listStatement(false)

interface Recipient extends MailRecipient {
  readonly handle: string
}

const severalLines = refused(
  "control_characters",
  "subject has a line break or another control character.",
  "Send the subject as one line of text.",
  { parameter: "subject" }
)

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const leads = yield* Leads
  const tasks = yield* TaskQueue
  const domain = yield* MailDomain
  const queue = yield* MailQueue

  return LeadEmails.of({
    list: Effect.fn("LeadEmails.list")(function* (leadId, { includeBodies, page, pageSize }) {
      const { accountId } = yield* Caller
      const rows = yield* sql
        .unsafe<LeadEmailPage & { readonly emails: ReadonlyArray<ListedLeadEmail> }>(
          includeBodies ? withBodies : withoutBodies,
          [accountId, leadId, pageSize, page * pageSize]
        )
        .pipe(fromSql())
      return rows[0] ?? (yield* notFound("lead", "lead_id", leadId))
    }),

    send: Effect.fn("LeadEmails.send")(function* (leadId, { body, subject }) {
      const { accountId } = yield* Caller
      if (!isSingleLine(subject)) return yield* severalLines
      // Locks the lead, so that the facts below cannot change before the message is stored.
      const lead = yield* leads.transition(leadId, "send_message")
      const recipient = single(
        yield* sql<Recipient>`
          select l.email, a.handle, exists (select from blacklist_match(l.account_id, l.email, null)) as is_blacklisted,
            exists (select from email_suppression s where s.account_id = l.account_id and s.email = l.email)
              as is_suppressed
          from lead l join account a on a.account_id = l.account_id
          where l.account_id = ${accountId} and l.lead_id = ${leadId}`.pipe(fromSql())
      )
      const refusal = mailRefusalOf(leadId, recipient)
      if (refusal?.reason === "lead_blacklisted") {
        // The refusal rolls the transaction back.
        yield* outsideTransaction(countBlockOf(sql, accountId, { email: recipient.email }))
      }
      if (refusal !== undefined) return yield* refusal

      const message = single(
        yield* queue.add([
          {
            accountId,
            leadId,
            touchId: null,
            messageType: "user_written",
            handle: recipient.handle,
            domain,
            toAddress: recipient.email,
            subject: subject.trim(),
            body,
            inReplyTo: null,
            references: []
          }
        ])
      )
      yield* tasks.enqueue(sendUrgentEmail, { accountId, emailMessageId: message.id })
      return {
        emailMessageId: message.id,
        messageId: message.messageId,
        fromAddress: `${recipient.handle}@${domain}`,
        toAddress: message.toAddress,
        lead
      }
    })
  })
})

/** The account's view of mail to and from leads. The room Mail sends it. */
export const LeadEmailsPostgres = Layer.effect(LeadEmails, make)
