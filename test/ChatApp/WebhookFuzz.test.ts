import { SqlClient } from "@effect/sql/SqlClient"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { eventsOf } from "../../src/Layers/ChatApp/Receiving/WebhookPayload.ts"
import { billed, deliveryOf, postDelivery, statusOf, textMessage } from "../support/channels/ChatAppDeliveries.ts"
import { insertLine } from "../support/channels/ChatAppServices.ts"
import { ServedWebhook, Webhook } from "../support/channels/ServedChatAppWebhook.ts"
import { disturbed } from "../support/checks/disturbedJson.ts"
import { insertLead } from "../support/leads/LeadServices.ts"
import { as, makeAccount } from "../support/TestAccount.ts"

const lineId = "106540352242922"

const example = (): unknown =>
  JSON.parse(
    deliveryOf(lineId, {
      messages: [
        textMessage("5511987654321", "Oi", { context: { id: "wamid.x" } }),
        {
          ...textMessage("5511987654321", ""),
          type: "image",
          image: { id: "77", caption: "a", mime_type: "image/png" }
        }
      ],
      statuses: [
        statusOf("wamid.y", "delivered", {
          pricing: billed,
          biz_opaque_callback_data: "6f1d3f5e-8f0a-4c7e-9d5e-0a8e8f1c2b3d",
          errors: [{ code: 131047 }]
        })
      ]
    })
  )

const delivery = disturbed(example)

describe("a delivery of the messaging app's provider", () => {
  it("is parsed whatever it contains", () => {
    fc.assert(
      fc.property(fc.oneof(delivery, fc.jsonValue()), (payload) => {
        for (const event of eventsOf(payload)) {
          if (event._tag === "Preference" || event._tag === "LineReport") continue
          assert.match(event.providerMessageId, /^[\x21-\x7e]{1,300}$/)
          if (event._tag === "Received") assert.notInclude(event.body, "\u0000")
        }
      }),
      { numRuns: 2000, seed: 1 }
    )
  })

  it("is understood if it is valid", () => {
    assert.deepStrictEqual(
      eventsOf(example()).map(({ _tag }) => _tag),
      ["Received", "Received", "State"]
    )
  })
})

layer(ServedWebhook, { excludeTestServices: true })("the webhook", (it) => {
  it.effect("answers 200, 400 or 401 and nothing else", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const url = yield* Webhook
      const me = as(yield* makeAccount())
      yield* me(insertLine(lineId))
      yield* me(insertLead({ phone: "+5511987654321" }))
      const statuses = new Set<number>()
      const payloads = fc.sample(
        fc.oneof({ weight: 5, arbitrary: delivery }, { weight: 1, arbitrary: fc.jsonValue() }),
        {
          numRuns: 250,
          seed: 2
        }
      )
      const bodies = [
        ...payloads.map((payload) => JSON.stringify(payload)),
        ...fc.sample(fc.string({ unit: "binary", maxLength: 300 }), { numRuns: 50, seed: 3 })
      ]
      for (const body of bodies) statuses.add(yield* postDelivery(url, body))
      for (const body of bodies.slice(0, 20))
        statuses.add(yield* postDelivery(url, body, { "x-hub-signature-256": body.slice(0, 3).replace(/[^ -~]/g, "") }))
      assert.deepStrictEqual([...statuses].sort(), [200, 400, 401])
      assert.isNotEmpty(yield* sql`select from chatapp_message where direction = 'inbound'`)
    })
  )
})
