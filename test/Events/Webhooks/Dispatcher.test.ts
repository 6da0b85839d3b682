import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Exit, Scope } from "effect"
import * as standard from "standardwebhooks"
import { Webhook as Svix } from "svix"
import { AccountEvents } from "../../../src/Services/Events/AccountEvents.ts"
import { counted } from "../../support/checks/Counted.ts"
import {
  type Answer,
  accept,
  numberOf,
  type Received,
  receive,
  webhookReceiver
} from "../../support/providers/WebhookReceiver.ts"
import { localHttpsServer } from "../../support/servers/LocalHttpsServer.ts"
import { as, makeAccount } from "../../support/TestAccount.ts"
import {
  deliveriesOf,
  eventually,
  happened,
  settled,
  startDispatcher,
  subscribe,
  subscription,
  until,
  WebhookServices
} from "./support.ts"

/** Answers wait here until they are let go. */
const holding = () => {
  const waiting: Array<() => void> = []
  let isOpen = false
  const answer: Answer = (received, response) => {
    if (isOpen) accept(received, response)
    else waiting.push(() => accept(received, response))
  }
  return {
    answer,
    letGo: () => {
      isOpen = true
      for (const one of waiting.splice(0)) one()
    }
  }
}

layer(WebhookServices, { excludeTestServices: true })("the dispatcher", (it) => {
  it.scoped("sends each event once, as the feed has it, signed so that the published libraries verify it", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const stranger = as(yield* makeAccount())
      const receiver = yield* webhookReceiver()
      const { id, signingSecret } = yield* me(subscribe(receiver.url))
      yield* stranger(happened(99))
      yield* me(happened(1, 2))
      const delivered = counted("gateway_webhook_attempts_total", "delivered")
      const before = yield* delivered
      yield* startDispatcher()
      yield* eventually(
        me(deliveriesOf(id)),
        (all) => all.length === 2 && all.every(({ status }) => status === "delivered")
      )
      yield* eventually(delivered, (count) => count === before + 2)

      const events = yield* AccountEvents
      const feed = yield* me(events.read({ since: 0, types: [], limit: 10 }))
      assert.deepStrictEqual(
        receiver.received.map(({ body }) => body),
        feed.events.map(({ cursor: _, ...event }) => event)
      )
      for (const { body, headers, text } of receiver.received) {
        assert.strictEqual(headers["content-type"], "application/json")
        assert.strictEqual(headers["webhook-id"], body.id)
        for (const judge of [new standard.Webhook(signingSecret), new Svix(signingSecret)]) {
          assert.deepStrictEqual(judge.verify(text, headers), body)
        }
        assert.throws(() => new Svix(`whsec_${Buffer.alloc(32).toString("base64")}`).verify(text, headers))
      }
      assert.deepInclude(yield* me(subscription(id)), { consecutive_failures: 0, last_failure_reason: null })
      assert.isNotNull((yield* me(subscription(id))).date_last_success)
    })
  )

  it.scoped("sends a subscription the types of events that it wants", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const receiver = yield* webhookReceiver()
      const other = yield* webhookReceiver()
      yield* me(subscribe(other.url, ["meeting_booked", "import_finished"]))
      const { id } = yield* me(subscribe(receiver.url, ["support_request_answered"]))
      yield* me(happened(1))
      yield* startDispatcher()
      yield* eventually(me(deliveriesOf(id)), (all) => all.length === 1 && settled(all))
      assert.lengthOf(receiver.received, 1)
      assert.lengthOf(other.received, 0)
    })
  )

  it.scoped("reaches a receiver by https, and not one whose certificate is another's", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const received: Array<Received> = []
      const server = yield* localHttpsServer(receive(received, accept))
      const good = yield* me(subscribe(`https://hooks.example:${server.port}/hook`))
      const bad = yield* me(subscribe(`https://127.0.0.1:${server.port}/hook`.replace("127.0.0.1", "[::1]")))
      yield* me(happened(1))
      yield* startDispatcher()
      const sent = yield* eventually(me(deliveriesOf(good.id)), settled)
      assert.deepStrictEqual(
        sent.map(({ status }) => status),
        ["delivered"]
      )
      const failed = yield* eventually(me(deliveriesOf(bad.id)), settled)
      assert.deepStrictEqual(
        failed.map(({ attempts }) =>
          attempts.map(({ failure_reason, response_status }) => [failure_reason, response_status])
        ),
        [[["connection_failed", null]]]
      )
      assert.lengthOf(received, 1)
    })
  )

  it.scoped("keeps the order of events, with never two under way to a subscription, however many processes send", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const count = 120
      const underWay = new Map<string, number>()
      const mostUnderWay = new Map<string, number>()
      const receiver = yield* webhookReceiver((received, response) => {
        const now = (underWay.get(received.path) ?? 0) + 1
        underWay.set(received.path, now)
        mostUnderWay.set(received.path, Math.max(mostUnderWay.get(received.path) ?? 0, now))
        setImmediate(() => {
          underWay.set(received.path, now - 1)
          accept(received, response)
        })
      })
      const paths = ["/hook/a", "/hook/b", "/hook/c"]
      const ids = yield* Effect.forEach(paths, (path) => me(subscribe(receiver.url.replace("/hook", path))))
      yield* startDispatcher()
      yield* startDispatcher()
      yield* Effect.forEach(
        Array.from({ length: count / 4 }, (_, index) => index * 4),
        (first) => me(happened(first, first + 1, first + 2, first + 3)),
        { discard: true }
      )
      yield* until(() => receiver.received.length >= count * paths.length)
      for (const { id } of ids) {
        yield* eventually(me(deliveriesOf(id)), (all) => all.every(({ status }) => status === "delivered"))
      }
      for (const path of paths) {
        assert.deepStrictEqual(
          receiver.received.filter((one) => one.path === path).map(numberOf),
          Array.from({ length: count }, (_, index) => index)
        )
        assert.strictEqual(mostUnderWay.get(path), 1)
      }
    })
  )

  it.scoped("does not let a slow receiver delay another", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const { answer, letGo } = holding()
      const slow = yield* webhookReceiver(answer)
      const fast = yield* webhookReceiver()
      const slowOne = yield* me(subscribe(slow.url))
      yield* me(subscribe(fast.url))
      const numbers = Array.from({ length: 50 }, (_, index) => index)
      yield* startDispatcher()
      yield* me(happened(0))
      yield* until(() => slow.received.length === 1)
      yield* me(happened(...numbers.slice(1)))
      yield* until(() => fast.received.length === 50)
      assert.deepStrictEqual(fast.received.map(numberOf), numbers)
      assert.lengthOf(slow.received, 1)
      letGo()
      yield* eventually(me(deliveriesOf(slowOne.id)), (all) => all.every(({ status }) => status === "delivered"))
      assert.deepStrictEqual(slow.received.map(numberOf), numbers)
    })
  )

  it.scoped("that is cut off between the request and its record sends again, under the same id", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const { answer, letGo } = holding()
      const receiver = yield* webhookReceiver(answer)
      const { id } = yield* me(subscribe(receiver.url))
      yield* me(happened(1))
      const process = yield* Scope.make()
      yield* startDispatcher({ stop: Duration.zero }).pipe(Scope.extend(process))
      yield* until(() => receiver.received.length === 1)
      yield* Scope.close(process, Exit.void)
      assert.deepInclude((yield* me(deliveriesOf(id)))[0], { status: "pending", attempt_count: 0 })

      letGo()
      yield* startDispatcher()
      yield* eventually(me(deliveriesOf(id)), (all) => all.every(({ status }) => status === "delivered"))
      assert.lengthOf(receiver.received, 2)
      assert.strictEqual(receiver.received[0]?.headers["webhook-id"], receiver.received[1]?.headers["webhook-id"])
    })
  )

  it.scoped("that stops in good order waits for what is under way", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const { answer, letGo } = holding()
      const receiver = yield* webhookReceiver(answer)
      const { id } = yield* me(subscribe(receiver.url))
      yield* me(happened(1, 2))
      const process = yield* Scope.make()
      yield* startDispatcher().pipe(Scope.extend(process))
      yield* until(() => receiver.received.length === 1)
      const closing = yield* Effect.fork(Scope.close(process, Exit.void))
      yield* Effect.yieldNow()
      letGo()
      yield* closing.await
      const all = yield* me(deliveriesOf(id))
      assert.deepStrictEqual(
        all.map(({ attempt_count, status }) => [status, attempt_count]),
        [
          ["delivered", 1],
          ["pending", 0]
        ]
      )
      assert.lengthOf(receiver.received, 1)
    })
  )

  it.scoped("leaves a subscription to the process that holds it, until that one's lease has ended", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const me = as(yield* makeAccount())
      const held = yield* webhookReceiver()
      const free = yield* webhookReceiver()
      const { id } = yield* me(subscribe(held.url))
      yield* me(subscribe(free.url))
      yield* sql`
        update webhook_subscription set lease_number = 7, leased_until = now() + interval '1 hour'
        where webhook_subscription_id = ${id}`
      yield* startDispatcher()
      yield* me(happened(1))
      yield* until(() => free.received.length === 1)
      yield* me(happened(2))
      yield* until(() => free.received.length === 2)
      assert.lengthOf(held.received, 0)
      yield* sql`update webhook_subscription set leased_until = now() where webhook_subscription_id = ${id}`
      yield* until(() => held.received.length === 2)
      assert.deepStrictEqual(held.received.map(numberOf), [1, 2])
    })
  )
})
