import { SqlClient } from "@effect/sql/SqlClient"
import { Cache, Effect, Equal, Hash, Layer, Option } from "effect"
import { Accounts } from "../../Services/Accounts/Accounts.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { shares } from "../../Services/Companies/Acquisition.ts"
import { CompanyDirectory, type DirectoryFacts } from "../../Services/Companies/CompanyDirectory.ts"
import { type CompanyFilter, withoutEffect } from "../../Services/Companies/CompanyFilter.ts"
import { GenerationQuota, type GenerationTrack, LeadGeneration } from "../../Services/Companies/LeadGeneration.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { wallClock } from "../../Services/Core/LocalTime.ts"
import { now, toMillis } from "../../Services/Core/Timestamp.ts"
import { Notifications } from "../../Services/Events/Notifications.ts"
import { lockAccount } from "../Platform/Postgres/AccountLock.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { type Candidate, leadOf, makeCandidateCompanies } from "./CandidateCompanies.ts"
import {
  digestOf,
  type GeneratingAccount,
  makeGenerationTracks,
  type Track,
  type TrackRow
} from "./GenerationTracks.ts"

/** The number of companies per transaction. It is so small that stopping the search takes effect within seconds. */
const batchSize = 25

/** The most look-ups of a domain. After that, its company is registered by phone only, or skipped. */
const maximumAttempts = 3

/** A filter in an edition of a directory. Searches with the same digest are equal. */
class Search implements Equal.Equal {
  constructor(
    readonly digest: string,
    readonly filter: CompanyFilter
  ) {}
  [Equal.symbol](other: Equal.Equal): boolean {
    return other instanceof Search && other.digest === this.digest
  }
  [Hash.symbol](): number {
    return Hash.string(this.digest)
  }
}

/** `YYYY-MM-DD` in the account's time zone. */
const localDay = (millis: number, zone: string): string => {
  const { day, month, year } = wallClock(millis, zone)
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10)
}

/** The number of companies that a track took on a day. */
const takenOnDay = (row: TrackRow | undefined, today: string): number => (row?.takenOn === today ? row.takenToday : 0)

/** A day of the account, and its daily limit of companies. */
interface Day {
  readonly today: string
  readonly perDay: number
}

const makeGenerationServices = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const accounts = yield* Accounts
  const directory = yield* CompanyDirectory
  const notifications = yield* Notifications
  const tracks = yield* makeGenerationTracks
  const { judge, take } = yield* makeCandidateCompanies

  // A count may take a tenth of a second, and the same filter is counted repeatedly.
  const counts = yield* Cache.make({
    capacity: 1000,
    timeToLive: "10 minutes",
    lookup: ({ filter }: Search) => directory.count(filter)
  })
  return { accounts, counts, directory, judge, notifications, sql, take, tracks, unit }
})
type GenerationServices = Effect.Effect.Success<typeof makeGenerationServices>

