import type { IncomingMessage, ServerResponse } from "node:http"
import { Effect, Exit, Option, Runtime, type Tracer } from "effect"
import { fromJsonBody, fromQueryString, isRefused } from "../../../Api/RequestArguments.ts"
import {
  type Answer,
  allowedMethods,
  defectAnswer,
  failureAnswer,
  matchRoute,
  notReadOnly,
  type Prefix,
  type Route,
  routeTemplate
} from "../../../Api.ts"
import {
  badRequest,
  type RequestRefused,
  type ToolDefect,
  type ToolError,
  type Transient,
  Unauthorized
} from "../../../Errors.ts"
import { AccessTokens } from "../../../Services/Accounts/AccessTokens.ts"
import { CallLimits } from "../../../Services/Accounts/CallLimits.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { Caller } from "../../../Services/Core/Caller.ts"
import { UnitOfWork } from "../../../Services/Core/UnitOfWork.ts"
import type { RawArguments } from "../../../Tools/Core/ArgumentCoercion.ts"
import type { Catalog } from "../../../Tools/Core/Catalog.ts"
import { DatabasePools } from "../Postgres/Database.ts"
import { overloaded } from "../Postgres/Sql.ts"
import type { BodyBudgetShape } from "./BodyBudget.ts"
import type { CallSchedulers } from "./CallSchedulers.ts"
import { bearerToken, type Incoming, parentSpan, targetOf } from "./Incoming.ts"
import { noRoom, readBody } from "./RequestBody.ts"
import { requestIdOf, sendAnswer } from "./SendAnswer.ts"
import { type Lane, UntracedCall } from "./UntracedCall.ts"

export interface FastLaneOptions<R> {
  readonly catalog: Catalog<R | Caller>
  /** What `GET /tools` and `GET /tools/{name}` answer, as JSON. */
  readonly documents: {
    readonly list: (prefix: Prefix) => Effect.Effect<string>
    readonly one: (prefix: Prefix, name: string) => string
  }
  readonly baseUrl: string
  /** Bytes. */
  readonly bodyLimit: number
  /** For the bodies of all calls. */
  readonly bodyBudget: BodyBudgetShape
  readonly schedulerOf: CallSchedulers
  /** Whether the next request is traced; one that continues a sampled trace always is. */
  readonly isSampled: () => boolean
  readonly isDraining: () => boolean
}

type Failure = ToolError | RequestRefused | ToolDefect | Unauthorized

const noToken = new Unauthorized({
  error: "The request has no access token.",
  howToFix: "Send the header Authorization: Bearer <ACCESS_TOKEN> on every route."
})

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
  R | AccessTokens | UnitOfWork | DatabasePools
