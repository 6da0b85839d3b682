import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, FastCheck as fc } from "effect"
import { ibgeCodeOf, publishedCompany, writePublishedCompanies } from "../../bench/support/PublishedCompanies.ts"
import { makeCnpjDirectory } from "../../src/Layers/Companies/CnpjCompanyDirectory.ts"
import { CompanyDirectoryLive } from "../../src/Layers/Companies/CompanyDirectoryLive.ts"
import { loadCompanies } from "../../src/Layers/Companies/CompanyLoad.ts"
import { makeCompanyDirectorySandbox } from "../../src/Layers/Companies/sandbox/CompanyDirectorySandbox.ts"
import { companyOf, nameCase, partnerOf, placeOf } from "../../src/Services/Companies/CnpjRows.ts"
import type { Company } from "../../src/Services/Companies/Company.ts"
import { CompanyDirectory, type CompanyPage } from "../../src/Services/Companies/CompanyDirectory.ts"
import { type CompanyFilter, matches } from "../../src/Services/Companies/CompanyFilter.ts"
import { municipalityOf } from "../../src/Services/Companies/Municipalities.ts"
import { sandboxCompanies, sandboxCompany } from "../../src/Services/Companies/SandboxWorld.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

const some = <A>(values: ReadonlyArray<A>) =>
  fc.option(fc.subarray([...values], { minLength: 1, maxLength: 3 }), { nil: [] })
const bound = <A>(value: fc.Arbitrary<A>) => fc.option(value, { nil: null, freq: 3 })

const codes = ["62", "6201501", "47", "478", "86305", "8630504", "56", "01", "9602501", "4781400", "69"]
const cities = [
  "São Paulo",
  "sao paulo",
  "RIO DE JANEIRO",
  "Goiânia",
  "Niterói",
  "Embu das Artes",
  "Embu",
  "Paraty",
  "Nowhere",
  "東京"
]

const filters: fc.Arbitrary<CompanyFilter> = fc.record({
  cnae_filter: some(codes),
  cnae_exclusion_filter: some(codes),
  uf_filter: some(["SP", "RJ", "GO", "AC"]),
  city_filter: some(cities),
  country_filter: some(["BR", "PT", "US"]),
  min_employee_count: bound(fc.integer({ min: 0, max: 200 })),
  max_employee_count: bound(fc.integer({ min: 0, max: 3000 })),
  min_annual_revenue: bound(fc.integer({ min: 0, max: 5_000_000 })),
  max_annual_revenue: bound(fc.integer({ min: 100_000, max: 90_000_000 })),
  company_size_filter: some(["Micro", "Small", "Medium", "Large"] as const),
  company_type_filter: some(["Private", "Individual", "Government", "StateOwned", "NonProfit"] as const),
  company_audience_filter: some(["B2B", "B2C", "B2BAndB2C", "Government", "NonCommercial"] as const),
  min_founding_date: bound(fc.constantFrom("1990-01-01", "2015-06-30", "2024-02-29")),
  max_founding_date: bound(fc.constantFrom("1999-12-31", "2020-01-01", "2026-01-01"))
})

/** All companies of the pages, in order. */
const allPages = (directory: CompanyDirectory["Type"], filter: CompanyFilter, limit: number) =>
  Effect.gen(function* () {
    const keys: Array<string> = []
    let after: string | null = null
    do {
      const page: { readonly companies: ReadonlyArray<Company>; readonly next: string | null } = yield* directory.page(
        filter,
        { after, limit }
      )
      keys.push(...page.companies.map(({ key }) => key))
      after = page.next
    } while (after !== null)
    return keys
  })

const agrees = (directory: CompanyDirectory["Type"], world: ReadonlyArray<Company>) => (filter: CompanyFilter) =>
  Effect.gen(function* () {
    const expectedKeys = world.filter((company) => matches(filter, company)).map(({ key }) => key)
    const foundKeys = yield* allPages(directory, filter, 157)
    assert.deepStrictEqual(foundKeys.toSorted(), expectedKeys.toSorted())
    const { count, isExact } = yield* directory.count(filter)
    assert.isTrue(isExact)
    assert.strictEqual(count, expectedKeys.length)
  })

/** Above the limit, a count is estimated from frequencies. By sector, state, size or kind alone it is exact. */
const estimates = (directory: CompanyDirectory["Type"], world: ReadonlyArray<Company>) => (filter: CompanyFilter) =>
  Effect.gen(function* () {
    const expectedCount = world.filter((company) => matches(filter, company)).length
    const { count, isExact } = yield* directory.count(filter)
    assert.strictEqual(isExact, expectedCount <= 3)
    const isAlone =
      filter.city_filter.length === 0 && filter.min_founding_date === null && filter.max_founding_date === null
    if (isExact || isAlone) assert.strictEqual(count, expectedCount)
    else assert.isAbove(count, 3)
  })

const anyOf: CompanyFilter = {
  cnae_filter: [],
  cnae_exclusion_filter: [],
  uf_filter: [],
  city_filter: [],
  country_filter: [],
  min_employee_count: null,
  max_employee_count: null,
  min_annual_revenue: null,
  max_annual_revenue: null,
  company_size_filter: [],
  company_type_filter: [],
  company_audience_filter: [],
  min_founding_date: null,
  max_founding_date: null
}

