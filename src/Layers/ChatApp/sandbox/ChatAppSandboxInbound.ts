import { randomUUID } from "node:crypto"
import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Effect, Either, Layer } from "effect"
import { refused } from "../../../Errors.ts"
import { ChatApp, type ChatAppContent } from "../../../Services/ChatApp/ChatApp.ts"
import { ChatAppInbox } from "../../../Services/ChatApp/ChatAppMessages.ts"
import { ChatAppSandbox } from "../../../Services/ChatApp/ChatAppSandbox.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import type { Timestamp } from "../../../Services/Core/Timestamp.ts"
import { normalisePhone } from "../../../Services/Text/ContactDetails.ts"
import { clip, tidyText } from "../../../Services/Text/PlainText.ts"
import { handle, type TaskHandler } from "../../Platform/Jobs/TaskHandler.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { failureOf } from "../Graph/GraphErrors.ts"
import { lineIdOf, simulatedState } from "./ChatAppSandbox.ts"

const notSandbox = refused(
  "not_in_sandbox",
  "The messaging app is set up with a real provider here.",
  "Write to the line from a phone."
)
const noLine = refused(
  "chatapp_line_not_live",
  "The account has no live messaging-app line.",
  "Register one with register_chatapp_line."
)
const nothingSaid = refused("message_empty", "The message has neither a text nor a file.", "Send one of the two.")

/** The people in the simulated app. Refuses if the real provider is in use. */
export const ChatAppSandboxLive = Layer.effect(
  ChatAppSandbox,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const provider = yield* ChatApp
    const inbox = yield* ChatAppInbox

    return ChatAppSandbox.of({
      receive: Effect.fn("ChatAppSandbox.receive")(function* ({ file, from, text }) {
        if (provider.mode !== "sandbox") return yield* notSandbox
        const { accountId } = yield* Caller
        const phone = yield* Either.mapLeft(normalisePhone(from), ({ message, reason }) =>
          refused(reason, message, "Send the number in international form.", { parameter: "from" })
        )
        const body = clip(tidyText(text), 10_000).trim()
        if (body === "" && file === undefined) return yield* nothingSaid
        const lines = yield* sql`
          select from chatapp_line where account_id = ${accountId} and status = 'live'`.pipe(fromSql())
        if (lines.length === 0) return yield* noLine

        const mediaId = randomUUID()
        if (file !== undefined) {
          yield* sql`
            with old as (
              delete from sandbox_chatapp_media
              where account_id = ${accountId} and created_at < instant() - interval '1 day'
            )
            insert into sandbox_chatapp_media (account_id, media_id, file_name, bytes)
            values (${accountId}, ${mediaId}, ${file.name}, ${file.bytes})`.pipe(fromSql())
        }
        const providerMessageId = `wamid.SANDBOX.${randomUUID()}`
        yield* inbox.take([
          {
            _tag: "Received",
            userId: undefined,
            lineId: lineIdOf(accountId),
            waId: phone.e164.slice(1),
            providerMessageId,
            timestamp: Math.floor((yield* Clock.currentTimeMillis) / 1000),
            body,
            media: file === undefined ? undefined : { id: mediaId, type: file.kind, fileName: file.name },
            replyTo: undefined
          }
        ])
        return providerMessageId
      }),

      sent: Effect.gen(function* () {
        const { accountId } = yield* Caller
        return yield* sql<{
          readonly provider_message_id: string
          readonly to: string
          readonly content: unknown
          readonly sent_at: Timestamp
        }>`
          select provider_message_id, phone as to, content, created_at as sent_at from sandbox_chatapp_message
          where account_id = ${accountId} order by sandbox_chatapp_message_id desc limit 100`.pipe(fromSql())
      }).pipe(Effect.withSpan("ChatAppSandbox.sent"))
    })
  })
)

/** Passes the simulated provider's reports to the inbox. */
export const simulatedStateHandler: TaskHandler<SqlClient | ChatApp | ChatAppInbox> = handle(
  simulatedState,
  Effect.fnUntraced(function* ({ accountId, code, reference, state }) {
    const sql = yield* SqlClient
    const provider = yield* ChatApp
    const inbox = yield* ChatAppInbox
    const rows = yield* sql<{ readonly providerMessageId: string; readonly kind: ChatAppContent["_tag"] }>`
      select provider_message_id as "providerMessageId", content ->> '_tag' as kind from sandbox_chatapp_message
      where account_id = ${accountId} and client_reference = ${reference}`.pipe(fromSql())
    const message = rows[0]
    if (message === undefined) return
    yield* inbox.take([
      {
        _tag: "State",
        userId: undefined,
        lineId: lineIdOf(accountId),
        providerMessageId: message.providerMessageId,
        reference,
        state,
        timestamp: Math.floor((yield* Clock.currentTimeMillis) / 1000),
        pricing:
          message.kind === "Opening"
            ? { isBillable: true, category: provider.opening.category }
            : { isBillable: false, category: "service" },
        failure: code === null ? undefined : failureOf(code)
      }
    ])
  })
)
