import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { webhookPath } from "../../src/Layers/ChatApp/Receiving/WebhookEndpoint.ts"
import { ChatAppOutbox } from "../../src/Services/ChatApp/ChatAppMessages.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { tasksNamed } from "../Jobs/support.ts"
import {
  billed,
  deliveryOf,
  mergedDelivery,
  newWamid,
  postDelivery,
  signatureOf,
  statusOf,
  textMessage,
  verifyToken
} from "../support/channels/ChatAppDeliveries.ts"
import { insertLine, messageRow, Provider, queueMessage, spentBrl } from "../support/channels/ChatAppServices.ts"
import { ServedWebhook, Webhook } from "../support/channels/ServedChatAppWebhook.ts"
import { followLeads, leadsToldOf } from "../support/leads/LeadPasts.ts"
import { insertLead } from "../support/leads/LeadServices.ts"
import { as, makeAccount } from "../support/TestAccount.ts"

const post = (body: string | Uint8Array, headers?: { readonly [name: string]: string }) =>
  Effect.flatMap(Webhook, (url) => postDelivery(url, body, headers))

const get = (query: string) =>
  Effect.flatMap(Webhook, (url) =>
    Effect.promise(async () => {
      const response = await fetch(`${url}${webhookPath}${query}`)
      return { status: response.status, text: await response.text() }
    })
  )

const setUp = Effect.gen(function* () {
  const caller = yield* makeAccount()
  const me = as(caller)
  const lineId = yield* me(insertLine())
  const phone = `+55119${String(90_000_000 + caller.accountId)}`
  const leadId = yield* me(insertLead({ name: "Ana Souza", phone }))
  return { caller, me, lineId, phone, leadId, waId: phone.slice(1) }
})

interface InboundRow {
  readonly lead_id: number | null
  readonly kind: string
  readonly body: string
  readonly phone: string
  readonly media_type: string | null
  readonly media_name: string | null
  readonly media_status: string | null
  readonly provider_message_id: string
}

const inboundOf = (accountId: number) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql<InboundRow>`
      select lead_id, kind, body, phone, media_type, media_name, media_status, provider_message_id
      from chatapp_message where account_id = ${accountId} and direction = 'inbound' order by chatapp_message_id`
  )

const eventsOf = (accountId: number) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql<{ readonly type: string; readonly data: { readonly lead_id: number } }>`
      select event_type as type, data from account_event where account_id = ${accountId} order by account_event_id`
  )

const repliesToRead = (leadId: number) =>
  Effect.map(tasksNamed("read_reply"), (tasks) =>
    tasks.filter(({ payload }) => "leadId" in payload && payload.leadId === leadId)
  )

const send = (id: number) =>
  Effect.gen(function* () {
    const { accountId } = yield* Caller
    const outbox = yield* ChatAppOutbox
    yield* outbox.deliver({ accountId, chatAppMessageId: id }, { isLast: false })
    return yield* messageRow(id)
  })

