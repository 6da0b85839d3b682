import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { ChatAppOutbox, SentToLead } from "../../src/Services/ChatApp/ChatAppMessages.ts"
import { readParkedMessages } from "../../src/Services/ChatApp/ChatAppParking.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { sendChatAppMessageToLead } from "../../src/Tools/ChatApp/SendChatAppMessage.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import * as Tool from "../../src/Tools/Core/Tool.ts"
import { tasksNamed } from "../Jobs/support.ts"
import {
  ChatAppWithFake,
  insertInbound,
  insertLine,
  messageRow,
  Provider
} from "../support/channels/ChatAppServices.ts"
import { insertLead } from "../support/leads/LeadServices.ts"
import { localHttpServer } from "../support/servers/LocalHttpServer.ts"
import { as, callTool, makeAccount } from "../support/TestAccount.ts"
import { answerOf } from "../support/ToolAnswer.ts"

const catalog = Catalog.make([Tool.group("Lead operations", "For the test.", [sendChatAppMessageToLead])])
const name = "send_chatapp_message_to_lead"

const send = (args: object) => Effect.map(answerOf(catalog, name, args), Schema.decodeUnknownSync(SentToLead))
const refused = (args: object) => Effect.flip(callTool(catalog, name, args))

let phones = 0
const setUp = (columns: { readonly [column: string]: string | null } = {}) =>
  Effect.gen(function* () {
    const me = as(yield* makeAccount())
    yield* me(insertLine())
    const phone = `+55119${String(70_000_000 + ++phones)}`
    const leadId = yield* me(insertLead({ phone, ...columns }))
    return { me, leadId, phone }
  })

const deliver = (chatAppMessageId: number) =>
  Effect.gen(function* () {
    const { accountId } = yield* Caller
    const outbox = yield* ChatAppOutbox
    yield* outbox.deliver({ accountId, chatAppMessageId }, { isLast: false })
  })

