import { Context, Effect, Schema } from "effect"
import type { NotFound, Refused, Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import type { Timestamp } from "../Core/Timestamp.ts"
import type { JobId } from "../Jobs/Ids.ts"
import * as JobHandler from "../Jobs/JobHandler.ts"
import type { EventType } from "./AccountEvents.ts"
import type { WebhookSubscriptionId } from "./Webhooks.ts"

export const WebhookReplayId = Schema.Int.pipe(Schema.brand("WebhookReplayId"))
export type WebhookReplayId = typeof WebhookReplayId.Type

/** The maximum number of events in one replay. */
export const mostReplayed = 100_000

/** Which events are sent again. They must be in the time range and of a type that the subscription receives now. */
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
     * Queues a delivery of each event, oldest first. Events whose delivery is already pending are left out. New events
     * and the subscription's health are unaffected.
     */
    readonly run: (job: JobHandler.RunningJob) => Effect.Effect<void, JobHandler.JobError, Caller>
  }
>() {}

export const webhookReplayKind = "webhook_replay"

export const webhookReplayJob = JobHandler.make(webhookReplayKind, {
  run: (job) => Effect.flatMap(WebhookReplays, (replays) => replays.run(job))
})
