import { SqlClient } from "@effect/sql/SqlClient"
import { Context, Effect, Layer, Schedule } from "effect"
import type { Transient } from "../../../Errors.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { describeCause } from "../../../Services/Core/SafeCause.ts"
import type { WebsiteId } from "../../../Services/Websites/Ids.ts"
import {
  bounded,
  mergedParts,
  mostNames,
  type PartKind,
  readParts,
  type StoredParts,
  storedParts
} from "../../../Services/Websites/Traffic/TrafficParts.ts"
import {
  emptySketch,
  mergedSketch,
  type VisitorSketch,
  visitorCount,
  withVisitors
} from "../../../Services/Websites/Traffic/VisitorSketch.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"

interface SiteDay {
  readonly accountId: AccountId
  readonly websiteId: WebsiteId
  /** `yyyy-mm-dd` in the account's zone. */
  readonly day: string
}

export interface CountedView extends SiteDay {
  readonly visitor: string
  readonly parts: ReadonlyArray<readonly [kind: PartKind, name: string]>
}

/** Counts visits in memory, and stores them together every few seconds. A process that is killed loses the latest. */
export class TrafficCounter extends Context.Tag("TrafficCounter")<
  TrafficCounter,
  {
    readonly view: (view: CountedView) => void
    readonly botHit: (day: SiteDay) => void
    /** Stores the counts. */
    readonly flush: Effect.Effect<void, Transient>
  }
>() {}

interface Count extends SiteDay {
  views: number
  botHits: number
  sketch: VisitorSketch
  /** Visitors that were not added to the sketch yet. */
  visitors: Set<string>
  parts: Map<PartKind, Map<string, number>>
}

interface StoredDay {
  readonly websiteId: WebsiteId
  readonly day: string
  readonly views: number
  readonly botHits: number
  readonly sketch: Buffer | null
  readonly parts: StoredParts
}

/** Days of sites that are counted between two flushes. Views beyond them are not counted. */
const mostDays = 20_000
const mostPendingVisitors = 500

const keyOf = ({ day, websiteId }: Pick<SiteDay, "day" | "websiteId">): string => `${websiteId} ${day}`

const compacted = (count: Count): void => {
  count.sketch = withVisitors(count.sketch, count.visitors)
  count.visitors = new Set()
}

/** Adds counts to the stored days of an account. */
const makeStoreDays = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  return (accountId: AccountId, days: ReadonlyArray<Count>): Effect.Effect<void, Transient> => {
    const websites = days.map(({ websiteId }) => websiteId)
    const dates = days.map(({ day }) => day)
    return unit.write(
      Effect.gen(function* () {
        yield* sql`
          insert into website_traffic_day (account_id, website_id, day)
          select ${accountId}, w.website_id, d.day
          from unnest(${websites}::bigint[], ${dates}::date[]) as d (website_id, day)
            join website w on w.account_id = ${accountId} and w.website_id = d.website_id
          order by w.website_id, d.day
          on conflict do nothing`
        const stored = yield* sql<StoredDay>`
          select t.website_id as "websiteId", t.day::text, t.views, t.bot_hits as "botHits", t.sketch, t.parts
          from website_traffic_day t
            join unnest(${websites}::bigint[], ${dates}::date[]) as d (website_id, day)
              on t.website_id = d.website_id and t.day = d.day
          where t.account_id = ${accountId}
          order by t.website_id, t.day for update of t`
        const now = new Map(stored.map((row) => [keyOf(row), row]))
        const changed = days.flatMap((count) => {
          const row = now.get(keyOf(count))
          if (row === undefined) return []
          const sketch = row.sketch === null ? count.sketch : mergedSketch(row.sketch, count.sketch)
          return [{ count, sketch, parts: storedParts(mergedParts(readParts(row.parts), count.parts)) }]
        })
        yield* sql`
          update website_traffic_day t set views = t.views + n.views, bot_hits = t.bot_hits + n.bot_hits,
            visitors = n.visitors, sketch = n.sketch, parts = n.parts::jsonb
          from unnest(${changed.map(({ count }) => count.websiteId)}::bigint[],
            ${changed.map(({ count }) => count.day)}::date[], ${changed.map(({ count }) => count.views)}::bigint[],
            ${changed.map(({ count }) => count.botHits)}::bigint[],
            ${changed.map(({ sketch }) => visitorCount(sketch))}::integer[],
            ${changed.map(({ sketch }) => `\\x${Buffer.from(sketch).toString("hex")}`)}::bytea[],
            ${changed.map(({ parts }) => JSON.stringify(parts))}::text[])
            as n (website_id, day, views, bot_hits, visitors, sketch, parts)
          where t.account_id = ${accountId} and t.website_id = n.website_id and t.day = n.day`
      }).pipe(fromSql())
    )
  }
})

