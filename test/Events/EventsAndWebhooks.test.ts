import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { Webhook } from "svix"
import { AccountEventsPostgres } from "../../src/Layers/Events/AccountEventsPostgres.ts"
import { WebhooksPostgres } from "../../src/Layers/Events/WebhooksPostgres.ts"
import { OutboundPolicy } from "../../src/Layers/Platform/Outbound/OutboundPolicy.ts"
import { AccountEventView, eventTypes } from "../../src/Services/Events/AccountEvents.ts"
import { WebhookDeliveryView, WebhookSubscriptionView } from "../../src/Services/Events/Webhooks.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import { EventsAndWebhooksGroup } from "../../src/Tools/Events/EventsAndWebhooks.ts"
import { collectSpans } from "../support/logs/CollectedSpans.ts"
import { accept, reject, webhookReceiver } from "../support/providers/WebhookReceiver.ts"
import { as, callTool, makeAccount } from "../support/TestAccount.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { answerOf } from "../support/ToolAnswer.ts"
import { eventually, happened, startDispatcher, WebhookServices } from "./Webhooks/support.ts"

const catalog = Catalog.make([EventsAndWebhooksGroup])
const hook = "https://hooks.client.example/prospecting"

const Created = Schema.Struct({ ...WebhookSubscriptionView.fields, signing_secret: Schema.String })
const create = (args: object = {}) =>
  Effect.flatMap(
    answerOf(catalog, "create_webhook_subscription", { url: hook, ...args }),
    Schema.decodeUnknown(Created)
  )

const Listed = Schema.Struct({ subscriptions: Schema.Array(WebhookSubscriptionView) })
const list = Effect.flatMap(answerOf(catalog, "list_webhook_subscriptions"), Schema.decodeUnknown(Listed))

const Deliveries = Schema.Struct({
  deliveries: Schema.Array(WebhookDeliveryView),
  page: Schema.Int,
  page_size: Schema.Int,
  total: Schema.Int
})
const deliveries = (args: object) =>
  Effect.flatMap(answerOf(catalog, "list_webhook_deliveries", args), Schema.decodeUnknown(Deliveries))

/** As deployed: the public internet only. */
const Strict = Layer.mergeAll(AccountEventsPostgres, WebhooksPostgres).pipe(
  Layer.provide(Layer.effect(OutboundPolicy, OutboundPolicy)),
  Layer.provideMerge(TestDatabase)
)

