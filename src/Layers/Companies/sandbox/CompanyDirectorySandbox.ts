import { Effect } from "effect"
import type { Company } from "../../../Services/Companies/Company.ts"
import { CompanyDirectory } from "../../../Services/Companies/CompanyDirectory.ts"
import { type CompanyFilter, matches } from "../../../Services/Companies/CompanyFilter.ts"
import { sandboxCompanies, sandboxCompany } from "../../../Services/Companies/SandboxWorld.ts"
import { yieldToEventLoop } from "../../Platform/Fairness/EventLoop.ts"

/** How many companies are processed between two yields to the event loop: about 5 ms of work. */
const yieldEvery = 500

/** The invented companies. They are made at the first use and cached. */
export const makeCompanyDirectorySandbox = Effect.gen(function* () {
  const world = yield* Effect.cached(
    Effect.gen(function* () {
      const companies: Array<Company> = []
      while (companies.length < sandboxCompanies) {
        const from = companies.length
        for (let index = from; index < Math.min(from + yieldEvery, sandboxCompanies); index++) {
          companies.push(sandboxCompany(index))
        }
        yield* yieldToEventLoop
      }
      return companies
    })
  )

  /** Matching companies from an index on, at most `limit`, and the index after the last company examined. */
  const findMatches = Effect.fnUntraced(function* (filter: CompanyFilter, from: number, limit: number) {
    const companies = yield* world
    const matching: Array<Company> = []
    let at = from
    while (at < companies.length && matching.length < limit) {
      const end = Math.min(at + yieldEvery, companies.length)
      while (at < end && matching.length < limit) {
        const company = companies[at]
        if (company !== undefined && matches(filter, company)) matching.push(company)
        at++
      }
      yield* yieldToEventLoop
    }
    return matching
  })

  return CompanyDirectory.of({
    facts: Effect.succeed({ source: "sandbox", edition: "1", unknownFields: [] }),
    count: (filter) => Effect.map(findMatches(filter, 0, Infinity), ({ length }) => ({ count: length, isExact: true })),
    page: (filter, { after, limit }) =>
      Effect.map(findMatches(filter, after === null ? 0 : Number(after) + 1, limit + 1), (matches) => {
        const companies = matches.slice(0, limit)
        return { companies, next: matches.length > limit ? (companies.at(-1)?.key ?? null) : null }
      }),
    resumeAfter: ({ key }) => key,
    get: (keys) =>
      Effect.sync(() =>
        keys.flatMap((key) => {
          const index = Number(key)
          return Number.isInteger(index) && index >= 0 && index < sandboxCompanies ? [sandboxCompany(index)] : []
        })
      )
  })
})