const make = Effect.gen(function* () {
  const storeDays = yield* makeStoreDays
  let counts = new Map<string, Count>()

  const countOf = (at: SiteDay): Count | undefined => {
    const key = keyOf(at)
    const found = counts.get(key)
    if (found !== undefined) return found
    if (counts.size >= mostDays) return undefined
    const { accountId, day, websiteId } = at
    const made = {
      accountId,
      websiteId,
      day,
      views: 0,
      botHits: 0,
      sketch: emptySketch,
      visitors: new Set<string>(),
      parts: new Map<PartKind, Map<string, number>>()
    }
    counts.set(key, made)
    return made
  }

  const add = (count: Count, kind: PartKind, name: string): void => {
    const names = count.parts.get(kind) ?? new Map<string, number>()
    names.set(name, (names.get(name) ?? 0) + 1)
    count.parts.set(kind, names.size > 4 * mostNames ? new Map(bounded(names, 2 * mostNames)) : names)
  }

  /** Adds counts back that could not be stored. */
  const restore = (count: Count): void => {
    const now = countOf(count)
    if (now === undefined) return
    now.views += count.views
    now.botHits += count.botHits
    now.sketch = mergedSketch(now.sketch, count.sketch)
    now.parts = new Map([...mergedParts(now.parts, count.parts)].map(([kind, names]) => [kind, new Map(names)]))
  }

  const flushed = Effect.suspend(() => {
    if (counts.size === 0) return Effect.void
    const batch = counts
    counts = new Map()
    const byAccount = new Map<AccountId, Array<Count>>()
    for (const count of batch.values()) {
      compacted(count)
      const days = byAccount.get(count.accountId) ?? []
      days.push(count)
      byAccount.set(count.accountId, days)
    }
    return Effect.forEach(
      byAccount,
      ([accountId, days]) => Effect.onError(storeDays(accountId, days), () => Effect.sync(() => days.forEach(restore))),
      { concurrency: 2, discard: true }
    )
  })
  // Concurrent flushes would lock each other's rows.
  const turn = yield* Effect.makeSemaphore(1)
  const flush = turn.withPermits(1)(flushed)

  yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeout(flush, "3 seconds")))
  yield* Effect.forkScoped(
    Effect.repeat(
      // The figures of a failed flush are kept and stored by the next one.
      Effect.catchAllCause(flush, (cause) =>
        Effect.annotateLogs(Effect.logWarning("views of sites could not be stored"), { cause: describeCause(cause) })
      ),
      Schedule.spaced("3 seconds")
    )
  )

  return TrafficCounter.of({
    view: (view) => {
      const count = countOf(view)
      if (count === undefined) return
      count.views++
      count.visitors.add(view.visitor)
      if (count.visitors.size > mostPendingVisitors) compacted(count)
      for (const [kind, name] of view.parts) add(count, kind, name)
    },
    botHit: (at) => {
      const count = countOf(at)
      if (count !== undefined) count.botHits++
    },
    flush
  })
})

export const TrafficCounterPostgres = Layer.scoped(TrafficCounter, make)
