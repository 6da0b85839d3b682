import { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { Fragment } from "@effect/sql/Statement"
import { Effect, Predicate } from "effect"
import { type Transient, transient } from "../../Errors.ts"
import { byDivision, type CnaeRange } from "../../Services/Companies/CnaeRanges.ts"
import type { Company } from "../../Services/Companies/Company.ts"
import { CompanyDirectory, exactCounts } from "../../Services/Companies/CompanyDirectory.ts"
import type { CompanyFilter } from "../../Services/Companies/CompanyFilter.ts"
import { municipalityOf, stateOfNumber } from "../../Services/Companies/Municipalities.ts"
import type { CompanyType } from "../../Services/Prospecting/Targeting.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"
import { noPreparedPlan } from "../Platform/Postgres/statements/NamedStatements.ts"
import { type CnpjSearch, cnpjSearch, foundedShare, isFasterByDay, type YearCount } from "./CnpjSearch.ts"
import { editionTable, partitionOf } from "./CompanyEditions.ts"

interface CompanyRow {
  readonly type: CompanyType
  readonly cnpj: string
  readonly cnae: number
  readonly state: number
  readonly city: number
  readonly size: number
  readonly founded: string | null
  readonly legalName: string
  readonly tradeName: string | null
  readonly person: string | null
  readonly email: string | null
  readonly phone: string | null
}

const columns = `c.type, c.cnpj, c.cnae, c.state, c.city, c.size, c.founded::text as founded,
  c.legal_name as "legalName", c.trade_name as "tradeName", c.person, c.email, c.phone`

const sizesOf = [[], ["Micro"], ["Small"], ["Medium", "Large"]] as const

const companyOf = (row: CompanyRow): Company => ({
  key: row.cnpj,
  companyKey: row.cnpj.slice(0, 8),
  legalName: row.legalName,
  tradeName: row.tradeName,
  cnae: String(row.cnae).padStart(7, "0"),
  country: "BR",
  state: stateOfNumber(row.state),
  city: municipalityOf(row.city)?.name ?? null,
  type: row.type,
  sizes: sizesOf[row.size] ?? [],
  audience: null,
  employees: null,
  revenue: null,
  foundedOn: row.founded,
  person: row.person,
  email: row.email,
  phone: row.phone,
  website: null
})

/** The cursor after a company: its sector, by which pages are ordered first, and its number. */
const resumeAfter = ({ cnae, key }: Company): string => `${Number(cnae)}:${key}`

const fromCursor = (after: string | null): readonly [cnae: number, cnpj: string] => {
  const [cnae = "", cnpj = ""] = after?.split(":") ?? []
  return after === null ? [-1, ""] : [Number(cnae), cnpj]
}

/** The reason of a failure because a newer month replaced this one and its tables were dropped. */
export const directoryReplaced = "directory_replaced"

const tableGone = new Set([
  "42P01", // The SQLSTATE of undefined_table.
  "25P02" // The transaction was aborted by an earlier statement that failed with undefined_table.
])

/**
 * Converts the failure of a statement. A missing table is not a bug here, because an operator may have replaced the
 * edition.
 */
const withReplacedFailure = <A, R>(statement: Effect.Effect<A, SqlError, R>): Effect.Effect<A, Transient, R> =>
  statement.pipe(
    Effect.catchAll(
      (error): Effect.Effect<never, SqlError | Transient> =>
        Predicate.hasProperty(error.cause, "code") && tableGone.has(String(error.cause.code))
          ? Effect.fail(transient(directoryReplaced, "The directory of companies was replaced just now.", 1))
          : Effect.fail(error)
    ),
    fromSql()
  )

const makeDirectoryServices = (edition: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient

    /** Every call selects other partitions and places, so a prepared plan would not fit. */
    const unprepared = sql.literal(noPreparedPlan)
    const wholeEdition = sql.literal(editionTable(edition))

    /** Counts by year of foundation and kind. They never change within an edition. */
    const years = yield* Effect.cached(
      sql<YearCount>`
        select type, founded_year as year, companies from company_year_frequency where edition_id = ${edition}`.pipe(
        withReplacedFailure
      )
    )
    return { unprepared, edition, sql, wholeEdition, years }
  })
type DirectoryServices = Effect.Effect.Success<ReturnType<typeof makeDirectoryServices>>

