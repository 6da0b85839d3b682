import { SqlClient } from "@effect/sql/SqlClient"
import { Cause, Effect, Layer, Option, Stream } from "effect"
import type { Transient } from "../../../Errors.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { describeCause } from "../../../Services/Core/SafeCause.ts"
import type { Timestamp } from "../../../Services/Core/Timestamp.ts"
import { AccountEvents } from "../../../Services/Events/AccountEvents.ts"
import { AgentConversation } from "../../../Services/Events/AgentConversation.ts"
import { Notifications } from "../../../Services/Events/Notifications.ts"
import { CustomerFiles, UploadLimit } from "../../../Services/Files/CustomerFiles.ts"
import { TaskQueue } from "../../../Services/Jobs/TaskQueue.ts"
import { MailDomain } from "../../../Services/Leads/Email/LeadEmails.ts"
import type { LeadId } from "../../../Services/Leads/Ids.ts"
import { Leads } from "../../../Services/Leads/Leads.ts"
import { type SenderCheck, senderCheck } from "../../../Services/Mail/AuthenticationResults.ts"
import { judgeInboundMail } from "../../../Services/Mail/InboundNotice.ts"
import { keptAttachments, machineReading, reactionsPerHour, recipientsOf } from "../../../Services/Mail/InboxRules.ts"
import type { InvitationAnswer } from "../../../Services/Mail/Invitations.ts"
import { noteInvitationAnswer } from "../../../Services/Mail/InvitationTasks.ts"
import {
  type InboundAttachment,
  type InboundMail,
  MailInbox,
  type MailOutcome,
  type MailReceipt
} from "../../../Services/Mail/MailInbox.ts"
import { isAutomatic, readBounce, readComplaint } from "../../../Services/Mail/MailReports.ts"
import { localAddress } from "../../../Services/Mail/MailTags.ts"
import { readReply } from "../../../Services/Outreach/OutreachTasks.ts"
import { TouchLedger } from "../../../Services/Outreach/TouchLedger.ts"
import { writtenLanguage } from "../../../Services/Text/Language.ts"
import { recordPastChange } from "../../Leads/Sql.ts"
import { fromSql, single } from "../../Platform/Postgres/Sql.ts"
import { makeMailParser, unparsedMail } from "../MailParser.ts"
import { MailSettings } from "../MailSettings.ts"
import {
  accountsOf,
  type InboxAccount,
  leadOfToken,
  lockLead,
  personOf,
  reportedMessage,
  type SentMessage,
  storedId,
  writerOf
} from "./MailInboxRows.ts"
import { applyBounce, applyComplaint } from "./MailReportEffects.ts"

/** The classification of a message, before it is stored in an account's inbox. */
interface Sorted {
  readonly outcome: MailOutcome
  readonly status: "received" | "unauthenticated"
  readonly leadId: LeadId | undefined
  readonly isMachine: boolean
  /** True if it is proven that the lead wrote the message. */
  readonly isProven: boolean
  readonly meaning: "bounce" | "unsubscribe" | undefined
  /** An answer that a calendar program sent to an invitation. It contains no text to read. */
  readonly isInvitationAnswer?: boolean
  /** Applies further effects, in addition to those of any mail. */
  readonly apply: Effect.Effect<void, Transient, Caller>
}

const makeInboxServices = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const conversation = yield* AgentConversation
  const leads = yield* Leads
  const files = yield* CustomerFiles
  const events = yield* AccountEvents
  const ledger = yield* TouchLedger
  const tasks = yield* TaskQueue
  const notifications = yield* Notifications
  const { trustedReceivers } = yield* MailSettings
  const domain = yield* MailDomain
  const maximumBytes = yield* UploadLimit
  const parse = yield* makeMailParser
  return {
    conversation,
    domain,
    events,
    files,
    leads,
    ledger,
    maximumBytes,
    notifications,
    parse,
    sql,
    tasks,
    trustedReceivers,
    unit
  }
})
type InboxServices = Effect.Effect.Success<typeof makeInboxServices>

