import { Effect, Exit, Option } from "effect"
import { Counter } from "prom-client"
import { productOffer } from "../../Api/Mcp/ProductOffer.ts"
import type { Era } from "../../Api/Mcp/Protocol.ts"
import { AccessTokens } from "../../Services/Accounts/Tokens/AccessTokens.ts"
import type { Caller } from "../../Services/Core/Calls/Caller.ts"
import { challengeOf } from "../../Services/Mcp/AuthorizationAddresses.ts"
import { clientAddress } from "../Platform/Http/ClientAddress.ts"
import { bearerToken } from "../Platform/Http/Incoming.ts"
import type { LaneOptions, ServedTools } from "../Platform/Http/Server.ts"
import { Metrics } from "../Platform/Metrics.ts"
import { Settings } from "../Platform/Settings.ts"
import { makeIsSampled } from "../Platform/Tracing.ts"
import { makeMcpLane, noToken } from "./McpLane.ts"

/** There are few addresses, but callers choose them, so the cache is limited. */
const mostAddresses = 200

/** Normalises an address like those in tokens' resources. */
const resourcesBelow = (baseUrl: string): ((address: string) => string) => {
  const cachedResources = new Map<string, string>()
  return (address) => {
    const cachedResource = cachedResources.get(address)
    if (cachedResource !== undefined) return cachedResource
    const resource = new URL(`${baseUrl}${address}`).href
    if (cachedResources.size < mostAddresses) cachedResources.set(address, resource)
    return resource
  }
}

/** `/mcp` over the catalogs, for holders of access tokens. */
export const mcpLane =
  <R>({ platform, product }: ServedTools<R | Caller>) =>
  ({ bodyBudget, isDraining, made, needs, onDefect, schedulerOf }: LaneOptions) =>
    Effect.gen(function* () {
      const settings = yield* Settings
      const { baseUrl, bodyLimit, trustedProxies } = settings
      const tokens = yield* AccessTokens
      const { registry } = yield* Metrics
      const requests = new Counter({
        name: "gateway_mcp_requests_total",
        help: "Requests of agents by method and by revision (modern, legacy).",
        labelNames: ["method", "era"],
        registers: [registry]
      })
      // Looking up a counter by its labels is slow. There are few methods and revisions, so counters are cached.
      const counters = new Map<string, Counter.Internal>()
      const counterOf = (method: string, era: Era): Counter.Internal => {
        const key = `${era} ${method}`
        const existingCounter = counters.get(key)
        if (existingCounter !== undefined) return existingCounter
        const counter = requests.labels(method, era)
        counters.set(key, counter)
        return counter
      }
      const resourceOf = resourcesBelow(baseUrl)
      return yield* makeMcpLane({
        offerOf: productOffer(product, {
          baseUrl,
          platform,
          needs,
          schemasMade: made.schemas,
          guide: made.skillGuide
        }),
        isRead: (name) =>
          [product, platform].some((catalog) => Option.exists(catalog.get(name), ({ kind }) => kind === "read")),
        jobKindsOf: needs.jobKindsOf,
        authenticate: (request, address, then) => {
          const token = bearerToken(request)
          if (token !== undefined) {
            return tokens.authenticateThen(token, then, {
              address: resourceOf(address),
              from: clientAddress(request, trustedProxies),
              userAgent: request.headers["user-agent"]
            })
          }
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
