import { randomUUID } from "node:crypto"
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { HttpMiddleware, HttpRouter, HttpServerResponse } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { Cause, Context, Duration, Effect, Layer, Schema } from "effect"
import { Counter } from "prom-client"
import { documentsOf } from "../../../Api/CatalogListing.ts"
import { openApiInPieces } from "../../../Api/OpenApi.ts"
import { type SkillGuide, skillGuideInPieces } from "../../../Api/SkillGuide.ts"
import { defectAnswer } from "../../../Api.ts"
import type { Caller } from "../../../Services/Core/Caller.ts"
import { describeCause } from "../../../Services/Core/SafeCause.ts"
import type { Catalog } from "../../../Tools/Core/Catalog.ts"
import { answerSchemas } from "../../../Tools/Core/ToolSchema.ts"
import { cachedCooperative } from "../BackgroundScheduler.ts"
import { finishWithin } from "../Finalizer.ts"
import { Metrics } from "../Metrics.ts"
import { Settings } from "../Settings.ts"
import { makeIsSampled } from "../Tracing.ts"
import { BodyBudget, type BodyBudgetShape, makeBodyBudget } from "./BodyBudget.ts"
import { boundedServer, usualTimes } from "./BoundedServer.ts"
import { type CallSchedulers, makeCallSchedulers } from "./CallSchedulers.ts"
import { type Endpoint, PagesSampled, PublicAddress, type RequestScope, refusal } from "./Endpoint.ts"
import { makeFastLane } from "./FastLane.ts"
import { refusedForItsAddress, refusedForItsHead } from "./MalformedRequests.ts"
import { makeOperationsPages } from "./OperationsPages.ts"
import { makePages } from "./Pages.ts"
import { requestIdOf } from "./SendAnswer.ts"

export class ServerCannotListen extends Schema.TaggedError<ServerCannotListen>()("ServerCannotListen", {
  message: Schema.String
}) {}

/** Where the gateway listens. */
export class ServerAddress extends Context.Tag("ServerAddress")<
  ServerAddress,
  {
    readonly host: string
    readonly port: number
    /** Of the address that the operator has for figures and health, where there is one. */
    readonly operationsPort?: number
  }
>() {}

/**
 * Connections that wait to be taken, as far as the system allows: where a flood of them fills the queue, the system drops
 * whoever comes then, and its next try is a second later.
 */
