import { SqlClient } from "@effect/sql/SqlClient"
import { Cause, Clock, Data, Duration, Effect, Either, Exit, Layer, Option, Stream } from "effect"
import type { Transient } from "../../../Errors.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { CustomerFiles } from "../../../Services/Files/CustomerFiles.ts"
import { TaskQueue } from "../../../Services/Jobs/TaskQueue.ts"
import { MailDomain } from "../../../Services/Leads/Email/LeadEmails.ts"
import { Mail, type MailAttachment, type MailFailure, MailRejected } from "../../../Services/Mail/Mail.ts"
import { MailOutbox } from "../../../Services/Mail/MailOutbox.ts"
import { sendEmail } from "../../../Services/Outreach/OutreachTasks.ts"
import type { SendBlock } from "../../../Services/Outreach/SendGuard.ts"
import { normaliseEmail } from "../../../Services/Text/ContactDetails.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { Settings } from "../../Platform/Settings.ts"
import { type MailClaim, makeMailClaims, tryLater } from "./ClaimMails.ts"
import { type MailKey, type OutgoingRow, outgoingMail, threadOf } from "./OutgoingMailRows.ts"
import { makeMailSettling } from "./SettleMails.ts"

/** The last check found a reason not to send the message. */
class Blocked extends Data.TaggedError("Blocked")<{ readonly block: SendBlock }> {}
/** Another attempt is sending the message. */
class ClaimLost extends Data.TaggedError("ClaimLost") {}

type MailClaims = Effect.Effect.Success<typeof makeMailClaims>

const unusableAddress = new MailRejected({
  refused: "recipient",
  isAddressDead: false,
  response: "The address is not one that mail can be sent to."
})

/** Passes a claimed message to the mail server. */
const makeSendMail = ({ blockOf }: MailClaims) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const unit = yield* UnitOfWork
    const mail = yield* Mail
    const files = yield* CustomerFiles
    const domain = yield* MailDomain
    const { baseUrl } = yield* Settings

    /** The last check. The server has everything except the end of the message. */
    const handOver = (claim: MailClaim): Effect.Effect<void, Blocked | ClaimLost | Transient> =>
      unit.write(
        Effect.gen(function* () {
          const { accountId, id, row } = claim
          const block = yield* blockOf(claim)
          if (Option.isSome(block)) return yield* new Blocked({ block: block.value })
          const rows = yield* sql`
            update email_message set handed_over_at = instant()
            where account_id = ${accountId} and email_message_id = ${row.email_message_id} and status = 'sending'
              and sending_claim = ${id}::uuid and handed_over_at is null
            returning email_message_id`.pipe(fromSql())
          if (rows.length === 0) return yield* new ClaimLost()
        })
      )

    /** The files that a notice attaches, without those that were deleted in between. */
    const attachmentsOf = (
      accountId: AccountId,
      row: OutgoingRow
    ): Effect.Effect<ReadonlyArray<MailAttachment>, Transient> =>
      row.lead_id !== null || row.attachments.length === 0
        ? Effect.succeed([])
        : Effect.forEach(row.attachments, ({ customer_file_id, file_name, media_type }) =>
            Stream.runCollect(files.read(customer_file_id)).pipe(
              Effect.map((parts) => [{ fileName: file_name, mediaType: media_type, bytes: Buffer.concat([...parts]) }]),
              Effect.catchTag("NotFound", () => Effect.succeed([]))
            )
          ).pipe(
            Effect.map((attachments) => attachments.flat()),
            Effect.provideService(Caller, Caller.forTask(accountId, row.plan, "mail"))
          )

    return (claim: MailClaim) =>
      Effect.gen(function* () {
        const { accountId, row, sender } = claim
        if (Either.isLeft(normaliseEmail(row.to_address))) return yield* unusableAddress
        const thread = yield* threadOf(sql, accountId, row)
        if (thread !== undefined) {
          yield* sql`
            update email_message set in_reply_to = ${thread.message_id},
              thread_references = ${[...thread.thread_references, thread.message_id]}
            where account_id = ${accountId} and email_message_id = ${row.email_message_id}`.pipe(fromSql())
        }
        const now = yield* Clock.currentTimeMillis
        const attachments = yield* attachmentsOf(accountId, row)
        return yield* mail.send(
          accountId,
          outgoingMail(row, { accountId, domain, baseUrl, now, thread, sender, attachments }),
          handOver(claim)
        )
      })
  })

