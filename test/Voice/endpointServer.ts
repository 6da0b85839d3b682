import { createServer } from "node:http"
import { HttpRouter } from "@effect/platform"
import { NodeContext, NodeHttpServer } from "@effect/platform-node"
import { Effect } from "effect"
import { type Endpoint, mount } from "../../src/Layers/Platform/Http/Endpoint.ts"
import type { voiceEndpoints } from "../../src/Layers/Voice/VoiceEndpoints.ts"

type Mounted = Effect.Effect.Success<typeof voiceEndpoints>[number]

const mountAll = <R>(endpoints: ReadonlyArray<Endpoint<R>>): HttpRouter.HttpRouter<never, R> =>
  endpoints.reduce<HttpRouter.HttpRouter<never, R>>((router, endpoint) => mount(endpoint)(router), HttpRouter.empty)

/** Serves the endpoints on a port of their own, as the gateway does; answers where. */
export const serve = (endpoints: ReadonlyArray<Mounted>) =>
  Effect.gen(function* () {
    const handler = yield* NodeHttpServer.makeHandler(mountAll(endpoints))
    const server = yield* Effect.acquireRelease(
      Effect.async<ReturnType<typeof createServer>>((resume) => {
        const listening = createServer(handler)
        listening.listen(0, "127.0.0.1", () => resume(Effect.succeed(listening)))
      }),
      (listening) =>
        Effect.async<void>((resume) => {
          listening.closeAllConnections()
          listening.close(() => resume(Effect.void))
        })
    )
    const address = server.address()
    return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
  }).pipe(Effect.provide(NodeContext.layer))

/** Posts a body; answers the status and the answer's text. */
export const post = (url: string, body: string | Uint8Array, headers: { readonly [name: string]: string } = {}) =>
  Effect.promise(async () => {
    const response = await fetch(url, { method: "POST", body, headers })
    return { status: response.status, text: await response.text() }
  })
