import { NodeRuntime } from "@effect/platform-node"
import { SqlClient } from "@effect/sql/SqlClient"
import { Array, Clock, Console, Effect, Layer, Logger, LogLevel } from "effect"
import { AdsPostgres } from "../src/Layers/Ads/AdsPostgres.ts"
import { AdsSettings } from "../src/Layers/Ads/AdsSettings.ts"
import { AdsFundingPostgres } from "../src/Layers/Ads/Billing/AdsFundingPostgres.ts"
import { AdsTransport } from "../src/Layers/Ads/Calling/AdsTransport.ts"
import { makeAdsSandbox } from "../src/Layers/Ads/sandbox/AdsSandbox.ts"
import { migrate } from "../src/Layers/App.ts"
import { NotificationsPostgres } from "../src/Layers/Events/NotificationsPostgres.ts"
import { CustomerFilesPostgres } from "../src/Layers/Files/CustomerFilesPostgres.ts"
import { migrateEngine } from "../src/Layers/Platform/Jobs/EngineSchema.ts"
import { DatabaseLayer, DatabaseLocation } from "../src/Layers/Platform/Postgres/Database.ts"
import { Ads } from "../src/Services/Ads/Ads.ts"
import { AdsFunding } from "../src/Services/Ads/AdsFunding.ts"
import { microsOf } from "../src/Services/Ads/AdsMoney.ts"
import { ReportType } from "../src/Services/Ads/Ids.ts"
import { Caller } from "../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../src/Services/Core/Calls/UnitOfWork.ts"
import { AdsPlatformGroup } from "../src/Tools/Ads/AdsPlatform.ts"
import * as Catalog from "../src/Tools/Core/Catalog.ts"
import { adsSettings, Unlimited } from "../test/Ads/adsSettings.ts"
import { EarlyServices } from "../test/support/EarlyServices.ts"
import { as, callTool, makeAccount } from "../test/support/TestAccount.ts"
import { TestSettings } from "../test/support/TestSettings.ts"
import { startServer } from "./support/BenchDatabase.ts"
import { conditions, figure, table } from "./support/Report.ts"

/**
 * Read tools of the ads platform: the stored snapshot, and reports, whose time at the provider is measured separately.
 * For comparison, the list with a bare statement on the same rows.
 */

const campaigns = 20
const days = 90
const rounds = 200
const reportRounds = 4

let platformMillis = 0

const transport = Layer.effect(
  AdsTransport,
  Effect.map(makeAdsSandbox, (sandbox) => ({
    ...sandbox,
    request: (call) =>
      Effect.suspend(() => {
        const began = performance.now()
        return Effect.ensuring(
          sandbox.request(call),
          Effect.sync(() => {
            platformMillis += performance.now() - began
          })
        )
      })
  }))
)

const world = Layer.provide(AdsPostgres, CustomerFilesPostgres).pipe(
  Layer.provide(transport),
  Layer.provideMerge(
    Layer.mergeAll(Unlimited, AdsFundingPostgres, NotificationsPostgres, Layer.succeed(AdsSettings, adsSettings))
  ),
  Layer.provideMerge(TestSettings),
  Layer.provideMerge(EarlyServices),
  Layer.provideMerge(DatabaseLayer),
  Layer.provide(Logger.minimumLogLevel(LogLevel.Error))
)

const catalog = Catalog.make([AdsPlatformGroup])
const nameOf = (index: number): string => `Clínicas ${index}`

