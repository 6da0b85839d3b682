import { HttpRouter, type HttpServerRequest } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { Effect } from "effect"
import { type Endpoint, mount } from "../../src/Layers/Http/Endpoint.ts"
import { localHttpServer } from "./LocalHttpServer.ts"

/** Serves endpoints on a free port of this machine until the scope ends; answers where, as `http://127.0.0.1:port`. */
export const serveEndpoints = (
  endpoints: ReadonlyArray<Endpoint<HttpRouter.RouteContext | HttpServerRequest.HttpServerRequest>>
) =>
  Effect.gen(function* () {
    const router = endpoints.reduce<HttpRouter.HttpRouter>(
      (routes, endpoint) => mount(endpoint)(routes),
      HttpRouter.empty
    )
    const handler = yield* NodeHttpServer.makeHandler(router)
    const { url } = yield* localHttpServer(handler)
    return url
  })
