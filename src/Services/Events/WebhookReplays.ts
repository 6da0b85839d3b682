import { Context, Effect, Schema } from "effect"
import type { NotFound, Refused, Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Caller.ts"
import type { Timestamp } from "../Core/Timestamp.ts"
import type { JobId } from "../Jobs/Ids.ts"
import * as JobHandler from "../Jobs/JobHandler.ts"
import type { EventType } from "./AccountEvents.ts"
import type { WebhookSubscriptionId } from "./Webhooks.ts"

export const WebhookReplayId = Schema.Int.pipe(Schema.brand("WebhookReplayId"))
export type WebhookReplayId = typeof WebhookReplayId.Type

/** The most events of one replay. */
export const mostReplayed = 100_000

/** Which events are sent again: those that the subscription takes now, in a range of time. */
export interface ReplayRange {
  readonly subscriptionId: WebhookSubscriptionId
  readonly since: Timestamp
  readonly until: Timestamp | undefined
  /** Undefined for all types of the subscription. */
  readonly eventTypes: ReadonlyArray<EventType> | undefined
  /** Only events that have a failed delivery to the subscription and none that arrived. */
  readonly onlyFailed: boolean
}

export class WebhookReplays extends Context.Tag("WebhookReplays")<
  WebhookReplays,
  {
    readonly count: (range: ReplayRange) => Effect.Effect<number, NotFound | Refused | Transient, Caller>
    /** Stores the replay and queues its job. Call it in a transaction. */
    readonly start: (
      range: ReplayRange
    ) => Effect.Effect<
      { readonly replayId: WebhookReplayId; readonly jobId: JobId; readonly events: number },
      NotFound | Refused | Transient,
      Caller
    >
    /**
     * Queues a delivery of each event, oldest first. Events with a delivery on its way are left out. The subscription's
     * new events and its health are unaffected.
     */
    readonly run: (job: JobHandler.RunningJob) => Effect.Effect<void, JobHandler.JobError, Caller>
  }
>() {}

export const webhookReplayKind = "webhook_replay"

export const webhookReplayJob = JobHandler.make(webhookReplayKind, {
  run: (job) => Effect.flatMap(WebhookReplays, (replays) => replays.run(job))
})
