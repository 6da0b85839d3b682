import { HttpRouter, type HttpServerRequest } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { Effect } from "effect"
import { type Endpoint, mount } from "../../src/Layers/Platform/Http/Endpoint.ts"
import { localHttpServer } from "./LocalHttpServer.ts"

type Served = Endpoint<HttpServerRequest.HttpServerRequest | HttpRouter.RouteContext>

/** Serves the endpoints on a free port of this machine until the scope ends; answers the server's address. */
export const serveEndpoints = (endpoints: ReadonlyArray<Served>) =>
  Effect.gen(function* () {
    const router = endpoints.reduce<HttpRouter.HttpRouter>(
      (before, endpoint) => mount(endpoint)(before),
      HttpRouter.empty
    )
    const handler = yield* NodeHttpServer.makeHandler(router)
    const { url } = yield* localHttpServer(handler)
    return url
  })