const makeTrackSteps = ({ counts, notifications, sql, tracks, unit }: GenerationServices) => {
  const countOf = (filter: CompanyFilter, facts: DirectoryFacts) =>
    counts.get(new Search(digestOf(filter, facts), filter))

  /** Creates the row of a track, or restarts it if the search has changed. */
  const beginTrack = Effect.fnUntraced(function* (
    accountId: AccountId,
    { campaignId, filter }: Track,
    facts: DirectoryFacts
  ) {
    const digest = digestOf(filter, facts)
    const { count, isExact } = yield* countOf(filter, facts)
    yield* unit.write(
      sql`
        insert into lead_generation_track as t (account_id, campaign_id, filter_digest, matching, is_matching_exact)
        values (${accountId}, ${campaignId}, ${digest}, ${count}, ${isExact})
        on conflict (account_id, campaign_id) do update set
          matching = excluded.matching, is_matching_exact = excluded.is_matching_exact,
          filter_digest = excluded.filter_digest,
          resume_after = case when t.filter_digest = excluded.filter_digest then t.resume_after end,
          examined = case when t.filter_digest = excluded.filter_digest then t.examined else 0 end,
          is_at_end = t.filter_digest = excluded.filter_digest and t.is_at_end,
          told_empty_at = case when t.filter_digest = excluded.filter_digest then t.told_empty_at end`.pipe(fromSql())
    )
  })

  const ofTrack = (accountId: AccountId, { campaignId }: Pick<Track, "campaignId">) =>
    sql`account_id = ${accountId} and campaign_id is not distinct from ${campaignId}`

  /**
   * The track's remaining allowance. It is read in the open transaction, because other processes work on the track too.
   */
  const locked = Effect.fnUntraced(function* (
    accountId: AccountId,
    track: Track,
    account: GeneratingAccount,
    facts: DirectoryFacts
  ) {
    yield* lockAccount(sql, accountId, "generation")
    const current = yield* tracks.trackOf(track.campaignId, account, facts)
    if (current.hold !== undefined || digestOf(current.filter, facts) !== digestOf(track.filter, facts))
      return undefined
    const rows = yield* sql<TrackRow>`
      select ${tracks.rowColumns} from lead_generation_track where ${ofTrack(accountId, track)} for update`.pipe(
      fromSql()
    )
    return rows[0]
  })

  const count = (accountId: AccountId, track: Track, today: string, takenCount: number) =>
    sql`
    update lead_generation_track set taken_on = ${today}::date, taken_in_all = taken_in_all + ${takenCount},
      taken_today = case when taken_on = ${today}::date then taken_today else 0 end + ${takenCount}
    where ${ofTrack(accountId, track)}`.pipe(fromSql())

  /**
   * Returns how many companies the account's tracks took on a day. The caller holds the account's lock, since other
   * processes take companies too.
   */
  const takenOn = (accountId: AccountId, today: string) =>
    Effect.map(tracks.rowsOf(accountId), (rows) => rows.reduce((sum, row) => sum + takenOnDay(row, today), 0))

  /** Notifies the owner once that a search found nothing, or nothing more. */
  const defer = (
    accountId: AccountId,
    { campaignId }: Track,
    candidates: ReadonlyArray<Candidate>,
    { source }: DirectoryFacts
  ) =>
    candidates.length === 0
      ? Effect.void
      : sql`
          insert into deferred_company (account_id, source, place_key, campaign_id, retry_at)
          select ${accountId}, ${source}, key, ${campaignId}, instant() + interval '4 hours'
          from unnest(${candidates.map(({ company }) => company.key)}::text[]) as key
          on conflict do nothing`.pipe(fromSql(), Effect.asVoid)

  const notifyIfExhausted = (accountId: AccountId, track: Track) =>
    unit.write(
      Effect.gen(function* () {
        const exhausted = yield* sql<{ readonly takenInAll: number; readonly name: string | null }>`
          update lead_generation_track t set told_empty_at = instant()
          where t.account_id = ${accountId} and t.campaign_id is not distinct from ${track.campaignId}
            and t.is_at_end and t.told_empty_at is null
          returning t.taken_in_all as "takenInAll", (select c.name from campaign c
            where c.account_id = t.account_id and c.campaign_id = t.campaign_id) as name`.pipe(fromSql())
        const [row] = exhausted
        if (row === undefined) return
        yield* notifications.tell(
          {
            kind: row.takenInAll === 0 ? "lead_generation_found_nothing" : "lead_generation_exhausted",
            campaign: row.name
          },
          { campaign_id: track.campaignId }
        )
      })
    )

  return { beginTrack, count, countOf, defer, locked, ofTrack, takenOn, notifyIfExhausted }
}
type TrackSteps = ReturnType<typeof makeTrackSteps>

