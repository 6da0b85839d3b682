import { HttpRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { NodeHttpServerRequest } from "@effect/platform-node"
import { Context, Effect } from "effect"
import type { Unauthorized } from "../../../Errors.ts"
import { backgroundScheduler } from "../BackgroundScheduler.ts"
import { isLongBody } from "./RequestBody.ts"

/** What a handler has of the request it answers. */
export type RequestScope = HttpServerRequest.HttpServerRequest | HttpRouter.RouteContext

type Handler<R> = Effect.Effect<HttpServerResponse.HttpServerResponse, never, R>

/** The token of an `Authorization: Bearer` header; undefined where there is none. */
export const bearerToken = (headers: { readonly [name: string]: string | undefined }): string | undefined =>
  /^bearer (\S+)$/i.exec(headers["authorization"] ?? "")?.[1]

/** A path outside the tool routes, with what each of its methods does. HEAD is GET without the body. */
export interface Endpoint<R> {
  readonly path: HttpRouter.PathInput
  readonly methods: { readonly [Method in "GET" | "POST"]?: Handler<R> }
  /** Whether requests are never traced: what machines ask again and again. */
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

/** Where callers reach the gateway: the address that errors point to begins with it. */
export class PublicAddress extends Context.Reference<PublicAddress>()("PublicAddress", { defaultValue: () => "" }) {}

/** The answer to a request without a token that holds; what is left of its body is not read. */
export const unauthorizedAnswer = ({
  error,
  howToFix
}: Unauthorized): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.map(PublicAddress, (address) =>
    HttpServerResponse.unsafeJson(
      { error, how_to_fix: howToFix, documentation: `${address}/SKILL.md` },
      { status: 401, headers: { "WWW-Authenticate": "Bearer", Connection: "close" } }
    )
  )

/** The handler of all methods of an endpoint: OPTIONS tells them, and others are 405. */
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

/** Whether the next request for a page is traced. */
export class PagesSampled extends Context.Reference<PagesSampled>()("PagesSampled", {
  defaultValue: () => (): boolean => false
}) {}

const methodsInUse = new Set(["GET", "HEAD", "POST", "OPTIONS"])

/** The server span of a sampled request. It has the route and not the address: what stands in its place may be a secret. */
const traced =
  (route: string) =>
  <R>(handler: Handler<R>): Handler<R | HttpServerRequest.HttpServerRequest> =>
    Effect.flatMap(Effect.all([PagesSampled, HttpServerRequest.HttpServerRequest]), ([isSampled, request]) => {
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

/** Requests with long bodies are long work of the route, whoever sends them. */
const inSlices =
  (route: string) =>
  <R>(handler: Handler<R>): Handler<R | HttpServerRequest.HttpServerRequest> =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
      isLongBody(NodeHttpServerRequest.toIncomingMessage(request))
        ? Effect.withScheduler(handler, backgroundScheduler(route))
        : handler
    )

/** Adds the endpoint to a router. */
export const mount =
  <R>(endpoint: Endpoint<R>) =>
  <E, R2>(router: HttpRouter.HttpRouter<E, R2>) =>
    HttpRouter.all(
      router,
      endpoint.path,
      endpoint.isPolled === true
        ? Effect.withTracerEnabled(dispatch(endpoint), false)
        : traced(endpoint.path)(inSlices(endpoint.path)(dispatch(endpoint)))
    )