layer(ChatAppWithFake, { excludeTestServices: true })("send_chatapp_message_to_lead", (it) => {
  it.effect("stores the message for the next touch of a lead in the pipeline, which stays there", () =>
    Effect.gen(function* () {
      const { leadId, me, phone } = yield* setUp({ next_touch_instructions: "Be brief." })
      yield* me(insertInbound(leadId, phone, 60))
      const first = yield* me(send({ lead_id: leadId, message: 'Olá, "Ana"!\n\nTudo bem?' }))
      assert.deepInclude(first, {
        delivery: "parked",
        chatapp_message_id: null,
        attachment_message_id: null,
        pipeline_state: "in_pipeline"
      })
      const second = yield* me(send({ lead_id: leadId, message: "E mais isto." }))
      assert.deepStrictEqual(readParkedMessages(second.next_touch_instructions ?? ""), {
        messages: [
          { text: 'Olá, "Ana"!\n\nTudo bem?', attachmentUrl: undefined },
          { text: "E mais isto.", attachmentUrl: undefined }
        ],
        instructions: "Be brief."
      })
      const sql = yield* SqlClient
      assert.isEmpty(yield* sql`select from chatapp_message where lead_id = ${leadId} and direction = 'outbound'`)
    })
  )

  it.effect("sends word for word at once to a lead that was taken over and wrote in the last 24 hours", () =>
    Effect.gen(function* () {
      const provider = yield* Provider
      const { leadId, me, phone } = yield* setUp({ pipeline_state: "user_controlled" })
      yield* me(insertInbound(leadId, phone, 24 * 3600 - 30))
      const answer = yield* me(send({ lead_id: leadId, message: "  Com espaços  " }))
      assert.deepInclude(answer, {
        delivery: "sent_now",
        pipeline_state: "user_controlled",
        next_touch_instructions: null
      })
      assert.isNotNull(answer.window_open_until)
      const tasks = yield* tasksNamed("send_urgent_chatapp_message")
      assert.isTrue(
        tasks.some(
          ({ payload }) => "chatAppMessageId" in payload && payload.chatAppMessageId === answer.chatapp_message_id
        )
      )
      yield* me(deliver(answer.chatapp_message_id ?? 0))
      assert.deepStrictEqual(
        provider.sent.filter(({ to }) => to === phone).map(({ content }) => content),
        [{ _tag: "Text", body: "  Com espaços  " }]
      )
    })
  )

  it.effect("refuses if the window of a lead that was taken over is closed", () =>
    Effect.gen(function* () {
      const { leadId, me, phone } = yield* setUp({ pipeline_state: "user_controlled" })
      assert.deepInclude(yield* me(refused({ lead_id: leadId, message: "Oi" })), {
        _tag: "Refused",
        reason: "service_window_closed",
        fields: { lead_id: leadId }
      })
      yield* me(insertInbound(leadId, phone, 24 * 3600))
      assert.deepInclude(yield* me(refused({ lead_id: leadId, message: "Oi" })), { reason: "service_window_closed" })
    })
  )

  it.effect("refuses a message that can reach no one", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const cases = [
        [{ phone: null }, "lead_has_no_phone"],
        [{ unsubscribed_at: "2026-01-01T00:00:00Z" }, "lead_unsubscribed"],
        [{ pipeline_state: "finished" }, "lead_finished"]
      ] as const
      for (const [columns, reason] of cases) {
        const { leadId, me } = yield* setUp(columns)
        assert.deepInclude(yield* me(refused({ lead_id: leadId, message: "Oi" })), { _tag: "Refused", reason })
      }
      const { leadId, me, phone } = yield* setUp()
      const { accountId } = yield* me(Caller)
      yield* sql`
        insert into blacklist_entry (account_id, kind, value, reason)
        values (${accountId}, 'phone', phone_key(${phone}), 'Other')`
      assert.deepInclude(yield* me(refused({ lead_id: leadId, message: "Oi" })), { reason: "lead_blacklisted" })
      assert.deepInclude(yield* me(refused({ lead_id: 987654321, message: "Oi" })), {
        _tag: "NotFound",
        reason: "lead_not_found"
      })
      const without = as(yield* makeAccount())
      const lead = yield* without(insertLead({ phone: "+5511987654321" }))
      assert.deepInclude(yield* without(refused({ lead_id: lead, message: "Oi" })), { reason: "chatapp_line_not_live" })
    })
  )

  it.effect("sends an attachment after the text, with its type", () =>
    Effect.gen(function* () {
      const provider = yield* Provider
      const { leadId, me, phone } = yield* setUp({ pipeline_state: "user_controlled" })
      yield* me(insertInbound(leadId, phone, 60))
      const server = yield* localHttpServer((_, response) =>
        response.writeHead(200, { "content-type": "application/pdf; charset=binary", "content-length": 12 }).end()
      )
      const url = `${server.url}/docs/Proposta%20final.pdf?x=1`
      const answer = yield* me(send({ lead_id: leadId, message: "Segue:", attachment_url: url }))
      assert.deepStrictEqual(server.requests, ["HEAD /docs/Proposta%20final.pdf?x=1"])
      // If its own task happens to run first, it waits for the text.
      yield* me(deliver(answer.attachment_message_id ?? 0))
      assert.strictEqual((yield* me(messageRow(answer.attachment_message_id ?? 0))).status, "queued")
      yield* me(deliver(answer.chatapp_message_id ?? 0))
      yield* me(deliver(answer.attachment_message_id ?? 0))
      assert.deepStrictEqual(
        provider.sent.filter(({ to }) => to === phone).map(({ content }) => content),
        [
          { _tag: "Text", body: "Segue:" },
          { _tag: "Media", kind: "document", url, fileName: "Proposta final.pdf" }
        ]
      )
    }).pipe(Effect.scoped)
  )

  it.effect("refuses attachments that are forbidden, unsupported or too large, and sends nothing", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { leadId, me, phone } = yield* setUp({ pipeline_state: "user_controlled" })
      yield* me(insertInbound(leadId, phone, 60))
      const server = yield* localHttpServer((request, response) => {
        const [, path = ""] = (request.url ?? "").split("/")
        if (path === "missing") response.writeHead(404).end()
        else if (path === "redirect") response.writeHead(302, { location: "http://169.254.169.254/latest" }).end()
        else if (path === "html") response.writeHead(200, { "content-type": "text/html" }).end()
        else if (path === "large") {
          response.writeHead(200, { "content-type": "image/png", "content-length": 6_000_000 }).end()
        } else if (path === "nohead" && request.method === "HEAD") response.writeHead(405).end()
        else response.writeHead(200, { "content-type": "image/png" }).end("x")
      })
      const attach = (attachment_url: string) => me(refused({ lead_id: leadId, message: "Oi", attachment_url }))
      const cases: ReadonlyArray<readonly [string, string]> = [
        ["http://169.254.169.254/latest/meta-data/", "address_not_public"],
        ["https://10.1.2.3/a.pdf", "address_not_public"],
        ["https://192.168.0.1/a.pdf", "address_not_public"],
        ["https://[::ffff:10.0.0.1]/a.pdf", "address_not_public"],
        ["https://167772161/a.pdf", "address_not_public"],
        ["https://0x0a.0.0.1/a.pdf", "address_not_public"],
        ["https://012.0.0.1/a.pdf", "address_not_public"],
        ["https://[fd00::1]/a.pdf", "address_not_public"],
        ["file:///etc/passwd", "url_not_https"],
        ["a.pdf", "url_invalid"],
        ["https://user:secret@example.com/a.pdf", "url_has_credentials"],
        [`${server.url}/redirect`, "redirect_to_other_host"],
        [`${server.url}/missing`, "url_answered_error"],
        [`${server.url}/html`, "attachment_type_not_supported"],
        [`${server.url}/large`, "attachment_too_large"]
      ]
      for (const [url, reason] of cases) assert.deepInclude(yield* attach(url), { _tag: "Refused", reason }, url)
      assert.isEmpty(yield* sql`select from chatapp_message where lead_id = ${leadId} and direction = 'outbound'`)
      yield* me(send({ lead_id: leadId, message: "Oi", attachment_url: `${server.url}/nohead/a.png` }))
    }).pipe(Effect.scoped)
  )

  it.effect("refuses an empty and an overlong message", () =>
    Effect.gen(function* () {
      const { leadId, me } = yield* setUp()
      assert.deepInclude(yield* me(refused({ lead_id: leadId, message: " " })), { reason: "text_empty" })
      assert.deepInclude(yield* me(refused({ lead_id: leadId, message: "x".repeat(4097) })), {
        reason: "text_too_long"
      })
    })
  )
})
