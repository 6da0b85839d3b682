import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Redacted } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId, Plan } from "../../Services/Accounts/Ids.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import type { Timestamp } from "../../Services/Core/Timestamp.ts"
import { Notifications } from "../../Services/Events/Notifications.ts"
import type { WebhookDeliveryId, WebhookDeliveryStatus, WebhookSubscriptionId } from "../../Services/Events/Webhooks.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"
import type { Attempt, WebhookMessage } from "./Webhooks/Attempt.ts"

/** A subscription that only the holder of the lease sends to until the lease ends. */
export interface Leased {
  readonly accountId: AccountId
  readonly subscriptionId: WebhookSubscriptionId
  /** Distinguishes this lease from earlier and later ones. */
  readonly leaseNumber: number
}

/** A due delivery of a leased subscription. */
export interface DueDelivery extends Leased, WebhookMessage {
  readonly deliveryId: WebhookDeliveryId
  readonly version: number
  /** The number of scheduled attempts so far. */
  readonly scheduleStep: number
  /** Consecutive failed attempts of the subscription. */
  readonly consecutiveFailures: number
  /** True if an event is repeated by request. The outcome does not affect the subscription's health. */
  readonly isReplay: boolean
}

/** The result of an attempt, as it is stored. */
export interface Outcome extends Attempt {
  readonly due: DueDelivery
  readonly status: WebhookDeliveryStatus
  /** Seconds until the next attempt. Undefined if there is none. */
  readonly retryIn: number | undefined
  /** Seconds for which the subscription gets no deliveries. */
  readonly holdFor: number
  /** True if the lease ends with this outcome. */
  readonly endsLease: boolean
}

export interface Recorded {
  /**
   * True if the fetched deliveries may still be sent: the lease has not ended, and the subscription has not changed.
   */
  readonly isCurrent: boolean
  readonly consecutiveFailures: number
  readonly failingForSeconds: number
}

export interface WebhookQueue {
  /** Leases up to `count` subscriptions with due deliveries, those that have waited longest first. */
  readonly lease: (count: number, seconds: number) => Effect.Effect<ReadonlyArray<Leased>, Transient>
  /** Milliseconds until the next waiting delivery is due. Infinite if none waits. */
  readonly nextDueMillis: Effect.Effect<number, Transient>
  /**
   * Reads the due deliveries of leased subscriptions. Those of one subscription are in the order in which they must be
   * sent.
   */
  readonly fetch: (leased: ReadonlyArray<Leased>) => Effect.Effect<ReadonlyArray<DueDelivery>, Transient>
  /** Releases leases that this process still holds. */
  readonly release: (leased: ReadonlyArray<Leased>) => Effect.Effect<void, Transient>
  /** Stores outcomes, at most one per subscription, and returns a result for each in their order. */
  readonly record: (outcomes: ReadonlyArray<Outcome>) => Effect.Effect<ReadonlyArray<Recorded>, Transient>
  /**
   * The waiting time of the delivery that has waited longest for its first attempt, among receivers that accept
   * deliveries.
   */
  readonly oldestWaitingSeconds: Effect.Effect<number, Transient>
  /** Disables the subscription and notifies the account, unless it is already disabled. */
  readonly disable: (leased: Leased, reason: "gone" | "failing") => Effect.Effect<void, Transient>
}

/** The limits for first attempts and for retries, so that neither delays the other. */
const fetchedFirsts = 40
const fetchedRetries = 10
const fetchedPings = 3

/**
 * A CTE with each subscription that has pending deliveries, and its first one. It walks the index from subscription to
 * subscription, so a long queue of one does not slow down the others.
 */
const waiting = `waiting as (
    (select account_id, webhook_subscription_id, next_attempt_at, created_at from webhook_delivery
      where status = 'pending'
      order by account_id, webhook_subscription_id, next_attempt_at, webhook_delivery_id limit 1)
    union all
    select following.* from waiting w cross join lateral (
      select d.account_id, d.webhook_subscription_id, d.next_attempt_at, d.created_at from webhook_delivery d
      where d.status = 'pending'
        and (d.account_id, d.webhook_subscription_id) > (w.account_id, w.webhook_subscription_id)
      order by d.account_id, d.webhook_subscription_id, d.next_attempt_at, d.webhook_delivery_id limit 1
    ) following
  )`

/** The CTE for a cluster. Each node reads its own subscriptions, because iterating over accounts would switch nodes. */
const waitingOnNodes = `waiting as (
    select s.account_id, s.webhook_subscription_id, first.next_attempt_at, first.created_at
    from webhook_subscription s cross join lateral (
      select d.next_attempt_at, d.created_at from webhook_delivery d
      where d.account_id = s.account_id and d.webhook_subscription_id = s.webhook_subscription_id and d.status = 'pending'
      order by d.next_attempt_at, d.webhook_delivery_id limit 1
    ) first
    where s.deleted_at is null
  )`

