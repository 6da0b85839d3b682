import { SqlClient } from "@effect/sql/SqlClient"
import { Duration, Effect, Layer, Logger, LogLevel, Schedule } from "effect"
import { AccountEventsPostgres } from "../../../src/Layers/Events/AccountEventsPostgres.ts"
import { NotificationsPostgres } from "../../../src/Layers/Events/NotificationsPostgres.ts"
import { type DispatcherOptions, dispatchWebhooks } from "../../../src/Layers/Events/Webhooks/Dispatcher.ts"
import { WebhooksPostgres } from "../../../src/Layers/Events/WebhooksPostgres.ts"
import { OutboundHttpNode } from "../../../src/Layers/Platform/Outbound/OutboundHttp.ts"
import { OutboundPolicy } from "../../../src/Layers/Platform/Outbound/OutboundPolicy.ts"
import { AccountEvents, type EventType } from "../../../src/Services/Events/AccountEvents.ts"
import {
  type WebhookDeliveryView,
  type WebhookSubscriptionId,
  Webhooks
} from "../../../src/Services/Events/Webhooks.ts"
import { localCertificate } from "../../support/servers/LocalHttpsServer.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

/** A developer's gateway: receivers may be on this machine, and `hooks.example` is. */
const Policy = Layer.succeed(OutboundPolicy, {
  allowLoopback: true,
  certificateAuthorities: [localCertificate],
  resolve: (hostname) =>
    hostname === "hooks.example" || hostname === "localhost"
      ? Promise.resolve([{ address: "127.0.0.1", family: 4 }])
      : Promise.reject(Object.assign(new Error("unknown"), { code: "ENOTFOUND" }))
})

/** Events, subscriptions and the way to receivers, on a database of the test file's own; nothing is sent yet. */
export const WebhookServices = Layer.mergeAll(AccountEventsPostgres, WebhooksPostgres, NotificationsPostgres).pipe(
  Layer.provideMerge(OutboundHttpNode),
  Layer.provide(Policy),
  Layer.provideMerge(TestDatabase),
  Layer.merge(Logger.minimumLogLevel(LogLevel.None))
)

/** Sends what is due until the scope ends. */
export const startDispatcher = (options: Partial<DispatcherOptions> = {}) =>
  dispatchWebhooks({ poll: Duration.millis(20), longestPoll: Duration.millis(20), isSampled: () => false, ...options })

/** Asks again until the answer is the wanted one; fails after a minute. */
export const eventually = <A, E, R>(ask: Effect.Effect<A, E, R>, isWanted: (answer: A) => boolean) =>
  Effect.repeat(ask, { until: isWanted, schedule: Schedule.spaced("10 millis") }).pipe(
    Effect.andThen(ask),
    Effect.timeout("60 seconds")
  )

/** Waits for something that is not an effect. */
export const until = (isSo: () => boolean) => eventually(Effect.sync(isSo), (so) => so)

/** Something that happened, numbered so that it can be told from others. */
export const happened = (...numbers: ReadonlyArray<number>) =>
  Effect.flatMap(AccountEvents, (events) =>
    events.appendMany(
      numbers.map((number) => ({ type: "support_request_answered", data: { support_request_id: number } }))
    )
  )

export const subscribe = (url: string, eventTypes: ReadonlyArray<EventType> = []) =>
  Effect.flatMap(Webhooks, (webhooks) =>
    Effect.map(webhooks.create({ url, eventTypes, description: null }), ({ signingSecret, view }) => ({
      id: view.subscription_id,
      signingSecret
    }))
  )

/** The log of a subscription, oldest first. */
export const deliveriesOf = (id: WebhookSubscriptionId) =>
  Effect.flatMap(Webhooks, (webhooks) =>
    Effect.map(webhooks.deliveries(id, { page: 0, pageSize: 100 }), ({ deliveries }) => deliveries.toReversed())
  )

export const settled = (deliveries: ReadonlyArray<WebhookDeliveryView>): boolean =>
  deliveries.every(({ attempt_count, status }) => status !== "pending" || attempt_count > 0)

export const subscription = (id: WebhookSubscriptionId) =>
  Effect.flatMap(Webhooks, (webhooks) =>
    Effect.flatMap(webhooks.list, (all) =>
      Effect.fromNullable(all.find(({ subscription_id }) => subscription_id === id))
    )
  )

/** Lets the time of all that waits for a subscription come. */
export const makeDue = (id: WebhookSubscriptionId) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql`update webhook_subscription set held_until = null where webhook_subscription_id = ${id}`
    yield* sql`
      update webhook_delivery set next_attempt_at = now() where webhook_subscription_id = ${id} and status = 'pending'
        and next_attempt_at > '-infinity'`
  })
