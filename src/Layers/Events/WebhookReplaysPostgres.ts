import { SqlClient } from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import { Effect, Layer } from "effect"
import { refused } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import type { Timestamp } from "../../Services/Core/Timestamp.ts"
import type { EventType } from "../../Services/Events/AccountEvents.ts"
import {
  mostReplayed,
  type ReplayRange,
  type WebhookReplayId,
  WebhookReplays,
  webhookReplayKind
} from "../../Services/Events/WebhookReplays.ts"
import type { WebhookSubscriptionId } from "../../Services/Events/Webhooks.ts"
import { JobFailed, type RunningJob } from "../../Services/Jobs/JobHandler.ts"
import { Jobs } from "../../Services/Jobs/Jobs.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"
import { findSubscription } from "./Subscriptions.ts"

const perTransaction = 500

const notActive = (id: WebhookSubscriptionId) =>
  refused(
    "webhook_subscription_not_active",
    "The webhook subscription is switched off.",
    "Switch it on with update_webhook_subscription, then repeat the call.",
    { subscription_id: id }
  )

const tooMany = refused(
  "too_many_events",
  `The range has more than ${mostReplayed} events.`,
  "Replay a shorter range, or fewer types of events.",
  { maximum: mostReplayed }
)

const rangeEmpty = refused("range_empty", "The range ends before it begins.", "Send an until that is after since.")

const subscriptionGone = new JobFailed({ reason: "The webhook subscription was deleted or switched off." })

interface StoredReplay {
  readonly id: WebhookReplayId
  readonly subscriptionId: WebhookSubscriptionId
  readonly since: Timestamp
  readonly until: Timestamp | null
  readonly eventTypes: ReadonlyArray<EventType> | null
  readonly onlyFailed: boolean
  readonly lastEventId: number
  readonly afterEventId: number
  readonly eventCount: number
  readonly queuedCount: number
}

type Selected = Omit<ReplayRange, "until" | "eventTypes"> & {
  readonly until: Timestamp | null | undefined
  readonly eventTypes: ReadonlyArray<EventType> | null | undefined
}

/** The events `e` of the range for the subscription `s`, without those whose delivery is already pending. */
const makeSelection =
  (sql: SqlClient) =>
  (
    accountId: AccountId,
    { eventTypes = null, onlyFailed, since, subscriptionId, until = null }: Selected
  ): Fragment => {
    const delivery = (status: Fragment) => sql`exists (
      select from webhook_delivery d where d.account_id = ${accountId} and d.account_event_id = e.account_event_id
        and d.webhook_subscription_id = ${subscriptionId} and ${status})`
    const isUndelivered = onlyFailed
      ? sql`${delivery(sql`d.status = 'failed'`)} and not ${delivery(sql`d.status = 'delivered'`)}`
      : sql`true`
    return sql`
      from account_event e join webhook_subscription s
        on s.account_id = e.account_id and s.webhook_subscription_id = ${subscriptionId}
      where e.account_id = ${accountId} and e.occurred_at >= ${since}
        and (${until}::timestamptz is null or e.occurred_at < ${until})
        and (${eventTypes}::text[] is null or e.event_type = any (${eventTypes}::text[]))
        and (s.event_types is null or e.event_type = any (s.event_types))
        and (s.campaign_ids is null or (e.data ->> 'campaign_id')::bigint = any (s.campaign_ids))
        and not ${delivery(sql`d.status = 'pending'`)} and ${isUndelivered}`
  }

const makeReplayServices = Effect.gen(function* () {
  const sql = yield* SqlClient
  return { sql, unit: yield* UnitOfWork, jobs: yield* Jobs, selection: makeSelection(sql) }
})
type ReplayServices = Effect.Effect.Success<typeof makeReplayServices>

