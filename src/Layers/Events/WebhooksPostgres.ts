import { SqlClient } from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import { Effect, Layer, Redacted } from "effect"
import { notFound, refused } from "../../Errors.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import {
  maximumAttemptsListed,
  maximumSubscriptions,
  WebhookAttemptView,
  type WebhookDeliveryId,
  WebhookDeliveryView,
  type WebhookSubscriptionId,
  WebhookSubscriptionView,
  Webhooks
} from "../../Services/Events/Webhooks.ts"
import { OutboundPolicy } from "../Platform/Outbound/OutboundPolicy.ts"
import { lockAccount } from "../Platform/Postgres/AccountLock.ts"
import { selectedColumns } from "../Platform/Postgres/ColumnChanges.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"
import { findSubscription, noSubscription } from "./Subscriptions.ts"
import { makeSigningKey, signingSecret } from "./Webhooks/Signature.ts"
import { webhookUrl } from "./Webhooks/WebhookUrl.ts"

const tooMany = refused(
  "too_many_webhook_subscriptions",
  `The account has ${maximumSubscriptions} webhook subscriptions, which is the maximum.`,
  "Delete one that is no longer needed, or have one receiver take more event types.",
  { maximum: maximumSubscriptions }
)

const notActive = (id: WebhookSubscriptionId) =>
  refused(
    "webhook_subscription_not_active",
    "The webhook subscription of this delivery is switched off.",
    "Switch it on with update_webhook_subscription, then repeat the call.",
    { subscription_id: id }
  )

type AttemptRow = WebhookAttemptView & { readonly delivery_id: WebhookDeliveryId; readonly attempt_number: number }

const makeWebhookServices = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { allowLoopback } = yield* OutboundPolicy

  const subscriptionView = sql.literal(
    selectedColumns(WebhookSubscriptionView, undefined, {
      subscription_id: "webhook_subscription_id",
      date_last_success: "last_success_at",
      date_last_failure: "last_failure_at"
    })
  )

  const deliveryColumns = sql.literal(
    selectedColumns(WebhookDeliveryView.omit("attempts"), "d", {
      delivery_id: "d.webhook_delivery_id",
      subscription_id: "d.webhook_subscription_id",
      event_id: "event_id(coalesce(d.ping_key, e.event_key))",
      next_attempt_at: "case when d.status = 'pending' then greatest(d.next_attempt_at, d.created_at) end"
    })
  )
  const attemptColumns = sql.literal(selectedColumns(WebhookAttemptView, "a"))
  return { allowLoopback, attemptColumns, deliveryColumns, sql, subscriptionView }
})
type WebhookServices = Effect.Effect.Success<typeof makeWebhookServices>

const makeDeliveryViews = ({ attemptColumns, deliveryColumns, sql }: WebhookServices) => {
  const deliveryViews = Effect.fnUntraced(function* (selection: Fragment) {
    const { accountId } = yield* Caller
    const rows = yield* sql<Omit<WebhookDeliveryView, "attempts">>`
      select ${deliveryColumns} from webhook_delivery d left join account_event e using (account_id, account_event_id)
      where d.account_id = ${accountId} and ${selection}`
    const attempts = yield* sql<AttemptRow>`
      select latest.* from unnest(${rows.map(({ delivery_id }) => delivery_id)}::bigint[]) listed (delivery_id)
      cross join lateral (
        select a.webhook_delivery_id as delivery_id, a.attempt_number, ${attemptColumns}
        from webhook_attempt a where a.account_id = ${accountId} and a.webhook_delivery_id = listed.delivery_id
        order by a.attempt_number desc limit ${maximumAttemptsListed}
      ) latest order by latest.attempt_number`
    return rows.map(
      (row): WebhookDeliveryView => ({
        ...row,
        attempts: attempts
          .filter(({ delivery_id }) => delivery_id === row.delivery_id)
          .map(({ attempt_number: _, delivery_id: __, ...attempt }) => attempt)
      })
    )
  })

  const deliveryView = (id: WebhookDeliveryId) => Effect.map(deliveryViews(sql`d.webhook_delivery_id = ${id}`), single)

  return { deliveryViews, deliveryView }
}
type DeliveryViews = ReturnType<typeof makeDeliveryViews>

