import { SqlClient } from "@effect/sql/SqlClient"
import { Context, Duration, Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { describeCause } from "../../Services/Core/SafeCause.ts"
import { TaskQueue } from "../../Services/Jobs/TaskQueue.ts"
import type { LeadId } from "../../Services/Leads/Ids.ts"
import { MeetingNotices } from "../../Services/Meetings/MeetingNotices.ts"
import { ModelOutages } from "../../Services/Models/ModelOutages.ts"
import type { TouchId } from "../../Services/Outreach/TouchLedger.ts"
import { composeAnswer, composeTouch } from "../../Services/Outreach/TouchTasks.ts"
import { hasAccountIdentity, hasCampaignIdentity } from "../Accounts/Sql.ts"
import { postponeByADay } from "../Leads/Sql/Schedule.ts"
import { makeAdaptivePoller, maximumIdle } from "../Platform/AdaptivePoller.ts"
import { DatabasePools } from "../Platform/Postgres/Database.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { insertDue, takeDue } from "../Prospecting/Sql.ts"
import { claimNotices } from "./ClaimNotices.ts"

/** The most accounts that one claim checks, those that have waited longest first. */
const accountsAtATime = 100
/**
 * The most leads of one account that one claim takes, so that an account with a million due leads does not delay
 * others.
 */
const perAccount = 50
const batchSize = 500
/**
 * The priority of writing messages. It is lower than that of sending written messages, and of messages that a person
 * waits for.
 */
const writingPriority = 10
/** The most touches that wait to be written, in all and per account. More would only make the queue longer. */
const maximumWaiting = 2_000
const maximumWaitingOfAccount = 200

interface Claimed {
  readonly accountId: AccountId
  readonly leadId: LeadId
  readonly touchId: TouchId
  readonly isAwaited: boolean
}

/** Takes the accounts that have due leads from the dispatch queue, except those that another process has locked. */
const takeAccounts = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const rows = yield* unit
    .acrossAccounts(sql<{ readonly accountId: AccountId }>`
    with first as (
      select distinct account_id from (
        select d.account_id from dispatch_queue d join account a on a.account_id = d.account_id
        where d.due_at <= instant() and a.clock is not distinct from test_clock()
          and (select count(*) from (select from touch where status = 'writing' limit ${maximumWaiting}) waiting)
            < ${maximumWaiting}
        order by d.due_at limit ${accountsAtATime}
      ) oldest
    ), taken as (
      select d.account_id, d.dispatch_queue_id from dispatch_queue d join first on first.account_id = d.account_id
      where d.due_at <= instant() for update of d skip locked
    )
    ${sql.literal(takeDue)}
    returning d.account_id as "accountId"`)
    .pipe(fromSql())
  return [...new Set(rows.map(({ accountId }) => accountId))]
})

/**
 * Sets when each account is checked next: at once if it has more due leads, in a minute if another process holds them,
 * and in ten minutes if the account has no sender identity yet.
 */
const noteNext = (accounts: ReadonlyArray<AccountId>, claimed: ReadonlySet<AccountId>) =>
  Effect.flatMap(SqlClient, (sql) =>
    sql`
      with next as materialized (
        select track.account_id, min(case when track.has_identity then first.next_touch_at
          else greatest(first.next_touch_at, instant() + interval '10 minutes') end) as at
        from (
          select a.account_id, 0::bigint as campaign, ${sql.literal(hasAccountIdentity())} as has_identity from account a
            left join business_profile b on b.account_id = a.account_id
          where a.account_id = any (${accounts}::bigint[]) and a.is_prospecting_active
          union all
          select c.account_id, c.campaign_id, ${sql.literal(hasCampaignIdentity())} from campaign c join account a on a.account_id = c.account_id
            left join business_profile b on b.account_id = c.account_id
          where c.account_id = any (${accounts}::bigint[]) and a.is_prospecting_active and c.is_active
            and c.archived_at is null
        ) track
        cross join lateral (
          select l.next_touch_at from lead l
          where l.account_id = track.account_id and coalesce(l.campaign_id, 0) = track.campaign
            and l.pipeline_state = 'in_pipeline' and l.paused_at is null and l.next_touch_at is not null
            and l.unsubscribed_at is null
          order by l.next_touch_at limit 1
        ) first
        group by track.account_id
      )
      ${sql.literal(insertDue)}
      select next.account_id, case when next.at > instant() then next.at
        when ${[...claimed]}::bigint[] @> array[next.account_id] then instant()
        else instant() + interval '1 minute' end
      from next`.pipe(fromSql())
  )