const published = 3000

/** The company of a row of the files, assembled by hand. */
const expected = (index: number): Company | undefined => {
  const { company, partner, place, town } = publishedCompany(index)
  const storedPlace = placeOf(place)
  const owner = companyOf(company)
  if (storedPlace === undefined || storedPlace === "inactive" || owner === undefined) return undefined
  const code = ibgeCodeOf(town)
  return {
    key: storedPlace.cnpj,
    companyKey: owner.base,
    legalName: owner.name,
    tradeName: storedPlace.tradeName,
    cnae: storedPlace.cnae,
    country: "BR",
    state: town.state,
    city: code === undefined ? null : (municipalityOf(code)?.name ?? null),
    type: owner.type,
    sizes: ([[], ["Micro"], ["Small"], ["Medium", "Large"]] as const)[owner.size],
    audience: null,
    employees: null,
    revenue: null,
    foundedOn: storedPlace.foundedOn,
    person:
      (partner === undefined ? undefined : partnerOf(partner)?.name) ??
      (owner.type === "Individual" ? owner.name : null),
    email: storedPlace.email?.endsWith("@escritorio.example") === true ? null : storedPlace.email,
    phone: storedPlace.phone,
    website: null
  }
}

const inFolder = <A, E, R>(use: (folder: string) => Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "companies-"))),
    use,
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )

/** No other process uses the previous month. */
const load = (folder: string, report: (line: string) => void = () => undefined) =>
  loadCompanies(folder, report, { keepMonthBefore: 0 })

const currentEdition = Effect.flatMap(SqlClient, (sql) =>
  Effect.map(
    sql<{ readonly id: number; readonly unmatched: ReadonlyArray<string>; readonly rejected: number }>`
      select edition_id as id, unmatched_municipalities as unmatched, rejected_count as rejected from company_edition
      where state = 'current'`,
    (rows) => rows[0]
  )
)

