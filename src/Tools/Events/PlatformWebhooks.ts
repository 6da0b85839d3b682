import { Effect, Schema } from "effect"
import { Refused } from "../../Errors.ts"
import { CampaignId } from "../../Services/Campaigns/Ids.ts"
import { eventTypes } from "../../Services/Events/AccountEvents.ts"
import {
  attemptCursor,
  attemptCursorText,
  LoggedAttemptView,
  overlapHours,
  WebhookFilterView,
  WebhookOperations,
  WebhookSecretView
} from "../../Services/Events/WebhookOperations.ts"
import { mostReplayed, WebhookReplayId, WebhookReplays } from "../../Services/Events/WebhookReplays.ts"
import { WebhookSubscriptionId } from "../../Services/Events/Webhooks.ts"
import { JobId } from "../../Services/Jobs/Ids.ts"
import { JobStatus } from "../../Services/Jobs/Jobs.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"

const subscriptionId = Param.id(WebhookSubscriptionId, "The subscription, as list_webhook_subscriptions names it.")

const replayWebhookEvents = Tool.make("replay_webhook_events", {
  kind: "write",
  idempotent: false,
  openWorld: true,
  runsInBackground: true,
  description: `Sends the events of a range of time to a subscription again, in the background and under the same webhook-id, at most ${mostReplayed}. Only events that the subscription takes now are sent. New events do not wait for them, and their outcome does not count for the subscription's health.`,
  parameters: {
    subscription_id: subscriptionId,
    since: Param.instant("Only events from this time on."),
    until: Param.optional(Param.inclusiveUpperBound("Only events up to this time.")),
    event_types: Param.optional(
      Param.listOf(eventTypes, "Comma-separated types of events; all types of the subscription when left out or empty.")
    ),
    only_failed: Param.withDefault(
      Param.boolean("Only events whose delivery failed in the last 30 days and that never arrived."),
      false
    ),
    count_only: Param.withDefault(Param.boolean("Answers how many events there are, and sends nothing."), false)
  },
  returns: Schema.Struct({
    subscription_id: WebhookSubscriptionId,
    events: Schema.Int.annotations({ description: "Events that are sent again, or would be." }),
    replay_id: Schema.NullOr(WebhookReplayId).annotations({ description: "Null if they were only counted." }),
    job_id: Schema.NullOr(JobId).annotations({ description: "The background job. Null if they were only counted." }),
    status: Schema.NullOr(JobStatus)
  }),
  errors: {
    NotFound: ["webhook_subscription_not_found"],
    Refused: ["range_empty", "too_many_events", "too_many_jobs", "webhook_subscription_not_active"]
  },
  example: { subscription_id: 1, since: "2026-01-01", only_failed: false },
  run: Effect.fnUntraced(function* ({ count_only, event_types, only_failed, since, subscription_id, until }) {
    const replays = yield* WebhookReplays
    const range = {
      subscriptionId: subscription_id,
      since,
      until,
      eventTypes: event_types === undefined || event_types.length === 0 ? undefined : event_types,
      onlyFailed: only_failed
    }
    if (count_only) {
      return { subscription_id, events: yield* replays.count(range), replay_id: null, job_id: null, status: null }
    }
    const { events, jobId, replayId } = yield* replays.start(range)
    return { subscription_id, events, replay_id: replayId, job_id: jobId, status: "queued" as const }
  })
})

const listWebhookAttempts = Tool.make("list_webhook_attempts", {
  kind: "read",
  openWorld: false,
  description:
    "Lists attempts to deliver webhooks in the last 30 days, of all subscriptions, newest first: when, how long it took, the status, and how a failed answer begins.",
  parameters: {
    subscription_id: Param.optional(
      Param.id(WebhookSubscriptionId, "Only attempts of this subscription, as list_webhook_subscriptions names it.")
    ),
    since: Param.optional(Param.instant("Only attempts from this time on.")),
    until: Param.optional(Param.inclusiveUpperBound("Only attempts up to this time.")),
    only_failed: Param.withDefault(Param.boolean("Only failed attempts."), false),
    cursor: Param.optional(
      Param.text("Continues a list: next_cursor of the answer before.", { maxLength: 50, minLength: 1 })
    ),
    limit: Param.size("Attempts per answer. More than 200 is lowered to 200.", { default: 30, maximum: 200 })
  },
  returns: Schema.Struct({
    attempts: Schema.Array(LoggedAttemptView),
    next_cursor: Schema.NullOr(Schema.String).annotations({ description: "Null at the end of the list." }),
    limit: Schema.Int
  }),
  errors: { NotFound: ["webhook_subscription_not_found"], Refused: ["cursor_invalid"] },
  example: { limit: 20 },
  run: Effect.fnUntraced(function* ({ cursor, limit, only_failed, subscription_id, ...range }) {
    const before = cursor === undefined ? undefined : attemptCursor(cursor)
    if (before instanceof Refused) return yield* before
    const operations = yield* WebhookOperations
    const { attempts, next } = yield* operations.attempts(
      { ...range, subscriptionId: subscription_id, onlyFailed: only_failed },
      { limit, before }
    )
    return { attempts, next_cursor: next === undefined ? null : attemptCursorText(next), limit }
  })
})

const rotateWebhookSecret = Tool.make("rotate_webhook_secret", {
  kind: "destructive",
  idempotent: false,
  openWorld: false,
  answersSecret: true,
  description: `Gives a subscription a new signing secret, which is in this answer only. For ${overlapHours} hours deliveries have two signatures, one with each secret. A secret from before the present one ends at once.`,
  parameters: { subscription_id: subscriptionId },
  returns: WebhookSecretView,
  errors: { NotFound: ["webhook_subscription_not_found"] },
  example: { subscription_id: 1 },
  run: Tool.via(WebhookOperations, (operations, { subscription_id }) => operations.rotateSecret(subscription_id))
})

const setWebhookFilter = Tool.make("set_webhook_filter", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description:
    "Limits a subscription to events of leads that were in certain campaigns when the event occurred, from the next event on. Events that are not about a lead are then not sent.",
  parameters: {
    subscription_id: subscriptionId,
    campaign_ids: Param.ids(
      CampaignId,
      "Comma-separated campaigns, as list_campaigns names them. Empty for all events."
    )
  },
  returns: WebhookFilterView,
  errors: { NotFound: ["campaign_not_found", "webhook_subscription_not_found"] },
  settings: ({ subscription_id }) =>
    Effect.flatMap(WebhookOperations, (operations) => operations.filter(subscription_id)),
  example: { subscription_id: 1, campaign_ids: "1" },
  run: Tool.via(WebhookOperations, (operations, { campaign_ids, subscription_id }) =>
    operations.setFilter(subscription_id, campaign_ids)
  )
})

/** Webhooks, as integrators operate them. */
export const platformWebhooks = [
  replayWebhookEvents,
  listWebhookAttempts,
  rotateWebhookSecret,
  setWebhookFilter
] as const
