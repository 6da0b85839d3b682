import { HttpRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Either, Option, ParseResult, Schema } from "effect"
import MailComposer from "nodemailer/lib/mail-composer"
import { badRequest, type RequestRefused, type Transient, type Unauthorized } from "../../Errors.ts"
import { AccessTokens, type TokenHolder } from "../../Services/AccessTokens.ts"
import type { AccountId } from "../../Services/Account.ts"
import { normaliseEmail } from "../../Services/ContactDetails.ts"
import { MailDomain } from "../../Services/LeadEmails.ts"
import { Mail } from "../../Services/Mail.ts"
import { MailInbox } from "../../Services/MailInbox.ts"
import { type Timestamp } from "../../Services/Timestamp.ts"
import { UnitOfWork } from "../../Services/UnitOfWork.ts"
import type { Endpoint } from "../Http/Endpoint.ts"
import { fromSql, single } from "../Postgres/Sql.ts"
import { isMessageId } from "./ComposedMail.ts"
import { noSuchRoute, privateHeaders, rawBody, refusedAnswer, transientAnswer } from "./EndpointParts.ts"

const bodyLimit = 10 * 1024 * 1024
const maximumPageSize = 100

const line = Schema.String.pipe(Schema.maxLength(500))

/** A message as a developer makes one up: who wrote what, and to which of the outbox's messages. */
const InboundRequest = Schema.Struct({
  from: line,
  from_name: Schema.optionalWith(line, { exact: true }),
  subject: Schema.optionalWith(line, { exact: true }),
  text: Schema.String.pipe(Schema.maxLength(1_000_000)),
  html: Schema.optionalWith(Schema.String.pipe(Schema.maxLength(1_000_000)), { exact: true }),
  /** A message of the outbox that is answered. */
  in_reply_to_sandbox_mail_id: Schema.optionalWith(Schema.Int, { exact: true }),
  /** Marks the message as written by a machine, such as an absence notice. */
  is_auto_reply: Schema.optionalWith(Schema.Boolean, { exact: true })
})

interface MailRow {
  readonly sandbox_mail_id: number
  readonly direction: "outbound" | "inbound"
  readonly email_message_id: number | null
  readonly message_id: string | null
  readonly from: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly created_at: Timestamp
}

const invalidBody = (detail: string) => badRequest("InvalidRequestBody", "The body is not a message.", detail)

const parseJson = (body: Buffer) =>
  Schema.decodeUnknownEither(Schema.parseJson(InboundRequest), { onExcessProperty: "error" })(
    body.toString("utf8")
  ).pipe(Either.mapLeft((error) => invalidBody(ParseResult.TreeFormatter.formatErrorSync(error).slice(0, 500))))

const unauthorized = ({ error, howToFix }: Unauthorized): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.unsafeJson(
    { error, how_to_fix: howToFix },
    { status: 401, headers: { "WWW-Authenticate": "Bearer", Connection: "close" } }
  )

const wholeNumber = (text: string | null, fallback: number): number =>
  text !== null && /^\d{1,9}$/.test(text) ? Number(text) : fallback

type RouteNeeds = HttpServerRequest.HttpServerRequest | HttpRouter.RouteContext

/**
 * The mail of an account whose gateway has no mail server, for its developer: `GET /sandbox/mail` lists outbox and inbox,
 * `GET /sandbox/mail/{id}` answers a message as it would have gone over the wire, `POST /sandbox/mail/inbound` delivers
 * one. They take the account's token, and are not there where mail is live.
 */
export const sandboxEndpoints: Effect.Effect<
  ReadonlyArray<Endpoint<RouteNeeds>>,
  never,
  SqlClient | UnitOfWork | AccessTokens | Mail | MailInbox | MailDomain
> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const tokens = yield* AccessTokens
  const inbox = yield* MailInbox
  const domain = yield* MailDomain
  const { mode } = yield* Mail

  /** Runs a handler for the holder of the request's token. */
  const as = <R>(
    handler: (
      holder: TokenHolder,
      request: HttpServerRequest.HttpServerRequest
    ) => Effect.Effect<HttpServerResponse.HttpServerResponse, Transient | RequestRefused, R>
  ): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R | HttpServerRequest.HttpServerRequest> =>
    mode === "live"
      ? Effect.succeed(noSuchRoute)
      : Effect.gen(function* () {
          const request = yield* HttpServerRequest.HttpServerRequest
          const holder = yield* tokens.authenticate(
            /^Bearer +(\S{1,200})$/i.exec(request.headers.authorization ?? "")?.[1] ?? ""
          )
          return yield* handler(holder, request)
        }).pipe(
          Effect.catchTags({
            Unauthorized: (failure) => Effect.succeed(unauthorized(failure)),
            Transient: (failure) => Effect.succeed(transientAnswer(failure)),
            RequestRefused: (failure) => Effect.succeed(refusedAnswer(failure))
          })
        )

  const list = as(({ accountId }, request) =>
    Effect.gen(function* () {
      const query = new URL(request.url, "http://gateway").searchParams
      const direction = query.get("direction")
      const page = wholeNumber(query.get("page"), 0)
      const pageSize = Math.min(wholeNumber(query.get("page_size"), 20), maximumPageSize)
      const wanted = sql`account_id = ${accountId} and (${direction}::text is null or direction = ${direction})`
      const mail = yield* unit.read(
        sql<MailRow>`
          select sandbox_mail_id, direction, email_message_id, message_id, from_address as "from", to_address as "to",
            subject, body_text as text, created_at
          from sandbox_mail where ${wanted} order by sandbox_mail_id desc
          limit ${pageSize} offset ${page * pageSize}`.pipe(fromSql())
      )
      const totals = yield* unit.read(
        sql<{ readonly total: number }>`select count(*) as total from sandbox_mail where ${wanted}`.pipe(fromSql())
      )
      return HttpServerResponse.unsafeJson(
        { mail, page, page_size: pageSize, total: single(totals).total },
        { headers: privateHeaders }
      )
    })
  )

  const raw = as(({ accountId }) =>
    Effect.gen(function* () {
      const { id = "" } = yield* HttpRouter.params
      const rows = yield* unit.read(
        sql<{ readonly raw: Uint8Array }>`
          select raw from sandbox_mail
          where account_id = ${accountId} and sandbox_mail_id = ${wholeNumber(id, 0)}`.pipe(fromSql())
      )
      const [found] = rows
      return found === undefined
        ? noSuchRoute
        : HttpServerResponse.uint8Array(found.raw, {
            contentType: "message/rfc822",
            headers: {
              ...privateHeaders,
              "Content-Disposition": `attachment; filename="sandbox-${wholeNumber(id, 0)}.eml"`,
              "X-Content-Type-Options": "nosniff"
            }
          })
    })
  )

  const threadOf = (accountId: AccountId, sandboxMailId: number | undefined) =>
    sandboxMailId === undefined
      ? Effect.succeedNone
      : sql<{ readonly message_id: string; readonly subject: string; readonly thread: ReadonlyArray<string> }>`
          select s.message_id, s.subject, coalesce(m.thread_references, '{}') as thread
          from sandbox_mail s left join email_message m
            on m.account_id = s.account_id and m.email_message_id = s.email_message_id
          where s.account_id = ${accountId} and s.sandbox_mail_id = ${sandboxMailId} and s.direction = 'outbound'`.pipe(
          fromSql(),
          Effect.flatMap(([row]) =>
            row === undefined
              ? Effect.fail(invalidBody("in_reply_to_sandbox_mail_id names no message of the outbox."))
              : Effect.succeedSome(row)
          )
        )

  /** The message that the request describes, as a mail program would write it. */
  const written = (accountId: AccountId, to: string, request: typeof InboundRequest.Type) =>
    Effect.gen(function* () {
      const from = yield* Either.mapLeft(normaliseEmail(request.from), ({ message }) => invalidBody(`from: ${message}`))
      const thread = yield* threadOf(accountId, request.in_reply_to_sandbox_mail_id)
      const answered = Option.getOrUndefined(thread)
      const oneLine = (text: string) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
      return yield* Effect.promise(() =>
        new MailComposer({
          from: { name: oneLine(request.from_name ?? ""), address: from },
          to,
          subject: oneLine(request.subject ?? (answered === undefined ? "" : `Re: ${answered.subject}`)),
          text: request.text,
          ...(request.html === undefined ? {} : { html: request.html }),
          ...(answered === undefined
            ? {}
            : {
                inReplyTo: answered.message_id,
                references: [...answered.thread, answered.message_id].filter(isMessageId)
              }),
          ...(request.is_auto_reply === true ? { headers: { "Auto-Submitted": "auto-replied" } } : {}),
          disableFileAccess: true,
          disableUrlAccess: true
        })
          .compile()
          .build()
      )
    })

  const deliver = as(({ accountId }, request) =>
    Effect.gen(function* () {
      const body = yield* rawBody(bodyLimit)
      const accounts = yield* sql<{ readonly handle: string }>`
        select handle from account where account_id = ${accountId}`.pipe(fromSql())
      const to = `${single(accounts).handle}@${domain}`
      const isRaw = (request.headers["content-type"] ?? "").startsWith("message/rfc822")
      const message = isRaw ? body : yield* Effect.flatMap(parseJson(body), (asked) => written(accountId, to, asked))
      // To the token's own account, whatever the message says.
      const receipts = yield* inbox.receive(message, { deliveredTo: [to] })
      const [receipt] = receipts
      if (receipt?.emailMessageId !== undefined && receipt.outcome !== "duplicate") {
        yield* sql`
          insert into sandbox_mail (account_id, email_message_id, direction, message_id, from_address, to_address, subject,
            body_text, raw)
          select account_id, email_message_id, 'inbound', message_id, from_address, to_address, subject, body_text,
            ${message}
          from email_message where account_id = ${accountId} and email_message_id = ${receipt.emailMessageId}`.pipe(
          fromSql()
        )
      }
      return HttpServerResponse.unsafeJson(
        {
          outcome: receipt?.outcome ?? "other",
          email_message_id: receipt?.emailMessageId ?? null,
          lead_id: receipt?.leadId ?? null
        },
        { headers: privateHeaders }
      )
    })
  )

  return [
    { path: "/sandbox/mail", methods: { GET: list } },
    { path: "/sandbox/mail/inbound", methods: { POST: deliver } },
    { path: "/sandbox/mail/:id", methods: { GET: raw } }
  ]
})
