import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { fromMillis, toMillis } from "../../../src/Services/Core/Timestamp.ts"
import { Notifications } from "../../../src/Services/Events/Notifications.ts"
import { type WebhookDeliveryView, Webhooks } from "../../../src/Services/Events/Webhooks.ts"
import { type Answer, accept, numberOf, reject, webhookReceiver } from "../../support/providers/WebhookReceiver.ts"
import { localHttpServer } from "../../support/servers/LocalHttpServer.ts"
import { as, makeAccount } from "../../support/TestAccount.ts"
import {
  deliveriesOf,
  eventually,
  happened,
  makeDue,
  settled,
  startDispatcher,
  subscribe,
  subscription,
  until,
  WebhookServices
} from "./support.ts"

/** Answers as told, one after another; what comes after is taken. */
const answering = (...answers: ReadonlyArray<Answer>): Answer => {
  const left = [...answers]
  return (received, response) => (left.shift() ?? accept)(received, response)
}

const reasonsOf = ({ attempts }: WebhookDeliveryView) => attempts.map(({ failure_reason }) => failure_reason)

/** Seconds from the last attempt to the next one. */
const waitOf = ({ attempts, next_attempt_at }: WebhookDeliveryView): number =>
  (toMillis(next_attempt_at ?? fromMillis(0)) - toMillis(attempts.at(-1)?.attempted_at ?? fromMillis(0))) / 1000