const makeTaking = (
  { directory, judge, sql, take, tracks, unit }: GenerationServices,
  { count, defer, locked, ofTrack, takenOn }: TrackSteps
) => {
  /** Adds up to `most` of the next companies. Returns their number. Undefined if the track has nothing to do now. */
  const takeNext = Effect.fnUntraced(function* (
    accountId: AccountId,
    track: Track,
    account: GeneratingAccount,
    facts: DirectoryFacts,
    { perDay, today }: Day,
    limit: number
  ) {
    const [before] = yield* sql<TrackRow>`
      select ${tracks.rowColumns} from lead_generation_track where ${ofTrack(accountId, track)}`.pipe(fromSql())
    if (before === undefined || before.isAtEnd) return undefined
    const { companies, next } = yield* directory.page(track.filter, {
      after: before.resumeAfter,
      limit: Math.min(batchSize, 2 * limit)
    })
    // The directory was replaced in the meantime. The next run starts with the new one.
    if ((yield* directory.facts).edition !== facts.edition) return undefined
    const judged = yield* judge(accountId, companies, facts)
    return yield* unit.write(
      Effect.gen(function* () {
        const row = yield* locked(accountId, track, account, facts)
        if (row === undefined || row.resumeAfter !== before.resumeAfter || row.isAtEnd) return undefined
        const remaining = Math.min(limit, perDay - (yield* takenOn(accountId, today)))
        if (remaining <= 0) return undefined
        const ready = judged.filter(({ verdict }) => verdict !== "unknown")
        const chosenCandidates = ready.filter((candidate) => leadOf(candidate) !== undefined).slice(0, remaining)
        const last = chosenCandidates.length < remaining ? companies.at(-1) : chosenCandidates.at(-1)?.company
        const examined = last === undefined ? 0 : companies.findIndex(({ key }) => key === last.key) + 1
        const isAtEnd = next === null && examined === companies.length
        const takenCount = yield* take(accountId, track.campaignId, chosenCandidates, facts)
        const examinedKeys = new Set(companies.slice(0, examined).map(({ key }) => key))
        yield* defer(
          accountId,
          track,
          judged.filter(({ company, verdict }) => verdict === "unknown" && examinedKeys.has(company.key)),
          facts
        )
        yield* count(accountId, track, today, takenCount)
        yield* sql`
          update lead_generation_track set is_at_end = ${isAtEnd}, examined = examined + ${examined},
            resume_after = ${last === undefined ? before.resumeAfter : directory.resumeAfter(last)}
          where ${ofTrack(accountId, track)}`.pipe(fromSql())
        return takenCount
      })
    )
  })

  /** Repeats failed look-ups of domains. Returns how many companies became leads. */
  const takeDeferred = Effect.fnUntraced(function* (
    accountId: AccountId,
    track: Track,
    account: GeneratingAccount,
    facts: DirectoryFacts,
    { perDay, today }: Day,
    most: number
  ) {
    const due = yield* sql<{ readonly key: string; readonly attempts: number }>`
      select place_key as key, attempts from deferred_company
      where ${ofTrack(accountId, track)} and source = ${facts.source} and retry_at <= instant()
      order by retry_at limit ${Math.min(batchSize, most)}`.pipe(fromSql())
    if (due.length === 0) return 0
    const attempts = new Map(due.map(({ attempts, key }) => [key, attempts]))
    const judged = yield* judge(accountId, yield* directory.get(due.map(({ key }) => key)), facts)
    return yield* unit.write(
      Effect.gen(function* () {
        if ((yield* locked(accountId, track, account, facts)) === undefined) return 0
        // Other tracks may have used up the daily limit.
        if (due.length > perDay - (yield* takenOn(accountId, today))) return 0
        const isOpen = ({ company, verdict }: Candidate) =>
          verdict === "unknown" && (attempts.get(company.key) ?? 0) < maximumAttempts
        const retries = judged.filter(isOpen).map(({ company }) => company.key)
        // After three failed look-ups, no mail is sent to the address. The phone number remains.
        const ready = judged
          .filter((candidate) => !isOpen(candidate))
          .map(
            (candidate): Candidate =>
              candidate.verdict === "unknown" ? { ...candidate, problem: "no_such_domain" } : candidate
          )
        const removed = yield* sql<{ readonly key: string }>`
          delete from deferred_company where account_id = ${accountId} and source = ${facts.source}
            and place_key = any(${due.map(({ key }) => key).filter((key) => !retries.includes(key))}::text[])
          returning place_key as key`.pipe(fromSql())
        yield* sql`
          update deferred_company set attempts = attempts + 1, retry_at = instant() + interval '12 hours'
          where account_id = ${accountId} and source = ${facts.source} and place_key = any(${retries}::text[])`.pipe(
          fromSql()
        )
        const removedKeys = new Set(removed.map(({ key }) => key))
        const takenCount = yield* take(
          accountId,
          track.campaignId,
          ready.filter(({ company }) => removedKeys.has(company.key)),
          facts
        )
        yield* count(accountId, track, today, takenCount)
        return takenCount
      })
    )
  })

  return { takeDeferred, takeNext }
}
type TakingSteps = ReturnType<typeof makeTaking>