layer(Strict, { excludeTestServices: true })("webhook subscriptions", (it) => {
  it.effect("show the signing secret when they are created and never again", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const created = yield* me(create({ event_types: "meeting_booked, lead_confirmed", description: "our CRM" }))
      assert.match(created.signing_secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
      assert.doesNotThrow(() => new Webhook(created.signing_secret))
      assert.deepInclude(created, { url: hook, description: "our CRM", is_active: true, disabled_reason: null })
      assert.deepInclude(created, { event_types: ["meeting_booked", "lead_confirmed"] })
      const { subscription_id } = created
      const answers = [
        yield* me(list),
        yield* me(answerOf(catalog, "update_webhook_subscription", { subscription_id, description: "x" })),
        yield* me(answerOf(catalog, "test_webhook_subscription", { subscription_id })),
        yield* me(deliveries({ subscription_id }))
      ]
      assert.notInclude(JSON.stringify(answers), created.signing_secret.slice(6))
    })
  )

  it.effect("keep the secret out of spans", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const { collecting, spans } = yield* collectSpans
      const { signing_secret } = yield* Effect.withTracer(me(create()), collecting)
      const bytes = Buffer.from(signing_secret.slice(6), "base64")
      const written = spans.map((span) => `${span.name} ${JSON.stringify([...span.attributes])}`).join()
      assert.isAbove(spans.length, 1)
      for (const form of ["base64", "hex", "latin1"] as const) assert.notInclude(written, bytes.toString(form))
      assert.notInclude(written, JSON.stringify(bytes))
    })
  )

  it.effect("have all types of events unless told, and again when told nothing", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const one = yield* me(create())
      assert.deepInclude(one, { event_types: null })
      const { subscription_id } = one
      const update = (args: object) =>
        me(answerOf(catalog, "update_webhook_subscription", { subscription_id, ...args }))
      assert.deepInclude(yield* update({ event_types: "lead_confirmed" }), { event_types: ["lead_confirmed"] })
      assert.deepInclude(yield* update({ description: "CRM" }), { event_types: ["lead_confirmed"], description: "CRM" })
      assert.deepInclude(yield* update({ event_types: "", description: " " }), { event_types: null, description: null })
      const off = yield* update({ is_active: false })
      assert.deepInclude(off, { is_active: false, disabled_reason: "owner" })
      assert.deepStrictEqual(yield* update({}), off)
      assert.deepInclude(yield* update({ is_active: true, url: `${hook}/2` }), {
        is_active: true,
        disabled_at: null,
        url: `${hook}/2`
      })
      const unknown = yield* Effect.flip(
        me(callTool(catalog, "create_webhook_subscription", { url: hook, event_types: "ping" }))
      )
      assert.deepInclude(unknown, { _tag: "Refused", reason: "value_not_accepted" })
      assert.deepInclude(unknown, { fields: { parameter: "event_types", accepted_values: [...eventTypes] } })
    })
  )

  it.effect("are refused for addresses that are never sent to, when created and when changed", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const { subscription_id } = yield* me(create())
      const cases = [
        ["http://hooks.client.example/", "url_not_https"],
        ["https://2130706433/", "address_not_public"],
        ["https://localhost/", "address_not_public"],
        ["https://me:secret@hooks.client.example/", "url_has_credentials"],
        [`${hook}#x`, "url_has_fragment"],
        ["https://hooks.client.example:22/", "url_port_not_allowed"],
        ["hook", "url_invalid"],
        [" ", "text_empty"]
      ] as const
      for (const [url, reason] of cases) {
        const created = yield* Effect.flip(me(callTool(catalog, "create_webhook_subscription", { url })))
        assert.deepInclude(created, { _tag: "Refused", reason })
        const changed = yield* Effect.flip(
          me(callTool(catalog, "update_webhook_subscription", { subscription_id, url }))
        )
        assert.deepInclude(changed, { _tag: "Refused", reason })
      }
      assert.lengthOf((yield* me(list)).subscriptions, 1)
    })
  )

  it.effect("are 50 at most, however many are asked for at once", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const results = yield* Effect.all(
        Array.from({ length: 60 }, () =>
          Effect.either(me(callTool(catalog, "create_webhook_subscription", { url: hook })))
        ),
        { concurrency: 20 }
      )
      const refusals = results.flatMap((result) => (result._tag === "Left" ? [result.left] : []))
      assert.lengthOf(refusals, 10)
      for (const refusal of refusals) {
        assert.deepInclude(refusal, { _tag: "Refused", reason: "too_many_webhook_subscriptions" })
      }
      const { subscriptions } = yield* me(list)
      assert.lengthOf(subscriptions, 50)
      yield* me(
        answerOf(catalog, "delete_webhook_subscription", { subscription_id: subscriptions[0]?.subscription_id })
      )
      yield* me(create())
    })
  )

  it.effect("of another account, or deleted, are not there", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const stranger = as(yield* makeAccount())
      const { subscription_id } = yield* me(create())
      yield* me(happened(1))
      const [delivery] = (yield* me(deliveries({ subscription_id }))).deliveries
      const calls = [
        ["update_webhook_subscription", { subscription_id, is_active: false }],
        ["test_webhook_subscription", { subscription_id }],
        ["list_webhook_deliveries", { subscription_id }],
        ["redeliver_webhook", { delivery_id: delivery?.delivery_id }],
        ["delete_webhook_subscription", { subscription_id }]
      ] as const
      for (const [name, args] of calls) {
        assert.deepInclude(yield* Effect.flip(stranger(callTool(catalog, name, args))), { _tag: "NotFound" }, name)
      }
      assert.lengthOf((yield* stranger(list)).subscriptions, 0)
      assert.deepStrictEqual(yield* me(answerOf(catalog, "delete_webhook_subscription", { subscription_id })), {
        subscription_id,
        deleted: true
      })
      for (const [name, args] of calls) {
        assert.deepInclude(yield* Effect.flip(me(callTool(catalog, name, args))), { _tag: "NotFound" }, name)
      }
      assert.lengthOf((yield* me(list)).subscriptions, 0)
    })
  )

  it.effect("list their deliveries in pages, newest first", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const { subscription_id } = yield* me(create())
      yield* me(happened(1, 2, 3))
      const all = yield* me(deliveries({ subscription_id, page_size: 500 }))
      assert.deepInclude(all, { total: 3, page: 0, page_size: 100 })
      const ids = all.deliveries.map(({ delivery_id }) => delivery_id)
      assert.deepStrictEqual(
        ids,
        ids.toSorted((a, b) => b - a)
      )
      const second = yield* me(deliveries({ subscription_id, page: 1, page_size: 2 }))
      assert.deepStrictEqual(
        second.deliveries.map(({ delivery_id }) => delivery_id),
        ids.slice(2)
      )
    })
  )
})

const Feed = Schema.Struct({
  events: Schema.Array(AccountEventView),
  next_cursor: Schema.Int,
  has_more: Schema.Boolean,
  limit: Schema.Int
})