const makeMailSorting = ({ leads, ledger, notifications, sql, tasks }: InboxServices) => {
  const sort = (account: InboxAccount, mail: InboundMail, check: SenderCheck): Effect.Effect<Sorted, Transient> =>
    Effect.gen(function* () {
      const ofNoConsequence = { status: "received", isProven: false, meaning: undefined, apply: Effect.void } as const
      if (check === "failed") {
        const { leadId } = yield* writerOf(sql, account, mail)
        return {
          outcome: "unauthenticated",
          leadId,
          isMachine: true,
          ...ofNoConsequence,
          status: "unauthenticated"
        }
      }
      const complaint = readComplaint(mail)
      const bounce = complaint === undefined ? readBounce(mail) : undefined
      const report = complaint ?? bounce
      if (report !== undefined) {
        const sent = yield* reportedMessage(sql, account, report.message)
        const leadId = sent?.lead_id ?? (yield* leadOfToken(sql, account, report.message.unsubscribeToken))
        // Anyone can send a report, so it only has effects if it refers to a message that the gateway sent.
        if (complaint !== undefined && (sent !== undefined || leadId !== undefined))
          return complained(account, sent, leadId)
        if (bounce !== undefined && sent !== undefined) {
          return {
            outcome: "bounce",
            leadId,
            isMachine: true,
            ...ofNoConsequence,
            meaning: "bounce",
            apply: applyBounce(sql, ledger, notifications, account, sent, bounce)
          }
        }
        return { outcome: "other", leadId: undefined, isMachine: true, ...ofNoConsequence }
      }
      const { isAnswer, leadId } = yield* writerOf(sql, account, mail)
      const { invitationAnswer } = mail
      if (leadId !== undefined && invitationAnswer !== undefined) {
        // The text is the calendar program's, not the lead's.
        return {
          outcome: "lead_auto_reply",
          leadId,
          isMachine: true,
          ...ofNoConsequence,
          isInvitationAnswer: true,
          apply: answered(account, leadId, invitationAnswer)
        }
      }
      const isMachine = isAutomatic(mail)
      const outcome = leadId === undefined ? "other" : isMachine ? "lead_auto_reply" : "lead_reply"
      return { outcome, leadId, isMachine, ...ofNoConsequence, isProven: isAnswer || check === "passed" }
    })

  /** The answer contains the invitation's id, which only the lead received. */
  const answered = ({ accountId }: InboxAccount, leadId: LeadId, answer: InvitationAnswer) =>
    tasks.enqueue(noteInvitationAnswer, {
      accountId,
      leadId,
      uid: answer.uid,
      sequence: answer.sequence,
      stampedAt: answer.stampedAt ?? null,
      answer: answer.answer
    })

  const complained = (account: InboxAccount, sent: SentMessage | undefined, leadId: LeadId | undefined): Sorted => ({
    outcome: "complaint",
    leadId,
    status: "received",
    isMachine: true,
    isProven: false,
    meaning: "unsubscribe",
    // If the owner marks its own notices as spam, no lead is concerned.
    apply: applyComplaint(sql, leads, account, leadId, sent?.lead_id === null ? undefined : sent?.to_address)
  })

  return { sort }
}
type MailSorting = ReturnType<typeof makeMailSorting>

const makeMailRows = ({ domain, files, maximumBytes, notifications, sql }: InboxServices) => {
  const keepAttachments = (attachments: ReadonlyArray<InboundAttachment>) =>
    Effect.forEach(keptAttachments(attachments), ({ bytes, fileName }, index) => {
      const write = (name: string) => files.write({ fileName: name, maximumBytes, bytes: Stream.make(bytes) })
      return write(fileName ?? `attachment-${index + 1}`).pipe(
        Effect.catchTag("Refused", ({ reason }) =>
          reason === "file_name_unusable" ? write(`attachment-${index + 1}`) : Effect.succeed(undefined)
        ),
        Effect.catchTag("Refused", () => Effect.succeed(undefined))
      )
    }).pipe(
      Effect.map((isSuppressed) =>
        isSuppressed
          .filter((file) => file !== undefined)
          .map(({ customer_file_id, file_name, media_type, size_bytes }) => ({
            customer_file_id,
            file_name,
            media_type,
            size_bytes
          }))
      )
    )

  const isOverCap = (account: InboxAccount, mail: InboundMail, isMachine: boolean) =>
    sql<{ readonly received: number }>`
      select count(*) as received from email_message
      where account_id = ${account.accountId} and direction = 'inbound' and from_address = ${mail.fromAddress ?? ""}
        and status = 'received' and created_at > instant() - interval '1 hour'`.pipe(
      Effect.map((rows) => single(rows).received > (isMachine ? reactionsPerHour.machine : reactionsPerHour.person)),
      fromSql()
    )

  const insert = (
    account: InboxAccount,
    mail: InboundMail,
    id: string,
    { isMachine, isProven, leadId, meaning, status }: Sorted,
    arrivedAt: Timestamp | undefined
  ) =>
    sql<{ readonly email_message_id: number }>`
      insert into email_message (account_id, lead_id, direction, status, message_id, from_address, to_address, subject,
        body_text, reply_text, in_reply_to, thread_references, is_auto_reply, is_sender_proven, classification, content_digest,
        language, occurred_at, created_at)
      values (${account.accountId}, ${leadId ?? null}, 'inbound',
        ${status}, ${id}, ${mail.fromAddress ?? ""},
        ${`${account.handle}@${domain}`}, ${mail.subject}, ${mail.text}, ${mail.reply},
        ${mail.answers[0] ?? null}, ${[...mail.references]}, ${isMachine}, ${isProven},
        ${meaning === undefined ? null : JSON.stringify(machineReading(meaning))}::jsonb, ${mail.digest},
        ${writtenLanguage(mail.reply ?? mail.text) ?? null},
        coalesce(${arrivedAt ?? null}::timestamptz, instant()), coalesce(${arrivedAt ?? null}::timestamptz, instant()))
      on conflict (account_id, message_id) do nothing
      returning email_message_id`.pipe(
      Effect.map((rows) => rows[0]?.email_message_id),
      fromSql()
    )

  /**
   * The lead may really have written from a misconfigured server, so the owner is asked to check, at most once a day.
   */
  const tellOfForged = ({ accountId }: InboxAccount, leadId: LeadId, { subject }: InboundMail, id: number) =>
    Effect.gen(function* () {
      const earlier = yield* sql`
        select from email_message where account_id = ${accountId} and lead_id = ${leadId} and direction = 'inbound'
          and status = 'unauthenticated' and email_message_id <> ${id} and created_at > instant() - interval '1 day'
        limit 1`.pipe(fromSql())
      if (earlier.length > 0) return
      const data = { channel: "email" }
      yield* notifications.tellOfLead({ kind: "lead_mail_unauthenticated", leadId, quote: subject }, data)
    })

  return { keepAttachments, isOverCap, insert, tellOfForged }
}
type MailRows = ReturnType<typeof makeMailRows>

