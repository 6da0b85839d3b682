import { Effect, Schema } from "effect"
import { clearedIfBlank } from "../../Services/Core/Changes.ts"
import { AccountEvents, AccountEventView, eventTypes } from "../../Services/Events/AccountEvents.ts"
import {
  maximumSubscriptions,
  WebhookDeliveryId,
  WebhookDeliveryView,
  WebhookSubscriptionId,
  WebhookSubscriptionView,
  Webhooks
} from "../../Services/Events/Webhooks.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"

const subscriptionId = Param.id(WebhookSubscriptionId, "The subscription, as list_webhook_subscriptions names it.")

const url = Param.text(
  "Public https address that takes the POSTs: port 443 or 80, no user name or password, no fragment. Redirects are not followed.",
  { minLength: 1, maxLength: 2048, format: "uri" }
)
const description = Param.text("What the receiver is, to tell subscriptions apart later.", { maxLength: 500 })

const createWebhookSubscription = Tool.make("create_webhook_subscription", {
  kind: "write",
  idempotent: false,
  openWorld: false,
  answersSecret: true,
  description: `Has the account's events sent to an https address as POSTs signed by the rules of Standard Webhooks. The secret to verify them with is in this answer only. Events of before are not sent. An account has at most ${maximumSubscriptions} subscriptions.`,
  parameters: {
    url,
    event_types: Param.optional(
      Param.listOf(eventTypes, "Comma-separated types of events to send; all of them when left out or empty.")
    ),
    description: Param.optional(description)
  },
  returns: Schema.Struct({
    ...WebhookSubscriptionView.fields,
    signing_secret: Schema.String.annotations({
      description: "whsec_ and a key in Base64, as Standard Webhooks libraries take it. Shown this once."
    })
  }),
  errors: {
    Refused: [
      "address_not_public",
      "too_many_webhook_subscriptions",
      "url_has_credentials",
      "url_has_fragment",
      "url_invalid",
      "url_not_https",
      "url_port_not_allowed"
    ]
  },
  example: { url: "https://hooks.client.example/prospecting", event_types: "lead_became_interested,meeting_booked" },
  run: Effect.fnUntraced(function* (args) {
    const webhooks = yield* Webhooks
    const { signingSecret, view } = yield* webhooks.create({
      url: args.url,
      eventTypes: args.event_types ?? [],
      description: clearedIfBlank(args.description) ?? null
    })
    return { ...view, signing_secret: signingSecret }
  })
})

const updateWebhookSubscription = Tool.make("update_webhook_subscription", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description:
    "Changes what is given and keeps the rest, the signing secret included. Switching a disabled subscription on sends what waited for it; events that happened while it was off are in the feed only.",
  parameters: {
    subscription_id: subscriptionId,
    url: Param.optional(url),
    event_types: Param.optional(
      Param.listOf(eventTypes, "Comma-separated types of events to send from now on; empty for all of them.")
    ),
    description: Param.optional(Param.text("What the receiver is; empty to clear it.", { maxLength: 500 })),
    is_active: Param.optional(
      Param.boolean("False to switch deliveries off for now; true to switch them on, whyever they were off.")
    )
  },
  returns: WebhookSubscriptionView,
  errors: {
    NotFound: ["webhook_subscription_not_found"],
    Refused: [
      "address_not_public",
      "url_has_credentials",
      "url_has_fragment",
      "url_invalid",
      "url_not_https",
      "url_port_not_allowed"
    ]
  },
  transaction: "unneeded",
  example: { subscription_id: 1, is_active: true },
  run: Tool.via(Webhooks, (webhooks, args) =>
    webhooks.update(args.subscription_id, {
      url: args.url,
      eventTypes: args.event_types,
      description: clearedIfBlank(args.description),
      isActive: args.is_active
    })
  )
})

const deleteWebhookSubscription = Tool.make("delete_webhook_subscription", {
  kind: "destructive",
  idempotent: true,
  openWorld: false,
  description:
    "Stops all deliveries of a subscription at once and for good; its log goes with it. A new subscription gets a new signing secret.",
  parameters: { subscription_id: subscriptionId },
  returns: Schema.Struct({ subscription_id: WebhookSubscriptionId, deleted: Schema.Literal(true) }),
  errors: { NotFound: ["webhook_subscription_not_found"] },
  transaction: "unneeded",
  example: { subscription_id: 2 },
  run: Effect.fnUntraced(function* ({ subscription_id }) {
    const webhooks = yield* Webhooks
    yield* webhooks.remove(subscription_id)
    return { subscription_id, deleted: true as const }
  })
})