const makeConditions = ({ edition, sql }: DirectoryServices) => {
  /**
   * Runs a query on the partition of each requested kind. The kind is then known without reading rows, so indexes are
   * enough.
   */
  const ofTypes = (types: ReadonlyArray<CompanyType>, look: (part: Fragment, type: CompanyType) => Fragment) =>
    types
      .map((type) => look(sql.literal(`${partitionOf(edition, type)} c`), type))
      .reduce((all, one) => sql`${all} union all ${one}`)

  const hasSize = ({ sizes }: CnpjSearch) => (sizes === null ? sql`true` : sql`c.size = any(${sizes}::smallint[])`)

  const isFounded = ({ foundedFrom, foundedTo }: CnpjSearch) => sql`
      ${foundedFrom === null ? sql`true` : sql`coalesce(c.founded, 'infinity') >= ${foundedFrom}::date`}
      and ${foundedTo === null ? sql`true` : sql`coalesce(c.founded, '-infinity') <= ${foundedTo}::date`}`

  const rangesOf = (ranges: ReadonlyArray<CnaeRange>) => sql`unnest(
      ${ranges.map(({ first }) => first)}::int[], ${ranges.map(({ last }) => last)}::int[]
    ) as range (first, last)`

  /** One index look-up per place and range. Each returns rows in order and at most the limit. */
  const indexLookUps = (search: CnpjSearch) =>
    sql`unnest(${search.places}::int[]) as place cross join ${rangesOf(search.ranges)}`

  const placeOf = ({ placeColumn }: CnpjSearch) => sql.literal(`c.${placeColumn}`)

  return { hasSize, isFounded, looks: indexLookUps, ofTypes, placeOf, rangesOf }
}
type Conditions = ReturnType<typeof makeConditions>

const makeKeySearch = (
  { sql, years }: DirectoryServices,
  { hasSize, isFounded, ofTypes, placeOf, rangesOf }: Conditions
) => {
  /**
   * Ranges are ordered and disjoint. They are read one after another until the page is full, so ranges behind it are
   * not read.
   */
  const keysByPlace = (search: CnpjSearch, after: string | null, limit: number) => {
    const [cnae, cnpj] = fromCursor(after)
    return sql`
        select of_range.* from ${rangesOf(search.ranges.filter(({ last }) => last >= cnae))} cross join lateral (
          select found.type, found.cnae, found.cnpj from unnest(${search.places}::int[]) as place cross join lateral (
            ${ofTypes(
              search.types,
              (part, type) => sql`(
                select ${type}::text as type, c.cnae, c.cnpj from ${part}
                where ${placeOf(search)} = place and c.cnae between greatest(range.first, ${cnae}) and range.last
                  and (c.cnae, c.cnpj) > (${cnae}, ${cnpj}) and ${hasSize(search)} and ${isFounded(search)}
                order by c.cnae, c.cnpj limit ${limit})`
            )}
          ) found order by found.cnae, found.cnpj limit ${limit}
        ) of_range limit ${limit}`
  }

  /** Companies with a known day of foundation come first. Those without one match too. */
  const byDay = (search: CnpjSearch, columns: Fragment, condition: Fragment, end: Fragment) => {
    const { foundedFrom, foundedTo } = search
    const look = (part: Fragment, days: Fragment, type: CompanyType) => sql`(
        select ${type}::text as type ${columns} from ${part}
        where ${days} and ${placeOf(search)} = any(${search.places}::int[])
          and exists (select from ${rangesOf(search.ranges)} where c.cnae between range.first and range.last)
          and ${hasSize(search)} and ${condition} ${end})`
    const within = sql`c.founded between ${foundedFrom ?? "-infinity"}::date and ${foundedTo ?? "infinity"}::date`
    return ofTypes(
      search.types,
      (part, type) => sql`${look(part, within, type)} union all ${look(part, sql`c.founded is null`, type)}`
    )
  }

  const keysByDay = (search: CnpjSearch, after: string | null, limit: number) => {
    const [cnae, cnpj] = fromCursor(after)
    return byDay(
      search,
      sql`, c.cnae, c.cnpj`,
      sql`(c.cnae, c.cnpj) > (${cnae}, ${cnpj})`,
      sql`order by c.cnae, c.cnpj limit ${limit}`
    )
  }

  const isByDay = Effect.fnUntraced(function* (search: CnpjSearch, limit: number) {
    return search.foundedFrom === null && search.foundedTo === null ? false : isFasterByDay(search, yield* years, limit)
  })

  return { byDay, isByDay, keysByDay, keysByPlace }
}
type KeySearch = ReturnType<typeof makeKeySearch>

const makePages = (
  { unprepared, sql, wholeEdition }: DirectoryServices,
  { isByDay, keysByDay, keysByPlace }: KeySearch
) => {
  const page = Effect.fnUntraced(function* (search: CnpjSearch, after: string | null, limit: number) {
    const limitWithNext = limit + 1
    const keys = (yield* isByDay(search, search.places.length * limitWithNext))
      ? keysByDay(search, after, limitWithNext)
      : keysByPlace(search, after, limitWithNext)
    const rows = yield* sql<CompanyRow>`${unprepared}
        with k as materialized (select * from (${keys}) found order by found.cnae, found.cnpj limit ${limitWithNext})
        select ${sql.literal(columns)} from k join ${wholeEdition} c on c.cnpj = k.cnpj and c.type = k.type
        order by c.cnae, c.cnpj`.pipe(withReplacedFailure)
    const companies = rows.slice(0, limit).map(companyOf)
    const last = companies.at(-1)
    return { companies, next: rows.length > limit && last !== undefined ? resumeAfter(last) : null }
  })

  return { page }
}