layer(WebhookServices, { excludeTestServices: true })("a failed delivery", (it) => {
  it.scoped("is tried again in its time under the same id, and lets later events pass", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const receiver = yield* webhookReceiver(answering(reject(500)))
      const { id } = yield* me(subscribe(receiver.url))
      yield* me(happened(1, 2))
      yield* startDispatcher()
      const [first, second] = yield* eventually(me(deliveriesOf(id)), settled)
      assert.deepInclude(first, { status: "pending", attempt_count: 1, finished_at: null })
      assert.deepInclude(second, { status: "delivered", attempt_count: 1, next_attempt_at: null })
      assert.deepInclude(first?.attempts[0], { response_status: 500, failure_reason: "http_500" })
      assert.isTrue(first !== undefined && waitOf(first) >= 5 && waitOf(first) <= 8)
      assert.deepInclude(yield* me(subscription(id)), { last_failure_reason: "http_500", consecutive_failures: 0 })

      yield* makeDue(id)
      const [again] = yield* eventually(me(deliveriesOf(id)), (all) =>
        all.every(({ status }) => status === "delivered")
      )
      assert.deepStrictEqual(again && reasonsOf(again), ["http_500", null])
      assert.deepStrictEqual(
        receiver.received.map(({ headers }) => headers["webhook-id"]),
        [first?.event_id, second?.event_id, first?.event_id]
      )
      assert.strictEqual(receiver.received[0]?.text, receiver.received[2]?.text)
    })
  )

  it.scoped("has eight attempts, then it is given up and its subscription goes on", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const receiver = yield* webhookReceiver(reject(503))
      const { id } = yield* me(subscribe(receiver.url))
      yield* me(happened(1))
      yield* startDispatcher()
      const waits: Array<number> = []
      for (let attempt = 1; attempt < 8; attempt++) {
        const [delivery] = yield* eventually(me(deliveriesOf(id)), ([one]) => one?.attempt_count === attempt)
        if (delivery !== undefined) waits.push(waitOf(delivery))
        yield* makeDue(id)
      }
      const [delivery] = yield* eventually(me(deliveriesOf(id)), ([one]) => one?.status !== "pending")
      assert.deepInclude(delivery, { status: "failed", attempt_count: 8, next_attempt_at: null })
      assert.isNotNull(delivery?.finished_at)
      const least = [5, 300, 1800, 7200, 18_000, 36_000, 36_000]
      assert.isTrue(waits.every((wait, index) => wait >= (least[index] ?? 0) && wait <= (least[index] ?? 0) * 1.1 + 3))
      assert.deepInclude(yield* me(subscription(id)), { is_active: true, consecutive_failures: 8 })
    })
  )

  it.scoped("with retry-after waits as long as it was asked to, and so does all else for that receiver", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const me = as(yield* makeAccount())
      const receiver = yield* webhookReceiver(answering(reject(429, { "retry-after": "120" })))
      const other = yield* webhookReceiver()
      const { id } = yield* me(subscribe(receiver.url))
      yield* me(happened(1))
      yield* startDispatcher()
      const [first] = yield* eventually(me(deliveriesOf(id)), settled)
      assert.isTrue(first !== undefined && waitOf(first) >= 120 && waitOf(first) <= 125)
      yield* me(subscribe(other.url))
      yield* me(happened(2))
      yield* until(() => other.received.length === 1)
      yield* me(happened(3))
      yield* until(() => other.received.length === 2)
      assert.lengthOf(receiver.received, 1)
      yield* sql`update webhook_subscription set held_until = now() where webhook_subscription_id = ${id}`
      yield* until(() => receiver.received.length === 3)
      assert.deepStrictEqual(receiver.received.map(numberOf), [1, 2, 3])
    })
  )

  it.scoped("tells why: no answer in time, nobody there, no such name, a redirect", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const silent = yield* webhookReceiver(() => {})
      const elsewhere = yield* localHttpServer((_, response) => response.end())
      const redirecting = yield* webhookReceiver(reject(307, { location: elsewhere.url }))
      const { port } = yield* Effect.scoped(localHttpServer((_, response) => response.end()))
      const cases = [
        [silent.url, "timed_out", null],
        [`http://127.0.0.1:${port}/`, "connection_failed", null],
        [`http://nowhere.example:${port}/`, "host_not_found", null],
        [redirecting.url, "redirect_not_followed", 307]
      ] as const
      const ids = yield* Effect.forEach(cases, ([url]) => me(subscribe(url)))
      yield* me(happened(1))
      yield* startDispatcher({ timeout: Duration.seconds(2) })
      for (const [index, { id }] of ids.entries()) {
        const [delivery] = yield* eventually(me(deliveriesOf(id)), settled)
        assert.deepStrictEqual(
          delivery?.attempts.map(({ failure_reason, response_status }) => [failure_reason, response_status]),
          [[cases[index]?.[1] ?? null, cases[index]?.[2] ?? null]]
        )
        assert.deepInclude(yield* me(subscription(id)), { last_failure_reason: cases[index]?.[1] ?? null })
      }
      assert.deepStrictEqual(elsewhere.requests, [])
    })
  )

  it.scoped("is a success by its status alone, whatever the body is", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const receiver = yield* webhookReceiver((_, response) => {
        const write = () => {
          while (!response.destroyed && response.write(Buffer.alloc(64 * 1024)));
        }
        response.writeHead(200, { "content-encoding": "gzip" }).on("drain", write)
        write()
      })
      const { id } = yield* me(subscribe(receiver.url))
      yield* me(happened(1))
      yield* startDispatcher()
      const [delivery] = yield* eventually(me(deliveriesOf(id)), settled)
      assert.deepInclude(delivery, { status: "delivered" })
    })
  )

  it.scoped("keeps 512 bytes of what the receiver wrote, and nothing of its headers", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const me = as(yield* makeAccount())
      const receiver = yield* webhookReceiver((_, response) => {
        response.writeHead(400, { "x-note": "what the receiver says of it" }).end(`a\u0000b${"é".repeat(100_000)}`)
      })
      const { id } = yield* me(subscribe(receiver.url))
      yield* me(happened(1))
      yield* startDispatcher()
      yield* eventually(me(deliveriesOf(id)), settled)
      const rows = yield* sql<{ readonly excerpt: string }>`
        select s::text, d::text, a::text, a.response_excerpt as excerpt from webhook_subscription s
        join webhook_delivery d using (account_id, webhook_subscription_id)
        join webhook_attempt a using (account_id, webhook_delivery_id) where webhook_subscription_id = ${id}`
      assert.lengthOf(rows, 1)
      assert.notInclude(JSON.stringify(rows), "the receiver says")
      assert.strictEqual(rows[0]?.excerpt, `a b${"é".repeat(254)}`)
    })
  )
})