> =>
  Effect.gen(function* () {
    const { bodyBudget: budget, bodyLimit: limit, catalog } = options
    const tokens = yield* AccessTokens
    const unit = yield* UnitOfWork
    const limits = yield* CallLimits
    const { turns } = yield* DatabasePools
    const runTraced = Runtime.runCallback(yield* Effect.runtime<R>())
    const untraced = Effect.withTracerEnabled(Effect.runtime<R>(), false)
    const runtime = yield* untraced
    // Fibers that read begin where `UnitOfWork.read` would bring them.
    const readRuntime = yield* unit.read(untraced)

    const success = (body: string): Answer => ({ status: 200, body })

    const failed = ({ requestId, target }: Incoming, failure: Failure, reachedTool: boolean): Answer =>
      failureAnswer({ prefix: target.prefix, failure, reachedTool, requestId, baseUrl: options.baseUrl })

    const bodyOf: Lane<R>["bodyOf"] = ({ request, response }, party) =>
      readBody(request, response, { limit, budget, party })

    const callTool = (name: string, raw: RawArguments | RequestRefused): Effect.Effect<Answer, Failure, R | Caller> =>
      isRefused(raw) ? Effect.fail(raw) : Effect.map(catalog.call(name, raw), (value) => success(JSON.stringify(value)))

    const run = (
      route: Route,
      { target }: Incoming,
      body: Effect.Effect<Buffer, RequestRefused | Transient>
    ): Effect.Effect<Answer, Failure, R | Caller> => {
      if (route._tag === "ListTools") return Effect.map(options.documents.list(target.prefix), success)
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
            ? Effect.flatMap(body, (read) => callTool(route.name, fromJsonBody(read)))
            : Effect.fail(queryOnPost)
      }
    }

    const isRead = (route: Route | RequestRefused): boolean =>
      (route._tag === "CallWithBody" || route._tag === "CallWithQuery") &&
      Option.exists(catalog.get(route.name), ({ kind }) => kind === "read")

    /** Told before anything is done for the call, where the account's calls wait in numbers already. */
    const isOverloaded = (route: Route | RequestRefused, accountId: AccountId): boolean =>
      turns[isRead(route) ? "read" : "write"].isFull(accountId)

    const answerWithin: Lane<R>["answerHolder"] = (route, incoming, body, { accountId }) =>
      badTarget(route)
        ? Effect.succeed(failed(incoming, route, false))
        : isOverloaded(route, accountId)
          ? Effect.succeed(failed(incoming, overloaded(), false))
          : Effect.catchAll(run(route, incoming, body), (failure) =>
              Effect.succeed(failed(incoming, failure, failure !== noRoom))
            )

    const answerHolder: Lane<R>["answerHolder"] = (route, incoming, body, holder) => {
      budget.came(holder.accountId)
      const verdict = limits.take(holder)
      if (verdict === undefined) return answerWithin(route, incoming, body, holder)
      const { headers, refusal } = verdict
      const told = (answer: Answer): Answer => ({ ...answer, headers: { ...answer.headers, ...headers } })
      return refusal === undefined
        ? Effect.map(answerWithin(route, incoming, body, holder), told)
        : Effect.succeed(told(failed(incoming, refusal, false)))
    }

    const refuseToken: Lane<R>["refuseToken"] = (incoming, failure) => failed(incoming, failure, false)

    const send: Lane<R>["send"] = ({ request, requestId, response }, exit) =>
      sendAnswer(request, response, Exit.isSuccess(exit) ? exit.value : defectAnswer(requestId), {
        requestId,
        close: options.isDraining()
      })

    const traced = (incoming: Incoming, token: string | undefined): Effect.Effect<Answer, never, R> =>
      Effect.matchEffect(token === undefined ? Effect.fail(noToken) : tokens.authenticate(token), {
        onFailure: (failure) => Effect.succeed(refuseToken(incoming, failure)),
        onSuccess: (holder) => {
          const { request, requestId, target } = incoming
          const route = matchRoute(request.method ?? "GET", target.path)
          const scheduler = schedulerOf(incoming, holder.accountId)
          const answer = Effect.provideService(
            answerHolder(route, incoming, bodyOf(incoming, holder.accountId), holder),
            Caller,
            { ...holder, requestId }
          )
          return scheduler === undefined ? answer : Effect.withScheduler(answer, scheduler)
        }
      })

    const schedulerOf: Lane<R>["schedulerOf"] = ({ request, response }, accountId) =>
      options.schedulerOf(request, response, accountId)

    const lane = { schedulerOf, tokens, bodyOf, runtime, readRuntime, isRead, answerHolder, refuseToken, send }

    return (request, response) => {
      const target = targetOf(request.url ?? "")
      if (target === undefined) return false
      const requestId = requestIdOf(request)

      const allowed = request.method === "OPTIONS" ? allowedMethods(target.path) : undefined
      if (allowed !== undefined) {
        response.writeHead(204, { Allow: [...allowed, "OPTIONS"].join(", "), "X-Request-Id": requestId }).end()
        return true
      }

      const incoming = { request, response, target, requestId }
      const token = bearerToken(request)
      const parent = parentSpan(request)
      if (Option.isSome(parent) ? parent.value.sampled : options.isSampled()) {
        const cancel = runTraced(withRequestSpan(traced(incoming, token), incoming, parent), {
          onExit: (exit) => send(incoming, exit)
        })
        response.once("close", () => {
          if (!response.writableEnded) cancel()
        })
      } else if (token === undefined) send(incoming, Exit.succeed(refuseToken(incoming, noToken)))
      else new UntracedCall(lane, incoming).start(token)
      return true
    }
  })

/** The server span of a sampled request. The query string stays out: it holds arguments. */
const withRequestSpan = <R>(
  program: Effect.Effect<Answer, never, R>,
  { request, requestId, target }: Incoming,
  parent: Option.Option<Tracer.ExternalSpan>
): Effect.Effect<Answer, never, R> =>
  program.pipe(
    Effect.tap((answer) => Effect.annotateCurrentSpan("http.response.status_code", answer.status)),
    Effect.withSpan(`${request.method} ${target.prefix}${routeTemplate(target.path)}`, {
      kind: "server",
      captureStackTrace: false,
      attributes: {
        "http.request.method": request.method,
        "http.route": `${target.prefix}${routeTemplate(target.path)}`,
        "url.path": `${target.prefix}${target.path}`.slice(0, 200),
        "request.id": requestId
      },
      ...(Option.isSome(parent) ? { parent: parent.value } : {})
    })
  )
