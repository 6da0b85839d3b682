import { SqlClient } from "@effect/sql/SqlClient"
import { Context, Effect, Exit, Layer, Option, Runtime, Schema } from "effect"
import type { Transient } from "../../../Errors.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import type { ApplicationType, WebsiteCodeId, WebsiteId } from "../../../Services/Websites/Ids.ts"
import { type PublishedSite, PublishedSites, type SiteByName } from "../../../Services/Websites/PublishedSites.ts"
import { Site } from "../../../Services/Websites/Site.ts"
import { makeLookupBatcher } from "../../Platform/Postgres/grouped/LookupBatcher.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { BoundedCache } from "./Caching/BoundedCache.ts"

/** Days for which an abandoned name redirects to the site's new one. */
export const movedDays = 90

/**
 * The facts about a site's name that are read at each request. The site's content is not part of it, since it never
 * changes under its id.
 */
export interface SiteRow {
  readonly name: string
  readonly accountId: AccountId
  readonly websiteId: WebsiteId
  /** Null until something is published, and for archived sites. */
  readonly codeId: WebsiteCodeId | null
  /** The site's current name, if this one was released. */
  readonly movedTo: string | null
  readonly isGivenUp: boolean
  readonly isSuspended: boolean
  readonly type: ApplicationType
  readonly title: string
  readonly isRestricted: boolean
  /** Changes with each restriction, which ends all sessions of the previous one. */
  readonly restriction: string
  readonly storesData: boolean
  readonly analytics: string | null
  readonly ads: string | null
  readonly pixel: string | null
  readonly timeZone: string
}

export type PublishedRow = SiteRow & { readonly codeId: WebsiteCodeId }

/**
 * Looks up sites for callers that pass a callback instead of running a fiber. Every request of a visitor begins with a
 * look-up.
 */
export class SiteLooks extends Context.Tag("SiteLooks")<
  SiteLooks,
  {
    readonly ask: (name: string, answered: (exit: Exit.Exit<Option.Option<SiteRow>, Transient>) => void) => void
    /** Returns the site if it is cached. */
    readonly known: (codeId: WebsiteCodeId) => Site | undefined
    /** The day that it was published as it is, `yyyy-mm-dd`, where it was read before. */
    readonly writtenOn: (codeId: WebsiteCodeId) => string | undefined
    readonly site: (row: PublishedRow) => Effect.Effect<Site, Transient>
  }
>() {}

type Serving =
  | { readonly _tag: "Published"; readonly row: PublishedRow }
  | Exclude<SiteByName, { readonly _tag: "Published" }>

const absent: Serving = { _tag: "Absent" }
const suspended: Serving = { _tag: "Suspended" }

/** Decides what a visitor gets for the row. */
export const servingOf = (found: Option.Option<SiteRow>): Serving => {
  if (Option.isNone(found)) return absent
  const row = found.value
  if (row.isGivenUp) return row.movedTo === null || row.codeId === null ? absent : { _tag: "Moved", name: row.movedTo }
  if (row.isSuspended) return suspended
  return row.codeId === null ? absent : { _tag: "Published", row: { ...row, codeId: row.codeId } }
}

export const publishedSite = (row: PublishedRow, site: Site): PublishedSite => ({
  accountId: row.accountId,
  websiteId: row.websiteId,
  codeId: row.codeId,
  name: row.name,
  type: row.type,
  title: row.title,
  isRestricted: row.isRestricted,
  storesData: row.storesData,
  timeZone: row.timeZone,
  tracking: { analytics_measurement_id: row.analytics, ads_conversion_id: row.ads, pixel_id: row.pixel },
  site
})

/** The size limit of the cache of decoded sites, in characters. */
const mostKept = 32 * 1024 * 1024

/** The number of names whose account is cached. */
const mostNames = 50_000

interface Place {
  readonly name: string
  readonly accountId: AccountId
}

const unique = <A>(values: ReadonlyArray<A>): ReadonlyArray<A> => [...new Set(values)]

