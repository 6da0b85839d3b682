import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeRuntime } from "@effect/platform-node"
import { Config, Console, Effect, Layer } from "effect"
import { makeCnpjDirectory } from "../src/Layers/Companies/CnpjCompanyDirectory.ts"
import { DatabaseLayer, DatabaseLocation } from "../src/Layers/Platform/Postgres/Database.ts"
import type { CompanyFilter } from "../src/Services/Companies/CompanyFilter.ts"
import { makeDatabase, startServer } from "./support/BenchDatabase.ts"
import { benchSettings, positive } from "./support/BenchSettings.ts"
import { writePublishedCompanies } from "./support/PublishedCompanies.ts"
import { conditions, figure, table, writeResults } from "./support/Report.ts"

/** A month of invented companies, loaded as operators do it, and searched as acquisition and owners do. */

const settings = Config.all({
  shared: benchSettings,
  companies: Config.withDefault(positive("BENCH_COMPANIES"), 2_000_000),
  searches: Config.withDefault(positive("BENCH_SEARCHES"), 400)
})

const any: CompanyFilter = {
  cnae_filter: [],
  cnae_exclusion_filter: [],
  uf_filter: [],
  city_filter: [],
  country_filter: ["BR"],
  min_employee_count: null,
  max_employee_count: null,
  min_annual_revenue: null,
  max_annual_revenue: null,
  company_size_filter: [],
  company_type_filter: ["Private"],
  company_audience_filter: [],
  min_founding_date: null,
  max_founding_date: null
}

/** Searches of owners, from the widest to the narrowest. */
const filters: ReadonlyArray<readonly [string, CompanyFilter]> = [
  ["a country", any],
  ["a division", { ...any, cnae_filter: ["47"] }],
  ["a subclass", { ...any, cnae_filter: ["8630504"] }],
  ["a subclass in a state", { ...any, cnae_filter: ["6920601"], uf_filter: ["RJ"] }],
  ["a state", { ...any, uf_filter: ["SP"] }],
  ["a city", { ...any, city_filter: ["Campinas"] }],
  ["a division in two cities", { ...any, cnae_filter: ["56"], city_filter: ["Goiânia", "Curitiba"] }],
  ["a size", { ...any, company_size_filter: ["Small"] }],
  ["all but three divisions", { ...any, cnae_exclusion_filter: ["47", "56", "96"] }],
  ["founded in the last year", { ...any, min_founding_date: "2025-06-01" }],
  ["an old subclass", { ...any, cnae_filter: ["6201501"], max_founding_date: "1975-01-01" }],
  ["the state's own", { ...any, company_type_filter: ["StateOwned"], company_size_filter: ["Large"] }],
  [
    "many sectors and states",
    {
      ...any,
      cnae_filter: ["62", "63", "69", "70", "71", "73", "86", "85"],
      uf_filter: ["SP", "RJ", "MG", "PR", "SC", "RS"]
    }
  ]
]

const percentile = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN

/** Runs the command. Returns its seconds and its peak memory. */
const load = (folder: string, url: string) =>
  Effect.promise(async () => {
    const child = spawn(process.execPath, ["launch/gateway.js", "companies", "load", folder], {
      env: { ...process.env, DATABASE_URL: url },
      stdio: ["ignore", "inherit", "inherit"]
    })
    let peak = 0
    const watch = setInterval(() => {
      try {
        const status = readFileSync(`/proc/${child.pid ?? 0}/status`, "utf8")
        peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
      } catch {
        // The process has ended.
      }
    }, 100)
    const began = performance.now()
    const code: unknown = (await once(child, "exit"))[0]
    clearInterval(watch)
    if (code !== 0) throw new Error(`The load ended with ${String(code)}.`)
    return { seconds: (performance.now() - began) / 1000, peak }
  })

const measure = (count: number, searches: number) =>
  Effect.gen(function* () {
    const server = yield* startServer
    const { client, url } = yield* makeDatabase(server, "companies")
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "bench-companies-"))),
      (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
    )
    yield* Effect.promise(() => writePublishedCompanies(folder, count))
    const { peak, seconds } = yield* load(folder, url)
    const stored = yield* Effect.promise(() =>
      client.query<{ id: number; places: number; heap: number; indexes: number }>(`
        select edition_id as id, place_count::int as places,
          (select sum(pg_relation_size(c.oid)) from pg_class c where c.relname ~ '^company_[0-9]+_' and c.relkind = 'r')::float8 as heap,
          (select sum(pg_indexes_size(c.oid)) from pg_class c where c.relname ~ '^company_[0-9]+_' and c.relkind = 'r')::float8 as indexes
        from company_edition where state = 'current'`)
    )
    const edition = stored.rows[0]
    if (edition === undefined) return yield* Effect.dieMessage("Nothing was loaded.")
    const location = Layer.succeed(DatabaseLocation, { connection: { connectionString: url }, poolSize: 2 })
    const rows = yield* Effect.gen(function* () {
      const directory = yield* makeCnpjDirectory(edition.id)
      return yield* Effect.forEach(filters, ([name, filter]) =>
        Effect.gen(function* () {
          const pages: Array<number> = []
          const counts: Array<number> = []
          let after: string | null = null
          let lastCount = { count: 0, isExact: true }
          for (let search = 0; search < Math.ceil(searches / filters.length); search++) {
            const began = performance.now()
            const page: { readonly next: string | null } = yield* directory.page(filter, { after, limit: 50 })
            pages.push(performance.now() - began)
            after = page.next
            const counting = performance.now()
            lastCount = yield* directory.count(filter)
            counts.push(performance.now() - counting)
          }
          return { name, page: percentile(pages, 0.95), count: percentile(counts, 0.95), found: lastCount }
        })
      )
    }).pipe(Effect.provide(DatabaseLayer.pipe(Layer.provide(location))))
    return { count, seconds, peak, edition, rows }
  }).pipe(Effect.scoped)

const program = Effect.gen(function* () {
  const { companies, searches, shared } = yield* settings
  const small = yield* measure(Math.round(companies / 10), searches)
  const large = yield* measure(companies, searches)
  yield* Console.log(`\n${conditions()}\n`)
  yield* Console.log(
    table(
      ["load", "companies", "seconds", "companies/s", "peak MB", "heap MB per million", "indexes MB per million"],
      [small, large].map(({ count, edition, peak, seconds }) => [
        "open data",
        figure(count),
        figure(seconds),
        figure(count / seconds),
        figure(peak),
        figure(edition.heap / edition.places),
        figure(edition.indexes / edition.places)
      ])
    )
  )
  yield* Console.log("")
  yield* Console.log(
    table(
      ["search, p95 in ms", `page at ${figure(small.count)}`, `at ${figure(large.count)}`, "count", "count", "found"],
      large.rows.map(({ count, found, name, page }, index) => [
        name,
        figure(small.rows[index]?.page ?? Number.NaN),
        figure(page),
        figure(small.rows[index]?.count ?? Number.NaN),
        figure(count),
        `${found.isExact ? "" : "about "}${figure(found.count)}`
      ])
    )
  )
  yield* writeResults(
    shared.results,
    large.rows.map((row) => ({ benchmark: "companies", ...row }))
  )
})

NodeRuntime.runMain(program)
