import { HttpRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { NodeHttpServerRequest } from "@effect/platform-node"
import { Context, Effect } from "effect"
import type { Unauthorized } from "../../../Errors.ts"
import type { BackgroundScheduler } from "../Fairness/BackgroundScheduler.ts"
import type { BodyBudget } from "./Admission/BodyBudget.ts"
import { isLongBody } from "./Bodies/RequestBody.ts"

/** What the server provides to every handler. */
export type RequestScope = HttpServerRequest.HttpServerRequest | HttpRouter.RouteContext | PublicAddress | BodyBudget

type Handler<R> = Effect.Effect<HttpServerResponse.HttpServerResponse, never, R>

/** The token of an `Authorization: Bearer` header; undefined where there is none. */
export const bearerToken = (headers: { readonly [name: string]: string | undefined }): string | undefined =>
  /^bearer (\S+)$/i.exec(headers["authorization"] ?? "")?.[1]

/** A path outside the tool routes, with the handler of each method. HEAD is GET without the body. */
export interface Endpoint<R> {
  readonly path: HttpRouter.PathInput
  readonly methods: { readonly [Method in "GET" | "POST"]?: Handler<R> }
  /** Whether machines poll it; its requests are never traced. */
  readonly isPolled?: boolean
}

/** A refusal in the shape that every error of the gateway has. */
export const refusal = (
  status: number,
  type: string,
  error: string,
  detail: string,
  headers: Readonly<Record<string, string>> = {}
): HttpServerResponse.HttpServerResponse => HttpServerResponse.unsafeJson({ error, type, detail }, { status, headers })

/** The address under which callers reach the gateway. Links in errors start with it. */
export class PublicAddress extends Context.Tag("PublicAddress")<PublicAddress, string>() {}

/** The answer to a request without a valid token. The rest of its body stays unread, so the connection closes. */
export const unauthorizedAnswer = ({
  error,
  howToFix
}: Unauthorized): Effect.Effect<HttpServerResponse.HttpServerResponse, never, PublicAddress> =>
  Effect.map(PublicAddress, (address) =>
    HttpServerResponse.unsafeJson(
      { error, how_to_fix: howToFix, documentation: `${address}/SKILL.md` },
      { status: 401, headers: { "WWW-Authenticate": "Bearer", Connection: "close" } }
    )
  )

/** One handler for all methods of an endpoint: OPTIONS lists them, and any other is answered 405. */
const dispatch = <R>({
  methods
}: Endpoint<R>): Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  never,
  R | HttpServerRequest.HttpServerRequest
> => {
  const names = [...(methods.GET === undefined ? [] : ["GET", "HEAD"]), ...(methods.POST === undefined ? [] : ["POST"])]
  const allow = { Allow: [...names, "OPTIONS"].join(", ") }
  const options = HttpServerResponse.empty({ status: 204, headers: allow })
  const notAllowed = refusal(
    405,
    "MethodNotAllowed",
    "The route does not have this method.",
    `Use ${names.join(" or ")}.`,
    allow
  )
  return Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ method }): Handler<R> => {
    if (method === "OPTIONS") return options
    const handler =
      method === "HEAD" ? methods.GET : method === "GET" || method === "POST" ? methods[method] : undefined
    return handler ?? notAllowed
  })
}

const methodsInUse = new Set(["GET", "HEAD", "POST", "OPTIONS"])

export interface MountOptions {
  /** Whether the next request for a page is traced. */
  readonly isSampled: () => boolean
  readonly backgroundScheduler: BackgroundScheduler["Type"]
}

/** The server span of a sampled request. It holds the route and not the address, which may contain a secret. */
const traced = <R>(
  route: string,
  isSampled: () => boolean,
  handler: Handler<R>
): Handler<R | HttpServerRequest.HttpServerRequest> =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    if (!isSampled()) return Effect.withTracerEnabled(handler, false)
    const method = methodsInUse.has(request.method) ? request.method : "_OTHER"
    return handler.pipe(
      Effect.tap(({ status }) => Effect.annotateCurrentSpan("http.response.status_code", status)),
      Effect.withSpan(`${method} ${route}`, {
        kind: "server",
        root: true,
        captureStackTrace: false,
        attributes: { "http.request.method": method, "http.route": route }
      })
    )
  })

/** Requests with long bodies are background work of the route, no matter who sends them. */
const inBackgroundIfLong = <R>(
  route: string,
  backgroundScheduler: BackgroundScheduler["Type"],
  handler: Handler<R>
): Handler<R | HttpServerRequest.HttpServerRequest> =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
    isLongBody(NodeHttpServerRequest.toIncomingMessage(request))
      ? Effect.withScheduler(handler, backgroundScheduler(route))
      : handler
  )

/** Adds endpoints to a router. */
export const makeMount =
  ({ backgroundScheduler, isSampled }: MountOptions) =>
  <R>(endpoint: Endpoint<R>) =>
  <E, R2>(router: HttpRouter.HttpRouter<E, R2>) => {
    const { isPolled = false, path } = endpoint
    const handler = dispatch(endpoint)
    return HttpRouter.all(
      router,
      path,
      isPolled
        ? Effect.withTracerEnabled(handler, false)
        : traced(path, isSampled, inBackgroundIfLong(path, backgroundScheduler, handler))
    )
  }

export type Mount = ReturnType<typeof makeMount>
