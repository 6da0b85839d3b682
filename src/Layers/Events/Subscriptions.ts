import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { type NotFound, notFound, type Transient } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import type { WebhookSubscriptionId } from "../../Services/Events/Webhooks.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

export const noSubscription = (id: WebhookSubscriptionId) => notFound("webhook subscription", "subscription_id", id)

/** Returns whether the subscription is active. Fails if the account has none with this id. */
export const findSubscription = (
  sql: SqlClient,
  accountId: AccountId,
  id: WebhookSubscriptionId
): Effect.Effect<{ readonly is_active: boolean }, NotFound | Transient> =>
  sql<{ readonly is_active: boolean }>`
    select is_active from webhook_subscription
    where account_id = ${accountId} and webhook_subscription_id = ${id} and deleted_at is null`.pipe(
    fromSql(),
    Effect.flatMap(([subscription]) => (subscription === undefined ? noSubscription(id) : Effect.succeed(subscription)))
  )