interface LeasedRow {
  readonly account_id: AccountId
  readonly webhook_subscription_id: WebhookSubscriptionId
  readonly lease_number: number
}

interface DueRow extends LeasedRow {
  readonly webhook_delivery_id: WebhookDeliveryId
  readonly url: string
  readonly secret: Uint8Array
  readonly previous_secret: Uint8Array | null
  readonly is_replay: boolean
  readonly version: number
  readonly schedule_step: number
  readonly consecutive_failures: number
  readonly event_id: string
  readonly event_type: string
  readonly occurred_at: Timestamp
  readonly data: unknown
}

const leasedOf = (row: LeasedRow): Leased => ({
  accountId: row.account_id,
  subscriptionId: row.webhook_subscription_id,
  leaseNumber: row.lease_number
})

const makeQueueServices = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const notifications = yield* Notifications
  return { notifications, sql, unit }
})
type QueueServices = Effect.Effect.Success<typeof makeQueueServices>

const makeWaiting = ({ sql, unit }: QueueServices) => {
  const withWaiting = () => sql.literal(unit.isCluster() ? `with ${waitingOnNodes}` : `with recursive ${waiting}`)

  const subscriptionsOf = (leased: ReadonlyArray<Leased>) =>
    sql`unnest(${leased.map(({ accountId }) => accountId)}::bigint[],
        ${leased.map(({ subscriptionId }) => subscriptionId)}::bigint[],
        ${leased.map(({ leaseNumber }) => leaseNumber)}::bigint[]) held (account_id, webhook_subscription_id, lease_number)`

  return { withWaiting, subscriptionsOf }
}
type Waiting = ReturnType<typeof makeWaiting>

const leases = (
  { sql, unit }: QueueServices,
  { subscriptionsOf, withWaiting }: Waiting
): Pick<WebhookQueue, "lease" | "nextDueMillis" | "release" | "oldestWaitingSeconds"> => ({
  lease: Effect.fn("WebhookQueue.lease")(function* (count, seconds) {
    const rows = yield* unit
      .acrossAccounts(sql<LeasedRow>`
        ${withWaiting()}, due as (
          select s.account_id, s.webhook_subscription_id
          from waiting w join webhook_subscription s using (account_id, webhook_subscription_id)
          where s.deleted_at is null and (s.leased_until is null or s.leased_until <= instant())
            and (
              (s.is_active and (s.held_until is null or s.held_until <= instant()) and w.next_attempt_at <= instant())
              or exists (
                select from webhook_delivery p where p.account_id = s.account_id
                  and p.webhook_subscription_id = s.webhook_subscription_id
                  and p.status = 'pending' and p.event_type = 'ping')
            )
          order by s.leased_until nulls first limit ${count}
          for no key update of s skip locked
        )
        update webhook_subscription s
        set lease_number = s.lease_number + 1, leased_until = instant() + make_interval(secs => ${seconds})
        from due
        where s.account_id = due.account_id and s.webhook_subscription_id = due.webhook_subscription_id
          and (s.leased_until is null or s.leased_until <= instant())
        returning s.account_id, s.webhook_subscription_id, s.lease_number`)
      .pipe(fromSql())
    return rows.map(leasedOf)
  }),

  nextDueMillis: Effect.suspend(() =>
    unit.acrossAccounts(sql<{ readonly millis: number | null }>`
      ${withWaiting()}
      select 1000 * extract(epoch from min(greatest(w.next_attempt_at, s.held_until, s.leased_until, instant())) - instant())::float8
        as millis
      from waiting w join webhook_subscription s using (account_id, webhook_subscription_id)
      where s.deleted_at is null and s.is_active`)
  ).pipe(
    Effect.map((rows) => Math.max(0, Math.ceil(single(rows).millis ?? Infinity))),
    fromSql()
  ),

  release: Effect.fn("WebhookQueue.release")(function* (leased) {
    if (leased.length === 0) return
    yield* unit
      .acrossAccounts(sql`
        update webhook_subscription s set leased_until = instant()
        from ${subscriptionsOf(leased)}
        where s.account_id = held.account_id and s.webhook_subscription_id = held.webhook_subscription_id
          and s.lease_number = held.lease_number`)
      .pipe(fromSql())
  }),

  oldestWaitingSeconds: Effect.suspend(
    () => sql<{ readonly seconds: number }>`
      ${withWaiting()}
      select coalesce(extract(epoch from instant() - min(w.created_at)), 0)::float8 as seconds
      from waiting w join webhook_subscription s using (account_id, webhook_subscription_id)
      where w.next_attempt_at = '-infinity' and s.is_active and s.deleted_at is null
        and (s.held_until is null or s.held_until <= instant())`
  ).pipe(
    Effect.map((rows) => single(rows).seconds),
    fromSql(),
    Effect.withSpan("WebhookQueue.oldestWaitingSeconds")
  )
})

