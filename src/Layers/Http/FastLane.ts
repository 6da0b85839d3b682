import type { IncomingMessage, ServerResponse } from "node:http"
import { Effect, Exit, Option, Runtime, Tracer } from "effect"
import { fromJsonBody, fromQueryString, isRefused } from "../../Api/RequestArguments.ts"
import {
  type Answer,
  allowedMethods,
  defectAnswer,
  failureAnswer,
  matchRoute,
  notReadOnly,
  type Prefix,
  prefixes,
  type Route
} from "../../Api.ts"
import { badRequest, type RequestRefused, type ToolDefect, type ToolError, Unauthorized } from "../../Errors.ts"
import { AccessTokens } from "../../Services/AccessTokens.ts"
import { Caller } from "../../Services/Caller.ts"
import type { Catalog } from "../../Tools/Catalog.ts"
import type { RawArguments } from "../../Tools/Wire.ts"
import { readBody } from "./RequestBody.ts"
import { requestIdOf, sendAnswer } from "./SendAnswer.ts"

export interface FastLaneOptions<R> {
  readonly catalog: Catalog<R>
  /** What `GET /tools` and `GET /tools/{name}` answer, as JSON. */
  readonly documents: {
    readonly list: (prefix: Prefix) => string
    readonly one: (prefix: Prefix, name: string) => string
  }
  readonly baseUrl: string
  /** Bytes. */
  readonly bodyLimit: number
  /** Whether the next request is traced; one that continues a sampled trace always is. */
  readonly isSampled: () => boolean
  readonly isDraining: () => boolean
}

type Failure = ToolError | RequestRefused | ToolDefect | Unauthorized

interface Target {
  readonly prefix: Prefix
  /** What follows the prefix. */
  readonly path: string
  readonly query: string
}

/** Splits the address of a request under one of the prefixes; `undefined` for all others. */
const targetOf = (url: string): Target | undefined => {
  for (const prefix of prefixes) {
    if (!url.startsWith(prefix)) continue
    const next = url.charAt(prefix.length)
    if (next !== "/" && next !== "" && next !== "?") continue
    const mark = url.indexOf("?", prefix.length)
    return mark < 0
      ? { prefix, path: url.slice(prefix.length), query: "" }
      : { prefix, path: url.slice(prefix.length, mark), query: url.slice(mark + 1) }
  }
  return undefined
}

const noToken = new Unauthorized({
  error: "The request has no access token.",
  howToFix: "Send the header Authorization: Bearer <ACCESS_TOKEN> on every route."
})

const bearerToken = (request: IncomingMessage): string | undefined => {
  const header = request.headers.authorization
  return header !== undefined && /^bearer /i.test(header) ? header.slice(7).trim() : undefined
}

const traceparentShape = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/** The span a caller continues (W3C Trace Context), if the header is well formed. */
const parentSpan = (request: IncomingMessage): Option.Option<Tracer.ExternalSpan> => {
  const header = request.headers.traceparent
  const match = typeof header === "string" ? traceparentShape.exec(header) : null
  const [, traceId, spanId, flags] = match ?? []
  return traceId === undefined || spanId === undefined || flags === undefined
    ? Option.none()
    : Option.some(Tracer.externalSpan({ traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }))
}

const queryOnPost = badRequest(
  "UnknownParameter",
  "A POST takes no parameters in its query string.",
  "Send the parameters as a JSON object in the body."
)

const badTarget = (route: Route | RequestRefused): route is RequestRefused => route._tag === "RequestRefused"

/**
 * The tool routes on a bare `node:http` listener: one fiber a request, no router and no middleware, since these cost
 * more than a call does. Answers whether the request was one of its own.
 */
export const makeFastLane = <R>(
  options: FastLaneOptions<R>
): Effect.Effect<
  (request: IncomingMessage, response: ServerResponse) => boolean,
  never,
  Exclude<R, Caller> | AccessTokens
