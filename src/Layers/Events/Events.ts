import { Effect, Layer } from "effect"
import { webhookReplayJob } from "../../Services/Events/WebhookReplays.ts"
import * as Room from "../Platform/Room.ts"
import { Settings } from "../Platform/Settings.ts"
import { makeIsSampled } from "../Platform/Tracing.ts"
import { AccountEventsPostgres } from "./AccountEventsPostgres.ts"
import { eventsMigration, webhookOperationsMigration } from "./Migrations.ts"
import { NotificationsPostgres } from "./NotificationsPostgres.ts"
import { eventsPersonalData } from "./PersonalData.ts"
import { processedNotifications } from "./ProcessedNotifications.ts"
import { WebhookOperationsPostgres } from "./WebhookOperationsPostgres.ts"
import { makeWebhookQueue } from "./WebhookQueue.ts"
import { WebhookReplaysPostgres } from "./WebhookReplaysPostgres.ts"
import { dispatchWebhooks, webhookAttempts } from "./Webhooks/Dispatcher.ts"
import { webhookRetention } from "./Webhooks/Retention.ts"
import { WebhooksPostgres } from "./WebhooksPostgres.ts"

/** The room of events: an account's feed, the notices to its owner, and its webhooks. */
export const EventsRoom = Room.make({
  migrations: [eventsMigration, webhookOperationsMigration],
  layer: Layer.mergeAll(
    AccountEventsPostgres,
    NotificationsPostgres,
    WebhooksPostgres,
    WebhookOperationsPostgres,
    WebhookReplaysPostgres
  ),
  tasks: Effect.succeed([webhookRetention.handler, processedNotifications.handler]),
  jobs: [webhookReplayJob],
  recurring: [webhookRetention.recurring, processedNotifications.recurring],
  loops: Effect.flatMap(Settings, (settings) => dispatchWebhooks({ isSampled: makeIsSampled(settings) })),
  figures: Effect.map(Effect.zipRight(webhookAttempts.begin, makeWebhookQueue), ({ oldestWaitingSeconds }) => [
    {
      name: "gateway_oldest_undelivered_webhook_age_seconds",
      help: "Age of the event that waits longest for its first delivery, receivers that fail left out; 0 where none waits.",
      read: oldestWaitingSeconds
    }
  ]),
  personalData: eventsPersonalData
})
