import { randomUUID } from "node:crypto"
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { HttpMiddleware, HttpRouter, HttpServerResponse } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { Cause, Context, Duration, Effect, Layer, Runtime, Schema } from "effect"
import { Counter } from "prom-client"
import { documentsOf } from "../../../Api/CatalogListing.ts"
import { openApiInPieces } from "../../../Api/OpenApi.ts"
import { type SkillGuide, skillGuideInPieces } from "../../../Api/SkillGuide.ts"
import { makeToolNeeds, type ToolNeeds } from "../../../Api/ToolNeeds.ts"
import { defectAnswer } from "../../../Api.ts"
import type { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { describeCause } from "../../../Services/Core/SafeCause.ts"
import type * as Catalogs from "../../../Tools/Core/Catalog.ts"
import { answerSchemas } from "../../../Tools/Core/ToolSchema.ts"
import { BackgroundScheduler } from "../Fairness/BackgroundScheduler.ts"
import { cachedCooperative } from "../Fairness/EventLoop.ts"
import { Metrics } from "../Metrics.ts"
import { Settings } from "../Settings.ts"
import { makeIsSampled } from "../Tracing.ts"
import { isWorker, workerSlot } from "../Workers/WorkerProcess.ts"
import { BodyBudget, makeBodyBudget } from "./Admission/BodyBudget.ts"
import { type CallSchedulers, makeCallSchedulers } from "./Admission/CallSchedulers.ts"
import { ConnectionArrivals } from "./Admission/ConnectionArrivals.ts"
import { withDeclaredCharset } from "./Answers/DeclaredCharset.ts"
import { requestIdOf } from "./Answers/SendAnswer.ts"
import { boundedServer } from "./BoundedServer.ts"
import { bearerAccess, type CallerAccess } from "./CallerAccess.ts"
import { type Endpoint, type Mount, makeMount, PublicAddress, type RequestScope, refusal } from "./Endpoint.ts"
import { makeFastLane } from "./FastLane.ts"
import { makeGracefulStop } from "./GracefulStop.ts"
import { refusedForItsAddress, refusedForItsHead } from "./MalformedRequests.ts"
import { makeOperationsPages } from "./OperationsPages.ts"
import { makePages } from "./Pages.ts"
import type { ServedCatalog } from "./ToolCalls.ts"

export class ServerCannotListen extends Schema.TaggedError<ServerCannotListen>()("ServerCannotListen", {
  message: Schema.String
}) {}

/** Where the gateway listens. */
export class ServerAddress extends Context.Tag("ServerAddress")<
  ServerAddress,
  {
    readonly host: string
    readonly port: number
    /** The port of the operator's separate address for metrics and health, if there is one. */
    readonly operationsPort?: number
  }
>() {}

/**
 * Connections that wait to be accepted, if the system allows as many. Once a flood fills the queue, the system drops new
 * ones, and their clients try again a second later.
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

/**
 * The least time in seconds for which a stopping worker still answers. Each answer closes its connection, so that
 * clients move to another worker. Idle connections are closed only afterwards, because a request could already be on
 * its way on one.
 */
const workerStopDelay = 2

/** Answers a page that fails unexpectedly in the shape of all errors. The cause is logged and counted. */
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

/** Handles requests of the bare listener. Returns whether the request was for this lane. */
export type RequestLane = (request: IncomingMessage, response: ServerResponse) => boolean

/** The services that the lanes of one server share. */
export interface LaneOptions {
  readonly bodyBudget: BodyBudget["Type"]
  readonly schedulerOf: CallSchedulers
  readonly isDraining: () => boolean
  readonly onDefect: (requestId: string, cause: Cause.Cause<unknown>) => void
  /** Documents derived from the catalog. They are made in slices when they are first requested. */
  readonly made: {
    /** The schemas of answers. Once they exist, making documents about tools is cheap. */
    readonly schemas: Effect.Effect<unknown>
    readonly skillGuide: Effect.Effect<SkillGuide>
  }
  /** What a token with limited scopes must be allowed, by tool. */
  readonly needs: ToolNeeds
}

/** The two catalogs of a gateway. */
export interface ServedTools<out R> {
  /** The product's tools, under `/rest/v1` and `/api/v1`. */
  readonly product: Catalogs.Catalog<R>
  /** The tools that manage the use of the API, under `/platform/v1`. */
  readonly platform: Catalogs.Catalog<R>
}

/** The services and settings that the parts of one server share. */
interface ServerParts<R> {
  readonly tools: ServedTools<R>
  readonly lanes: LaneOptions
  readonly arrivals: ConnectionArrivals["Type"]
  readonly mount: Mount
  readonly countDefect: () => void
}

const makeParts = <R>(tools: ServedTools<R>, isDraining: () => boolean) =>
  Effect.gen(function* () {
    const settings = yield* Settings
    const { registry } = yield* Metrics
    const arrivals = yield* ConnectionArrivals
    const backgroundScheduler = yield* BackgroundScheduler
    const defects = new Counter({
      name: "gateway_page_defects_total",
      help: "Pages and other routes beside the tools that failed for no reason of their own.",
      registers: [registry]
    })
    const callDefects = new Counter({
      name: "gateway_call_defects_total",
      help: "Calls that were answered with an unexpected 500 before or after their tool ran. Alert on any.",
      registers: [registry]
    })
    const runtime = yield* Effect.runtime<never>()
    const parts: ServerParts<R> = {
      tools,
      lanes: {
        bodyBudget: makeBodyBudget(settings.bodyBufferLimit, { arrivals, isProxy: settings.trustedProxies }),
        schedulerOf: makeCallSchedulers(backgroundScheduler),
        isDraining,
        onDefect: (requestId, cause) => {
          callDefects.inc()
          Runtime.runFork(runtime)(
            Effect.logError("a call failed outside its tool").pipe(
              Effect.annotateLogs({ request_id: requestId, cause: describeCause(cause) })
            )
          )
        },
        made: {
          schemas: yield* cachedCooperative(() => answerSchemas(tools.product)),
          skillGuide: yield* cachedCooperative(() =>
            skillGuideInPieces(tools.product, { baseUrl: settings.baseUrl, platform: tools.platform })
          )
        },
        needs: makeToolNeeds(tools.product, tools.platform)
      },
      arrivals,
      mount: makeMount({ isSampled: makeIsSampled(settings), backgroundScheduler }),
      countDefect: () => defects.inc()
    }
    return parts
  })

/** Makes the lanes for tool calls, one for each kind of access. */
const makeToolLanes = <R>({ lanes, tools }: ServerParts<R | Caller>, accesses: ReadonlyArray<CallerAccess>) =>
  Effect.gen(function* () {
    const settings = yield* Settings
    const served = (catalog: Catalogs.Catalog<R | Caller>): ServedCatalog<R> => {
      const documents = documentsOf(catalog)
      return {
        catalog,
        documents: {
          list: (prefix) => Effect.map(lanes.made.schemas, () => documents.list(prefix)),
          one: documents.one
        }
      }
    }
    const product = served(tools.product)
    const options = {
      ...lanes,
      catalogs: { "/rest/v1": product, "/api/v1": product, "/platform/v1": served(tools.platform) },
      baseUrl: settings.baseUrl,
      trustedProxies: settings.trustedProxies,
      bodyLimit: settings.bodyLimit,
      isSampled: makeIsSampled(settings)
    }
    return yield* Effect.forEach(accesses, (access) => makeFastLane<R>({ ...options, access }))
  })

/** The longest name of a file in an address: 200 characters, each percent-encoded as up to four bytes. */
const longestPathPart = 200 * 12

/** Makes the handler of all requests that no lane takes. */
const makePagesHandler = <R>(
  { countDefect, lanes, mount, tools }: ServerParts<R>,
  endpoints: ReadonlyArray<Endpoint<RequestScope>>
) =>
  Effect.gen(function* () {
    const { baseUrl } = yield* Settings
    const router = yield* makePages({
      endpoints,
      openApi: yield* cachedCooperative(function* () {
        return JSON.stringify(yield* openApiInPieces(tools.product, { baseUrl, platform: tools.platform }))
      }),
      skillGuide: lanes.made.skillGuide,
      isDraining: lanes.isDraining,
      mount
    })
    // Without the platform's own server span: it has the whole address, and addresses of files and opt-outs are
    // secrets.
    return yield* NodeHttpServer.makeHandler(
      router.pipe(
        Effect.provideService(BodyBudget, lanes.bodyBudget),
        Effect.provideService(PublicAddress, baseUrl),
        withDefectsAnswered(countDefect),
        Effect.map(withDeclaredCharset)
      )
    ).pipe(
      HttpMiddleware.withTracerDisabledWhenEffect(() => true),
      HttpRouter.withRouterConfig({
        ignoreTrailingSlash: false,
        ignoreDuplicateSlashes: false,
        caseSensitive: true,
        maxParamLength: longestPathPart
      })
    )
  })

/** Makes the handler of the operator's separate address. */
const makeOperationsHandler = <R>({ countDefect, lanes, mount }: ServerParts<R>) =>
  Effect.gen(function* () {
    const operationsPages = yield* makeOperationsPages("operations", lanes.isDraining, mount)
    return yield* NodeHttpServer.makeHandler(
      operationsPages(HttpRouter.empty).pipe(
        HttpRouter.all("*", refusal(404, "UnknownRoute", "There is no such route.", "See /metrics and /health/ready.")),
        withDefectsAnswered(countDefect),
        Effect.map(withDeclaredCharset)
      )
    ).pipe(HttpMiddleware.withTracerDisabledWhenEffect(() => true))
  })

/** Closes at once, since no one waits for metrics. */
const closeNow = (server: Server) =>
  Effect.async<void>((resume) => {
    server.close(() => resume(Effect.void))
    server.closeAllConnections()
  })

/** Sets the headers that every answer has, whichever page writes it. */
const setPageHeaders = (request: IncomingMessage, response: ServerResponse): void => {
  response.setHeader("X-Request-Id", requestIdOf(request))
  response.setHeader("X-Content-Type-Options", "nosniff")
}

/** Listens on the operator's address until the scope ends. That is before the other server stops. */
const listenForOperator = <R>(
  parts: ServerParts<R>,
  { host, port }: { readonly host: string; readonly port: number }
) =>
  Effect.gen(function* () {
    const handler = yield* makeOperationsHandler(parts)
    const server = boundedServer({ arrivals: parts.arrivals })
    server.on("request", (request: IncomingMessage, response: ServerResponse) => {
      if (refusedForItsHead(request, response) || refusedForItsAddress(request, response)) return
      setPageHeaders(request, response)
      handler(request, response)
    })
    // Each worker has separate metrics, and so a separate port. Port 0 picks a free one.
    const ownPort = port === 0 ? 0 : port + workerSlot()
    return yield* Effect.acquireRelease(listen(server, host, ownPort), () => closeNow(server))
  })

/** Handles the requests of a listener. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void

const withoutLane = () => Effect.succeed<RequestLane>(() => false)
const withoutAccess = Effect.succeed<ReadonlyArray<CallerAccess>>([])

/** Makes the handler of a listener. Tool calls go to the fast lane, everything else to the platform's router. */
const makeHandler = <R, RE, RL, RH, RA>(
  parts: ServerParts<R | Caller>,
  endpoints: Effect.Effect<ReadonlyArray<Endpoint<RequestScope>>, never, RE>,
  makeLane: (options: LaneOptions) => Effect.Effect<RequestLane, never, RL>,
  makeHostLane: (options: LaneOptions) => Effect.Effect<RequestLane, never, RH>,
  accesses: Effect.Effect<ReadonlyArray<CallerAccess>, never, RA>
) =>
  Effect.gen(function* () {
    const toolLanes = yield* makeToolLanes<R>(parts, [yield* bearerAccess, ...(yield* accesses)])
    const lane = yield* makeLane(parts.lanes)
    const hostLane = yield* makeHostLane(parts.lanes)
    const pages = yield* makePagesHandler(parts, yield* endpoints)
    const handler: RequestHandler = (request, response) => {
      if (refusedForItsHead(request, response) || hostLane(request, response)) return
      if (toolLanes.some((toolLane) => toolLane(request, response))) return
      if (refusedForItsAddress(request, response) || lane(request, response)) return
      setPageHeaders(request, response)
      pages(request, response)
    }
    return handler
  })

/** Makes the handler of a gateway that does not listen itself. Another gateway passes requests to it. */
export const requestHandler = <R, RE = never, RL = never, RA = never>(
  tools: ServedTools<R | Caller>,
  endpoints: Effect.Effect<ReadonlyArray<Endpoint<RequestScope>>, never, RE>,
  makeLane: (options: LaneOptions) => Effect.Effect<RequestLane, never, RL>,
  accesses: Effect.Effect<ReadonlyArray<CallerAccess>, never, RA>
) =>
  Effect.flatMap(
    makeParts(tools, () => false),
    (parts) => makeHandler<R, RE, RL, never, RA>(parts, endpoints, makeLane, withoutLane, accesses)
  )

/** One `node:http` server for everything. The end of its scope stops it gracefully. */
export const serverLayer = <R, RE = never, RL = never, RH = never, RA = never>(
  tools: ServedTools<R | Caller>,
  endpoints: Effect.Effect<ReadonlyArray<Endpoint<RequestScope>>, never, RE> = Effect.succeed([]),
  makeLane: (options: LaneOptions) => Effect.Effect<RequestLane, never, RL> = withoutLane,
  /**
   * Takes requests for hosts of sites and for test accounts, which other handlers answer. It runs before any
   * route.
   */
  makeHostLane: (options: LaneOptions) => Effect.Effect<RequestLane, never, RH> = withoutLane,
  /** Kinds of access to the tools in addition to bearer tokens. */
  accesses: Effect.Effect<ReadonlyArray<CallerAccess>, never, RA> = withoutAccess
) =>
  Layer.scoped(
    ServerAddress,
    Effect.gen(function* () {
      const settings = yield* Settings
      let isDraining = false
      const parts = yield* makeParts(tools, () => isDraining)
      const handler = yield* makeHandler<R, RE, RL, RH, RA>(parts, endpoints, makeLane, makeHostLane, accesses)
      const server = boundedServer({ isProxy: settings.trustedProxies, arrivals: parts.arrivals })
      server.on("request", handler)
      const stop = makeGracefulStop(server)
      const { port } = yield* Effect.acquireRelease(listen(server, settings.host, settings.port), () =>
        Effect.suspend(() => {
          isDraining = true
          const delay = isWorker ? Math.max(settings.stopDelay, workerStopDelay) : settings.stopDelay
          return Effect.zipRight(Effect.sleep(Duration.seconds(delay)), stop)
        })
      )
      yield* Effect.logInfo("listening").pipe(Effect.annotateLogs({ host: settings.host, port }))
      if (settings.operations === undefined) return { host: settings.host, port }
      const { port: operationsPort } = yield* listenForOperator(parts, settings.operations)
      return { host: settings.host, port, operationsPort }
    })
  )
