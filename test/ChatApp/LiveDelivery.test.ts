import type { ServerResponse } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { chatAppWebhook } from "../../src/Layers/ChatApp/Receiving/WebhookEndpoint.ts"
import { ChatAppOutbox } from "../../src/Services/ChatApp/ChatAppMessages.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import {
  billed,
  deliveryOf,
  liveSettings,
  newWamid,
  postDelivery,
  statusOf
} from "../support/channels/ChatAppDeliveries.ts"
import { chatAppServices, insertLine, messageRow, queueMessage, spentBrl } from "../support/channels/ChatAppServices.ts"
import { insertLead } from "../support/leads/LeadServices.ts"
import { localHttpServer } from "../support/servers/LocalHttpServer.ts"
import { serveEndpoints } from "../support/servers/ServedEndpoints.ts"
import { as, makeAccount } from "../support/TestAccount.ts"

const decodeSent = Schema.decodeUnknownSync(
  Schema.parseJson(Schema.Struct({ to: Schema.String, biz_opaque_callback_data: Schema.String }))
)

interface Delivered {
  readonly to: string
  readonly reference: string
  readonly wamid: string
}

type Behaviour = (ledger: Array<Delivered>, message: Omit<Delivered, "wamid">, response: ServerResponse) => void

const refuse =
  (status: number, code: number, headers: { readonly [name: string]: string } = {}): Behaviour =>
  (_, __, response) =>
    response
      .writeHead(status, { "content-type": "application/json", ...headers })
      .end(JSON.stringify({ error: { message: `(#${code})`, type: "OAuthException", code } }))

const accept: Behaviour = (ledger, message, response) => {
  const wamid = newWamid()
  ledger.push({ ...message, wamid })
  response
    .writeHead(200, { "content-type": "application/json" })
    .end(JSON.stringify({ messaging_product: "whatsapp", contacts: [], messages: [{ id: wamid }] }))
}

/** Processes the message, then breaks the connection without an answer. */
const acceptAndBreak: Behaviour = (ledger, message, response) => {
  ledger.push({ ...message, wamid: newWamid() })
  response.destroy()
}

/** Breaks the connection without processing the message. */
const justBreak: Behaviour = (_, __, response) => response.destroy()

const deliver = (id: number) =>
  Effect.gen(function* () {
    const { accountId } = yield* Caller
    const outbox = yield* ChatAppOutbox
    return yield* Effect.either(outbox.deliver({ accountId, chatAppMessageId: id }, { isLast: false }))
  })

describe("sending through the provider, compared with its ledger", () => {
  it.live("no one gets a message twice whatever it answers, and every outcome is known in the end", () =>
    Effect.gen(function* () {
      const ledger: Array<Delivered> = []
      const behaviours = new Map<string, Array<Behaviour>>()
      const server = yield* localHttpServer((request, response) => {
        const chunks: Array<Buffer> = []
        request.on("data", (chunk: Buffer) => chunks.push(chunk))
        request.on("end", () => {
          const { biz_opaque_callback_data, to } = decodeSent(Buffer.concat(chunks).toString())
          const behave = behaviours.get(to)?.shift() ?? accept
          behave(ledger, { to, reference: biz_opaque_callback_data }, response)
        })
      })

      yield* Effect.gen(function* () {
        const webhook = yield* serveEndpoints([yield* chatAppWebhook])
        const me = as(yield* makeAccount())
        const lineId = yield* me(insertLine())
        const cases = [
          { name: "accepted", first: accept, after: "sent", isSent: true },
          { name: "401", first: refuse(401, 190), after: "queued", isSent: true },
          { name: "429", first: refuse(429, 130429, { "retry-after": "3" }), after: "queued", isSent: true },
          { name: "503", first: refuse(503, 131016), after: "queued", isSent: true },
          { name: "refused", first: refuse(400, 131026), after: "failed", isSent: false },
          { name: "broke after", first: acceptAndBreak, after: "unknown", isSent: true },
          { name: "broke before", first: justBreak, after: "unknown", isSent: false }
        ]
        const messages = yield* Effect.forEach(cases, (testCase, index) =>
          Effect.gen(function* () {
            const phone = `+55119${50_000_000 + index}`
            behaviours.set(phone.slice(1), [testCase.first])
            const leadId = yield* me(insertLead({ phone }))
            const id = yield* me(queueMessage(leadId))
            yield* me(deliver(id))
            assert.strictEqual((yield* me(messageRow(id))).status, testCase.after, testCase.name)
            // Three more attempts, as many as a failing task may make.
            yield* me(Effect.repeatN(deliver(id), 2))
            return { ...testCase, id, to: phone.slice(1) }
          })
        )
        for (const { isSent, name, to } of messages) {
          assert.lengthOf(
            ledger.filter((entry) => entry.to === to),
            isSent ? 1 : 0,
            name
          )
        }

        // The provider only reports messages that it processed.
        const statuses = ledger.map(({ reference, wamid }) =>
          statusOf(wamid, "delivered", { biz_opaque_callback_data: reference, pricing: billed })
        )
        assert.strictEqual(yield* postDelivery(webhook, deliveryOf(lineId, { statuses })), 200)
        for (const { id, isSent, name } of messages) {
          const row = yield* me(messageRow(id))
          if (isSent) assert.deepInclude(row, { status: "delivered", cost_brl: 0.35 }, name)
          else assert.strictEqual(row.status, name === "refused" ? "failed" : "unknown", name)
        }
        // The delivered messages, and the one with an unknown outcome.
        assert.strictEqual(yield* me(spentBrl), 2.1)
      }).pipe(Effect.provide(chatAppServices(liveSettings(`${server.url}/v23.0`))))
    }).pipe(Effect.scoped)
  )
})