const backlog = 4096

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
    server.listen({ port, host, backlog }, () => {
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

/** A page that fails for no reason of its own is answered in the shape of all errors, logged and counted. */
const withDefectsAnswered = (count: () => void) =>
  Effect.catchAllCause((cause: Cause.Cause<unknown>) => {
    if (Cause.isInterruptedOnly(cause)) return Effect.failCause(cause)
    count()
    const requestId = randomUUID()
    const { body, status } = defectAnswer(requestId)
    return Effect.logError("a page failed").pipe(
      Effect.annotateLogs({ request_id: requestId, cause: describeCause(cause) }),
      Effect.as(HttpServerResponse.text(body, { status, contentType: "application/json; charset=utf-8" }))
    )
  })

/** What takes requests from the bare listener: answers whether the request was one of its own. */
export type RequestLane = (request: IncomingMessage, response: ServerResponse) => boolean

/** What the lanes of one server share. */
export interface LaneOptions {
  readonly bodyBudget: BodyBudgetShape
  readonly schedulerOf: CallSchedulers
  readonly isDraining: () => boolean
  /** Of the catalog, made in turns of the event loop when the first of them asks for it. */
  readonly made: {
    /** What tells the shapes of answers: with it, documents of tools are quickly told. */
    readonly schemas: Effect.Effect<unknown>
    readonly skillGuide: Effect.Effect<SkillGuide>
  }
}

/**
 * One `node:http` server for everything: tool calls go to the fast lane, all else to the platform's router. Its scope's
 * end is a graceful stop.
 */
export const serverLayer = <R, RE = never, RL = never, RH = never>(
  catalog: Catalog<R | Caller>,
  endpoints: Effect.Effect<ReadonlyArray<Endpoint<RequestScope>>, never, RE> = Effect.succeed([]),
  makeLane: (options: LaneOptions) => Effect.Effect<RequestLane, never, RL> = () => Effect.succeed(() => false),
  /** Of hosts that are not the gateway's: it is asked before any route. */
  makeHostLane: (options: LaneOptions) => Effect.Effect<RequestLane, never, RH> = () => Effect.succeed(() => false)
) =>
  Layer.scoped(
    ServerAddress,
    Effect.gen(function* () {
      const settings = yield* Settings
      const { registry } = yield* Metrics
      const defects = new Counter({
        name: "gateway_page_defects_total",
        help: "Pages and other routes beside the tools that failed for no reason of their own.",
        registers: [registry]
      })
      let isDraining = false
      // Documents are made when they are first asked for: most gateways that start are not asked.
      const documents = documentsOf(catalog)
      const { baseUrl } = settings
      const made: LaneOptions["made"] = {
        schemas: yield* cachedCooperative(() => answerSchemas(catalog)),
        skillGuide: yield* cachedCooperative(() => skillGuideInPieces(catalog, { baseUrl }))
      }
      const bodyBudget = makeBodyBudget(settings.bodyBufferLimit)
      const schedulerOf = makeCallSchedulers()
      const fastLane = yield* makeFastLane({
        catalog,
        documents: {
          list: (prefix) => Effect.map(made.schemas, () => documents.list(prefix)),
          one: documents.one
        },
        baseUrl,
        bodyLimit: settings.bodyLimit,
        bodyBudget,
        schedulerOf,
        isSampled: makeIsSampled(settings),
        isDraining: () => isDraining
      })
      const lane = yield* makeLane({ bodyBudget, schedulerOf, isDraining: () => isDraining, made })
      const hostLane = yield* makeHostLane({ bodyBudget, schedulerOf, isDraining: () => isDraining, made })
      const router = yield* makePages({
        endpoints: yield* endpoints,
        openApi: yield* cachedCooperative(function* () {
          return JSON.stringify(yield* openApiInPieces(catalog, { baseUrl }))
        }),
        skillGuide: made.skillGuide,
        isDraining: () => isDraining
      })
      const operationsPages = yield* makeOperationsPages("operations", () => isDraining)
      const operationsHandler = yield* NodeHttpServer.makeHandler(
        operationsPages(HttpRouter.empty).pipe(
          HttpRouter.all(
            "*",
            refusal(404, "UnknownRoute", "There is no such route.", "See /metrics and /health/ready.")
          ),
          withDefectsAnswered(() => defects.inc())
        )
      ).pipe(HttpMiddleware.withTracerDisabledWhenEffect(() => true))
      // The platform's server span has the whole address, and those of files and unsubscriptions are secrets.
      const pages = yield* NodeHttpServer.makeHandler(
        router.pipe(
          Effect.provideService(BodyBudget, bodyBudget),
          Effect.provideService(PublicAddress, settings.baseUrl),
          Effect.provideService(PagesSampled, makeIsSampled(settings)),
          withDefectsAnswered(() => defects.inc())
        )
      ).pipe(
        HttpMiddleware.withTracerDisabledWhenEffect(() => true),
        HttpRouter.withRouterConfig({
          ignoreTrailingSlash: false,
          ignoreDuplicateSlashes: false,
          caseSensitive: true,
          // The name of a file, each of its characters in percent-encoding.
          maxParamLength: 200 * 12
        })
      )

      const server = boundedServer(usualTimes, settings.trustedProxies)
      server.on("request", (request: IncomingMessage, response: ServerResponse) => {
        if (refusedForItsHead(request, response) || hostLane(request, response)) return
        if (fastLane(request, response)) return
        if (refusedForItsAddress(request, response) || lane(request, response)) return
        response.setHeader("X-Request-Id", requestIdOf(request))
        pages(request, response)
      })
      const { port } = yield* Effect.acquireRelease(listen(server, settings.host, settings.port), () =>
        Effect.suspend(() => {
          isDraining = true
          return Effect.zipRight(Effect.sleep(Duration.seconds(settings.stopDelay)), stop(server))
        })
      )
      yield* Effect.logInfo("listening").pipe(Effect.annotateLogs({ host: settings.host, port }))
      const { operations } = settings
      if (operations === undefined) return { host: settings.host, port }
      const operationsServer = boundedServer()
      operationsServer.on("request", (request: IncomingMessage, response: ServerResponse) => {
        if (refusedForItsHead(request, response) || refusedForItsAddress(request, response)) return
        response.setHeader("X-Request-Id", requestIdOf(request))
        operationsHandler(request, response)
      })
      // Closed at once and before the other: nobody waits for a figure.
      const { port: operationsPort } = yield* Effect.acquireRelease(
        listen(operationsServer, operations.host, operations.port),
        () =>
          Effect.async<void>((resume) => {
            operationsServer.close(() => resume(Effect.void))
            operationsServer.closeAllConnections()
          })
      )
      return { host: settings.host, port, operationsPort }
    })
  )
