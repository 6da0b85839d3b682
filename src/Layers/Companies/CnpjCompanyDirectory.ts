import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { Company } from "../../Services/Companies/Company.ts"
import { CompanyDirectory, exactCounts } from "../../Services/Companies/CompanyDirectory.ts"
import type { CompanyFilter } from "../../Services/Companies/CompanyFilter.ts"
import { municipalityOf, stateOfNumber } from "../../Services/Companies/Municipalities.ts"
import { CompanyType } from "../../Services/Prospecting/Targeting.ts"
import { plannedAnew } from "../Platform/Postgres/Pool.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"
import { type CnpjSearch, cnpjSearch } from "./CnpjSearch.ts"

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

/** Behind which company a page goes on: its sector, which pages are ordered by first, and its number. */
const resumeAfter = ({ cnae, key }: Company): string => `${Number(cnae)}:${key}`

const fromCursor = (after: string | null): readonly [cnae: number, cnpj: string] => {
  const [cnae = "", cnpj = ""] = after?.split(":") ?? []
  return after === null ? [-1, ""] : [Number(cnae), cnpj]
}

/** The open data of the Brazilian federal revenue, of the edition that is loaded. */
export const makeCnpjDirectory = (edition: number) =>
  Effect.map(SqlClient, (sql) => {
    /** What a company is tested by beside its place and sector. */
    const others = ({ foundedFrom, foundedTo, sizes, types }: CnpjSearch) => sql`
      c.type = any(${types}::text[])
      and ${sizes === null ? sql`true` : sql`c.size = any(${sizes}::smallint[])`}
      and ${foundedFrom === null ? sql`true` : sql`coalesce(c.founded, 'infinity') >= ${foundedFrom}::date`}
      and ${foundedTo === null ? sql`true` : sql`coalesce(c.founded, '-infinity') <= ${foundedTo}::date`}`

    /** Which partitions and how many places are asked for differs from call to call: a kept plan would fit none. */
    const anew = sql.literal(plannedAnew)

    /** The edition stands in the text, so that other partitions are left out when the statement is planned. */
    const here = sql.literal(`c.edition_id = ${edition}`)

    /** One look into the index for each place and range: each answers in order, and no more than is asked for. */
    const looks = (search: CnpjSearch) => sql`
      unnest(${search.places}::int[]) as place cross join unnest(
        ${search.ranges.map(({ first }) => first)}::int[], ${search.ranges.map(({ last }) => last)}::int[]
      ) as range (first, last)`

    const page = Effect.fnUntraced(function* (search: CnpjSearch, after: string | null, limit: number) {
      const [cnae, cnpj] = fromCursor(after)
      const rows = yield* sql<CompanyRow>`${anew}
        select found.* from ${looks(search)} cross join lateral (
          select ${sql.literal(columns)} from company c
          where ${here} and ${sql.literal(`c.${search.placeColumn}`)} = place
            and c.cnae between greatest(range.first, ${cnae}) and range.last and (c.cnae, c.cnpj) > (${cnae}, ${cnpj})
            and ${others(search)}
          order by c.cnae, c.cnpj limit ${limit + 1}
        ) found
        order by found.cnae, found.cnpj limit ${limit + 1}`.pipe(fromSql())
      const companies = rows.slice(0, limit).map(companyOf)
      const last = companies.at(-1)
      return { companies, next: rows.length > limit && last !== undefined ? resumeAfter(last) : null }
    })

    const countUpTo = (search: CnpjSearch, most: number) =>
      sql<{ readonly count: number }>`${anew}
        select count(*) from (
          select from ${looks(search)} cross join lateral (
            select from company c
            where ${here} and ${sql.literal(`c.${search.placeColumn}`)} = place
              and c.cnae between range.first and range.last and ${others(search)}
            limit ${most}
          ) found limit ${most}
        ) counted`.pipe(
        fromSql(),
        Effect.map((rows) => single(rows).count)
      )

    /** As if municipality and year of foundation had nothing to do with sector and size. */
    const estimate = (search: CnpjSearch) => {
      const states =
        search.placeColumn === "state" ? search.places : search.places.map((city) => Math.floor(city / 100_000))
      const cities = search.placeColumn === "city" ? search.places : null
      return sql<{ readonly estimate: number }>`${anew}
        with asked as (
          select f.type, sum(f.companies) as companies from company_frequency f
          where f.edition_id = ${edition} and f.type = any(${search.types}::text[])
            and f.state = any(${states}::smallint[])
            and ${search.sizes === null ? sql`true` : sql`f.size = any(${search.sizes}::smallint[])`}
            and exists (select from unnest(
              ${search.ranges.map(({ first }) => first)}::int[], ${search.ranges.map(({ last }) => last)}::int[]
            ) as range (first, last) where f.cnae between range.first and range.last)
          group by f.type
        ), in_cities as (
          select f.type, coalesce(sum(f.companies) filter (where ${cities === null ? sql`true` : sql`f.city = any(${cities}::int[])`}), 0)
            / sum(f.companies) as share
          from company_city_frequency f
          where f.edition_id = ${edition} and f.city / 100000 = any(${states}::int[]) group by f.type
        ), in_years as (
          select f.type, coalesce(sum(f.companies) filter (where f.founded_year = 0 or f.founded_year between
            coalesce(extract(year from ${search.foundedFrom}::date), 0) and
            coalesce(extract(year from ${search.foundedTo}::date), 9999)), 0) / sum(f.companies) as share
          from company_year_frequency f where f.edition_id = ${edition} group by f.type
        )
        select coalesce(sum(s.companies * coalesce(i.share, 1) * coalesce(y.share, 1)), 0)::float8 as estimate
        from asked s left join in_cities i using (type) left join in_years y using (type)`.pipe(
        fromSql(),
        Effect.map((rows) => Math.round(single(rows).estimate))
      )
    }

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
        const count = yield* countUpTo(search, exactCounts + 1)
        if (count <= exactCounts) return { count, isExact: true }
        return { count: Math.max(exactCounts, yield* estimate(search)), isExact: false }
      }),
      page: Effect.fn("CompanyDirectory.page")(function* (filter: CompanyFilter, { after, limit }) {
        const search = cnpjSearch(filter)
        return search === undefined ? { companies: [], next: null } : yield* page(search, after, limit)
      }),
      resumeAfter,
      get: (keys) =>
        sql<CompanyRow>`
          select ${sql.literal(columns)} from company c where ${here} and c.type = any(${CompanyType.literals}::text[]) and c.cnpj = any(${keys}::text[])`.pipe(
          fromSql(),
          Effect.map((rows) => rows.map(companyOf))
        )
    })
  })
