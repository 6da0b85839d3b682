import { Effect } from "effect"
import type { Company } from "../../../Services/Companies/Company.ts"
import { CompanyDirectory } from "../../../Services/Companies/CompanyDirectory.ts"
import { type CompanyFilter, matches } from "../../../Services/Companies/CompanyFilter.ts"
import { sandboxCompanies, sandboxCompany } from "../../../Services/Companies/SandboxWorld.ts"
import { yieldToEventLoop } from "../../Platform/Fairness/EventLoop.ts"

/** Companies made or looked at before others have their turn: about 5 ms of work. */
const slice = 500

/** The invented companies; made at the first look, and kept. */
export const makeCompanyDirectorySandbox = Effect.gen(function* () {
  const world = yield* Effect.cached(
    Effect.gen(function* () {
      const companies: Array<Company> = []
      while (companies.length < sandboxCompanies) {
        const from = companies.length
        for (let index = from; index < Math.min(from + slice, sandboxCompanies); index++) {
          companies.push(sandboxCompany(index))
        }
        yield* yieldToEventLoop
      }
      return companies
    })
  )

  /** Those that match from a place on, at most `limit`, and the place behind the last one looked at. */
  const look = Effect.fnUntraced(function* (filter: CompanyFilter, from: number, limit: number) {
    const companies = yield* world
    const found: Array<Company> = []
    let at = from
    while (at < companies.length && found.length < limit) {
      const end = Math.min(at + slice, companies.length)
      while (at < end && found.length < limit) {
        const company = companies[at]
        if (company !== undefined && matches(filter, company)) found.push(company)
        at++
      }
      yield* yieldToEventLoop
    }
    return found
  })

  return CompanyDirectory.of({
    facts: Effect.succeed({ source: "sandbox", edition: "1", unknownFields: [] }),
    count: (filter) => Effect.map(look(filter, 0, Infinity), ({ length }) => ({ count: length, isExact: true })),
    page: (filter, { after, limit }) =>
      Effect.map(look(filter, after === null ? 0 : Number(after) + 1, limit + 1), (found) => {
        const companies = found.slice(0, limit)
        return { companies, next: found.length > limit ? (companies.at(-1)?.key ?? null) : null }
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
