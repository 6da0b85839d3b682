import { SqlClient } from "@effect/sql/SqlClient"
import { Cache, Effect, Exit, Layer, Schema } from "effect"
import { notFound } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import * as Task from "../../Services/Jobs/Task.ts"
import type { LeadId } from "../../Services/Leads/Ids.ts"
import { hoursKnownOf, longestResponse, type ReplyPlace, type TimedReply } from "../../Services/Timing/ReplyHours.ts"
import {
  type BestHours,
  builtIn,
  enoughOnPlatform,
  type ReplyHour,
  Timing,
  timingOf
} from "../../Services/Timing/Timing.ts"
import { leadZoneOf } from "../../Services/Zones/LeadZone.ts"
import { recurring } from "../Platform/Jobs/Recurring.ts"
import { handle } from "../Platform/Jobs/TaskHandler.ts"
import { makeGroupedReads } from "../Platform/Postgres/grouped/GroupedReads.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

interface LeadRow extends ReplyPlace {
  readonly cnae: string | null
  readonly industry: string | null
  readonly account_time_zone: string
}

/** Replies that are counted per channel, newest first. */
const maximumReplies = 1000
const days = 365
const accountsRemembered = 200
const sectorsRemembered = 500

const make = Effect.gen(function* () {
  const sql = yield* SqlClient

  const leadRow = Effect.fnUntraced(function* (leadId: LeadId) {
    const { accountId } = yield* Caller
    const rows = yield* sql<LeadRow>`
      select l.time_zone as "timeZone", l.state, l.phone, l.country, l.cnae, l.industry,
        a.time_zone as account_time_zone
      from lead l join account a using (account_id)
      where l.account_id = ${accountId} and l.lead_id = ${leadId}`.pipe(fromSql())
    return rows[0] ?? (yield* notFound("lead", "lead_id", leadId))
  })

  /** Reads the newest replies of an account, or of one lead. */
  const repliesOf = (accountId: AccountId, leadId?: LeadId) => {
    const scope = leadId === undefined ? sql`lead_id is not null` : sql`lead_id = ${leadId}`
    return sql<TimedReply>`
      with reply as (
        (select lead_id, occurred_at as at from email_message
          where account_id = ${accountId} and ${scope} and direction = 'inbound' and not is_auto_reply
            and occurred_at > instant() - make_interval(days => ${days})
          order by occurred_at desc limit ${maximumReplies})
        union all
        (select lead_id, occurred_at from chatapp_message
          where account_id = ${accountId} and ${scope} and direction = 'inbound'
            and occurred_at > instant() - make_interval(days => ${days})
          order by occurred_at desc limit ${maximumReplies})
      )
      select r.lead_id as "leadId", extract(epoch from r.at)::float8 as at, l.time_zone as "timeZone", l.state, l.phone,
        l.country, l.cnae, l.industry,
        extract(epoch from greatest(
          (select max(coalesce(m.occurred_at, m.created_at)) from email_message m
            where m.account_id = ${accountId} and m.lead_id = r.lead_id and m.direction = 'outbound'
              and coalesce(m.occurred_at, m.created_at) < r.at and m.status in ('sent', 'unknown')),
          (select max(m.occurred_at) from chatapp_message m
            where m.account_id = ${accountId} and m.lead_id = r.lead_id and m.direction = 'outbound'
              and m.occurred_at < r.at and m.status in ('sent', 'delivered', 'read', 'unknown'))
        ))::float8 as after
      from reply r join lead l on l.account_id = ${accountId} and l.lead_id = r.lead_id`.pipe(fromSql())
  }

  const platform = sql<ReplyHour>`
    select weekday, hour, replies, responses, response_seconds as "responseSeconds" from platform_reply_time`.pipe(
    fromSql()
  )

  const platformHours = Effect.map(platform, (hours): BestHours | undefined =>
    hours.length === 0
      ? undefined
      : { source: "platform", replies: hours.reduce((sum, { replies }) => sum + replies, 0), hours }
  )

  const touchesPlatformHours = yield* makeGroupedReads({
    name: "reply_hours",
    mostKeys: 100,
    read: (keys: ReadonlyArray<{ readonly accountId: AccountId }>) =>
      Effect.map(platformHours, (hours) => keys.map(() => hours))
  })

  // The replies are cached per account, because thousands of its touches need the same ones.
  const cachedReplies = yield* Cache.makeWith({
    capacity: accountsRemembered,
    timeToLive: (exit) => (Exit.isSuccess(exit) ? "1 hour" : "0 seconds"),
    lookup: (accountId: AccountId) =>
      Effect.gen(function* () {
        const [account] = yield* sql<{ readonly timeZone: string }>`
          select time_zone as "timeZone" from account where account_id = ${accountId}`.pipe(fromSql())
        const of = { timeZone: account?.timeZone ?? "UTC", replies: yield* repliesOf(accountId) }
        return { of, bySector: new Map<string, BestHours | undefined>() }
      })
  })

  /** Returns the reply hours of the lead's sector, or else of the account. */
  const cachedLevel = Effect.fnUntraced(function* (accountId: AccountId, lead: Pick<TimedReply, "cnae" | "industry">) {
    const { bySector, of } = yield* cachedReplies.get(accountId)
    const sector = `${lead.cnae?.slice(0, 2)}|${lead.industry}`
    if (bySector.has(sector)) return bySector.get(sector)
    const sectorReplies = hoursKnownOf(lead, [], of)
    if (bySector.size < sectorsRemembered) bySector.set(sector, sectorReplies)
    return sectorReplies
  })

  return Timing.of({
    ofLead: Effect.fn("Timing.ofLead")(function* (leadId) {
      const { accountId } = yield* Caller
      const lead = yield* leadRow(leadId)
      const of = { timeZone: lead.account_time_zone, replies: [] }
      const ownReplies = yield* repliesOf(accountId, leadId)
      const bestHours =
        hoursKnownOf(lead, ownReplies, of) ??
        hoursKnownOf(lead, [], { ...of, replies: yield* repliesOf(accountId) }) ??
        (yield* platformHours)
      const answer = {
        lead_id: leadId,
        time_zone: leadZoneOf(lead, { timeZone: lead.account_time_zone }).zone,
        source: bestHours?.source ?? ("platform" as const),
        is_default: bestHours === undefined,
        ...timingOf(bestHours?.hours ?? builtIn)
      }
      return bestHours === undefined ? { ...answer, reply_count: 0, reply_times: [] } : answer
    }),

    hours: Effect.fnUntraced(function* ({ accountId, hasWritten, leadId, ...lead }) {
      if (hasWritten) {
        const { of } = yield* cachedReplies.get(accountId)
        const bestHours = hoursKnownOf(lead, yield* repliesOf(accountId, leadId), { ...of, replies: [] })
        if (bestHours !== undefined) return bestHours
      }
      return (yield* cachedLevel(accountId, lead)) ?? (yield* touchesPlatformHours({ accountId }))
    })
  })
})

