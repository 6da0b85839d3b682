import { Effect, Exit, Layer } from "effect"
import type { Offer } from "../../src/Api/Mcp/Engine.ts"
import { AccountEventsPostgres } from "../../src/Layers/Events/AccountEventsPostgres.ts"
import { CancelledCallsPostgres } from "../../src/Layers/Mcp/CancelledCallsPostgres.ts"
import { ClientQuestionsPostgres } from "../../src/Layers/Mcp/ClientQuestionsPostgres.ts"
import type { McpLaneOptions } from "../../src/Layers/Mcp/McpCall.ts"
import { makeMcpLane } from "../../src/Layers/Mcp/McpLane.ts"
import { ResourceNewsPostgres } from "../../src/Layers/Mcp/ResourceNewsPostgres.ts"
import { makeBodyBudget } from "../../src/Layers/Platform/Http/Admission/BodyBudget.ts"
import type { TokenHolder } from "../../src/Services/Accounts/Tokens/AccessTokens.ts"
import { localHttpServer } from "../support/servers/LocalHttpServer.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

/** What a lane stands on. */
export const laneServices = Layer.mergeAll(CancelledCallsPostgres, ClientQuestionsPostgres, ResourceNewsPostgres).pipe(
  Layer.provide(AccountEventsPostgres),
  Layer.provideMerge(TestDatabase)
)

/** The engine with an offer of a test's own, and one fixed caller; answers its address. Several are as many processes. */
export const servedOffer = (
  offer: Offer<never>,
  holder: TokenHolder,
  onDefect: McpLaneOptions<never>["onDefect"] = () => undefined
) =>
  Effect.gen(function* () {
    const lane = yield* makeMcpLane<never>({
      offerOf: () => offer,
      isRead: () => false,
      jobKindsOf: () => undefined,
      authenticate: (_request, _address, then) => {
        then(Exit.succeed(holder))
        return undefined
      },
      challenge: () => "Bearer",
      baseUrl: "http://127.0.0.1",
      bodyLimit: 1_000_000,
      bodyBudget: makeBodyBudget(100_000_000),
      schedulerOf: () => undefined,
      isDraining: () => false,
      onDefect
    })
    const { url } = yield* localHttpServer((request, response) => {
      if (!lane(request, response)) response.writeHead(404).end()
    })
    return `${url}/mcp`
  })
