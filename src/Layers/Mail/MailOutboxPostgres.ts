import { randomUUID } from "node:crypto"
import { SqlClient } from "@effect/sql/SqlClient"
import { Cause, Clock, Data, Duration, Effect, Either, Exit, Layer, Option, Schedule, Stream } from "effect"
import { type Transient, transient } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { Blacklist } from "../../Services/Blacklist/Blacklist.ts"
import { Caller } from "../../Services/Core/Caller.ts"
import { makeCounter } from "../../Services/Core/Counter.ts"
import { UnitOfWork } from "../../Services/Core/UnitOfWork.ts"
import { Notifications } from "../../Services/Events/Notifications.ts"
import { CustomerFiles } from "../../Services/Files/CustomerFiles.ts"
import { TaskQueue } from "../../Services/Jobs/TaskQueue.ts"
import { MailDomain } from "../../Services/Leads/LeadEmails.ts"
import { Mail, type MailAttachment, type MailFailure, MailRejected } from "../../Services/Mail/Mail.ts"
import { MailOutbox } from "../../Services/Mail/MailOutbox.ts"
import { sendEmail } from "../../Services/Outreach/OutreachTasks.ts"
import { type SendBlock, SendGuard } from "../../Services/Outreach/SendGuard.ts"
import { type TouchEnd, TouchLedger } from "../../Services/Outreach/TouchLedger.ts"
import { type Sender, SenderIdentity } from "../../Services/SenderDomains/SenderDomains.ts"
import { normaliseEmail } from "../../Services/Text/ContactDetails.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { Settings } from "../Platform/Settings.ts"
import { makeMailBatches } from "./MailBatches.ts"
import { suppressDeadAddress } from "./MailSuppression.ts"
import { isAutonomous, type OutgoingRow, outgoingMail, outgoingRow, sentAs, threadOf } from "./OutgoingMailRows.ts"

/** Something stops the message at the last look. */
class Blocked extends Data.TaggedError("Blocked")<{ readonly block: SendBlock }> {}
/** Another attempt sends the message by now. */
class ClaimLost extends Data.TaggedError("ClaimLost") {}

/** An attempt's hold on a message. */
interface Claim {
  readonly accountId: AccountId
  readonly row: OutgoingRow
  readonly id: string
  readonly sender: Sender
}

type Claimed =
  | { readonly _tag: "Nothing" }
  /** An earlier attempt got as far as the message's end. */
  | { readonly _tag: "HandedOver"; readonly claim: Claim }
  | { readonly _tag: "Claimed"; readonly claim: Claim }

const ofPlatform: Sender = { _tag: "Platform" }

const nothing: Claimed = { _tag: "Nothing" }

const unusableAddress = new MailRejected({
  refused: "recipient",
  isAddressDead: false,
  response: "The address is not one that mail can be sent to."
})

const later = (reason: string, seconds: number) =>
  transient(reason, "The message has not been sent yet.", Math.max(1, Math.ceil(seconds)))

/** Mail that left or did not, leads' and owners'. */
const mails = makeCounter({
  name: "gateway_mails_total",
  help: "Mail by how sending it ended (sent, failed, unknown).",
  label: "outcome",
  known: ["sent", "failed", "unknown"]
})