layer(ServedWebhook, { excludeTestServices: true })("the messaging app's webhook", (it) => {
  it.effect("answers the handshake with the challenge, if the token is ours", () =>
    Effect.gen(function* () {
      const handshake = (token: string, mode = "subscribe") =>
        get(`?hub.mode=${mode}&hub.challenge=1158201444&hub.verify_token=${token}`)
      assert.deepStrictEqual(yield* handshake(verifyToken), { status: 200, text: "1158201444" })
      assert.strictEqual((yield* handshake("wrong")).status, 403)
      assert.strictEqual((yield* handshake(verifyToken, "unsubscribe")).status, 403)
      assert.strictEqual((yield* get("")).status, 403)
      const script = encodeURIComponent("<script>")
      assert.strictEqual(
        (yield* get(`?hub.mode=subscribe&hub.challenge=${script}&hub.verify_token=${verifyToken}`)).status,
        403
      )
    })
  )

  it.effect("accepts nothing without a valid signature of the exact bytes", () =>
    Effect.gen(function* () {
      const { caller, lineId, waId } = yield* setUp
      const body = deliveryOf(lineId, { messages: [textMessage(waId, "Oi")] })
      const wrong: ReadonlyArray<{ readonly [name: string]: string }> = [
        {},
        { "x-hub-signature-256": "sha256=" },
        { "x-hub-signature-256": `sha256=${"0".repeat(64)}` },
        { "x-hub-signature-256": signatureOf(body, "another secret") },
        { "x-hub-signature-256": signatureOf(`${body} `) },
        { "x-hub-signature-256": signatureOf(body).replace("sha256=", "sha1=") },
        { "x-hub-signature": signatureOf(body) }
      ]
      for (const headers of wrong) assert.strictEqual(yield* post(body, headers), 401)
      assert.isEmpty(yield* inboundOf(caller.accountId))
      assert.strictEqual(yield* post(body), 200)
      assert.lengthOf(yield* inboundOf(caller.accountId), 1)
    })
  )

  it.effect("a lead's message is stored once, however often it is delivered, with its event and its reading", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { caller, leadId, lineId, phone, waId } = yield* setUp
      const body = deliveryOf(lineId, { messages: [textMessage(waId, "Quanto custa?\u0000")] })
      const statuses = yield* Effect.all(
        Array.from({ length: 8 }, () => post(body)),
        { concurrency: 8 }
      )
      assert.isTrue(statuses.every((status) => status === 200))
      assert.strictEqual(yield* post(body), 200)
      const rows = yield* inboundOf(caller.accountId)
      assert.lengthOf(rows, 1)
      assert.deepInclude(rows[0], { lead_id: leadId, kind: "text", body: "Quanto custa?", phone })
      assert.deepStrictEqual(
        (yield* eventsOf(caller.accountId)).map(({ data, type }) => [type, data.lead_id]),
        [["lead_replied_chatapp", leadId]]
      )
      assert.lengthOf(yield* repliesToRead(leadId), 1)
      assert.lengthOf(yield* sql`select from lead where lead_id = ${leadId} and last_inbound_at is not null`, 1)
    })
  )

  it.effect("a message that is days late causes a new count of its day, and one of today does not", () =>
    Effect.gen(function* () {
      const { caller, leadId, lineId, waId } = yield* setUp
      yield* followLeads(caller.accountId)
      const textDelivery = (text: string, more: object = {}) =>
        post(deliveryOf(lineId, { messages: [textMessage(waId, text, more)] }))
      assert.strictEqual(yield* textDelivery("Oi"), 200)
      assert.deepStrictEqual(yield* leadsToldOf(caller.accountId), [])
      const days = 3 * 86_400
      assert.strictEqual(
        yield* textDelivery("Bom dia", { timestamp: String(Math.floor(Date.now() / 1000) - days) }),
        200
      )
      assert.deepStrictEqual(yield* leadsToldOf(caller.accountId), [leadId])
    })
  )

  it.effect("several messages of several accounts in one delivery each reach their own", () =>
    Effect.gen(function* () {
      const a = yield* setUp
      const b = yield* setUp
      const merged = mergedDelivery([
        [a.lineId, { messages: [textMessage(a.waId, "1"), textMessage(a.waId, "2")] }],
        [b.lineId, { messages: [textMessage(b.waId, "3")] }]
      ])
      assert.strictEqual(yield* post(merged), 200)
      assert.deepStrictEqual(
        (yield* inboundOf(a.caller.accountId)).map(({ body }) => body),
        ["1", "2"]
      )
      assert.deepStrictEqual(
        (yield* inboundOf(b.caller.accountId)).map(({ body }) => body),
        ["3"]
      )
    })
  )

  it.effect("a Brazilian number is recognised without its ninth digit too", () =>
    Effect.gen(function* () {
      const { caller, leadId, lineId, phone } = yield* setUp
      const without = `${phone.slice(1, 5)}${phone.slice(6)}`
      assert.strictEqual(yield* post(deliveryOf(lineId, { messages: [textMessage(without, "Oi")] })), 200)
      assert.deepInclude((yield* inboundOf(caller.accountId))[0], { lead_id: leadId, phone })
    })
  )

  it.effect("an answer from another number is matched by the message that it answers", () =>
    Effect.gen(function* () {
      const { caller, leadId, lineId, me } = yield* setUp
      const sent = yield* me(send(yield* me(queueMessage(leadId))))
      const answer = textMessage("4915112345678", "Ja", { context: { id: sent.provider_message_id } })
      assert.strictEqual(yield* post(deliveryOf(lineId, { messages: [answer] })), 200)
      assert.deepInclude((yield* inboundOf(caller.accountId))[0], { lead_id: leadId, phone: "+4915112345678" })
    })
  )

  it.effect("a stranger's message is stored without a lead, and one to an unknown line not at all", () =>
    Effect.gen(function* () {
      const { caller, lineId } = yield* setUp
      const stranger = textMessage("4915199999999", "Hallo")
      assert.strictEqual(yield* post(deliveryOf(lineId, { messages: [stranger] })), 200)
      assert.deepInclude((yield* inboundOf(caller.accountId))[0], { lead_id: null, phone: "+4915199999999" })
      assert.isEmpty(yield* eventsOf(caller.accountId))
      assert.strictEqual(yield* post(deliveryOf("31337", { messages: [textMessage("4915199999999", "x")] })), 200)
      assert.lengthOf(yield* inboundOf(caller.accountId), 1)
    })
  )

  it.effect("nothing is stored about a person whom the account erased", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { caller, lineId } = yield* setUp
      yield* sql`
        insert into lead_tombstone (account_id, contact_digest)
        select account_id, contact_digest(tombstone_key, 'phone', '+5511987650000') from account
        where account_id = ${caller.accountId}`
      for (const waId of ["5511987650000", "551187650000"]) {
        assert.strictEqual(yield* post(deliveryOf(lineId, { messages: [textMessage(waId, "Oi")] })), 200)
      }
      assert.isEmpty(yield* inboundOf(caller.accountId))
    })
  )

  it.effect("other messages are described in words, files by their caption, and empty ones are left out", () =>
    Effect.gen(function* () {
      const { caller, lineId, waId } = yield* setUp
      const message = (type: string, content: object) => ({
        ...textMessage(waId, ""),
        type,
        text: undefined,
        [type]: content
      })
      const messages = [
        message("image", { id: "1003383421387256", mime_type: "image/jpeg", sha256: "x", caption: "Veja" }),
        message("document", { id: "1003383421387257", filename: "proposta.pdf", mime_type: "application/pdf" }),
        message("button", { payload: "yes", text: "Sim" }),
        message("interactive", { type: "button_reply", button_reply: { id: "1", title: "Quero" } }),
        message("interactive", {
          type: "list_reply",
          list_reply: { id: "1", title: "Amanhã", description: "às 10h" }
        }),
        message("reaction", { message_id: newWamid(), emoji: "👍" }),
        message("reaction", { message_id: newWamid() }),
        message("location", { latitude: -23.5, longitude: -46.6, name: "Escritório" }),
        message("contacts", [{ name: { formatted_name: "Rui" }, phones: [{ phone: "+55 11 3333-4444" }] }]),
        message("unsupported", {}),
        message("system", { body: "changed number" })
      ]
      assert.strictEqual(yield* post(deliveryOf(lineId, { messages })), 200)
      const rows = yield* inboundOf(caller.accountId)
      assert.deepStrictEqual(
        rows.map(({ body, kind }) => [kind, body]),
        [
          ["media", "Veja"],
          ["media", ""],
          ["text", "Sim"],
          ["text", "Quero"],
          ["text", "Amanhã"],
          ["text", "👍"],
          ["text", "Escritório\n-23.5, -46.6"],
          ["text", "Rui +55 11 3333-4444"],
          ["text", "[unsupported message]"]
        ]
      )
      assert.deepInclude(rows[1], { media_type: "document", media_name: "proposta.pdf", media_status: "pending" })
    })
  )

  it.effect("states move a message forward and never back, in any order", () =>
    Effect.gen(function* () {
      const { caller, leadId, lineId, me } = yield* setUp
      yield* followLeads(caller.accountId)
      const id = yield* me(queueMessage(leadId))
      const { provider_message_id } = yield* me(send(id))
      const wamid = provider_message_id ?? ""
      const stateAfter = (status: string, more: object = {}) =>
        Effect.zipRight(
          post(deliveryOf(lineId, { statuses: [statusOf(wamid, status, more)] })),
          Effect.map(me(messageRow(id)), (row) => row.status)
        )
      assert.strictEqual(yield* stateAfter("read"), "read")
      assert.strictEqual(yield* stateAfter("sent"), "read")
      assert.strictEqual(yield* stateAfter("delivered"), "read")
      assert.strictEqual(yield* stateAfter("failed", { errors: [{ code: 131026 }] }), "read")

      assert.deepStrictEqual(yield* leadsToldOf(caller.accountId), [])

      const other = yield* me(queueMessage(leadId))
      const sent = yield* me(send(other))
      const failed = statusOf(sent.provider_message_id ?? "", "failed", { errors: [{ code: 131026, title: "x" }] })
      assert.strictEqual(yield* post(deliveryOf(lineId, { statuses: [failed] })), 200)
      assert.deepInclude(yield* me(messageRow(other)), {
        status: "failed",
        failure_reason: "not_on_chatapp",
        cost_brl: 0
      })
      // It counted as sent until now.
      assert.deepStrictEqual(yield* leadsToldOf(caller.accountId), [leadId])
      const late = statusOf(sent.provider_message_id ?? "", "sent", { pricing: billed })
      assert.strictEqual(yield* post(deliveryOf(lineId, { statuses: [late, late] })), 200)
      assert.deepInclude(yield* me(messageRow(other)), { status: "failed", cost_brl: 0 })
      // Another device of the person received it after all.
      const arrived = statusOf(sent.provider_message_id ?? "", "delivered", { pricing: billed })
      assert.strictEqual(yield* post(deliveryOf(lineId, { statuses: [arrived] })), 200)
      assert.deepInclude(yield* me(messageRow(other)), { status: "delivered", failure_reason: null, cost_brl: 0.35 })
    })
  )

  it.effect("the reserved price is corrected to what the provider charges", () =>
    Effect.gen(function* () {
      const { leadId, lineId, me } = yield* setUp
      const id = yield* me(queueMessage(leadId))
      const sent = yield* me(send(id))
      const charged = (pricing: object) =>
        Effect.zipRight(
          post(deliveryOf(lineId, { statuses: [statusOf(sent.provider_message_id ?? "", "delivered", { pricing })] })),
          Effect.all([Effect.map(me(messageRow(id)), (row) => row.cost_brl), me(spentBrl)])
        )
      assert.deepStrictEqual(yield* charged(billed), [0.35, 0.35])
      assert.deepStrictEqual(yield* charged({ ...billed, category: "utility" }), [0.04, 0.04])
      assert.deepStrictEqual(
        yield* charged({ billable: false, pricing_model: "PMP", type: "free_customer_service", category: "service" }),
        [0, 0]
      )
      assert.deepStrictEqual(yield* charged({ billable: true, category: "gold" }), [0, 0])
    })
  )

  it.effect("a message with an unknown outcome is settled by the reference in its state", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const provider = yield* Provider
      const { caller, leadId, lineId, me } = yield* setUp
      const before = provider.answer
      provider.answer = () => Effect.succeed({ _tag: "Unknown" })
      const id = yield* me(queueMessage(leadId))
      const unknown = yield* me(send(id))
      provider.answer = before
      assert.strictEqual(unknown.status, "unknown")
      const wamid = newWamid()
      const status = statusOf(wamid, "delivered", {
        biz_opaque_callback_data: unknown.client_reference,
        pricing: billed
      })
      assert.strictEqual(yield* post(deliveryOf(lineId, { statuses: [status] })), 200)
      assert.deepInclude(yield* me(messageRow(id)), {
        status: "delivered",
        provider_message_id: wamid,
        cost_brl: 0.35,
        failure_reason: null
      })
      assert.lengthOf(yield* sql`select from lead where lead_id = ${leadId} and last_outbound_at is not null`, 1)

      // The same reference belongs to no message of another account's line.
      const other = yield* setUp
      assert.strictEqual(yield* post(deliveryOf(other.lineId, { statuses: [{ ...status, status: "read" }] })), 200)
      assert.strictEqual((yield* me(messageRow(id))).status, "delivered")
      assert.strictEqual(caller.accountId === other.caller.accountId, false)
    })
  )

  it.effect("a state that arrives before the answer to the request is kept", () =>
    Effect.gen(function* () {
      const provider = yield* Provider
      const { leadId, lineId, me } = yield* setUp
      const url = yield* Webhook
      const wamid = newWamid()
      const before = provider.answer
      provider.answer = ({ reference }) =>
        Effect.as(
          postDelivery(
            url,
            deliveryOf(lineId, { statuses: [statusOf(wamid, "read", { biz_opaque_callback_data: reference })] })
          ),
          { _tag: "Accepted", providerMessageId: wamid }
        )
      const id = yield* me(queueMessage(leadId))
      assert.deepInclude(yield* me(send(id)), { status: "read", provider_message_id: wamid })
      provider.answer = before
    })
  )

  it.effect("a message that a postponed attempt sent after all is not sent again", () =>
    Effect.gen(function* () {
      const provider = yield* Provider
      const { leadId, lineId, me, phone } = yield* setUp
      const before = provider.answer
      provider.answer = () => Effect.succeed({ _tag: "Postponed", reason: "rate_limited", retryAfterSeconds: 5 })
      const id = yield* me(queueMessage(leadId))
      yield* Effect.flip(me(send(id)))
      provider.answer = before
      const { client_reference } = yield* me(messageRow(id))
      // The attempt's failure is already known, so only another state is news.
      const stateReport = (status: string) =>
        post(
          deliveryOf(lineId, {
            statuses: [statusOf(newWamid(), status, { biz_opaque_callback_data: client_reference, pricing: billed })]
          })
        )
      yield* stateReport("failed")
      assert.strictEqual((yield* me(messageRow(id))).status, "queued")
      yield* stateReport("sent")
      assert.deepInclude(yield* me(send(id)), { status: "sent", cost_brl: 0.35 })
      assert.lengthOf(
        provider.sent.filter(({ to }) => to === phone),
        1
      )
    })
  )

  it.effect("signed but unknown content is ignored; invalid JSON and too large bodies are refused", () =>
    Effect.gen(function* () {
      const odd = [
        "null",
        "[]",
        "7",
        '"x"',
        "{}",
        '{"entry":7}',
        '{"entry":[null,{"changes":[{"field":"account_update"}]}]}'
      ]
      for (const body of odd) assert.strictEqual(yield* post(body), 200)
      assert.strictEqual(yield* post("{"), 400)
      assert.strictEqual(yield* post(""), 400)
      const large = new Uint8Array(4 * 1024 * 1024 + 1)
      assert.strictEqual(yield* post(large), 413)
    })
  )
})
