import { Context, type Effect, Schema } from "effect"
import type { NotFound, Refused, Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import { Timestamp } from "../Core/Timestamp.ts"
import { AccountEventBody, bodyOf, EventType, eventTypes } from "./AccountEvents.ts"

export const WebhookSubscriptionId = Schema.Int.pipe(Schema.brand("WebhookSubscriptionId"))
export type WebhookSubscriptionId = typeof WebhookSubscriptionId.Type

export const WebhookDeliveryId = Schema.Int.pipe(Schema.brand("WebhookDeliveryId"))
export type WebhookDeliveryId = typeof WebhookDeliveryId.Type

/** The maximum number of subscriptions per account. */
export const maximumSubscriptions = 50

const reasons =
  "http_ and the status answered, timed_out, connection_failed, tls_failed, host_not_found, address_not_public, response_unreadable and the like."

export const WebhookSubscriptionView = Schema.Struct({
  subscription_id: WebhookSubscriptionId,
  url: Schema.String,
  event_types: Schema.NullOr(Schema.Array(EventType)).annotations({
    description: "Null for all, those that are added later included."
  }),
  description: Schema.NullOr(Schema.String),
  is_active: Schema.Boolean,
  disabled_at: Schema.NullOr(Timestamp),
  disabled_reason: Schema.NullOr(Schema.Literal("owner", "gone", "failing")).annotations({
    description:
      "owner: switched off by update_webhook_subscription; gone: the receiver answered 410; failing: five days without a success across at least 20 attempts."
  }),
  date_last_success: Schema.NullOr(Timestamp),
  date_last_failure: Schema.NullOr(Timestamp),
  last_failure_reason: Schema.NullOr(Schema.String).annotations({ description: `What went wrong last: ${reasons}` }),
  consecutive_failures: Schema.Int.annotations({ description: "Failed attempts since the last success." }),
  created_at: Timestamp
})
export type WebhookSubscriptionView = typeof WebhookSubscriptionView.Type

const PingBody = Schema.Struct({
  id: Schema.String,
  type: Schema.Literal("ping"),
  occurred_at: Timestamp,
  data: Schema.Struct({ subscription_id: WebhookSubscriptionId })
})

/** The body of a POST: an event, or the ping of test_webhook_subscription. */
export const WebhookBody = Schema.Union(AccountEventBody, PingBody)

/** The body of each type of event, in the order of the documentation. */
export const webhookBodies: ReadonlyArray<readonly [type: string, body: Schema.Schema.AnyNoContext]> = [
  ...eventTypes.map((type) => [type, bodyOf(type)] as const),
  ["ping", PingBody]
]

export const WebhookDeliveryStatus = Schema.Literal("pending", "delivered", "failed")
export type WebhookDeliveryStatus = typeof WebhookDeliveryStatus.Type

export const WebhookAttemptView = Schema.Struct({
  attempted_at: Timestamp,
  duration_ms: Schema.Int,
  response_status: Schema.NullOr(Schema.Int).annotations({ description: "Null where no answer came." }),
  failure_reason: Schema.NullOr(Schema.String).annotations({ description: `Null for a success. ${reasons}` })
})
export type WebhookAttemptView = typeof WebhookAttemptView.Type

/** How many recent attempts are listed. */
export const maximumAttemptsListed = 20

export const WebhookDeliveryView = Schema.Struct({
  delivery_id: WebhookDeliveryId,
  subscription_id: WebhookSubscriptionId,
  event_id: Schema.String.annotations({ description: "The webhook-id header and the id in the body." }),
  event_type: Schema.Union(EventType, Schema.Literal("ping")),
  status: WebhookDeliveryStatus.annotations({
    description: "pending: to be sent, or to be tried again; failed: given up, unless redeliver_webhook is called."
  }),
  created_at: Timestamp,
  finished_at: Schema.NullOr(Timestamp),
  next_attempt_at: Schema.NullOr(Timestamp).annotations({ description: "Null once nothing more is sent." }),
  attempt_count: Schema.Int,
  attempts: Schema.Array(WebhookAttemptView).annotations({
    description: `Oldest first; the latest ${maximumAttemptsListed} where there were more.`
  })
})
export type WebhookDeliveryView = typeof WebhookDeliveryView.Type

export interface NewWebhookSubscription {
  readonly view: WebhookSubscriptionView
  /** `whsec_…`. It is shown only once. */
  readonly signingSecret: string
}

/** `undefined` keeps a field. No event types mean all. */
export interface WebhookChanges {
  readonly url: string | undefined
  readonly eventTypes: ReadonlyArray<EventType> | undefined
  /** Null clears it. */
  readonly description: string | null | undefined
  readonly isActive: boolean | undefined
}

/** An account's webhook subscriptions, and the log of their deliveries. */
export class Webhooks extends Context.Tag("Webhooks")<
  Webhooks,
  {
    /**
     * The subscription receives all later events. Refused if the URL is not allowed or the account has
     * `maximumSubscriptions`.
     */
    readonly create: (subscription: {
      readonly url: string
      readonly eventTypes: ReadonlyArray<EventType>
      readonly description: string | null
    }) => Effect.Effect<NewWebhookSubscription, Refused | Transient, Caller>
    /**
     * Enabling it clears the failure count and sends what was waiting when it was disabled. Events from in between are
     * not sent.
     */
    readonly update: (
      id: WebhookSubscriptionId,
      changes: WebhookChanges
    ) => Effect.Effect<WebhookSubscriptionView, NotFound | Refused | Transient, Caller>
    /** Permanent. No further delivery starts, and a running one is not retried. */
    readonly remove: (id: WebhookSubscriptionId) => Effect.Effect<void, NotFound | Transient, Caller>
    readonly list: Effect.Effect<ReadonlyArray<WebhookSubscriptionView>, Transient, Caller>
    /** Queues a ping. It is sent once, before other deliveries, even if the subscription is disabled. */
    readonly ping: (id: WebhookSubscriptionId) => Effect.Effect<WebhookDeliveryView, NotFound | Transient, Caller>
    /** Newest first. */
    readonly deliveries: (
      id: WebhookSubscriptionId,
      options: { readonly page: number; readonly pageSize: number }
    ) => Effect.Effect<
      { readonly deliveries: ReadonlyArray<WebhookDeliveryView>; readonly total: number },
      NotFound | Transient,
      Caller
    >
    /** Sends the event again immediately with the same id and a new series of retries. */
    readonly redeliver: (
      id: WebhookDeliveryId
    ) => Effect.Effect<WebhookDeliveryView, NotFound | Refused | Transient, Caller>
  }
>() {}