/** Sends one message and stores the outcome. */
const makeDeliver = Effect.gen(function* () {
  const mail = yield* Mail
  const claims = yield* makeMailClaims
  const send = yield* makeSendMail(claims)
  const settling = yield* makeMailSettling
  const settleSeconds = () => Duration.toSeconds(mail.settleTime)

  const conclude = (
    claim: MailClaim,
    failure: MailFailure | Blocked | ClaimLost | Transient,
    isLast: boolean
  ): Effect.Effect<void, Transient> => {
    switch (failure._tag) {
      case "MailRejected":
        return settling.failed(claim, `${failure.refused}_rejected`, failure.response, failure.isAddressDead)
      case "MailNotSent":
        return isLast
          ? settling.failed(claim, failure.reason, failure.response)
          : Effect.zipRight(
              settling.backToQueue(claim, failure.reason, failure.response),
              Effect.fail(tryLater(failure.reason, 1))
            )
      case "MailMaybeSent":
        return isLast ? lookUp(claim, isLast) : Effect.fail(tryLater("mail_outcome_open", settleSeconds()))
      case "Blocked":
        return settling.record(claims.cancel(claim.accountId, claim.row, failure.block))
      // A successful task is deleted, but the attempt that now sends the message may still need it.
      case "ClaimLost":
        return tryLater("mail_in_flight", 5)
      case "Transient":
        return Effect.zipRight(Effect.ignore(settling.backToQueue(claim, failure.reason)), Effect.fail(failure))
    }
  }

  /** Asks the provider whether a message that was handed over has been sent. */
  const lookUp = (claim: MailClaim, isLast: boolean): Effect.Effect<void, Transient> =>
    Effect.gen(function* () {
      const { accountId, row } = claim
      const wasSent = yield* mail.wasSent(accountId, row.message_id)
      if (Option.contains(wasSent, true)) return yield* settling.sent(claim)
      const waitSeconds = settleSeconds() - (row.handed_over_for ?? 0)
      // Before that time, the attempt that handed the message over may still receive its answer.
      if (waitSeconds > 0 && !isLast) return yield* tryLater("mail_outcome_open", waitSeconds)
      if (Option.isSome(wasSent)) {
        yield* settling.backToQueue(claim, "mail_not_arrived")
        return yield* deliver({ accountId, emailMessageId: row.email_message_id }, isLast)
      }
      yield* Effect.logWarning("it cannot be found out whether a message was sent").pipe(
        Effect.annotateLogs({ account_id: accountId, email_message_id: row.email_message_id })
      )
      yield* settling.unknown(claim)
    })

  const deliver = (key: MailKey, isLast: boolean): Effect.Effect<void, Transient> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const result = yield* restore(claims.claim(key))
        if (result._tag === "Nothing") return
        if (result._tag === "Later") return yield* result.failure
        const { claim } = result
        if (result._tag === "HandedOver") return yield* restore(lookUp(claim, isLast))
        // Once an answer has arrived it is stored, even if the attempt is interrupted.
        const exit = yield* Effect.exit(send(claim))
        if (Exit.isSuccess(exit)) return yield* settling.sent(claim, exit.value.response)
        const failure = Cause.failureOrCause(exit.cause)
        return yield* Either.isLeft(failure) ? conclude(claim, failure.left, isLast) : Effect.failCause(failure.right)
      })
    )

  return deliver
})

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const tasks = yield* TaskQueue
  const mail = yield* Mail
  const sendPermits = yield* Effect.makeSemaphore(mail.concurrency)
  const deliver = yield* makeDeliver

  return MailOutbox.of({
    deliver: Effect.fn("MailOutbox.deliver")((key, { isLast }) =>
      // The permit is acquired before the claim, so that the lead is checked shortly before the message is sent.
      sendPermits.withPermits(1)(deliver(key, isLast))
    ),

    sweep: Effect.gen(function* () {
      const rows = yield* unit
        .acrossAccounts(sql<MailKey>`
        (select account_id as "accountId", email_message_id as "emailMessageId" from email_message
          where status = 'sending' and sending_at < instant() - interval '1 hour' and uses_test_clock(account_id)
          order by sending_at limit 500)
        union all
        (select account_id, email_message_id from email_message
          where status = 'queued' and created_at < instant() - interval '3 days' and uses_test_clock(account_id)
          order by email_message_id limit 500)`)
        .pipe(fromSql())
      yield* tasks.enqueueMany(
        sendEmail,
        rows.map((payload) => ({ payload, jobKey: `send_email:${payload.accountId}:${payload.emailMessageId}` }))
      )
      return rows.length
    }).pipe(Effect.withSpan("MailOutbox.sweep"))
  })
})

export const MailOutboxPostgres = Layer.effect(MailOutbox, make)