const subscriptions = ({
  allowLoopback,
  sql,
  subscriptionView
}: WebhookServices): Pick<typeof Webhooks.Service, "create" | "update" | "remove" | "list"> => ({
  create: Effect.fn("Webhooks.create")(function* ({ description, eventTypes, url }) {
    const { accountId } = yield* Caller
    const storedUrl = yield* webhookUrl(url, allowLoopback)
    const key = makeSigningKey()
    // A separate statement, so that the count sees subscriptions that earlier transactions in the queue created.
    yield* lockAccount(sql, accountId, "webhooks")
    const rows = yield* sql<WebhookSubscriptionView>`
      with allowed as materialized (
        select ${accountId}::bigint, ${storedUrl}::text, ${eventTypes.length === 0 ? null : eventTypes}::text[],
          ${description}::text, ${Redacted.value(key)}::bytea
        where (select count(*) from webhook_subscription where account_id = ${accountId} and deleted_at is null)
          < ${maximumSubscriptions}
      )
      insert into webhook_subscription (account_id, url, event_types, description, secret)
      select * from allowed
      returning ${subscriptionView}`.pipe(fromSql())
    const view = rows[0] ?? (yield* tooMany)
    return { view, signingSecret: signingSecret(key) }
  }),

  update: Effect.fn("Webhooks.update")(function* (id, { description, eventTypes, isActive, url }) {
    const { accountId } = yield* Caller
    const newUrl = url === undefined ? null : yield* webhookUrl(url, allowLoopback)
    const active = sql`${isActive ?? null}::boolean`
    const isOtherUrl = sql`coalesce(${newUrl}::text <> s.url, false)`
    const startsAfresh = sql`(coalesce(${active}, false) or ${isOtherUrl})`
    const rows = yield* sql<WebhookSubscriptionView>`
      update webhook_subscription s set
        url = coalesce(${newUrl}, s.url),
        version = s.version + case when ${isOtherUrl} then 1 else 0 end,
        event_types = case when ${eventTypes !== undefined}
          then ${eventTypes === undefined || eventTypes.length === 0 ? null : eventTypes}::text[] else s.event_types end,
        description = case when ${description !== undefined} then ${description ?? null} else s.description end,
        is_active = coalesce(${active}, s.is_active),
        disabled_at = case when ${active} then null when not ${active} then coalesce(s.disabled_at, instant())
          else s.disabled_at end,
        disabled_reason = case when ${active} then null when not ${active} then coalesce(s.disabled_reason, 'owner')
          else s.disabled_reason end,
        consecutive_failures = case when ${startsAfresh} then 0 else s.consecutive_failures end,
        failing_since = case when ${startsAfresh} then null else s.failing_since end,
        held_until = case when ${startsAfresh} then null else s.held_until end
      where s.account_id = ${accountId} and s.webhook_subscription_id = ${id} and s.deleted_at is null
      returning ${subscriptionView}`.pipe(fromSql())
    return rows[0] ?? (yield* noSubscription(id))
  }),

  remove: Effect.fn("Webhooks.remove")(function* (id) {
    const { accountId } = yield* Caller
    // The row stays until its log is deleted, but without anything that could still be sent to the receiver.
    const rows = yield* sql`
      update webhook_subscription s set deleted_at = instant(), url = null, secret = null, previous_secret = null,
        description = null,
        is_active = false, disabled_at = coalesce(s.disabled_at, instant()),
        disabled_reason = coalesce(s.disabled_reason, 'owner')
      where s.account_id = ${accountId} and s.webhook_subscription_id = ${id} and s.deleted_at is null
      returning s.webhook_subscription_id`.pipe(fromSql())
    if (rows.length === 0) return yield* noSubscription(id)
  }),

  list: Effect.gen(function* () {
    const { accountId } = yield* Caller
    return yield* sql<WebhookSubscriptionView>`
      select ${subscriptionView} from webhook_subscription where account_id = ${accountId} and deleted_at is null
      order by webhook_subscription_id`.pipe(fromSql())
  }).pipe(Effect.withSpan("Webhooks.list"))
})

