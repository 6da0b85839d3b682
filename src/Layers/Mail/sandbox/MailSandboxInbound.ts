import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Either, Option, Schema } from "effect"
import MailComposer from "nodemailer/lib/mail-composer"
import { badRequest, type RequestRefused, type Transient } from "../../../Errors.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { now, toMillis } from "../../../Services/Core/Timestamp.ts"
import { MailDomain } from "../../../Services/Leads/Email/LeadEmails.ts"
import { MailInbox, type MailReceipt } from "../../../Services/Mail/MailInbox.ts"
import { isMessageId } from "../../../Services/Mail/MessageId.ts"
import { normaliseEmail } from "../../../Services/Text/ContactDetails.ts"
import { fromSql, single } from "../../Platform/Postgres/Sql.ts"

const line = Schema.String.pipe(Schema.maxLength(500))

/** A message from a developer: its sender, its text, and the outbox message that it answers. */
export const SandboxLetter = Schema.Struct({
  from: line,
  from_name: Schema.optionalWith(line, { exact: true }),
  subject: Schema.optionalWith(line, { exact: true }),
  text: Schema.String.pipe(Schema.maxLength(1_000_000)),
  html: Schema.optionalWith(Schema.String.pipe(Schema.maxLength(1_000_000)), { exact: true }),
  /** The outbox message that is answered. */
  in_reply_to_sandbox_mail_id: Schema.optionalWith(Schema.Int, { exact: true }),
  /** Marks the message as automatic, for example an absence notice. */
  is_auto_reply: Schema.optionalWith(Schema.Boolean, { exact: true }),
  /** The receiving server's check of the sender. By default `passed`. */
  sender_check: Schema.optionalWith(Schema.Literal("passed", "failed", "unknown"), { exact: true })
})
export type SandboxLetter = typeof SandboxLetter.Type

/** Adds `Re:` only once, as mail programs do. */
const replySubject = (subject: string): string => (/^re:/i.test(subject) ? subject : `Re: ${subject}`)

export const invalidLetter = (detail: string) => badRequest("InvalidRequestBody", "The body is not a message.", detail)

/** Delivers mail to the sandbox's inbox. It is handled like mail from outside. */
export interface SandboxInbound {
  /**
   * Delivers a letter or a raw message (RFC 5322) to the account. Returns none if it is for no account. Refuses a
   * letter without a sender address, or one that answers a message that does not exist.
   */
  readonly deliver: (
    accountId: AccountId,
    message: SandboxLetter | Uint8Array
  ) => Effect.Effect<MailReceipt | undefined, Transient | RequestRefused>
}

interface Answered {
  readonly message_id: string
  readonly subject: string
  readonly thread: ReadonlyArray<string>
}

export const makeSandboxInbound: Effect.Effect<SandboxInbound, never, SqlClient | MailInbox | MailDomain> = Effect.gen(
  function* () {
    const sql = yield* SqlClient
    const inbox = yield* MailInbox
    const domain = yield* MailDomain

    const threadOf = (accountId: AccountId, sandboxMailId: number | undefined) =>
      sandboxMailId === undefined
        ? Effect.succeedNone
        : sql<Answered>`
            select s.message_id, s.subject, coalesce(m.thread_references, '{}') as thread
            from sandbox_mail s left join email_message m
              on m.account_id = s.account_id and m.email_message_id = s.email_message_id
            where s.account_id = ${accountId} and s.sandbox_mail_id = ${sandboxMailId} and s.direction = 'outbound'`.pipe(
            fromSql(),
            Effect.flatMap(([row]) =>
              row === undefined
                ? Effect.fail(invalidLetter("in_reply_to_sandbox_mail_id names no message of the outbox."))
                : Effect.succeedSome(row)
            )
          )

    /** The letter as a mail program would compose it. */
    const letterAsMail = (accountId: AccountId, to: string, letter: SandboxLetter) =>
      Effect.gen(function* () {
        const from = yield* Either.mapLeft(normaliseEmail(letter.from), ({ message }) =>
          invalidLetter(`from: ${message}`)
        )
        const thread = yield* threadOf(accountId, letter.in_reply_to_sandbox_mail_id)
        const answered = Option.getOrUndefined(thread)
        const oneLine = (text: string) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
        const date = new Date(toMillis(yield* now))
        return yield* Effect.promise(() =>
          new MailComposer({
            from: { name: oneLine(letter.from_name ?? ""), address: from },
            to,
            date,
            subject: oneLine(letter.subject ?? (answered === undefined ? "" : replySubject(answered.subject))),
            text: letter.text,
            ...(letter.html === undefined ? {} : { html: letter.html }),
            ...(answered === undefined
              ? {}
              : {
                  inReplyTo: answered.message_id,
                  references: [...answered.thread, answered.message_id].filter(isMessageId)
                }),
            ...(letter.is_auto_reply === true ? { headers: { "Auto-Submitted": "auto-replied" } } : {}),
            disableFileAccess: true,
            disableUrlAccess: true
          })
            .compile()
            .build()
        )
      })

    return {
      deliver: Effect.fn("SandboxInbound.deliver")(function* (accountId, message) {
        const accounts = yield* sql<{ readonly handle: string }>`
          select handle from account where account_id = ${accountId}`.pipe(fromSql())
        const to = `${single(accounts).handle}@${domain}`
        const raw = message instanceof Uint8Array ? message : yield* letterAsMail(accountId, to, message)
        // The message goes to this account and ignores its headers. For a letter, the sandbox is the receiving server.
        const [receipt] = yield* inbox.receive(raw, {
          deliveredTo: [to],
          ...(message instanceof Uint8Array ? {} : { senderCheck: message.sender_check ?? "passed" })
        })
        if (receipt?.emailMessageId !== undefined && receipt.outcome !== "duplicate") {
          yield* sql`
            insert into sandbox_mail (account_id, email_message_id, direction, message_id, from_address, to_address,
              subject, body_text, raw)
            select account_id, email_message_id, 'inbound', message_id, from_address, to_address, subject, body_text,
              ${raw}
            from email_message where account_id = ${accountId} and email_message_id = ${receipt.emailMessageId}`.pipe(
            fromSql()
          )
        }
        return receipt
      })
    }
  }
)