const decodeSite = Schema.decodeUnknown(Site)

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const places = yield* makeLookupBatcher({
    maximumKeys: 200,
    text: `select name, account_id as "accountId" from website_name where name = any($1)`,
    values: (names: ReadonlyArray<string>) => [unique(names)],
    found: (names, found: ReadonlyArray<Place>) => {
      const byName = new Map(found.map((place) => [place.name, place.accountId]))
      return names.map((name) => Option.fromNullable(byName.get(name)))
    }
  })
  const rows = yield* makeLookupBatcher({
    maximumKeys: 200,
    // Half of the quick sessions, so that other look-ups are not delayed.
    atOnce: 2,
    text: `
      select n.name, n.account_id as "accountId", n.website_id as "websiteId",
        case when w.archived_at is null then w.published_code_id end as "codeId",
        case when n.given_up_at > instant() - interval '${movedDays} days' then (
          select c.name from website_name c where c.account_id = n.account_id and c.website_id = n.website_id
            and c.given_up_at is null limit 1) end as "movedTo",
        n.given_up_at is not null as "isGivenUp", w.suspended_at is not null as "isSuspended",
        w.application_type as type, w.title, w.is_restricted as "isRestricted",
        md5(coalesce(w.access_code::text, '')) as restriction, w.stores_data as "storesData",
        w.analytics_measurement_id as analytics, w.ads_conversion_id as ads, w.pixel_id as pixel,
        a.time_zone as "timeZone"
      from website_name n join website w on w.account_id = n.account_id and w.website_id = n.website_id
        join account a on a.account_id = n.account_id
      where n.name = any($1) and n.account_id = any($2) and w.account_id = any($2)`,
    values: (asked: ReadonlyArray<Place>) => [
      unique(asked.map(({ name }) => name)),
      unique(asked.map(({ accountId }) => accountId))
    ],
    found: (asked, found: ReadonlyArray<SiteRow>) => {
      const byName = new Map(found.map((row) => [row.name, row]))
      return asked.map(({ name }) => Option.fromNullable(byName.get(name)))
    }
  })

  // On a cluster, the cached account selects the node. It is only a hint: if the name belongs to another account by
  // now, the statement finds nothing, and the directory is read.
  const accounts = new BoundedCache<string, AccountId>(mostNames)

  const lookUp = (name: string): Effect.Effect<Option.Option<SiteRow>, Transient> =>
    Effect.flatMap(
      places.get(name),
      Option.match({
        onNone: () => Effect.succeedNone,
        onSome: (accountId) => {
          accounts.set(name, accountId, 1)
          return rows.get({ name, accountId })
        }
      })
    )

  const get = (name: string): Effect.Effect<Option.Option<SiteRow>, Transient> =>
    Effect.suspend(() => {
      const accountId = accounts.get(name)
      if (accountId === undefined) return lookUp(name)
      return Effect.flatMap(rows.get({ name, accountId }), (found) => {
        if (Option.isSome(found)) return Effect.succeed(found)
        accounts.delete(name)
        return lookUp(name)
      })
    })

  const run = Runtime.runCallback(yield* Effect.withTracerEnabled(Effect.runtime<never>(), false))

  /** If the name's account is cached, as it is most of the time, no fiber is needed. */
  const ask: SiteLooks["Type"]["ask"] = (name, answered) => {
    const inFiber = () => run(get(name), { onExit: answered })
    const accountId = accounts.get(name)
    if (accountId === undefined) return void inFiber()
    rows.ask({ name, accountId }, (exit) => {
      if (Exit.isFailure(exit) || Option.isSome(exit.value)) return answered(exit)
      accounts.delete(name)
      inFiber()
    })
  }

  const sites = new BoundedCache<WebsiteCodeId, { readonly site: Site; readonly writtenOn: string }>(mostKept)
  const looks = SiteLooks.of({
    ask,
    known: (codeId) => sites.get(codeId)?.site,
    writtenOn: (codeId) => sites.get(codeId)?.writtenOn,
    site: ({ accountId, codeId }) =>
      Effect.suspend(() => {
        const kept = sites.get(codeId)
        if (kept !== undefined) return Effect.succeed(kept.site)
        return sql<{ readonly site: unknown; readonly size: number; readonly writtenOn: string }>`
          select site, length(site::text) as size,
            to_char(coalesce(finished_at, created_at) at time zone 'UTC', 'YYYY-MM-DD') as "writtenOn"
          from website_code
          where account_id = ${accountId} and website_code_id = ${codeId}`.pipe(
          fromSql(),
          Effect.flatMap(([row]) =>
            Effect.map(Effect.orDie(decodeSite(row?.site)), (site) => {
              sites.set(codeId, { site, writtenOn: row?.writtenOn ?? "" }, 2 * (row?.size ?? 0))
              return site
            })
          )
        )
      })
  })

  const published = PublishedSites.of({
    byName: (name) =>
      Effect.flatMap(get(name), (found): Effect.Effect<SiteByName, Transient> => {
        const serving = servingOf(found)
        if (serving._tag !== "Published") return Effect.succeed(serving)
        return Effect.map(looks.site(serving.row), (site) => ({
          _tag: "Published",
          site: publishedSite(serving.row, site)
        }))
      })
  })
  return Context.make(SiteLooks, looks).pipe(Context.add(PublishedSites, published))
})

/** Reads the facts about a name at each request, and the content of a published version once. */
export const PublishedSitesPostgres = Layer.effectContext(make)