const listWebhookSubscriptions = Tool.make("list_webhook_subscriptions", {
  kind: "read",
  openWorld: false,
  description:
    "Lists the account's webhook subscriptions with the health of their deliveries. Signing secrets are never shown again.",
  parameters: {},
  returns: Schema.Struct({ subscriptions: Schema.Array(WebhookSubscriptionView) }),
  example: {},
  run: Effect.fnUntraced(function* () {
    const webhooks = yield* Webhooks
    return { subscriptions: yield* webhooks.list }
  })
})

const testWebhookSubscription = Tool.make("test_webhook_subscription", {
  kind: "write",
  idempotent: false,
  openWorld: true,
  description:
    "Sends a signed ping to a subscription, also to one that is switched off. It is tried once; within about a minute list_webhook_subscriptions and list_webhook_deliveries tell how it went.",
  parameters: { subscription_id: subscriptionId },
  returns: WebhookDeliveryView,
  errors: { NotFound: ["webhook_subscription_not_found"] },
  example: { subscription_id: 1 },
  run: Tool.via(Webhooks, (webhooks, { subscription_id }) => webhooks.ping(subscription_id))
})

const listWebhookDeliveries = Tool.make("list_webhook_deliveries", {
  kind: "read",
  replicaAllowed: true,
  openWorld: false,
  description:
    "Lists what was and will be sent to one subscription in the last 30 days, newest first, each with its attempts: when, how long it took, the status answered, and what went wrong.",
  parameters: { subscription_id: subscriptionId, ...Param.pages() },
  returns: Tool.page({ deliveries: Schema.Array(WebhookDeliveryView) }),
  errors: { NotFound: ["webhook_subscription_not_found"] },
  example: { subscription_id: 1, page: 0, page_size: 20 },
  run: Tool.pageVia(Webhooks, (webhooks, page, { subscription_id }) => webhooks.deliveries(subscription_id, page))
})

const redeliverWebhook = Tool.make("redeliver_webhook", {
  kind: "write",
  idempotent: false,
  openWorld: true,
  description:
    "Sends an event to its subscription again, whatever became of the delivery before: at once, and then by the schedule from its start. The receiver gets the same webhook-id. Refused while the subscription is switched off.",
  parameters: { delivery_id: Param.id(WebhookDeliveryId, "The delivery, as list_webhook_deliveries names it.") },
  returns: WebhookDeliveryView,
  errors: { NotFound: ["webhook_delivery_not_found"], Refused: ["webhook_subscription_not_active"] },
  example: { delivery_id: 1 },
  run: Tool.via(Webhooks, (webhooks, { delivery_id }) => webhooks.redeliver(delivery_id))
})

const listAccountEvents = Tool.make("list_account_events", {
  kind: "read",
  openWorld: false,
  description:
    "Answers what happened in the account after a cursor, oldest first. Pass the next_cursor of one answer as since_cursor of the next call: no event is missed and none comes twice. With has_more there is more to read at once.",
  parameters: {
    since_cursor: Param.withDefault(Param.cursor("Only events after this cursor; 0 is the beginning of the feed."), 0),
    event_types: Param.optional(
      Param.listOf(eventTypes, "Comma-separated types of events to answer; all of them when left out or empty.")
    ),
    limit: Param.size("Events per answer; more than 200 is lowered to 200.", { default: 50, maximum: 200 })
  },
  returns: Schema.Struct({
    events: Schema.Array(AccountEventView),
    next_cursor: Schema.Int.annotations({
      description:
        "Where the next call goes on, past events of other types too; since_cursor when there is nothing new."
    }),
    has_more: Schema.Boolean,
    limit: Schema.Int
  }),
  example: { since_cursor: 0, limit: 50 },
  run: Effect.fnUntraced(function* ({ event_types, limit, since_cursor }) {
    const events = yield* AccountEvents
    const page = yield* events.read({ since: since_cursor, types: event_types ?? [], limit })
    return { events: page.events, next_cursor: page.nextCursor, has_more: page.hasMore, limit }
  })
})

export const EventsAndWebhooksGroup = Tool.group(
  "Events and webhooks",
  "What happens in the account, as a feed to follow and as signed POSTs to the account's own systems.",
  [
    createWebhookSubscription,
    updateWebhookSubscription,
    deleteWebhookSubscription,
    listWebhookSubscriptions,
    testWebhookSubscription,
    listWebhookDeliveries,
    redeliverWebhook,
    listAccountEvents
  ]
)