const fetching = ({ sql, unit }: QueueServices, { subscriptionsOf }: Waiting): Pick<WebhookQueue, "fetch"> => ({
  // Separate from the lease's statement, because it must see everything that the previous holder recorded.
  fetch: Effect.fn("WebhookQueue.fetch")(function* (leased) {
    if (leased.length === 0) return []
    const columns = sql.literal(
      "webhook_delivery_id, account_event_id, ping_key, event_type, schedule_step, created_at, is_replay"
    )
    const pending = sql`d.account_id = s.account_id and d.webhook_subscription_id = s.webhook_subscription_id
        and d.status = 'pending'`
    const mayHaveEvents = sql`s.is_active and (s.held_until is null or s.held_until <= instant())
        and d.event_type <> 'ping'`
    const rows = yield* unit
      .acrossAccounts(sql<DueRow>`
        select s.account_id, s.webhook_subscription_id, s.lease_number, s.url, s.secret, s.version, s.consecutive_failures,
          case when s.previous_secret_until > instant() then s.previous_secret end as previous_secret, d.is_replay,
          d.webhook_delivery_id, d.schedule_step, d.event_type, event_id(coalesce(d.ping_key, e.event_key)) as event_id,
          coalesce(e.occurred_at, d.created_at) as occurred_at,
          coalesce(e.data, jsonb_build_object('subscription_id', s.webhook_subscription_id)) as data
        from ${subscriptionsOf(leased)}
        join webhook_subscription s using (account_id, webhook_subscription_id, lease_number)
        cross join lateral (
          (select ${columns} from webhook_delivery d where ${pending} and d.event_type = 'ping'
            order by d.webhook_delivery_id limit ${fetchedPings})
          union all
          (select ${columns} from webhook_delivery d where ${pending} and ${mayHaveEvents}
            and d.next_attempt_at > '-infinity' and d.next_attempt_at <= instant()
            order by d.next_attempt_at, d.webhook_delivery_id limit ${fetchedRetries})
          union all
          (select ${columns} from webhook_delivery d where ${pending} and ${mayHaveEvents}
            and d.next_attempt_at = '-infinity'
            order by d.webhook_delivery_id limit ${fetchedFirsts})
        ) d
        left join account_event e on e.account_id = s.account_id and e.account_event_id = d.account_event_id
        where s.deleted_at is null
        order by d.event_type <> 'ping', d.webhook_delivery_id`)
      .pipe(fromSql())
    return rows.map((row) => ({
      ...leasedOf(row),
      deliveryId: row.webhook_delivery_id,
      url: row.url,
      keys: [row.secret, ...(row.previous_secret === null ? [] : [row.previous_secret])].map((key) =>
        Redacted.make(key)
      ),
      isReplay: row.is_replay,
      version: row.version,
      scheduleStep: row.schedule_step,
      consecutiveFailures: row.consecutive_failures,
      eventId: row.event_id,
      eventType: row.event_type,
      occurredAt: row.occurred_at,
      data: row.data
    }))
  })
})

