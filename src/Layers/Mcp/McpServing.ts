import { Effect, Exit, Option } from "effect"
import { Counter } from "prom-client"
import { productOffer } from "../../Api/Mcp/ProductOffer.ts"
import { AccessTokens } from "../../Services/Accounts/AccessTokens.ts"
import type { Caller } from "../../Services/Core/Caller.ts"
import { challengeOf } from "../../Services/Mcp/AuthorizationAddresses.ts"
import type { Catalog } from "../../Tools/Core/Catalog.ts"
import { bearerToken } from "../Platform/Http/Incoming.ts"
import type { LaneOptions } from "../Platform/Http/Server.ts"
import { Metrics } from "../Platform/Metrics.ts"
import { Settings } from "../Platform/Settings.ts"
import { makeMcpLane, noToken } from "./McpLane.ts"

/** `/mcp` over a catalog, for holders of access tokens. */
export const mcpLane =
  <R>(catalog: Catalog<R | Caller>) =>
  ({ bodyBudget, isDraining }: LaneOptions) =>
    Effect.gen(function* () {
      const { baseUrl, bodyLimit } = yield* Settings
      const tokens = yield* AccessTokens
      const { registry } = yield* Metrics
      const requests = new Counter({
        name: "gateway_mcp_requests_total",
        help: "Requests of agents by method and by revision (modern, legacy).",
        labelNames: ["method", "era"],
        registers: [registry]
      })
      return yield* makeMcpLane({
        offerOf: productOffer(catalog, { baseUrl }),
        isRead: (name) => Option.exists(catalog.get(name), ({ kind }) => kind === "read"),
        authenticate: (request, address, then) => {
          const token = bearerToken(request)
          // Written as resources of tokens are.
          if (token !== undefined) return tokens.authenticateThen(token, then, new URL(`${baseUrl}${address}`).href)
          then(Exit.fail(noToken))
          return undefined
        },
        challenge: (address, isShown) =>
          challengeOf(baseUrl, address, isShown ? { error: "invalid_token" } : undefined),
        count: (method, era) => requests.inc({ method, era }),
        baseUrl,
        bodyLimit,
        bodyBudget,
        isDraining
      })
    })