layer(WebhookServices, { excludeTestServices: true })("a subscription", (it) => {
  it.scoped("is disabled at once by 410, with a notification; switched on it gets what waited", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const receiver = yield* webhookReceiver(answering(reject(410)))
      const { id } = yield* me(subscribe(receiver.url))
      yield* me(happened(1, 2))
      yield* startDispatcher()
      const off = yield* eventually(me(subscription(id)), ({ is_active }) => !is_active)
      assert.deepInclude(off, { disabled_reason: "gone", last_failure_reason: "http_410", consecutive_failures: 1 })
      assert.isNotNull(off.disabled_at)
      const [first, second] = yield* me(deliveriesOf(id))
      assert.deepInclude(first, { status: "failed", attempt_count: 1 })
      assert.deepInclude(second, { status: "pending", attempt_count: 0 })
      const notifications = yield* Notifications
      const [notification] = (yield* me(notifications.pending)).notifications
      assert.deepInclude(notification, {
        kind: "webhook_subscription_disabled",
        data: { subscription_id: id, reason: "gone" }
      })

      yield* me(happened(3))
      const webhooks = yield* Webhooks
      const on = yield* me(
        webhooks.update(id, { url: undefined, eventTypes: undefined, description: undefined, isActive: true })
      )
      assert.deepInclude(on, { is_active: true, disabled_at: null, disabled_reason: null, consecutive_failures: 0 })
      yield* me(happened(4))
      yield* until(() => receiver.received.length === 3)
      assert.deepStrictEqual(receiver.received.map(numberOf), [1, 2, 4])
    })
  )

  const failingFor = (days: number, failures: number) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const me = as(yield* makeAccount())
      const receiver = yield* webhookReceiver(reject(500))
      const { id } = yield* me(subscribe(receiver.url))
      yield* sql`
        update webhook_subscription
        set consecutive_failures = ${failures}, failing_since = now() - make_interval(days => ${days})
        where webhook_subscription_id = ${id}`
      yield* me(happened(1))
      yield* startDispatcher()
      yield* eventually(me(deliveriesOf(id)), settled)
      const notifications = yield* Notifications
      return { me, id, pending: me(notifications.pending) }
    })

  it.scoped("is disabled after five days without a success across at least 20 attempts, with a notification", () =>
    Effect.gen(function* () {
      const { id, me, pending } = yield* failingFor(5, 19)
      const off = yield* eventually(me(subscription(id)), ({ is_active }) => !is_active)
      assert.deepInclude(off, { disabled_reason: "failing", consecutive_failures: 20 })
      assert.deepInclude((yield* pending).notifications[0], { data: { subscription_id: id, reason: "failing" } })
    })
  )

  it.scoped("is not disabled for fewer attempts, or a shorter time", () =>
    Effect.gen(function* () {
      for (const [days, failures] of [
        [50, 18],
        [4, 5000]
      ] as const) {
        const { id, me, pending } = yield* failingFor(days, failures)
        assert.deepInclude(yield* me(subscription(id)), { is_active: true, consecutive_failures: failures + 1 })
        assert.strictEqual((yield* pending).total, 0)
      }
    })
  )

  it.scoped("that is deleted gets nothing more: what is under way is not tried again", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const me = as(yield* makeAccount())
      let answer = () => {}
      const receiver = yield* webhookReceiver((received, response) => {
        answer = () => reject(500)(received, response)
      })
      const other = yield* webhookReceiver()
      const { id } = yield* me(subscribe(receiver.url))
      yield* me(happened(1, 2))
      yield* startDispatcher()
      yield* until(() => receiver.received.length === 1)
      const webhooks = yield* Webhooks
      yield* me(webhooks.remove(id))
      answer()
      yield* eventually(
        sql<{ readonly failures: number }>`
          select consecutive_failures as failures from webhook_subscription where webhook_subscription_id = ${id}`,
        ([row]) => row?.failures === 1
      )
      yield* makeDue(id)
      yield* me(subscribe(other.url))
      yield* me(happened(3))
      yield* until(() => other.received.length === 1)
      yield* me(happened(4))
      yield* until(() => other.received.length === 2)
      assert.lengthOf(receiver.received, 1)
      assert.strictEqual((yield* Effect.flip(me(deliveriesOf(id))))._tag, "NotFound")
      const rows = yield* sql`select url, secret from webhook_subscription where webhook_subscription_id = ${id}`
      assert.deepStrictEqual(rows, [{ url: null, secret: null }])
    })
  )

  it.scoped("whose address changes gets what waits at the new one", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      let answer = () => {}
      const old = yield* webhookReceiver((received, response) => {
        answer = () => accept(received, response)
      })
      const now = yield* webhookReceiver()
      const { id } = yield* me(subscribe(old.url))
      yield* me(happened(1, 2, 3))
      yield* startDispatcher()
      yield* until(() => old.received.length === 1)
      const webhooks = yield* Webhooks
      yield* me(
        webhooks.update(id, { url: now.url, eventTypes: undefined, description: undefined, isActive: undefined })
      )
      answer()
      yield* until(() => now.received.length === 2)
      assert.lengthOf(old.received, 1)
      assert.deepStrictEqual(now.received.map(numberOf), [2, 3])
    })
  )

  it.scoped("never reaches an address that is not public, though it was stored", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const me = as(yield* makeAccount())
      const { id } = yield* me(subscribe("https://hooks.example/hook"))
      for (const url of ["https://10.0.0.5/hook", "https://169.254.169.254/latest", "https://[::ffff:10.0.0.5]/"]) {
        yield* sql`update webhook_subscription set url = ${url} where webhook_subscription_id = ${id}`
        yield* me(happened(1))
        yield* Effect.scoped(Effect.zipRight(startDispatcher(), eventually(me(deliveriesOf(id)), settled)))
        assert.deepInclude(yield* me(subscription(id)), { last_failure_reason: "address_not_public" })
      }
    })
  )

  it.scoped("gets a ping before what waits for it, tried once, even when it is switched off or left alone", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const me = as(yield* makeAccount())
      const receiver = yield* webhookReceiver(answering(accept, reject(500)))
      const { id, signingSecret } = yield* me(subscribe(receiver.url))
      assert.isString(signingSecret)
      const webhooks = yield* Webhooks
      yield* me(happened(1))
      yield* sql`update webhook_subscription set held_until = now() + interval '1 hour' where webhook_subscription_id = ${id}`
      const asked = yield* me(webhooks.ping(id))
      assert.deepInclude(asked, { event_type: "ping", status: "pending", attempt_count: 0, attempts: [] })
      assert.strictEqual((yield* me(webhooks.ping(id))).delivery_id, asked.delivery_id)
      yield* startDispatcher()
      // The success of the ping shows that the receiver can be sent to again; the event's failure does not disturb that.
      const all = yield* eventually(me(deliveriesOf(id)), settled)
      assert.deepStrictEqual(
        receiver.received.map(({ body }) => body.type),
        ["ping", "support_request_answered"]
      )
      assert.deepStrictEqual(receiver.received[0]?.body.data, { subscription_id: id })
      assert.strictEqual(receiver.received[0]?.headers["webhook-id"], asked.event_id)
      assert.deepStrictEqual(
        all.map(({ event_type, status }) => [event_type, status]),
        [
          ["support_request_answered", "pending"],
          ["ping", "delivered"]
        ]
      )
    })
  )

  it.scoped("that is switched off shows how a ping to it failed, and gets it once", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const receiver = yield* webhookReceiver(reject(404))
      const { id } = yield* me(subscribe(receiver.url))
      const webhooks = yield* Webhooks
      yield* me(webhooks.update(id, { url: undefined, eventTypes: undefined, description: undefined, isActive: false }))
      yield* me(webhooks.ping(id))
      yield* startDispatcher()
      const [ping] = yield* eventually(me(deliveriesOf(id)), settled)
      assert.deepInclude(ping, { status: "failed", attempt_count: 1 })
      assert.deepInclude(yield* me(subscription(id)), { last_failure_reason: "http_404", is_active: false })
      assert.lengthOf(receiver.received, 1)
    })
  )
})
