import { HttpRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { NodeHttpServerRequest } from "@effect/platform-node"
import { Context, Effect } from "effect"
import type { Unauthorized } from "../../../Errors.ts"
import type { BackgroundScheduler } from "../Fairness/BackgroundScheduler.ts"
import type { BodyBudget } from "./Admission/BodyBudget.ts"
import { isLongBody } from "./Bodies/RequestBody.ts"

/** The services that the server provides to every handler. */
export type RequestScope = HttpServerRequest.HttpServerRequest | HttpRouter.RouteContext | PublicAddress | BodyBudget

type Handler<R> = Effect.Effect<HttpServerResponse.HttpServerResponse, never, R>

/** Returns the token of an `Authorization: Bearer` header; undefined if there is none. */
export const bearerToken = (headers: { readonly [name: string]: string | undefined }): string | undefined =>
  /^bearer (\S+)$/i.exec(headers["authorization"] ?? "")?.[1]

/** A path outside the tool routes, with the handler of each method. HEAD is GET without the body. */
export interface Endpoint<R> {
  readonly path: HttpRouter.PathInput
  readonly methods: { readonly [Method in "GET" | "POST"]?: Handler<R> }
  /** True if machines poll the path. Its requests are never traced. */
  readonly isPolled?: boolean
}

/** Makes a refusal in the shape that every error of the gateway has. */
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

/** Makes one handler for all methods of an endpoint. OPTIONS lists them, and any other method is answered with 405. */
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
  /** Returns whether the next request for a page is traced. */
  readonly isSampled: () => boolean
  readonly backgroundScheduler: BackgroundScheduler["Type"]
}

/**
 * Adds a server span if the request is sampled. The span has the route and not the address, which may contain a secret.
 */
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

/** Runs requests with long bodies on the background scheduler. They count for the route, not for the sender. */
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

/** Returns a function that adds an endpoint to a router. */
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