const outcomes = ({ notifications, sql, unit }: QueueServices): Pick<WebhookQueue, "record" | "disable"> => ({
  record: Effect.fn("WebhookQueue.record")(function* (outcomes) {
    const rows = yield* unit
      .acrossAccounts(sql<{
        readonly is_current: boolean
        readonly consecutive_failures: number
        readonly failing_for_seconds: number
      }>`
        with outcome as (
          select * from unnest(
            ${outcomes.map(({ due }) => due.accountId)}::bigint[],
            ${outcomes.map(({ due }) => due.subscriptionId)}::bigint[],
            ${outcomes.map(({ due }) => due.deliveryId)}::bigint[],
            ${outcomes.map(({ due }) => due.leaseNumber)}::bigint[],
            ${outcomes.map(({ due }) => due.version)}::integer[],
            ${outcomes.map(({ attemptedAtMillis }) => attemptedAtMillis)}::double precision[],
            ${outcomes.map(({ durationMillis }) => Math.round(durationMillis))}::integer[],
            ${outcomes.map(({ responseStatus }) => responseStatus)}::integer[],
            ${outcomes.map(({ failureReason }) => failureReason)}::text[],
            ${outcomes.map(({ status }) => status)}::text[],
            ${outcomes.map(({ retryIn }) => retryIn ?? 0)}::double precision[],
            ${outcomes.map(({ holdFor }) => holdFor)}::double precision[],
            ${outcomes.map(({ endsLease }) => endsLease)}::boolean[],
            ${outcomes.map(({ due }) => due.isReplay)}::boolean[],
            ${outcomes.map(({ responseExcerpt }) => responseExcerpt)}::text[]
          ) with ordinality as o (account_id, webhook_subscription_id, webhook_delivery_id, lease_number, version,
            attempted_at, duration_ms, response_status, failure_reason, status, retry_in, hold_for, ends_lease, is_replay,
            response_excerpt, position)
        ), delivery as (
          update webhook_delivery d set status = o.status, schedule_step = d.schedule_step + 1,
            attempt_count = d.attempt_count + 1,
            next_attempt_at = instant() + make_interval(secs => o.retry_in),
            finished_at = case when o.status <> 'pending' then instant() end
          from outcome o
          where d.account_id = o.account_id and d.webhook_delivery_id = o.webhook_delivery_id
          returning d.account_id, d.webhook_delivery_id, d.attempt_count
        ), attempt as (
          insert into webhook_attempt (account_id, webhook_delivery_id, attempt_number, attempted_at, duration_ms,
            response_status, failure_reason, response_excerpt)
          select account_id, webhook_delivery_id, d.attempt_count, to_timestamp(o.attempted_at / 1000), o.duration_ms,
            o.response_status, o.failure_reason, o.response_excerpt
          from delivery d join outcome o using (account_id, webhook_delivery_id)
        ), subscription as (
          update webhook_subscription s set
            last_success_at = case when o.failure_reason is null and not o.is_replay then instant() else s.last_success_at end,
            last_failure_at = case when o.failure_reason is null or o.is_replay then s.last_failure_at else instant() end,
            last_failure_reason = case when o.is_replay then s.last_failure_reason
              else coalesce(o.failure_reason, s.last_failure_reason) end,
            consecutive_failures = case when o.is_replay then s.consecutive_failures
              when o.failure_reason is null then 0 else s.consecutive_failures + 1 end,
            failing_since = case when o.is_replay then s.failing_since
              when o.failure_reason is not null then coalesce(s.failing_since, instant()) end,
            held_until = case when o.is_replay then s.held_until
              when o.failure_reason is null then null
              when o.hold_for > 0 then greatest(s.held_until, instant() + make_interval(secs => o.hold_for))
              else s.held_until end,
            leased_until = case
              when s.lease_number = o.lease_number and (o.ends_lease or not s.is_active or s.version <> o.version)
              then instant() else s.leased_until end
          from outcome o
          where s.account_id = o.account_id and s.webhook_subscription_id = o.webhook_subscription_id
          returning o.position, s.consecutive_failures, s.failing_since,
            s.lease_number = o.lease_number and s.is_active and s.version = o.version as is_current
        )
        select coalesce(s.is_current, false) as is_current, coalesce(s.consecutive_failures, 0) as consecutive_failures,
          coalesce(extract(epoch from instant() - s.failing_since), 0) as failing_for_seconds
        from outcome o left join subscription s using (position) order by o.position`)
      .pipe(fromSql())
    return rows.map((row) => ({
      isCurrent: row.is_current,
      consecutiveFailures: row.consecutive_failures,
      failingForSeconds: row.failing_for_seconds
    }))
  }),

  disable: Effect.fn("WebhookQueue.disable")(function* ({ accountId, subscriptionId }, reason) {
    const disabling = Effect.gen(function* () {
      const rows = yield* sql<{ readonly plan: Plan }>`
          update webhook_subscription s
          set is_active = false, disabled_at = instant(), disabled_reason = ${reason}
          from account a
          where s.account_id = ${accountId} and s.webhook_subscription_id = ${subscriptionId} and s.is_active
            and a.account_id = s.account_id
          returning a.plan`.pipe(fromSql())
      const row = rows[0]
      if (row === undefined) return
      yield* notifications
        .tell({ kind: "webhook_subscription_disabled", reason }, { subscription_id: subscriptionId, reason })
        .pipe(Effect.provideService(Caller, Caller.forTask(accountId, row.plan, "webhooks")))
    })
    yield* unit.write(disabling)
  })
})

export const makeWebhookQueue: Effect.Effect<WebhookQueue, never, SqlClient | UnitOfWork | Notifications> = Effect.gen(
  function* () {
    const services = yield* makeQueueServices
    const waiting = makeWaiting(services)

    return {
      ...leases(services, waiting),
      ...fetching(services, waiting),
      ...outcomes(services)
    }
  }
)
