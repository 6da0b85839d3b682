import { Effect, Layer } from "effect"
import { firstStart } from "./Accounts/FirstStart.ts"
import { gatewayAccesses, gatewayLanes, rooms, servedTools, untraced, Workers } from "./App.ts"
import { type LaneOptions, type RequestLane, serverLayer } from "./Platform/Http/Server.ts"
import { metricsLayer } from "./Platform/Metrics.ts"
import { TestGatewaysLive } from "./TestGateways/TestGateways.ts"
import { testLane } from "./TestGateways/TestLane.ts"
import { siteLane } from "./Websites/Serving/SiteLane.ts"

/** Handles requests to hosts of sites, and requests for test accounts. */
export const hostLane = (options: LaneOptions) =>
  Effect.zipWith(
    siteLane(options),
    testLane(options),
    (site, test): RequestLane =>
      (request, response) =>
        site(request, response) || test(request, response)
  )

/** The server without its services, which `withServices` provides. */
export const Server = serverLayer(servedTools, rooms.endpoints, gatewayLanes(servedTools), hostLane, gatewayAccesses)

/** Gives a server its services and background work. */
export const withServices = (server: typeof Server) =>
  server.pipe(
    Layer.provide(untraced(TestGatewaysLive)),
    Layer.provide(untraced(Layer.effectDiscard(firstStart))),
    Layer.provide(metricsLayer(rooms.figures)),
    Layer.provide(Workers)
  )

/** The gateway: all tiers, listening. */
export const App = withServices(Server)