export const TimingPostgres = Layer.effect(Timing, make)

const perAccount = 500
const platformDays = 180

/**
 * Counts the replies of all accounts again. Each account contributes at most `perAccount` replies, and hours with
 * replies of few accounts are left out. The totals therefore reveal nothing about a single account.
 */
export const countPlatformReplies = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  yield* unit.write(
    Effect.gen(function* () {
      yield* sql`delete from platform_reply_time`
      yield* sql`
        with zone as materialized (select name from pg_timezone_names), reply as (
          select p.account_id, r.at,
            coalesce((select name from zone where name = l.time_zone), (select name from zone where name = a.time_zone),
              'America/Sao_Paulo') as zone,
            extract(epoch from r.at - r.after)::bigint as seconds
          from prospecting_config p join account a on a.account_id = p.account_id
          cross join lateral (
            select m.lead_id, m.occurred_at as at, (select max(coalesce(o.occurred_at, o.created_at)) from email_message o
              where o.account_id = m.account_id and o.lead_id = m.lead_id and o.direction = 'outbound'
                and coalesce(o.occurred_at, o.created_at) < m.occurred_at
                and o.status in ('sent', 'unknown')) as after
            from email_message m
            where m.account_id = p.account_id and m.direction = 'inbound' and m.lead_id is not null
              and not m.is_auto_reply and m.occurred_at > instant() - make_interval(days => ${platformDays})
            order by m.occurred_at desc limit ${perAccount}
          ) r
          join lead l on l.account_id = p.account_id and l.lead_id = r.lead_id
        ), counted as (
          select extract(dow from at at time zone zone)::smallint as weekday,
            extract(hour from at at time zone zone)::smallint as hour, count(*) as replies,
            count(seconds) filter (where seconds <= ${longestResponse}) as responses,
            coalesce(sum(seconds) filter (where seconds <= ${longestResponse}), 0)::bigint as response_seconds
          from reply group by 1, 2 having count(distinct account_id) >= ${enoughOnPlatform.accountsPerHour}
        )
        insert into platform_reply_time (weekday, hour, replies, responses, response_seconds)
        select * from counted
        where (select count(*) from reply) >= ${enoughOnPlatform.replies}
          and (select count(distinct account_id) from reply) >= ${enoughOnPlatform.accounts}`
    }).pipe(fromSql())
  )
}).pipe(Effect.withSpan("Timing.countPlatformReplies"))

const countReplies = Task.make("count_platform_replies", {
  payload: Schema.Struct({}),
  maxAttempts: 3,
  timeout: "10 minutes",
  pool: "long"
})

export const timingTasks = [handle(countReplies, () => countPlatformReplies)]
export const timingRecurring = [recurring("count_platform_replies", "50 4 * * *", countReplies, {})]