const deliveries = (
  { sql }: WebhookServices,
  { deliveryView, deliveryViews }: DeliveryViews
): Pick<typeof Webhooks.Service, "ping" | "deliveries" | "redeliver"> => ({
  ping: Effect.fn("Webhooks.ping")(function* (id) {
    const { accountId } = yield* Caller
    // The lock ensures that only one ping waits at a time, however often it is requested.
    const subscriptions = yield* sql`
      select from webhook_subscription
      where account_id = ${accountId} and webhook_subscription_id = ${id} and deleted_at is null
      for no key update`.pipe(fromSql())
    if (subscriptions.length === 0) return yield* noSubscription(id)
    const rows = yield* sql<{ readonly id: WebhookDeliveryId }>`
      with waiting as (
        select webhook_delivery_id as id from webhook_delivery
        where account_id = ${accountId} and webhook_subscription_id = ${id} and status = 'pending'
          and event_type = 'ping' limit 1
      ), added as (
        insert into webhook_delivery (account_id, webhook_subscription_id, event_type, ping_key)
        select ${accountId}, ${id}, 'ping', gen_random_uuid() where not exists (select from waiting)
        returning webhook_delivery_id as id
      )
      select id from waiting union all select id from added`.pipe(fromSql())
    return yield* deliveryView(single(rows).id).pipe(fromSql())
  }),

  deliveries: Effect.fn("Webhooks.deliveries")(function* (id, { page, pageSize }) {
    const { accountId } = yield* Caller
    yield* findSubscription(sql, accountId, id)
    const deliveries = yield* deliveryViews(sql`d.webhook_subscription_id = ${id}
      order by d.webhook_delivery_id desc limit ${pageSize} offset ${page * pageSize}`).pipe(fromSql())
    const totals = yield* sql<{ readonly total: number }>`
      select count(*) as total from webhook_delivery
      where account_id = ${accountId} and webhook_subscription_id = ${id}`.pipe(fromSql())
    return { deliveries, total: single(totals).total }
  }),

  redeliver: Effect.fn("Webhooks.redeliver")(function* (id) {
    const { accountId } = yield* Caller
    const subscriptions = yield* sql<{
      readonly subscription_id: WebhookSubscriptionId
      readonly is_active: boolean
    }>`
      update webhook_subscription s set held_until = null
      from webhook_delivery d
      where d.account_id = ${accountId} and d.webhook_delivery_id = ${id} and s.account_id = d.account_id
        and s.webhook_subscription_id = d.webhook_subscription_id and s.deleted_at is null
      returning s.webhook_subscription_id as subscription_id, s.is_active`.pipe(fromSql())
    const subscription = subscriptions[0] ?? (yield* notFound("webhook delivery", "delivery_id", id))
    if (!subscription.is_active) return yield* notActive(subscription.subscription_id)
    yield* sql`
      update webhook_delivery
      set status = 'pending', schedule_step = 0, next_attempt_at = instant(), finished_at = null
      where account_id = ${accountId} and webhook_delivery_id = ${id}`.pipe(fromSql())
    return yield* deliveryView(id).pipe(fromSql())
  })
})

const make = Effect.gen(function* () {
  const services = yield* makeWebhookServices
  const deliveryViews = makeDeliveryViews(services)

  return Webhooks.of({
    ...subscriptions(services),
    ...deliveries(services, deliveryViews)
  })
})

export const WebhooksPostgres = Layer.effect(Webhooks, make)