layer(Strict, { excludeTestServices: true })("list_account_events", (it) => {
  const read = (args: object = {}) =>
    Effect.flatMap(answerOf(catalog, "list_account_events", args), Schema.decodeUnknown(Feed))

  it.effect("answers what is newer than the cursor, and how to go on", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      assert.deepStrictEqual(yield* me(read()), { events: [], next_cursor: 0, has_more: false, limit: 50 })
      yield* me(happened(1, 2, 3))
      const first = yield* me(read({ limit: 2 }))
      assert.deepInclude(first, { has_more: true, limit: 2, next_cursor: first.events[1]?.cursor ?? -1 })
      const second = yield* me(read({ since_cursor: first.next_cursor, limit: 2 }))
      assert.lengthOf(second.events, 1)
      const third = yield* me(read({ since_cursor: second.next_cursor }))
      assert.deepStrictEqual(third, { events: [], next_cursor: second.next_cursor, has_more: false, limit: 50 })
      const others = yield* me(read({ event_types: "meeting_booked" }))
      assert.deepInclude(others, { events: [], next_cursor: second.next_cursor })
    })
  )

  it.effect("lowers a limit over 200, and refuses what makes no sense", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      assert.deepInclude(yield* me(read({ limit: 5000, since_cursor: Number.MAX_SAFE_INTEGER })), {
        limit: 200,
        next_cursor: Number.MAX_SAFE_INTEGER
      })
      for (const [args, reason] of [
        [{ limit: 0 }, "out_of_range"],
        [{ since_cursor: -1 }, "out_of_range"],
        [{ event_types: "lead_deleted" }, "value_not_accepted"]
      ] as const) {
        const refusal = yield* Effect.flip(me(callTool(catalog, "list_account_events", args)))
        assert.deepInclude(refusal, { _tag: "Refused", reason })
      }
    })
  )
})

layer(WebhookServices, { excludeTestServices: true })("with deliveries going out", (it) => {
  it.scoped("test_webhook_subscription shows in the list whether the receiver takes a signed ping", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const good = yield* webhookReceiver()
      const bad = yield* webhookReceiver(reject(401))
      const goodOne = yield* me(create({ url: good.url }))
      const badOne = yield* me(create({ url: bad.url }))
      yield* startDispatcher()
      yield* me(answerOf(catalog, "test_webhook_subscription", { subscription_id: goodOne.subscription_id }))
      yield* me(answerOf(catalog, "test_webhook_subscription", { subscription_id: badOne.subscription_id }))
      const { subscriptions } = yield* eventually(
        me(list),
        (listed) =>
          listed.subscriptions.some((one) => one.date_last_success !== null) &&
          listed.subscriptions.some((one) => one.last_failure_reason !== null)
      )
      assert.deepInclude(subscriptions[0], { last_failure_reason: null, consecutive_failures: 0 })
      assert.deepInclude(subscriptions[1], {
        date_last_success: null,
        last_failure_reason: "http_401",
        consecutive_failures: 1
      })
      const [ping] = good.received
      assert.deepInclude(ping?.body, { type: "ping", data: { subscription_id: goodOne.subscription_id } })
      assert.deepStrictEqual(
        new Webhook(goodOne.signing_secret).verify(ping?.text ?? "", ping?.headers ?? {}),
        ping?.body
      )
    })
  )

  it.scoped("redeliver_webhook sends the same event again under its id, unless the subscription is switched off", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      let isBroken = true
      const receiver = yield* webhookReceiver((received, response) =>
        (isBroken ? reject(410) : accept)(received, response)
      )
      const { subscription_id } = yield* me(create({ url: receiver.url }))
      yield* me(happened(1))
      yield* startDispatcher()
      yield* eventually(me(list), ({ subscriptions }) => subscriptions[0]?.is_active === false)
      const [delivery] = (yield* me(deliveries({ subscription_id }))).deliveries
      assert.deepInclude(delivery, { status: "failed", attempt_count: 1 })
      const redeliver = callTool(catalog, "redeliver_webhook", { delivery_id: delivery?.delivery_id })
      assert.deepInclude(yield* Effect.flip(me(redeliver)), {
        _tag: "Refused",
        reason: "webhook_subscription_not_active"
      })

      isBroken = false
      yield* me(callTool(catalog, "update_webhook_subscription", { subscription_id, is_active: true }))
      yield* me(answerOf(catalog, "redeliver_webhook", { delivery_id: delivery?.delivery_id }))
      const again = yield* eventually(
        me(deliveries({ subscription_id })),
        ({ deliveries: [one] }) => one?.status === "delivered"
      )
      assert.deepInclude(again.deliveries[0], { attempt_count: 2, event_id: delivery?.event_id ?? "" })
      assert.deepStrictEqual(
        receiver.received.map(({ headers }) => headers["webhook-id"]),
        [delivery?.event_id, delivery?.event_id]
      )
      // Also what was delivered already.
      yield* me(redeliver)
      yield* eventually(me(deliveries({ subscription_id })), ({ deliveries: [one] }) => one?.attempt_count === 3)
      assert.lengthOf(receiver.received, 3)
    })
  )
})
