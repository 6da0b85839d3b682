import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Config, Data, Effect, Either, Option } from "effect"
import { transient } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { UnitOfWork } from "../../Services/Core/UnitOfWork.ts"
import { MailDomain } from "../../Services/Leads/LeadEmails.ts"
import { Mail, type OutgoingMail } from "../../Services/Mail/Mail.ts"
import { mailBody } from "../../Services/Mail/MailText.ts"
import type { SupportRequestId } from "../../Services/Support/Ids.ts"
import {
  mailOperators,
  type OperatorMailSubject,
  operatorMail,
  operatorMessageId
} from "../../Services/Support/OperatorMail.ts"
import { SupportDesk } from "../../Services/Support/SupportRequests.ts"
import { normaliseEmail } from "../../Services/Text/ContactDetails.ts"
import { checked } from "../Platform/Environment.ts"
import { handle } from "../Platform/Jobs/TaskHandler.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

/** Where operators read support requests; unset, they read them by the command line alone. */
const supportEmail = Config.option(
  checked("SUPPORT_EMAIL", Config.nonEmptyString("SUPPORT_EMAIL"), "an e-mail address", (text) =>
    Either.isRight(normaliseEmail(text))
  )
)

/** Another attempt has it by now. */
class HandedOver extends Data.TaggedError("HandedOver") {}

const later = (reason: string) => transient(reason, "The operators' mail has not been sent yet.", 5)

/** One attempt to write to the operators. Any number of them, at once or after a crash, write once. */
export const writeToOperators = (
  accountId: AccountId,
  id: SupportRequestId,
  about: OperatorMailSubject,
  options: { readonly to: string; readonly isLast: boolean }
) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const unit = yield* UnitOfWork
    const mail = yield* Mail
    const desk = yield* SupportDesk
    const domain = yield* MailDomain
    const found = yield* Effect.option(desk.show(accountId, id))
    if (Option.isNone(found)) return
    const request = found.value
    const isMail = sql`account_id = ${accountId} and support_request_id = ${id} and about = ${about}`
    const settle = (status: "sent" | "failed" | "unknown", response?: string) =>
      sql`
        update operator_mail set status = ${status}, response = ${response ?? null},
          sent_at = case when ${status} = 'sent' then instant() end
        where ${isMail} and status = 'queued'`.pipe(fromSql())

    const rows = yield* unit.write(
      Effect.zipRight(
        sql`
          insert into operator_mail (account_id, support_request_id, about, created_at)
          values (${accountId}, ${id}, ${about}, instant()) on conflict do nothing`,
        sql<{ readonly isOpen: boolean; readonly wasHandedOver: boolean }>`
          select status = 'queued' as "isOpen", handed_over_at is not null as "wasHandedOver"
          from operator_mail where ${isMail}`
      ).pipe(fromSql())
    )
    const row = rows[0]
    if (row === undefined || !row.isOpen) return
    // A simulated mail server is the account's to look into: what is the operators' alone does not go there.
    if (mail.mode === "sandbox") return yield* settle("sent", "Kept in the sandbox")
    const messageId = operatorMessageId(request, about, domain)
    if (row.wasHandedOver) {
      const wasSent = yield* mail.wasSent(accountId, messageId)
      if (Option.isNone(wasSent))
        return yield* options.isLast ? settle("unknown") : Effect.fail(later("mail_outcome_open"))
      if (wasSent.value) return yield* settle("sent")
      yield* sql`update operator_mail set handed_over_at = null where ${isMail}`.pipe(fromSql())
    }
    const { subject, text } = operatorMail(request, about)
    const thread = about === "asked" ? [] : [operatorMessageId(request, "asked", domain)]
    const message: OutgoingMail = {
      emailMessageId: 0,
      messageId,
      envelopeFrom: `support@${domain}`,
      from: { name: "Support", address: `support@${domain}` },
      to: { address: options.to },
      replyTo: options.to,
      subject,
      ...mailBody(text, "en", undefined),
      inReplyTo: thread[0],
      references: thread,
      unsubscribeUrl: undefined,
      isNotice: true,
      date: yield* Clock.currentTimeMillis
    }
    const handOver = sql`
      update operator_mail set handed_over_at = instant() where ${isMail} and handed_over_at is null
      returning account_id`.pipe(
      fromSql(),
      Effect.filterOrFail(
        (taken) => taken.length > 0,
        () => new HandedOver()
      ),
      Effect.asVoid
    )
    const notYet = (reason: string) =>
      Effect.zipRight(
        sql`update operator_mail set handed_over_at = null where ${isMail} and status = 'queued'`.pipe(fromSql()),
        Effect.fail(later(reason))
      )
    yield* mail.send(accountId, message, handOver).pipe(
      Effect.flatMap(({ response }) => settle("sent", response)),
      Effect.catchTags({
        MailRejected: ({ response }) => settle("failed", response),
        MailNotSent: ({ reason }) => (options.isLast ? settle("failed", reason) : notYet(reason)),
        MailMaybeSent: () => Effect.fail(later("mail_outcome_open")),
        HandedOver: () => Effect.void
      })
    )
  })

/** The handler, by the settings. */
export const operatorMailTask = Effect.map(Effect.orDie(supportEmail), (to) =>
  handle(mailOperators, ({ about, accountId, supportRequestId }, info) =>
    Option.match(to, {
      onNone: () => Effect.void,
      onSome: (address) =>
        writeToOperators(accountId, supportRequestId, about, {
          to: address,
          isLast: info.attempt >= info.maxAttempts
        }).pipe(Effect.asVoid)
    })
  )
)