const make = Effect.gen(function* () {
  yield* mails.begin
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const guard = yield* SendGuard
  const ledger = yield* TouchLedger
  const notifications = yield* Notifications
  const tasks = yield* TaskQueue
  const blacklist = yield* Blacklist
  const mail = yield* Mail
  const files = yield* CustomerFiles
  const identity = yield* SenderIdentity
  const domain = yield* MailDomain
  const { baseUrl } = yield* Settings
  const places = yield* Effect.makeSemaphore(mail.concurrency)
  const groups = yield* makeMailBatches

  /** What stops the message now. Locks the lead until the transaction ends. */
  const blockOf = (accountId: AccountId, row: OutgoingRow): Effect.Effect<Option.Option<SendBlock>, Transient> =>
    Effect.gen(function* () {
      const { lead_id: leadId } = row
      const block =
        leadId === null
          ? Option.none<SendBlock>()
          : yield* guard.check({
              accountId,
              leadId,
              channel: "email",
              isAutonomous: isAutonomous(row),
              touchId: row.touch_id
            })
      // The lead may have another address by now.
      return Option.orElse(block, () =>
        row.is_address_suppressed ? Option.some<SendBlock>("suppressed") : Option.none()
      )
    })

  const settleTouch = (accountId: AccountId, row: OutgoingRow, end: TouchEnd, reason?: string) =>
    row.touch_id === null
      ? Effect.void
      : ledger.settle({ accountId, touchId: row.touch_id, end, ...(reason === undefined ? {} : { reason }) })

  const countBlock = (accountId: AccountId, row: OutgoingRow) =>
    Effect.gen(function* () {
      const entry = yield* blacklist.blockedBy({ email: row.to_address, phone: null })
      if (Option.isSome(entry)) yield* blacklist.countBlock(entry.value.blacklist_entry_id)
    }).pipe(Effect.provideService(Caller, Caller.forTask(accountId, row.plan, "mail")))

  const cancel = (accountId: AccountId, row: OutgoingRow, block: SendBlock) =>
    Effect.gen(function* () {
      const rows = yield* sql`
        update email_message set status = 'cancelled', failure_reason = ${block}, sending_claim = null
        where account_id = ${accountId} and email_message_id = ${row.email_message_id}
          and status in ('queued', 'sending') and handed_over_at is null
        returning email_message_id`.pipe(fromSql())
      if (rows.length === 0) return
      yield* settleTouch(accountId, row, "skipped", block)
      if (block === "blacklisted") yield* countBlock(accountId, row)
    })

  /** The lead before the message: whoever stops a lead locks in this order too. */
  const claim = (accountId: AccountId, emailMessageId: number): Effect.Effect<Claimed, Transient> =>
    Effect.gen(function* () {
      const row = yield* outgoingRow(sql, accountId, emailMessageId)
      if (row === undefined || (row.status !== "queued" && row.status !== "sending")) return nothing
      if (row.is_handed_over) {
        return { _tag: "HandedOver", claim: { accountId, row, id: row.sending_claim ?? "", sender: ofPlatform } }
      }
      const block = yield* blockOf(accountId, row)
      if (Option.isSome(block)) {
        yield* cancel(accountId, row, block.value)
        return nothing
      }
      const { lead_id: leadId, sender_domain_id: senderDomainId } = row
      const sender = leadId === null ? ofPlatform : yield* identity.of(accountId, { leadId, senderDomainId })
      if (sender._tag === "Hold") return yield* Effect.fail(later("sender_domain_paused", sender.seconds))
      const leaving = sentAs(row, sender, domain)
      // What an earlier attempt had not handed over was not sent: its claim is simply taken over.
      const claims = yield* sql<{ readonly id: string }>`
        update email_message set status = 'sending', sending_at = instant(), sending_claim = ${randomUUID()}::uuid,
          failure_reason = null, sender_domain_id = ${leaving.sender_domain_id}, message_id = ${leaving.message_id},
          from_address = ${leaving.from_address}
        where account_id = ${accountId} and email_message_id = ${emailMessageId}
          and status in ('queued', 'sending') and handed_over_at is null
        returning sending_claim as id`.pipe(fromSql())
      const [taken] = claims
      return taken === undefined
        ? yield* Effect.fail(later("mail_in_flight", 5))
        : { _tag: "Claimed", claim: { accountId, row: leaving, id: taken.id, sender } }
    })

  /** The last look, when all but the end of the message is with the server. */
  const handOver = ({ accountId, id, row }: Claim): Effect.Effect<void, Blocked | ClaimLost | Transient> =>
    unit.write(
      Effect.gen(function* () {
        const block = yield* blockOf(accountId, row)
        if (Option.isSome(block)) return yield* new Blocked({ block: block.value })
        const rows = yield* sql`
          update email_message set handed_over_at = instant()
          where account_id = ${accountId} and email_message_id = ${row.email_message_id} and status = 'sending'
            and sending_claim = ${id}::uuid and handed_over_at is null
          returning email_message_id`.pipe(fromSql())
        if (rows.length === 0) return yield* new ClaimLost()
      })
    )

  /** Sets the message's end; answers whether it was still open. A message that went out is `sent`, whoever thought what. */
  const settle = (
    { accountId, id, row }: Claim,
    end: "sent" | "failed" | "unknown",
    details: { readonly reason?: string; readonly response?: string | undefined } = {}
  ): Effect.Effect<boolean, Transient> => {
    const isOpen =
      end === "sent"
        ? sql`status in ('queued', 'sending', 'unknown', 'cancelled')`
        : sql`status = 'sending' and sending_claim = ${id}::uuid`
    const moment = end === "sent" ? sql`instant()` : sql`null`
    return sql`
      update email_message set status = ${end}, failure_reason = ${details.reason ?? null}, sending_claim = null,
        sent_at = ${moment}, occurred_at = ${moment},
        provider_response = coalesce(${details.response ?? null}, provider_response)
      where account_id = ${accountId} and email_message_id = ${row.email_message_id} and ${isOpen}
      returning email_message_id`.pipe(
      Effect.map((rows) => rows.length > 0),
      fromSql(),
      Effect.tap((wasOpen) => (wasOpen ? mails.count(end) : Effect.void))
    )
  }

  const sent = (claim: Claim, response?: string) =>
    Effect.gen(function* () {
      if (!(yield* settle(claim, "sent", { response }))) return
      const { lead_id: leadId, message_type: kind, touch_id: touchId } = claim.row
      if (leadId !== null) yield* ledger.sent(claim.accountId, leadId, touchId, { channel: "email", kind })
    })

  const failed = (claim: Claim, reason: string, response: string | undefined, isAddressDead: boolean) =>
    Effect.gen(function* () {
      if (!(yield* settle(claim, "failed", { reason, response }))) return
      yield* settleTouch(claim.accountId, claim.row, "failed", reason)
      // What is of no lead went to the account's owner, of whom leads' mail learns nothing.
      if (isAddressDead && claim.row.lead_id !== null)
        yield* suppressDeadAddress(
          sql,
          notifications,
          { accountId: claim.accountId, plan: claim.row.plan },
          claim.row.to_address
        )
    })

  const backToQueue = ({ accountId, id, row }: Claim, reason: string, response?: string) =>
    sql`
      update email_message set status = 'queued', sending_claim = null, handed_over_at = null, failure_reason = ${reason},
        provider_response = coalesce(${response ?? null}, provider_response)
      where account_id = ${accountId} and email_message_id = ${row.email_message_id} and status = 'sending'
        and sending_claim = ${id}::uuid`.pipe(fromSql(), Effect.asVoid)

  /** What became of a message must not be lost to a moment without the database. */
  const record = <A>(statements: Effect.Effect<A, Transient>): Effect.Effect<A, Transient> =>
    unit.write(statements).pipe(Effect.retry({ times: 5, schedule: Schedule.exponential("100 millis") }))

  const recordSent = (claim: Claim, response: string) =>
    Effect.flatMap(groups.sent({ ...claim, response }), (wasOpen) => {
      if (Option.isNone(wasOpen)) return record(sent(claim, response))
      return wasOpen.value ? mails.count("sent") : Effect.void
    })

  /** Acts on how an attempt to send ended. */
  const conclude = (
    claim: Claim,
    failure: MailFailure | Blocked | ClaimLost | Transient,
    isLast: boolean
  ): Effect.Effect<void, Transient> => {
    switch (failure._tag) {
      case "MailRejected":
        return record(failed(claim, `${failure.refused}_rejected`, failure.response, failure.isAddressDead))
      case "MailNotSent":
        return isLast
          ? record(failed(claim, failure.reason, failure.response, false))
          : Effect.zipRight(
              record(backToQueue(claim, failure.reason, failure.response)),
              Effect.fail(later(failure.reason, 1))
            )
      case "MailMaybeSent":
        return isLast
          ? lookUp(claim, isLast)
          : Effect.fail(later("mail_outcome_open", Duration.toSeconds(mail.settleTime)))
      case "Blocked":
        return record(cancel(claim.accountId, claim.row, failure.block))
      case "ClaimLost":
        return Effect.void
      case "Transient":
        return Effect.zipRight(Effect.ignore(record(backToQueue(claim, failure.reason))), Effect.fail(failure))
    }
  }

  /** Finds out what became of a message that was handed over. */
  const lookUp = (claim: Claim, isLast: boolean): Effect.Effect<void, Transient> =>
    Effect.gen(function* () {
      const found = yield* mail.wasSent(claim.accountId, claim.row.message_id)
      if (Option.contains(found, true)) return yield* record(sent(claim))
      const wait = Duration.toSeconds(mail.settleTime) - (claim.row.handed_over_for ?? 0)
      // Until then the attempt that handed it over may still get its answer.
      if (wait > 0 && !isLast) return yield* later("mail_outcome_open", wait)
      if (Option.isSome(found)) {
        yield* record(backToQueue(claim, "mail_not_arrived"))
        return yield* deliverOnce(claim.accountId, claim.row.email_message_id, isLast)
      }
      yield* Effect.logWarning("nobody can tell whether a message was sent").pipe(
        Effect.annotateLogs({ account_id: claim.accountId, email_message_id: claim.row.email_message_id })
      )
      yield* record(
        Effect.flatMap(settle(claim, "unknown", { reason: "outcome_unknown" }), (wasOpen) =>
          wasOpen ? settleTouch(claim.accountId, claim.row, "unknown", "outcome_unknown") : Effect.void
        )
      )
    })

  /** Files of the account's own that its notice names, but for those that were removed meanwhile. */
  const attached = (accountId: AccountId, row: OutgoingRow): Effect.Effect<ReadonlyArray<MailAttachment>, Transient> =>
    row.lead_id !== null || row.attachments.length === 0
      ? Effect.succeed([])
      : Effect.forEach(row.attachments, ({ customer_file_id, file_name, media_type }) =>
          Stream.runCollect(files.read(customer_file_id)).pipe(
            Effect.map((parts) => [{ fileName: file_name, mediaType: media_type, bytes: Buffer.concat([...parts]) }]),
            Effect.catchTag("NotFound", () => Effect.succeed([]))
          )
        ).pipe(
          Effect.map((read) => read.flat()),
          Effect.provideService(Caller, Caller.forTask(accountId, row.plan, "mail"))
        )

  const send = (claim: Claim) =>
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
      const attachments = yield* attached(accountId, row)
      return yield* mail.send(
        accountId,
        outgoingMail(row, { accountId, domain, baseUrl, now, thread, sender, attachments }),
        handOver(claim)
      )
    })

  const deliverOnce = (accountId: AccountId, emailMessageId: number, isLast: boolean): Effect.Effect<void, Transient> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const together = yield* restore(groups.claim({ accountId, emailMessageId }))
        const claimed: Claimed = Option.isSome(together)
          ? { _tag: "Claimed", claim: { ...together.value, sender: ofPlatform } }
          : yield* restore(unit.write(claim(accountId, emailMessageId)))
        if (claimed._tag === "Nothing") return
        if (claimed._tag === "HandedOver") return yield* restore(lookUp(claimed.claim, isLast))
        // Whatever interrupts the attempt, an answer that came is written down.
        const exit = yield* Effect.exit(send(claimed.claim))
        if (Exit.isSuccess(exit)) return yield* recordSent(claimed.claim, exit.value.response)
        const failure = Cause.failureOrCause(exit.cause)
        return yield* Either.isLeft(failure)
          ? conclude(claimed.claim, failure.left, isLast)
          : Effect.failCause(failure.right)
      })
    )

  return MailOutbox.of({
    deliver: Effect.fn("MailOutbox.deliver")(({ accountId, emailMessageId }, { isLast }) =>
      // Before the claim, so that no look at the lead grows old while others are sent.
      places.withPermits(1)(deliverOnce(accountId, emailMessageId, isLast))
    ),

    sweep: Effect.gen(function* () {
      const rows = yield* unit
        .acrossAccounts(sql<{
          readonly accountId: AccountId
          readonly emailMessageId: number
        }>`
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