const requests = ({ jobs, selection, sql }: ReplayServices): Pick<typeof WebhookReplays.Service, "count" | "start"> => {
  const count = Effect.fn("WebhookReplays.count")(function* (range: ReplayRange) {
    const { accountId } = yield* Caller
    const { is_active } = yield* findSubscription(sql, accountId, range.subscriptionId)
    if (!is_active) return yield* notActive(range.subscriptionId)
    if (range.until !== undefined && range.until <= range.since) return yield* rangeEmpty
    const rows = yield* sql<{ readonly events: number }>`
      select count(*) as events from (
        select 1 as event ${selection(accountId, range)} limit ${mostReplayed + 1}) listed`.pipe(fromSql())
    const { events } = single(rows)
    return events > mostReplayed ? yield* tooMany : events
  })

  const start = Effect.fn("WebhookReplays.start")(function* (range: ReplayRange) {
    const { accountId } = yield* Caller
    const events = yield* count(range)
    const jobId = yield* jobs.enqueue({ kind: webhookReplayKind, subjectId: undefined })
    const { eventTypes = null, onlyFailed, since, subscriptionId, until = null } = range
    const { replayId } = single(
      yield* sql<{ readonly replayId: WebhookReplayId }>`
        insert into webhook_replay (account_id, job_id, webhook_subscription_id, events_since, events_until, event_types,
          only_failed, event_count, last_event_id)
        select ${accountId}::bigint, ${jobId}::uuid, ${subscriptionId}::bigint, ${since}::timestamptz, ${until}::timestamptz,
          ${eventTypes}::text[], ${onlyFailed}::boolean, ${events}::integer, coalesce(max(account_event_id), 0)
        from account_event where account_id = ${accountId}
        returning webhook_replay_id as "replayId"`.pipe(fromSql())
    )
    yield* jobs.setSubject(jobId, replayId)
    return { replayId, jobId, events }
  })

  return { count, start }
}

const work = ({ selection, sql, unit }: ReplayServices): Pick<typeof WebhookReplays.Service, "run"> => {
  const load = ({ accountId, jobId }: RunningJob) =>
    sql<StoredReplay>`
      select webhook_replay_id as id, webhook_subscription_id as "subscriptionId", events_since as since,
        events_until as until, event_types as "eventTypes", only_failed as "onlyFailed", last_event_id as "lastEventId",
        after_event_id as "afterEventId", event_count as "eventCount", queued_count as "queuedCount"
      from webhook_replay where account_id = ${accountId} and job_id = ${jobId}`.pipe(
      fromSql(),
      Effect.flatMap((rows) => (rows[0] === undefined ? Effect.fail(subscriptionGone) : Effect.succeed(rows[0])))
    )

  /** Queues the next deliveries. Returns how many. */
  const step = (accountId: AccountId, replay: StoredReplay, afterEventId: number) =>
    Effect.gen(function* () {
      const active = yield* sql`
        select from webhook_subscription
        where account_id = ${accountId} and webhook_subscription_id = ${replay.subscriptionId} and is_active
        for share`.pipe(fromSql())
      if (active.length === 0) return yield* subscriptionGone
      // Due now. New events are due from the beginning, so both get a share of each lease.
      const rows = yield* sql<{ readonly event: number }>`
        insert into webhook_delivery (account_id, webhook_subscription_id, account_event_id, event_type, is_replay,
          next_attempt_at)
        select ${accountId}::bigint, ${replay.subscriptionId}::bigint, listed.account_event_id, listed.event_type, true, instant()
        from (
          select e.account_event_id, e.event_type ${selection(accountId, replay)}
            and e.account_event_id > ${afterEventId} and e.account_event_id <= ${replay.lastEventId}
          order by e.account_event_id limit ${perTransaction}
        ) listed order by listed.account_event_id
        returning account_event_id as event`.pipe(fromSql())
      const last = rows.reduce((latest, { event }) => Math.max(latest, event), afterEventId)
      yield* sql`
        update webhook_replay set after_event_id = ${last}, queued_count = queued_count + ${rows.length}
        where account_id = ${accountId} and webhook_replay_id = ${replay.id}`.pipe(fromSql())
      return { count: rows.length, last }
    })

  return {
    run: Effect.fn("WebhookReplays.run")(function* (job) {
      const replay = yield* load(job)
      let { afterEventId, queuedCount } = replay
      let isDone = false
      while (!isDone) {
        yield* job.checkpoint
        const queued = yield* unit.write(step(job.accountId, replay, afterEventId))
        afterEventId = queued.last
        queuedCount += queued.count
        isDone = queued.count < perTransaction
        yield* job.setProgress(Math.min(99, (99 * queuedCount) / Math.max(replay.eventCount, 1)))
      }
    })
  }
}

export const WebhookReplaysPostgres = Layer.effect(
  WebhookReplays,
  Effect.map(makeReplayServices, (services) => WebhookReplays.of({ ...requests(services), ...work(services) }))
)
