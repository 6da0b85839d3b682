import { HttpRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Either, Schema } from "effect"
import type { RequestRefused, Transient } from "../../../Errors.ts"
import { AccessTokens, type TokenHolder } from "../../../Services/Accounts/Tokens/AccessTokens.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { faultOf } from "../../../Services/Core/DecodingFault.ts"
import { type Timestamp } from "../../../Services/Core/Timestamp.ts"
import type { MailDomain } from "../../../Services/Leads/Email/LeadEmails.ts"
import { Mail } from "../../../Services/Mail/Mail.ts"
import type { MailInbox } from "../../../Services/Mail/MailInbox.ts"
import { endpointBody } from "../../Platform/Http/Bodies/RequestBody.ts"
import { type Endpoint, type RequestScope, unauthorizedAnswer } from "../../Platform/Http/Endpoint.ts"
import { noSuchRoute, privateHeaders, refusedAnswer, transientAnswer } from "../../Platform/Http/EndpointAnswers.ts"
import { fromSql, single } from "../../Platform/Postgres/Sql.ts"
import { invalidLetter, makeSandboxInbound, SandboxLetter } from "./MailSandboxInbound.ts"

const bodyLimit = 10 * 1024 * 1024
const maximumPageSize = 100

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

const parseJson = (body: Buffer) =>
  Schema.decodeUnknownEither(Schema.parseJson(SandboxLetter), { onExcessProperty: "error" })(
    body.toString("utf8")
  ).pipe(Either.mapLeft((error) => invalidLetter(faultOf(error))))

const wholeNumber = (text: string | null, fallback: number): number =>
  text !== null && /^\d{1,9}$/.test(text) ? Number(text) : fallback

/**
 * The simulated mailboxes, for the account's developer. `GET /sandbox/mail` lists outbox and inbox, `GET
 * /sandbox/mail/{id}` shows a raw message, and `POST /sandbox/mail/inbound` delivers one. They require the account's
 * token, and do not exist while mail is live.
 */
export const sandboxEndpoints: Effect.Effect<
  ReadonlyArray<Endpoint<RequestScope>>,
  never,
  SqlClient | UnitOfWork | AccessTokens | Mail | MailInbox | MailDomain
> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const tokens = yield* AccessTokens
  const inbound = yield* makeSandboxInbound
  const { mode } = yield* Mail

  /** Runs a handler for the account of the request's token. */
  const as = <R>(
    handler: (
      holder: TokenHolder,
      request: HttpServerRequest.HttpServerRequest
    ) => Effect.Effect<HttpServerResponse.HttpServerResponse, Transient | RequestRefused, R>
  ): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R | RequestScope> =>
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
            Unauthorized: unauthorizedAnswer,
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
      const condition = sql`account_id = ${accountId} and (${direction}::text is null or direction = ${direction})`
      const mail = yield* unit.read(
        sql<MailRow>`
          select sandbox_mail_id, direction, email_message_id, message_id, from_address as "from", to_address as "to",
            subject, body_text as text, created_at
          from sandbox_mail where ${condition} order by sandbox_mail_id desc
          limit ${pageSize} offset ${page * pageSize}`.pipe(fromSql())
      )
      const totals = yield* unit.read(
        sql<{ readonly total: number }>`select count(*) as total from sandbox_mail where ${condition}`.pipe(fromSql())
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
      const [mail] = rows
      return mail === undefined
        ? noSuchRoute
        : HttpServerResponse.uint8Array(mail.raw, {
            contentType: "message/rfc822",
            headers: {
              ...privateHeaders,
              "Content-Disposition": `attachment; filename="sandbox-${wholeNumber(id, 0)}.eml"`,
              "X-Content-Type-Options": "nosniff"
            }
          })
    })
  )

  const deliver = as(({ accountId }, request) =>
    Effect.gen(function* () {
      const body = yield* endpointBody({ limit: bodyLimit, tenant: accountId, leavesWork: true })
      const isRaw = (request.headers["content-type"] ?? "").startsWith("message/rfc822")
      const receipt = yield* inbound.deliver(accountId, isRaw ? body : yield* parseJson(body))
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