const makeMailStore = (
  { conversation, domain, events, ledger, sql, tasks }: InboxServices,
  { sort }: MailSorting,
  { insert, isOverCap, keepAttachments, tellOfForged }: MailRows
) => {
  const storeAttachments = Effect.fnUntraced(function* (
    { accountId }: InboxAccount,
    { attachments }: InboundMail,
    emailMessageId: number
  ) {
    const stored = yield* keepAttachments(attachments)
    if (stored.length === 0) return
    yield* sql`
      update email_message set attachments = ${JSON.stringify(stored)}::jsonb
      where account_id = ${accountId} and email_message_id = ${emailMessageId}`.pipe(fromSql())
  })

  /** Queues the tasks that read the message. Messages from a sender over the hourly limit are stored but not read. */
  const enqueueReading = Effect.fnUntraced(function* (
    { accountId, ownAddresses }: InboxAccount,
    mail: InboundMail,
    { isInvitationAnswer, isMachine, leadId, outcome }: Sorted,
    emailMessageId: number
  ) {
    const isOfLead = outcome === "lead_reply" || outcome === "lead_auto_reply"
    if (isOfLead && leadId !== undefined && isInvitationAnswer !== true) {
      yield* tasks.enqueue(readReply, { accountId, leadId, channel: "email" as const, messageId: emailMessageId })
    }
    if (!isMachine && !ownAddresses.includes(mail.fromAddress ?? "")) {
      yield* tasks.enqueue(judgeInboundMail, { accountId, emailMessageId })
    }
  })

  /** Makes messages of the owner or a member to the platform searchable. */
  const noteWords = Effect.fnUntraced(function* (account: InboxAccount, mail: InboundMail, { isProven }: Sorted) {
    const role = yield* personOf(sql, account, mail, isProven)
    if (role === undefined) return
    yield* conversation.note({ role, channel: "email", words: `${mail.subject}\n${mail.reply}` })
  })

  /** Applies the effects of a new message: changes to the lead, tasks that read it, and events. */
  const react = Effect.fnUntraced(function* (
    account: InboxAccount,
    mail: InboundMail,
    sorted: Sorted,
    emailMessageId: number
  ) {
    const { accountId } = account
    const { isMachine, leadId, outcome } = sorted
    yield* sorted.apply
    if (outcome === "unauthenticated" && leadId !== undefined)
      yield* tellOfForged(account, leadId, mail, emailMessageId)
    if (outcome === "other" && !isMachine) yield* noteWords(account, mail, sorted)
    const reacts = !(yield* isOverCap(account, mail, isMachine))
    if (outcome === "lead_reply" && leadId !== undefined) yield* ledger.received([{ accountId, leadId }], "email")
    if (reacts) yield* enqueueReading(account, mail, sorted, emailMessageId)
    const { fromAddress = null, subject } = mail
    yield* events.appendMany([
      {
        type: "email_received",
        data: { lead_id: leadId ?? null, email_message_id: emailMessageId, from_address: fromAddress, subject }
      },
      ...(reacts && outcome === "lead_reply" && leadId !== undefined
        ? [
            {
              type: "lead_replied_email" as const,
              data: { lead_id: leadId, email_message_id: emailMessageId, subject }
            }
          ]
        : [])
    ])
  })

  const store = (
    account: InboxAccount,
    mail: InboundMail,
    check: SenderCheck,
    arrivedAt: Timestamp | undefined
  ): Effect.Effect<MailReceipt, Transient, Caller> =>
    Effect.gen(function* () {
      const { accountId } = account
      const receipt = (outcome: MailOutcome, emailMessageId?: number, leadId?: LeadId): MailReceipt => ({
        accountId,
        outcome,
        emailMessageId,
        leadId
      })
      const from = Option.flatMap(Option.fromNullable(mail.fromAddress), (address) => localAddress(address, domain))
      if (Option.exists(from, ({ handle }) => handle === account.handle)) return receipt("own_message")
      const { id, isThere } = yield* storedId(sql, accountId, mail)
      if (isThere) return receipt("duplicate")

      const sortedMail = yield* sort(account, mail, check)
      const sorted = arrivedAt === undefined ? sortedMail : { ...sortedMail, meaning: undefined }
      const { leadId, outcome } = sorted
      // Locked first, as in every transaction that changes leads.
      if (leadId !== undefined) yield* lockLead(sql, accountId, leadId)
      const emailMessageId = yield* insert(account, mail, id, sorted, arrivedAt)
      if (emailMessageId === undefined) return receipt("duplicate")
      if (leadId !== undefined && arrivedAt !== undefined)
        yield* recordPastChange(sql, { accountId, leadId }, arrivedAt)
      yield* storeAttachments(account, mail, emailMessageId)
      if (arrivedAt !== undefined) return receipt("history", emailMessageId, leadId)
      yield* react(account, mail, sorted, emailMessageId)
      return receipt(outcome, emailMessageId, leadId)
    })

  return { store }
}
const makeRecipients = ({ domain, sql, trustedReceivers }: InboxServices) => {
  /**
   * The accounts that a message is for. A report may be addressed to no account. The message that it reports then
   * identifies the account.
   */
  const accountsFor = (mail: InboundMail, deliveredTo: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const accounts = yield* accountsOf(sql, domain, recipientsOf(mail, deliveredTo))
      const report = accounts.length > 0 ? undefined : (readComplaint(mail) ?? readBounce(mail))
      return report === undefined ? accounts : yield* accountsOf(sql, domain, report.message.senders)
    })

  const checkOf = (mail: InboundMail): SenderCheck =>
    senderCheck({
      fields: mail.headers("authentication-results"),
      servers: trustedReceivers,
      fromAddress: mail.fromAddress,
      fromFields: mail.headers("from").length
    })

  return { accountsFor, checkOf }
}
const make = Effect.gen(function* () {
  const services = yield* makeInboxServices
  const { parse, unit } = services
  const mailSorting = makeMailSorting(services)
  const mailRows = makeMailRows(services)
  const { store } = makeMailStore(services, mailSorting, mailRows)
  const { accountsFor, checkOf } = makeRecipients(services)
  const storeForAll = (
    mail: InboundMail,
    {
      alongside = Effect.void,
      arrivedAt,
      deliveredTo = [],
      senderCheck: check = checkOf(mail)
    }: NonNullable<Parameters<MailInbox["Type"]["receive"]>[1]>
  ) =>
    unit.write(
      Effect.gen(function* () {
        const accounts = yield* accountsFor(mail, deliveredTo)
        const receipts = yield* Effect.forEach(accounts, (account) =>
          Effect.provideService(
            store(account, mail, check, arrivedAt),
            Caller,
            Caller.forTask(account.accountId, account.plan, "mail")
          )
        )
        yield* alongside
        return receipts
      })
    )
  return MailInbox.of({
    receive: Effect.fn("MailInbox.receive")(function* (raw, options = {}) {
      const mail = yield* parse(raw)
      // A message that the gateway fails to process would be delivered again and again, so it is stored without being
      // parsed.
      return yield* storeForAll(mail, options).pipe(
        Effect.catchAllDefect((defect) =>
          Effect.logError("a message is kept unread").pipe(
            Effect.annotateLogs({ bytes: raw.byteLength, cause: describeCause(Cause.die(defect)) }),
            Effect.zipRight(storeForAll(unparsedMail(raw), options))
          )
        )
      )
    })
  })
})

export const MailInboxPostgres = Layer.scoped(MailInbox, make)
