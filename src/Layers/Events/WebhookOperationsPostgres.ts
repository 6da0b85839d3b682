import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, Redacted } from "effect"
import { notFound } from "../../Errors.ts"
import type { CampaignId } from "../../Services/Campaigns/Ids.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import type { Timestamp } from "../../Services/Core/Timestamp.ts"
import {
  type LoggedAttemptView,
  overlapHours,
  type WebhookFilterView,
  WebhookOperations
} from "../../Services/Events/WebhookOperations.ts"
import { WebhookAttemptView, type WebhookSubscriptionId } from "../../Services/Events/Webhooks.ts"
import { selectedColumns } from "../Platform/Postgres/ColumnChanges.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { findSubscription, noSubscription } from "./Subscriptions.ts"
import { makeSigningKey, signingSecret } from "./Webhooks/Signature.ts"

const makeFilter = (sql: SqlClient) =>
  Effect.fn("WebhookOperations.filter")(function* (id: WebhookSubscriptionId) {
    const { accountId } = yield* Caller
    // The driver reads numbers of an array as texts.
    const rows = yield* sql<WebhookFilterView>`
      select webhook_subscription_id as subscription_id, to_jsonb(campaign_ids) as campaign_ids from webhook_subscription
      where account_id = ${accountId} and webhook_subscription_id = ${id} and deleted_at is null`.pipe(fromSql())
    return rows[0] ?? (yield* noSubscription(id))
  })

const makeChanges = (
  sql: SqlClient,
  filter: ReturnType<typeof makeFilter>
): Pick<typeof WebhookOperations.Service, "rotateSecret" | "filter" | "setFilter"> => ({
  filter,

  rotateSecret: Effect.fn("WebhookOperations.rotateSecret")(function* (id) {
    const { accountId } = yield* Caller
    const key = makeSigningKey()
    // The version changes, so that deliveries that were fetched with the old key alone are fetched again.
    const rows = yield* sql<{ readonly until: Timestamp }>`
      update webhook_subscription set secret = ${Redacted.value(key)}::bytea, previous_secret = secret,
        previous_secret_until = instant() + make_interval(hours => ${overlapHours}), version = version + 1
      where account_id = ${accountId} and webhook_subscription_id = ${id} and deleted_at is null
      returning previous_secret_until as until`.pipe(fromSql())
    const { until } = rows[0] ?? (yield* noSubscription(id))
    return { subscription_id: id, signing_secret: signingSecret(key), previous_secret_valid_until: until }
  }),

  setFilter: Effect.fn("WebhookOperations.setFilter")(function* (id, campaignIds) {
    const { accountId } = yield* Caller
    yield* findSubscription(sql, accountId, id)
    const [missing] = yield* sql<{ readonly id: CampaignId }>`
      select asked.id from unnest(${campaignIds}::bigint[]) with ordinality asked (id, place)
      where not exists (select from campaign c where c.account_id = ${accountId} and c.campaign_id = asked.id)
      order by asked.place limit 1`.pipe(fromSql())
    if (missing !== undefined) return yield* notFound("campaign", "campaign_ids", missing.id)
    yield* sql`
      update webhook_subscription set campaign_ids = ${campaignIds.length === 0 ? null : campaignIds}::bigint[]
      where account_id = ${accountId} and webhook_subscription_id = ${id} and deleted_at is null`.pipe(fromSql())
    return yield* filter(id)
  })
})

type AttemptRow = LoggedAttemptView & { readonly millis: number }

const makeAttempts = (sql: SqlClient): Pick<typeof WebhookOperations.Service, "attempts"> => {
  const columns = sql.literal(selectedColumns(WebhookAttemptView, "a"))
  return {
    attempts: Effect.fn("WebhookOperations.attempts")(function* (filter, { before, limit }) {
      const { accountId } = yield* Caller
      const { onlyFailed, since = null, subscriptionId = null, until = null } = filter
      if (subscriptionId !== null) yield* findSubscription(sql, accountId, subscriptionId)
      const beforeAt = before === undefined ? null : new Date(before.millis).toISOString()
      const rows = yield* sql<AttemptRow>`
        select ${columns}, a.attempt_number, a.webhook_delivery_id as delivery_id,
          d.webhook_subscription_id as subscription_id, event_id(coalesce(d.ping_key, e.event_key)) as event_id,
          d.event_type, d.is_replay, a.response_excerpt, round(extract(epoch from a.attempted_at) * 1000)::bigint as millis
        from webhook_attempt a
        join webhook_delivery d on d.account_id = a.account_id and d.webhook_delivery_id = a.webhook_delivery_id
        join webhook_subscription s
          on s.account_id = d.account_id and s.webhook_subscription_id = d.webhook_subscription_id
        left join account_event e on e.account_id = d.account_id and e.account_event_id = d.account_event_id
        where a.account_id = ${accountId} and s.deleted_at is null
          and (${subscriptionId}::bigint is null or d.webhook_subscription_id = ${subscriptionId})
          and (${since}::timestamptz is null or a.attempted_at >= ${since})
          and (${until}::timestamptz is null or a.attempted_at < ${until})
          and (not ${onlyFailed}::boolean or a.failure_reason is not null)
          and (${beforeAt}::timestamptz is null or (a.attempted_at, a.webhook_delivery_id, a.attempt_number)
            < (${beforeAt}::timestamptz, ${before?.deliveryId ?? 0}::bigint, ${before?.attemptNumber ?? 0}::integer))
        order by a.attempted_at desc, a.webhook_delivery_id desc, a.attempt_number desc limit ${limit + 1}`.pipe(
        fromSql()
      )
      const listed = rows.slice(0, limit)
      const last = rows.length > limit ? listed.at(-1) : undefined
      return {
        attempts: listed.map(({ millis: _, ...attempt }) => attempt),
        next:
          last === undefined
            ? undefined
            : { millis: last.millis, deliveryId: last.delivery_id, attemptNumber: last.attempt_number }
      }
    })
  }
}

export const WebhookOperationsPostgres = Layer.effect(
  WebhookOperations,
  Effect.map(SqlClient, (sql) => WebhookOperations.of({ ...makeChanges(sql, makeFilter(sql)), ...makeAttempts(sql) }))
)
