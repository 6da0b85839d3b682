import { Effect, Exit, Option } from "effect"
import { Counter } from "prom-client"
import { productOffer } from "../../Api/Mcp/ProductOffer.ts"
import type { Era } from "../../Api/Mcp/Protocol.ts"
import { makeJobKinds } from "../../Api/Mcp/ScopeGuard.ts"
import { AccessTokens } from "../../Services/Accounts/AccessTokens.ts"
import type { Caller } from "../../Services/Core/Caller.ts"
import { challengeOf } from "../../Services/Mcp/AuthorizationAddresses.ts"
import type { Catalog } from "../../Tools/Core/Catalog.ts"
import { bearerToken } from "../Platform/Http/Incoming.ts"
import type { LaneOptions } from "../Platform/Http/Server.ts"
import { Metrics } from "../Platform/Metrics.ts"
import { Settings } from "../Platform/Settings.ts"
import { makeIsSampled } from "../Platform/Tracing.ts"
import { makeMcpLane, noToken } from "./McpLane.ts"

/** Addresses are few, but whoever calls chooses them. */
const mostAddresses = 200

/** Addresses written as resources of tokens are. */
const resourcesBelow = (baseUrl: string): ((address: string) => string) => {
  const kept = new Map<string, string>()
  return (address) => {
    const known = kept.get(address)
    if (known !== undefined) return known
    const made = new URL(`${baseUrl}${address}`).href
    if (kept.size < mostAddresses) kept.set(address, made)
    return made
  }
}

/** `/mcp` over a catalog, for holders of access tokens. */
export const mcpLane =
  <R>(catalog: Catalog<R | Caller>) =>
  ({ bodyBudget, isDraining, made, onDefect, schedulerOf }: LaneOptions) =>
    Effect.gen(function* () {
      const settings = yield* Settings
      const { baseUrl, bodyLimit } = settings
      const tokens = yield* AccessTokens
      const { registry } = yield* Metrics
      const requests = new Counter({
        name: "gateway_mcp_requests_total",
        help: "Requests of agents by method and by revision (modern, legacy).",
        labelNames: ["method", "era"],
        registers: [registry]
      })
      // Looked up by its labels a counter costs more than it counts; methods and revisions are few.
      const counters = new Map<string, Counter.Internal>()
      const counterOf = (method: string, era: Era): Counter.Internal => {
        const key = `${era} ${method}`
        const known = counters.get(key)
        if (known !== undefined) return known
        const counter = requests.labels(method, era)
        counters.set(key, counter)
        return counter
      }
      const resourceOf = resourcesBelow(baseUrl)
      return yield* makeMcpLane({
        offerOf: productOffer(catalog, {
          baseUrl,
          schemasMade: made.schemas,
          guide: made.skillGuide
        }),
        isRead: (name) => Option.exists(catalog.get(name), ({ kind }) => kind === "read"),
        jobKindsOf: makeJobKinds(catalog),
        authenticate: (request, address, then) => {
          const token = bearerToken(request)
          if (token !== undefined) return tokens.authenticateThen(token, then, resourceOf(address))
          then(Exit.fail(noToken))
          return undefined
        },
        challenge: (address, isShown) =>
          challengeOf(baseUrl, address, isShown ? { error: "invalid_token" } : undefined),
        isSampled: makeIsSampled(settings),
        count: (method, era) => counterOf(method, era).inc(),
        baseUrl,
        bodyLimit,
        bodyBudget,
        schedulerOf,
        isDraining,
        onDefect
      })
    })