const makeCounts = (
  { unprepared, edition, sql, years }: DirectoryServices,
  { hasSize, isFounded, looks, ofTypes, placeOf, rangesOf }: Conditions,
  { byDay, isByDay }: KeySearch
) => {
  const countUpTo = Effect.fnUntraced(function* (search: CnpjSearch, most: number) {
    const matches = (yield* isByDay(search, most))
      ? byDay(search, sql``, sql`true`, sql`limit ${most}`)
      : sql`
          select from ${looks(search)} cross join lateral (
            ${ofTypes(
              search.types,
              (part) => sql`(
                select from ${part}
                where ${placeOf(search)} = place and c.cnae between range.first and range.last
                  and ${hasSize(search)} and ${isFounded(search)}
                limit ${most})`
            )}
          ) found`
    const rows = yield* sql<{ readonly count: number }>`${unprepared}
        select count(*) from (select from (${matches}) found limit ${most}) counted`.pipe(withReplacedFailure)
    return single(rows).count
  })

  /** An estimate that treats place and year of foundation as independent of sector and size. */
  const estimate = Effect.fnUntraced(function* (search: CnpjSearch) {
    const isByCity = search.placeColumn === "city"
    const states = isByCity ? [...new Set(search.places.map((city) => Math.floor(city / 100_000)))] : search.places
    const { divisions, rest } = byDivision(search.ranges)
    const ofSizes = search.sizes === null ? sql`true` : sql`f.size = any(${search.sizes}::smallint[])`
    const kinds = sql`unnest(${search.types}::text[]) as kind`
    const inStates = sql`f.edition_id = ${edition} and f.type = kind and f.state = any(${states}::smallint[])`
    const kindsWith = (ranges: ReadonlyArray<CnaeRange>, table: string, code: string) =>
      ranges.length === 0
        ? []
        : [
            sql`
                select kind, f.companies from ${kinds} cross join ${rangesOf(ranges)}
                  join ${sql.literal(table)} f on ${inStates} and f.${sql.literal(code)} between range.first and range.last
                where ${ofSizes}`
          ]
    // Only kinds that a range includes are read. Otherwise the planner would scan the others to find nothing.
    const parts = [
      ...kindsWith(divisions, "company_division_frequency", "division"),
      ...kindsWith(rest, "company_frequency", "cnae")
    ]
    if (parts.length === 0) return 0
    const rows = yield* sql<{ readonly type: CompanyType; readonly companies: number; readonly cityShare: number }>`
        ${unprepared}
        with asked as (
          select kind as type, sum(companies) as companies from (
            ${parts.reduce((all, part) => sql`${all} union all ${part}`)}
          ) found group by kind
        ), in_cities as (
          select kind as type,
            (select coalesce(sum(f.companies), 0) from company_city_frequency f
              where f.edition_id = ${edition} and f.type = kind and f.city = any(${search.places}::int[]))
            / (select sum(f.companies) from company_division_frequency f where ${inStates}) as share
          from ${kinds} where ${isByCity}
        )
        select s.type, s.companies::float8 as companies, coalesce(i.share, 1)::float8 as "cityShare"
        from asked s left join in_cities i using (type)`.pipe(withReplacedFailure)
    const yearCounts = yield* years
    return Math.round(
      rows.reduce((sum, { cityShare, companies, type }) => {
        return sum + companies * cityShare * foundedShare({ ...search, types: [type] }, yearCounts)
      }, 0)
    )
  })

  return { countUpTo, estimate }
}

/** The open data of the Brazilian federal revenue service, in the loaded edition. Counts are exact up to `exact`. */
export const makeCnpjDirectory = (edition: number, exact = exactCounts) =>
  Effect.gen(function* () {
    const services = yield* makeDirectoryServices(edition)
    const { sql, wholeEdition } = services
    const conditions = makeConditions(services)
    const keySearch = makeKeySearch(services, conditions)
    const { page } = makePages(services, keySearch)
    const { countUpTo, estimate } = makeCounts(services, conditions, keySearch)

    return CompanyDirectory.of({
      facts: Effect.succeed({
        source: "cnpj",
        edition: String(edition),
        unknownFields: [
          "min_employee_count",
          "max_employee_count",
          "min_annual_revenue",
          "max_annual_revenue",
          "company_audience_filter"
        ]
      }),
      count: Effect.fn("CompanyDirectory.count")(function* (filter: CompanyFilter) {
        const search = cnpjSearch(filter)
        if (search === undefined) return { count: 0, isExact: true }
        const count = yield* countUpTo(search, exact + 1)
        if (count <= exact) return { count, isExact: true }
        return { count: Math.max(exact + 1, yield* estimate(search)), isExact: false }
      }),
      page: Effect.fn("CompanyDirectory.page")(function* (filter: CompanyFilter, { after, limit }) {
        const search = cnpjSearch(filter)
        return search === undefined ? { companies: [], next: null } : yield* page(search, after, limit)
      }),
      resumeAfter,
      get: (keys) =>
        sql<CompanyRow>`
          select ${sql.literal(columns)} from ${wholeEdition} c where c.cnpj = any(${keys}::text[])`.pipe(
          withReplacedFailure,
          Effect.map((rows) => rows.map(companyOf))
        )
    })
  })
