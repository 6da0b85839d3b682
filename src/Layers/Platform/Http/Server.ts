import { randomUUID } from "node:crypto"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { HttpMiddleware, HttpRouter } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { Context, Effect, Layer, Schema } from "effect"
import { documentsOf } from "../../../Api/CatalogListing.ts"
import { openApiOf } from "../../../Api/OpenApi.ts"
import { skillGuideOf } from "../../../Api/SkillGuide.ts"
import type { Caller } from "../../../Services/Core/Caller.ts"
import type { Catalog } from "../../../Tools/Core/Catalog.ts"
import { finishWithin } from "../Finalizer.ts"
import { Settings } from "../Settings.ts"
import { makeIsSampled } from "../Tracing.ts"
import { BodyBudget, makeBodyBudget } from "./BodyBudget.ts"
import type { Endpoint, RequestScope } from "./Endpoint.ts"
import { makeFastLane } from "./FastLane.ts"
import { makePages } from "./Pages.ts"
import { requestIdOf } from "./SendAnswer.ts"

export class ServerCannotListen extends Schema.TaggedError<ServerCannotListen>()("ServerCannotListen", {
  message: Schema.String
}) {}

/** Where the gateway listens. */
export class ServerAddress extends Context.Tag("ServerAddress")<
  ServerAddress,
  { readonly host: string; readonly port: number }
>() {}

const listen = (server: Server, host: string, port: number) =>
  Effect.async<AddressInfo, ServerCannotListen>((resume) => {
    const failed = (error: NodeJS.ErrnoException) =>
      resume(
        Effect.fail(
          new ServerCannotListen({
            message:
              error.code === "EADDRINUSE"
                ? `${host}:${port} is in use. Stop the other program or set PORT to another port.`
                : `The gateway cannot listen on ${host}:${port} (${error.code ?? error.name}). Check HOST and PORT.`
          })
        )
      )
    server.once("error", failed)
    server.listen(port, host, () => {
      server.off("error", failed)
      const address = server.address()
      if (address !== null && typeof address === "object") resume(Effect.succeed(address))
    })
  })

/** How long requests in flight may take to be answered once the gateway stops. */
const drainTime = "25 seconds"

/** Takes no new connection, lets every request in flight be answered, then closes what is left. */
const stop = (server: Server) =>
  Effect.async<void>((resume) => {
    server.close(() => resume(Effect.void))
    server.closeIdleConnections()
  }).pipe(finishWithin(drainTime), Effect.zipRight(Effect.sync(() => server.closeAllConnections())))

/** A request that `node:http` itself cannot read still gets an answer in the gateway's shape. */
const answerMalformed = (error: NodeJS.ErrnoException, socket: Socket): void => {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy()
    return
  }
  const tooLarge = error.code === "HPE_HEADER_OVERFLOW"
  const body = JSON.stringify({
    error: tooLarge ? "The request's headers are too large." : "The request is not valid HTTP/1.1.",
    type: "InvalidRequestBody",
    detail: tooLarge
      ? "Send at most 16 KiB of headers; long arguments belong in a POST body."
      : "Check the request line and the headers."
  })
  socket.end(
    [
      `HTTP/1.1 ${tooLarge ? "431 Request Header Fields Too Large" : "400 Bad Request"}`,
      "Content-Type: application/json; charset=utf-8",
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${randomUUID()}`,
      "Connection: close",
      "",
      body
    ].join("\r\n")
  )
}

/**
 * One `node:http` server for everything: tool calls go to the fast lane, all else to the platform's router. Its scope's
 * end is a graceful stop.
 */
export const serverLayer = <R, RE = never>(
  catalog: Catalog<R | Caller>,
  endpoints: Effect.Effect<ReadonlyArray<Endpoint<RequestScope>>, never, RE> = Effect.succeed([])
) =>
  Layer.scoped(
    ServerAddress,
    Effect.gen(function* () {
      const settings = yield* Settings
      let isDraining = false
      const documents = documentsOf(catalog)
      const bodyBudget = makeBodyBudget(settings.bodyBufferLimit)
      const fastLane = yield* makeFastLane({
        catalog,
        documents,
        baseUrl: settings.baseUrl,
        bodyLimit: settings.bodyLimit,
        bodyBudget,
        isSampled: makeIsSampled(settings),
        isDraining: () => isDraining
      })
      const router = yield* makePages({
        endpoints: yield* endpoints,
        openApi: JSON.stringify(openApiOf(catalog, { baseUrl: settings.baseUrl })),
        skillGuide: skillGuideOf(catalog, { baseUrl: settings.baseUrl }),
        isDraining: () => isDraining
      })
      // The platform's server span has the whole address, and those of files and unsubscriptions are secrets.
      const pages = yield* NodeHttpServer.makeHandler(Effect.provideService(router, BodyBudget, bodyBudget)).pipe(
        HttpMiddleware.withTracerDisabledWhenEffect(() => true),
        HttpRouter.withRouterConfig({ ignoreTrailingSlash: false, ignoreDuplicateSlashes: false, caseSensitive: true })
      )

      const server = createServer({ requestTimeout: 120_000, headersTimeout: 30_000, keepAliveTimeout: 65_000 })
      server.on("clientError", answerMalformed)
      server.on("request", (request: IncomingMessage, response: ServerResponse) => {
        if (fastLane(request, response)) return
        response.setHeader("X-Request-Id", requestIdOf(request))
        pages(request, response)
      })
      const { port } = yield* Effect.acquireRelease(listen(server, settings.host, settings.port), () =>
        Effect.suspend(() => {
          isDraining = true
          return stop(server)
        })
      )
      yield* Effect.logInfo("listening").pipe(Effect.annotateLogs({ host: settings.host, port }))
      return { host: settings.host, port }
    })
  )