/**
 * Claims due leads, longest due first. Each gets an open touch, in one transaction with the task that writes it. Only
 * accounts in the dispatch queue are checked, and meeting notices are claimed first. Several processes may run this at
 * the same time: locked leads are skipped, and the open touch prevents a second claim. Returns how many were claimed.
 */
export const claimTouches: Effect.Effect<
  number,
  Transient,
  SqlClient | UnitOfWork | TaskQueue | ModelOutages | MeetingNotices
> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const tasks = yield* TaskQueue
  const columns = sql`l.account_id, l.lead_id, l.touch_count, l.next_touch_at`
  const isDue = sql`
      l.pipeline_state = 'in_pipeline' and l.paused_at is null and l.next_touch_at is not null
        and l.next_touch_at <= instant() and l.unsubscribed_at is null
        and not exists (select from touch t where t.account_id = l.account_id and t.lead_id = l.lead_id
          and t.status in ('writing', 'queued') and t.meeting_id is null)`
  const hasReplied = sql`l.last_inbound_at > coalesce(l.last_outbound_at, '-infinity'::timestamptz)`
  const isOfActiveCampaign = sql`
      (l.campaign_id is null and ${sql.literal(hasAccountIdentity("a", "a"))}
        or exists (select from campaign c where c.account_id = l.account_id and c.campaign_id = l.campaign_id
          and c.is_active and c.archived_at is null and ${sql.literal(hasCampaignIdentity("a", "a"))}))`
  const notices = yield* claimNotices
  const outage = yield* Effect.flatMap(ModelOutages, ({ state }) => state)
  if (outage === "open") return notices
  return yield* unit.write(
    Effect.gen(function* () {
      const accounts = yield* takeAccounts
      if (accounts.length === 0) return notices
      // Selects, per account, the leads that have waited longest. The next claim takes the rest.
      const claims = (accountIds: ReadonlyArray<AccountId>, most: number) =>
        sql<Claimed>`
          with active as (
            select a.account_id, a.mail_display_name, b.business_name from account a
              left join business_profile b on b.account_id = a.account_id
            where a.account_id = any (${accountIds}::bigint[]) and a.is_prospecting_active
          ), replied as (
            select d.* from active a cross join lateral (
              select ${columns} from lead l
              where l.account_id = a.account_id and ${isDue} and ${hasReplied} and ${isOfActiveCampaign}
              order by l.next_touch_at limit ${perAccount} for update of l skip locked
            ) d
          ), answered as (
            select d.* from active a cross join lateral (
              select ${columns} from lead_answer_delivery w
                join lead l on l.account_id = w.account_id and l.lead_id = w.lead_id
              where w.account_id = a.account_id and w.status = 'queued' and l.account_id = a.account_id and ${isDue}
                and ${isOfActiveCampaign}
              limit ${perAccount} for update of l skip locked
            ) d
          ), others as (
            select d.* from active a cross join lateral (
              select l.* from (
                select 0::bigint as campaign where ${sql.literal(hasAccountIdentity("a", "a"))}
                union all
                select c.campaign_id from campaign c
                where c.account_id = a.account_id and c.is_active and c.archived_at is null
                  and ${sql.literal(hasCampaignIdentity("a", "a"))}
              ) track
              cross join lateral (
                select ${columns} from lead l
                where l.account_id = a.account_id and coalesce(l.campaign_id, 0) = track.campaign and ${isDue}
                order by l.next_touch_at limit ${perAccount} for update of l skip locked
              ) l
              order by l.next_touch_at limit ${perAccount}
            ) d
            where ${maximumWaitingOfAccount} > (select count(*) from (
              select from touch t where t.account_id = a.account_id and t.status = 'writing'
              limit ${maximumWaitingOfAccount}) waiting)
          ), due as (
            select distinct on (account_id, lead_id) * from (
              select *, true as is_awaited from replied
              union all select *, true from answered
              union all select *, false from others
            ) d
            order by account_id, lead_id, is_awaited desc
          ), chosen as (
            select * from due order by is_awaited desc, next_touch_at limit ${most}
          ), postponed as (
            -- Should the task be lost, the lead is due again then.
            ${sql.literal(postponeByADay("chosen"))}
          ), touches as (
            insert into touch (account_id, lead_id, touch_number, status)
            select account_id, lead_id, touch_count + 1, 'writing' from chosen
            on conflict do nothing
            returning account_id, lead_id, touch_id
          )
          select t.account_id as "accountId", t.lead_id as "leadId", t.touch_id as "touchId",
            c.is_awaited as "isAwaited"
          from touches t join chosen c on c.account_id = t.account_id and c.lead_id = t.lead_id`.pipe(fromSql())
      const claimed: Array<Claimed> = []
      for (const batch of unit.perAccount(accounts.map((accountId) => ({ accountId })))) {
        const batchAccounts = batch.map(({ accountId }) => accountId)
        const most = (outage === "try" ? 1 : batchSize) - claimed.length
        if (most > 0) claimed.push(...(yield* claims(batchAccounts, most)))
        yield* noteNext(batchAccounts, new Set(claimed.map(({ accountId }) => accountId)))
      }
      const touchOf = ({ accountId, leadId, touchId }: Claimed) => ({ payload: { accountId, leadId, touchId } })
      yield* tasks.enqueueMany(composeAnswer, claimed.filter(({ isAwaited }) => isAwaited).map(touchOf))
      yield* tasks.enqueueMany(
        composeTouch,
        claimed.filter(({ isAwaited }) => !isAwaited).map((touch) => ({ ...touchOf(touch), priority: writingPriority }))
      )
      return notices + claimed.length
    })
  )
}).pipe(Effect.withSpan("Outreach.claimTouches"))