const makeWork = (
  { directory, tracks }: GenerationServices,
  { beginTrack, notifyIfExhausted }: TrackSteps,
  { takeDeferred, takeNext }: TakingSteps
) => {
  const work = Effect.fnUntraced(function* (accountId: AccountId, perDay: number) {
    const facts = yield* directory.facts
    const account = yield* tracks.accountOf(accountId)
    const today = localDay(toMillis(yield* now), account.timeZone)
    const open = (yield* tracks.tracksOf(account, facts)).tracks.filter(({ hold }) => hold === undefined)
    for (const track of open) yield* beginTrack(accountId, track, facts)
    let acquired = 0
    let openTracks: ReadonlyArray<Track> = open
    while (openTracks.length > 0) {
      const rows = new Map((yield* tracks.rowsOf(accountId)).map((row) => [row.campaignId, row]))
      // Companies that were taken by tracks which are off now count too.
      const elsewhere = [...rows.values()]
        .filter(({ campaignId }) => !openTracks.some((track) => track.campaignId === campaignId))
        .reduce((sum, row) => sum + takenOnDay(row, today), 0)
      const trackAllowances = shares(
        perDay - elsewhere,
        openTracks.map((track) => {
          const row = rows.get(track.campaignId)
          return { key: track, takenToday: takenOnDay(row, today), takenInAll: row?.takenInAll ?? 0 }
        })
      )
      const continuing: Array<Track> = []
      for (const track of openTracks) {
        let remaining = trackAllowances.get(track) ?? 0
        if (remaining <= 0) continue
        const deferredCount = yield* takeDeferred(accountId, track, account, facts, { today, perDay }, remaining)
        remaining -= deferredCount
        acquired += deferredCount
        let continues = true
        while (remaining > 0 && continues) {
          const takenCount = yield* takeNext(accountId, track, account, facts, { today, perDay }, remaining)
          continues = takenCount !== undefined
          remaining -= takenCount ?? 0
          acquired += takenCount ?? 0
        }
        if (continues) continuing.push(track)
        else yield* notifyIfExhausted(accountId, track)
      }
      // The share that one track could not use is divided again among the tracks that continue.
      openTracks = continuing.length === openTracks.length ? [] : continuing
    }
    return acquired
  })

  return { work }
}

const make = Effect.gen(function* () {
  const services = yield* makeGenerationServices
  const { accounts, directory, tracks } = services
  const trackSteps = makeTrackSteps(services)
  const taking = makeTaking(services, trackSteps)
  const { countOf } = trackSteps
  const { work } = makeWork(services, trackSteps, taking)

  return LeadGeneration.of({
    acquire: Effect.fn("LeadGeneration.acquire")(function* (accountId) {
      const plan = yield* accounts.planOf(accountId)
      if (Option.isNone(plan)) return 0
      const { perDay } = yield* GenerationQuota
      return yield* Effect.provideService(
        work(accountId, perDay(plan.value)),
        Caller,
        Caller.forTask(accountId, plan.value, `lead-generation-${accountId}`)
      )
    }),
    state: Effect.gen(function* () {
      const { accountId, plan } = yield* Caller
      const { perDay } = yield* GenerationQuota
      const facts = yield* directory.facts
      const account = yield* tracks.accountOf(accountId)
      const today = localDay(toMillis(yield* now), account.timeZone)
      const rows = new Map((yield* tracks.rowsOf(accountId)).map((row) => [row.campaignId, row]))
      const { tracks: current, view } = yield* tracks.tracksOf(account, facts)
      const trackViews = yield* Effect.forEach(current, (track) =>
        Effect.map(countOf(track.filter, facts), ({ count, isExact }): GenerationTrack => {
          const row = rows.get(track.campaignId)
          const isSame = row?.filterDigest === digestOf(track.filter, facts)
          return {
            campaign_id: track.campaignId,
            on_hold: track.hold ?? null,
            companies_matching: count,
            is_matching_exact: isExact,
            companies_left: !isSame ? count : row.isAtEnd ? 0 : Math.max(0, count - row.examined),
            acquired_today: takenOnDay(row, today),
            acquired_in_all: row?.takenInAll ?? 0,
            filters_without_effect: withoutEffect(track.filter, facts.unknownFields)
          }
        })
      )
      return { config: view, generation: { source: facts.source, daily_quota: perDay(plan), tracks: trackViews } }
    }).pipe(Effect.withSpan("LeadGeneration.state"))
  })
})

export const LeadGenerationPostgres = Layer.effect(LeadGeneration, make)