layer(TestDatabase)("the directory of companies", (it) => {
  it.effect("the invented world is made and searched in pieces, between which others have their turn", () =>
    Effect.gen(function* () {
      const directory = yield* makeCompanyDirectorySandbox
      let turns = 0
      const look = (): void => {
        turns++
        immediate = setImmediate(look)
      }
      let immediate = setImmediate(look)
      const { count } = yield* directory.count(anyOf)
      clearImmediate(immediate)
      assert.strictEqual(count, sandboxCompanies)
      assert.isAtLeast(turns, 2 * (sandboxCompanies / 1000))
    })
  )

  it.effect("the invented world is searched as the plain rule would", () =>
    Effect.gen(function* () {
      const directory = yield* makeCompanyDirectorySandbox
      const world = Array.from({ length: sandboxCompanies }, (_, index) => sandboxCompany(index))
      const check = agrees(directory, world)
      const samples = fc.sample(filters, { numRuns: 25, seed: 11 })
      yield* Effect.forEach(samples, check)
    })
  )

  it.effect(
    "a month's files are loaded and searched as the plain rule would, and the next month takes their place",
    () =>
      inFolder((folder) =>
        Effect.gen(function* () {
          const odd = [
            '"99999999";"0001";"01";"1";"";"02"\r\n',
            '"99999998";"0001";"02";"1";"A;B ""QUOTED""";"02";"";"";"";"";"20200101";"6201501";"";"";"";"";"";"";"";"SP";"7000";"";"";"";"";"";"";"";"";""\r\n'
          ].join("")
          const lines: Array<string> = []
          yield* Effect.promise(() => writePublishedCompanies(folder, published, { zipped: true, odd }))
          const count = yield* load(folder, (line) => lines.push(line))
          const world = Array.from({ length: published }, (_, index) => expected(index)).flatMap(
            (company) => company ?? []
          )
          // The quoted row has no company in the files, so it is not counted.
          assert.strictEqual(count, world.length)
          const edition = yield* currentEdition
          assert.deepStrictEqual(edition?.unmatched, ["VILA QUE NAO HA, GO"])
          assert.strictEqual(edition?.rejected, 1)
          assert.isTrue(lines.some((line) => line.startsWith("Estabelecimentos0.zip")))

          // Otherwise searches would read the rows that they skip.
          const sql = yield* SqlClient
          const hidden = yield* sql`
            select relname from pg_class where relname like ${`company_${edition?.id ?? 0}_%`} and relkind = 'r'
              and relallvisible < relpages`
          assert.deepStrictEqual(hidden, [])

          const directory = yield* makeCnpjDirectory(edition?.id ?? 0)
          const loadedCompanies = yield* directory.get(world.slice(0, 200).map(({ key }) => key))
          assert.deepStrictEqual(
            loadedCompanies.toSorted((a, b) => (a.key < b.key ? -1 : 1)),
            world.slice(0, 200).toSorted((a, b) => (a.key < b.key ? -1 : 1))
          )
          const samples = fc.sample(filters, { numRuns: 40, seed: 5 })
          yield* Effect.forEach(samples, agrees(directory, world))
          const estimating = yield* makeCnpjDirectory(edition?.id ?? 0, 3)
          yield* Effect.forEach(samples, estimates(estimating, world))

          yield* Effect.promise(() => writePublishedCompanies(folder, 500, { zipped: true }))
          yield* load(folder)
          const next = yield* currentEdition
          assert.notStrictEqual(next?.id, edition?.id)
          const [left] = yield* sql<{ readonly tables: number; readonly rows: number }>`
          select (select count(*) from pg_class where relkind in ('r', 'p')
              and (relname like 'company_load%' or relname like ${`company_${edition?.id ?? 0}%`})) as tables,
            (select count(*) from company) as rows`
          assert.deepStrictEqual(left, {
            tables: 0,
            rows: Array.from({ length: 500 }, (_, index) => expected(index)).flatMap((one) => one ?? []).length
          })
        })
      )
  )

  it.effect("pages continue while the month is replaced, and skip nothing that remains", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const [before, after] = [900, 700]
        yield* Effect.promise(() => writePublishedCompanies(folder, before))
        yield* load(folder)
        const directory = yield* CompanyDirectory
        const latch = yield* Effect.makeLatch()
        let isReplaced = false
        const world = Array.from({ length: before }, (_, index) => expected(index))
        const places = (count: number, filter: CompanyFilter) =>
          world
            .slice(0, count)
            .flatMap((company) => (company !== undefined && matches(filter, company) ? [company.key] : []))

        /**
         * Reads all pages of a search. Half of the searches wait at their third page until the next month is loaded.
         */
        const pager = (filter: CompanyFilter, limit: number, waits: boolean) =>
          Effect.gen(function* () {
            const [all, afterLoad] = [places(before, filter), places(after, filter)]
            let rounds = 0
            do {
              const keys: Array<string> = []
              let cursor: string | null = null
              let pages = 0
              do {
                if (waits && ++pages === 3) yield* latch.await
                const page: CompanyPage = yield* directory.page(filter, { after: cursor, limit })
                keys.push(...page.companies.map(({ key }) => key))
                cursor = page.next
              } while (cursor !== null)
              assert.strictEqual(new Set(keys).size, keys.length)
              assert.includeMembers(keys, afterLoad)
              assert.includeMembers(all, keys)
              rounds++
            } while (!waits && !isReplaced)
            return rounds
          })

        const searches: ReadonlyArray<CompanyFilter> = [
          anyOf,
          { ...anyOf, company_type_filter: ["Individual"] },
          { ...anyOf, uf_filter: ["SP", "RJ"] },
          { ...anyOf, cnae_exclusion_filter: ["47", "56"] },
          { ...anyOf, city_filter: ["São Paulo", "Rio de Janeiro"] },
          { ...anyOf, company_size_filter: ["Micro"], company_type_filter: ["Private"] },
          { ...anyOf, min_founding_date: "2015-06-30" },
          { ...anyOf, max_founding_date: "2020-01-01", uf_filter: ["SP"] }
        ]
        const pagers = yield* Effect.fork(
          Effect.forEach(searches, (filter, index) => pager(filter, 7 + index, index % 2 === 0), {
            concurrency: "unbounded"
          })
        )
        const next = join(folder, "next")
        yield* Effect.promise(() => writePublishedCompanies(next, after))
        yield* load(next)
        isReplaced = true
        yield* latch.open
        yield* Fiber.join(pagers)
        assert.strictEqual((yield* directory.count(anyOf)).count, places(after, anyOf).length)
      })
    ).pipe(Effect.provide(CompanyDirectoryLive))
  )

  it.effect("an interrupted load continues with its step", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        yield* Effect.promise(() => writePublishedCompanies(folder, 400))
        // The operator stops it while places are read.
        const broken = yield* Effect.either(
          load(folder, (line) => {
            if (line.startsWith("municipalities")) throw new Error("ended")
          })
        )
        assert.strictEqual(broken._tag, "Left")
        const lines: Array<string> = []
        const count = yield* load(folder, (line) => lines.push(line))
        assert.strictEqual(
          count,
          Array.from({ length: 400 }, (_, index) => expected(index)).flatMap((one) => one ?? []).length
        )
        assert.match(lines[0] ?? "", /^going on with a load that broke off/)
        assert.isFalse(lines.some((line) => line.includes("EMPRECSV")))
      })
    )
  )

  it.effect("a folder without the files of a month is refused, and what is loaded stays", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const before = yield* currentEdition
        const error = yield* Effect.flip(load(folder))
        assert.strictEqual(error.reason, "files_missing")
        assert.deepStrictEqual(yield* currentEdition, before)
      })
    )
  )
})

layer(TestDatabase)("names of companies", (it) => {
  it("are written in normal case, without a person's number", () => {
    assert.strictEqual(nameCase("CLINICA SAO JOSE DE ITAPEMA LTDA"), "Clinica Sao Jose de Itapema Ltda")
    assert.strictEqual(nameCase("MARIA DA SILVA 12345678901"), "Maria da Silva")
    assert.strictEqual(nameCase("A.B. COMERCIO ME"), "A.B. Comercio ME")
  })
})