/** Repeats the claim, which takes a part of each account's leads, until no lead is due or enough touches wait. */
export const claimAllTouches = Effect.repeat(claimTouches, { while: (count) => count > 0 })

/** The pauses of the loop. Tests use shorter ones. */
export class TouchLoopTiming extends Context.Reference<TouchLoopTiming>()("TouchLoopTiming", {
  defaultValue: () => ({ pause: Duration.seconds(2) })
}) {}

/** Milliseconds until the next entry of the dispatch queue is due. Infinite if it is empty. */
const nextDueMillis = Effect.flatMap(Effect.all([SqlClient, UnitOfWork]), ([sql, unit]) =>
  unit
    .acrossAccounts(sql<{ readonly millis: number | null }>`
    select 1000 * extract(epoch from d.due_at - instant())::float8 as millis
    from dispatch_queue d join account a on a.account_id = d.account_id
    where a.clock is not distinct from test_clock() order by d.due_at limit 1`)
    .pipe(
      fromSql(),
      Effect.map((rows) => rows[0]?.millis ?? Infinity)
    )
)

/**
 * Polls for due leads. It claims only after a read-only query has found some, so an idle gateway opens no transaction.
 */
const look = Effect.gen(function* () {
  const [unit, notices] = [yield* UnitOfWork, yield* MeetingNotices]
  const [dueIn, isNoticeDue] = yield* unit.read(Effect.all([nextDueMillis, notices.isAnyDue]))
  if (dueIn > 0 && !isNoticeDue) return { found: false, dueIn: Math.ceil(dueIn) }
  const claimed = yield* claimTouches
  if (claimed > 0) yield* claimAllTouches
  return { found: claimed > 0 }
}).pipe(
  Effect.catchAllCause((cause) =>
    Effect.as(Effect.annotateLogs(Effect.logWarning("due leads were not claimed"), "cause", describeCause(cause)), {
      found: false
    })
  )
)

/** Polls for due leads while its scope is open. A failed claim is retried later. */
export const touchLoop = Effect.gen(function* () {
  const { pause } = yield* TouchLoopTiming
  const { activity } = yield* DatabasePools
  const lookout = yield* makeAdaptivePoller(activity, { shortest: pause, longest: maximumIdle })
  yield* Effect.forkScoped(lookout.poll(look))
})
