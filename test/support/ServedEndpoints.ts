import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { HttpRouter, type HttpServerRequest } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { Effect } from "effect"
import { type Endpoint, mount } from "../../src/Layers/Platform/Http/Endpoint.ts"

type Served = Endpoint<HttpServerRequest.HttpServerRequest | HttpRouter.RouteContext>

/** Serves the endpoints on a free port of this machine until the scope ends; answers the server's address. */
export const serveEndpoints = (endpoints: ReadonlyArray<Served>) =>
  Effect.gen(function* () {
    const router = endpoints.reduce<HttpRouter.HttpRouter>(
      (before, endpoint) => mount(endpoint)(before),
      HttpRouter.empty
    )
    const handler = yield* NodeHttpServer.makeHandler(router)
    const server = createServer(handler)
    yield* Effect.acquireRelease(
      Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))),
      () =>
        Effect.promise(async () => {
          server.closeAllConnections()
          await new Promise((resolve) => server.close(resolve))
        })
    )
    const { port } = server.address() as AddressInfo
    return `http://127.0.0.1:${port}`
  })