> =>
  Effect.gen(function* () {
    const { catalog } = options
    const tokens = yield* AccessTokens
    const runTraced = Runtime.runCallback(yield* Effect.runtime<Exclude<R, Caller>>())
    const runUntraced = Runtime.runCallback(
      yield* Effect.withTracerEnabled(Effect.runtime<Exclude<R, Caller>>(), false)
    )

    const success = (body: string): Answer => ({ status: 200, body })

    const callTool = (name: string, raw: RawArguments | RequestRefused): Effect.Effect<Answer, Failure, R | Caller> =>
      isRefused(raw) ? Effect.fail(raw) : Effect.map(catalog.call(name, raw), (value) => success(JSON.stringify(value)))

    const run = (
      route: Route,
      target: Target,
      request: IncomingMessage
    ): Effect.Effect<Answer, Failure, R | Caller> => {
      if (route._tag === "ListTools") return Effect.succeed(success(options.documents.list(target.prefix)))
      const tool = catalog.get(route.name)
      if (Option.isNone(tool)) return Effect.fail(catalog.unknownTool(route.name))
      switch (route._tag) {
        case "DescribeTool":
          return Effect.succeed(success(options.documents.one(target.prefix, tool.value.name)))
        case "CallWithQuery":
          return tool.value.kind === "read"
            ? callTool(route.name, fromQueryString(target.query))
            : Effect.fail(notReadOnly(route.name))
        case "CallWithBody":
          return target.query === ""
            ? Effect.flatMap(readBody(request, options.bodyLimit), (body) => callTool(route.name, fromJsonBody(body)))
            : Effect.fail(queryOnPost)
      }
    }

    const answer = (
      target: Target,
      request: IncomingMessage,
      requestId: string
    ): Effect.Effect<Answer, never, Exclude<R, Caller>> => {
      const failed = (failure: Failure, reachedTool: boolean) =>
        Effect.succeed(
          failureAnswer({ prefix: target.prefix, failure, reachedTool, requestId, baseUrl: options.baseUrl })
        )
      const token = bearerToken(request)
      if (token === undefined) return failed(noToken, false)
      return Effect.matchEffect(tokens.authenticate(token), {
        onFailure: (failure) => failed(failure, false),
        onSuccess: (holder) => {
          const route = matchRoute(request.method ?? "GET", target.path)
          if (badTarget(route)) return failed(route, false)
          return Effect.provideService(
            Effect.catchAll(run(route, target, request), (failure) => failed(failure, true)),
            Caller,
            { ...holder, requestId }
          )
        }
      })
    }

    return (request, response) => {
      const target = targetOf(request.url ?? "")
      if (target === undefined) return false
      const requestId = requestIdOf(request)

      const allowed = request.method === "OPTIONS" ? allowedMethods(target.path) : undefined
      if (allowed !== undefined) {
        response.writeHead(204, { Allow: [...allowed, "OPTIONS"].join(", "), "X-Request-Id": requestId }).end()
        return true
      }

      const onExit = (exit: Exit.Exit<Answer>) =>
        sendAnswer(request, response, Exit.isSuccess(exit) ? exit.value : defectAnswer(requestId), {
          requestId,
          close: options.isDraining()
        })
      const program = answer(target, request, requestId)
      const parent = parentSpan(request)
      if (Option.isSome(parent) ? parent.value.sampled : options.isSampled()) {
        runTraced(withRequestSpan(program, target, request, parent, requestId), { onExit })
      } else runUntraced(program, { onExit })
      return true
    }
  })

/** The server span of a sampled request. The query string stays out: it holds arguments. */
const withRequestSpan = <R>(
  program: Effect.Effect<Answer, never, R>,
  target: Target,
  request: IncomingMessage,
  parent: Option.Option<Tracer.ExternalSpan>,
  requestId: string
): Effect.Effect<Answer, never, R> =>
  program.pipe(
    Effect.tap((answer) => Effect.annotateCurrentSpan("http.response.status_code", answer.status)),
    Effect.withSpan(`${request.method} ${target.prefix}`, {
      kind: "server",
      captureStackTrace: false,
      attributes: {
        "http.request.method": request.method,
        "url.path": `${target.prefix}${target.path}`.slice(0, 200),
        "request.id": requestId
      },
      ...(Option.isSome(parent) ? { parent: parent.value } : {})
    })
  )