/** Live campaigns with months of figures. */
const seeded = Effect.gen(function* () {
  const sql = yield* SqlClient
  const ads = yield* Ads
  const unit = yield* UnitOfWork
  const funding = yield* AdsFunding
  const { accountId } = yield* Caller
  for (const index of Array.range(1, campaigns)) {
    const name = nameOf(index)
    const draft = yield* unit.write(ads.createDraft(name, 40, "Search"))
    yield* ads.createSearchAd(name, {
      adGroupId: draft.ad_group_id,
      finalUrl: "https://ondas.example/clinicas",
      headlines: "Agenda online\nMenos faltas\nTeste sem fidelidade",
      descriptions: "Confirme consultas sozinho.\nImplantação em cinco dias."
    })
    yield* ads.addKeywords(name, draft.ad_group_id, {
      keywords: Array.range(1, 10)
        .map((each) => `agenda médica ${index} ${each}`)
        .join("\n"),
      matchType: "Broad"
    })
    yield* unit.write(
      funding.recharge({
        accountId,
        campaign: name,
        amountMicros: microsOf(20_000),
        reference: `pix-${index}`,
        source: "operator"
      })
    )
    yield* ads.nudge(name)
  }
  const earlier = (member: string) => sql`
    update sandbox_ads_record set body = jsonb_set(body, ${[member]}::text[], (
      select jsonb_agg(jsonb_set(e, '{at}', to_jsonb((e ->> 'at')::numeric - ${days * 86_400_000}::numeric)))
      from jsonb_array_elements(body -> ${member}::text) e))
    where account_id = ${accountId} and body ? ${member}::text`
  yield* earlier("statuses")
  yield* earlier("amounts")
  yield* sql`
    update sandbox_ads_record set created_at = created_at - make_interval(days => ${days})
    where account_id = ${accountId}`
})

interface Timed {
  readonly whole: number
  readonly own: number
}

const timed = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<Timed, E, R> =>
  Effect.gen(function* () {
    platformMillis = 0
    const began = yield* Clock.currentTimeNanos
    yield* work
    const whole = Number((yield* Clock.currentTimeNanos) - began) / 1e6
    return { whole, own: Math.max(0, whole - platformMillis) }
  })

const at = (values: ReadonlyArray<number>, share: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

const row = (name: string, times: ReadonlyArray<Timed>, most: number): ReadonlyArray<string> => {
  const ownTimes = times.map((one) => one.own)
  return [
    name,
    figure(at(ownTimes, 0.5)),
    `${figure(at(ownTimes, 0.95))}${at(ownTimes, 0.95) > most ? " (over)" : ""}`,
    figure(
      at(
        times.map((one) => one.whole - one.own),
        0.95
      )
    )
  ]
}

const program = Effect.gen(function* () {
  const server = yield* startServer
  const { database, host, port, user } = server
  const location = Layer.succeed(DatabaseLocation, { connection: { database, host, port, user }, poolSize: 3 })
  yield* Effect.gen(function* () {
    yield* Effect.zipRight(migrate, migrateEngine)
    const sql = yield* SqlClient
    const caller = yield* makeAccount()
    yield* as(caller)(seeded)
    yield* sql`analyze`
    const measured = (name: string, args: object, times: number) =>
      as(caller)(Effect.replicateEffect(timed(callTool(catalog, name, args)), times))
    yield* measured("list_adsplatform_campaigns", {}, 20)
    const bare = yield* Effect.replicateEffect(
      timed(
        sql`select ads_campaign_id, name, state, daily_budget_micros, spent_micros from ads_campaign
          where account_id = ${caller.accountId}`
      ),
      rounds
    )
    const list = yield* measured("list_adsplatform_campaigns", {}, rounds)
    const one = yield* measured("get_adsplatform_campaign", { campaign: nameOf(7) }, rounds)
    const reports: Array<Timed> = []
    for (const type of ReportType.literals) {
      reports.push(
        ...(yield* measured(
          "get_adsplatform_performance_report",
          { campaign: nameOf(7), report_type: type, date_range: "LAST_90_DAYS" },
          reportRounds
        ))
      )
    }
    yield* Console.log(
      `${conditions()}\n${campaigns} campaigns, ${days} days of figures\n\n${table(
        ["call", "own p50 ms", "own p95 ms", "provider p95 ms"],
        [
          row("a bare statement", bare, 50),
          row("list_adsplatform_campaigns", list, 50),
          row("get_adsplatform_campaign", one, 50),
          row("get_adsplatform_performance_report, 13 types", reports, 150)
        ]
      )}`
    )
  }).pipe(Effect.provide(world.pipe(Layer.provideMerge(location))))
}).pipe(Effect.scoped)

NodeRuntime.runMain(program)
