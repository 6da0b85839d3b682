import type { IncomingMessage, ServerResponse } from "node:http"
import { Cause, type Context, Effect, Exit, Option, Runtime, type Scheduler, type Tracer } from "effect"
import { fromJsonBody, fromQueryString, isRefused } from "../../../Api/RequestArguments.ts"
import {
  type CallModes,
  callModeOf,
  dryRunHeader,
  type ModeHeaders,
  type RequestedMode,
  requestedMode
} from "../../../Api/RequestedMode.ts"
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
  confirmationRequired,
  RequestRefused,
  type ToolDefect,
  type ToolError,
  type Transient,
  Unauthorized
} from "../../../Errors.ts"
import { AccessTokens, isSameHolder, type TokenHolder } from "../../../Services/Accounts/AccessTokens.ts"
import { CallLimits } from "../../../Services/Accounts/CallLimits.ts"
import { idempotencyKeyHeader } from "../../../Services/Accounts/IdempotencyKey.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { Caller } from "../../../Services/Core/Caller.ts"
import type { CallMode } from "../../../Services/Core/CallMode.ts"
import { UnitOfWork } from "../../../Services/Core/UnitOfWork.ts"
import type { RawArguments } from "../../../Tools/Core/ArgumentCoercion.ts"
import type { Catalog } from "../../../Tools/Core/Catalog.ts"
import { DatabasePools } from "../Postgres/Database.ts"
import { overloaded } from "../Postgres/Sql.ts"
import type { BodyBudget } from "./Admission/BodyBudget.ts"
import type { CallSchedulers } from "./Admission/CallSchedulers.ts"
import { requestIdOf, sendAnswer } from "./Answers/SendAnswer.ts"
import { noRoom, readBody } from "./Bodies/RequestBody.ts"
import { bearerToken, type Incoming, parentSpan, singleHeader, targetOf } from "./Incoming.ts"
import { runAsCaller } from "./RunAsCaller.ts"

export interface FastLaneOptions<R> {
  readonly catalog: Catalog<R | Caller>
  /** The JSON of `GET /tools` and `GET /tools/{name}`. */
  readonly documents: {
    readonly list: (prefix: Prefix) => Effect.Effect<string>
    readonly one: (prefix: Prefix, name: string) => string
  }
  readonly baseUrl: string
  /** Bytes. */
  readonly bodyLimit: number
  readonly bodyBudget: BodyBudget["Type"]
  readonly schedulerOf: CallSchedulers
  /** Whether the next request is traced; one that continues a sampled trace always is. */
  readonly isSampled: () => boolean
  readonly isDraining: () => boolean
  /** Counts and logs a call that failed outside its tool, for which the catalog counts. */
  readonly onDefect: (requestId: string, cause: Cause.Cause<unknown>) => void
}

type Failure = ToolError | RequestRefused | ToolDefect | Unauthorized

type Body = Effect.Effect<Buffer, RequestRefused | Transient>

/** A request for a tool route. */
interface Call extends Incoming {
  readonly route: Route | RequestRefused
}

const noToken = new Unauthorized({
  error: "The request has no access token.",
  howToFix: "Send the header Authorization: Bearer <ACCESS_TOKEN> on every route."
})

const queryOnPost = badRequest(
  "UnknownParameter",
  "A POST takes no parameters in its query string.",
  "Send the parameters as a JSON object in the body."
)

const modeHeaders = ({ request: { headers } }: Call): ModeHeaders => ({
  idempotencyKey: singleHeader(headers[idempotencyKeyHeader]),
  dryRun: singleHeader(headers[dryRunHeader])
})

const success = (body: string): Answer => ({ status: 200, body })

/** Answers calls, whether they are traced or not. */
class ToolCalls<R> {
  readonly #options: FastLaneOptions<R>
  readonly #limits: CallLimits["Type"]
  readonly #turns: DatabasePools["Type"]["turns"]
  readonly #modes: Context.Context<CallModes>

  constructor(
    options: FastLaneOptions<R>,
    limits: CallLimits["Type"],
    turns: DatabasePools["Type"]["turns"],
    modes: Context.Context<CallModes>
  ) {
    this.#options = options
    this.#limits = limits
    this.#turns = turns
    this.#modes = modes
  }

  isRead({ route }: Call): boolean {
    return (
      (route._tag === "CallWithBody" || route._tag === "CallWithQuery") &&
      Option.exists(this.#options.catalog.get(route.name), ({ kind }) => kind === "read")
    )
  }

  readBody({ request, response }: Call, tenant: AccountId): Body {
    const { bodyBudget: budget, bodyLimit: limit } = this.#options
    return readBody(request, response, { limit, budget, tenant })
  }

  schedulerOf({ request, response }: Call, accountId: AccountId): Scheduler.Scheduler | undefined {
    return this.#options.schedulerOf(request, response, accountId)
  }

  /** The answer to the holder of a valid token, with the headers of the rate limits. */
  answer(call: Call, body: Body, holder: TokenHolder): Effect.Effect<Answer, never, R | Caller> {
    this.#options.bodyBudget.recordCall(holder.accountId)
    const verdict = this.#limits.take(holder)
    if (verdict === undefined) return this.#answerWithinLimits(call, body, holder)
    const { headers, refusal } = verdict
    const withHeaders = (answer: Answer): Answer => ({ ...answer, headers: { ...answer.headers, ...headers } })
    return refusal === undefined
      ? Effect.map(this.#answerWithinLimits(call, body, holder), withHeaders)
      : Effect.succeed(withHeaders(this.refuse(call, refusal)))
  }

  refuse(call: Call, failure: Failure, reachedTool = false): Answer {
    const { requestId, target } = call
    return failureAnswer({ prefix: target.prefix, failure, reachedTool, requestId, baseUrl: this.#options.baseUrl })
  }

  send({ request, requestId, response }: Call, exit: Exit.Exit<Answer>): void {
    if (Exit.isFailure(exit) && !Cause.isInterruptedOnly(exit.cause)) this.#options.onDefect(requestId, exit.cause)
    const answer = Exit.isSuccess(exit) ? exit.value : defectAnswer(requestId)
    sendAnswer(request, response, answer, { requestId, close: this.#options.isDraining() })
  }

  #answerWithinLimits(call: Call, body: Body, holder: TokenHolder): Effect.Effect<Answer, never, R | Caller> {
    const { route } = call
    if (route._tag === "RequestRefused") return Effect.succeed(this.refuse(call, route))
    // Checked before any work for the call: too many calls of the account wait already.
    const isOverloaded = this.#turns[this.isRead(call) ? "read" : "write"].isFull(holder.accountId)
    if (isOverloaded) return Effect.succeed(this.refuse(call, overloaded()))
    return Effect.catchAll(this.#run(route, call, body, holder), (failure) =>
      Effect.succeed(this.refuse(call, failure, failure !== noRoom))
    )
  }

  #run(
    route: Route,
    call: Call,
    body: Body,
    { confirmation }: TokenHolder
  ): Effect.Effect<Answer, Failure, R | Caller> {
    const { catalog, documents } = this.#options
    const { target } = call
    if (route._tag === "ListTools") return Effect.map(documents.list(target.prefix), success)
    const tool = catalog.get(route.name)
    if (Option.isNone(tool)) return Effect.fail(catalog.unknownTool(route.name))
    switch (route._tag) {
      case "DescribeTool":
        return Effect.succeed(success(documents.one(target.prefix, tool.value.name)))
      case "CallWithQuery":
        return tool.value.kind === "read"
          ? this.#callTool(route.name, fromQueryString(target.query))
          : Effect.fail(notReadOnly(route.name))
      case "CallWithBody": {
        // REST has no way to ask a person.
        if (confirmation === "always" && tool.value.kind === "destructive") {
          return Effect.fail(confirmationRequired(route.name))
        }
        if (target.query !== "") return Effect.fail(queryOnPost)
        const mode = requestedMode(tool.value, modeHeaders(call))
        if (mode instanceof RequestRefused) return Effect.fail(mode)
        return Effect.flatMap(body, (bytes) =>
          mode === undefined
            ? this.#callTool(route.name, fromJsonBody(bytes))
            : this.#callInMode(call, route.name, fromJsonBody(bytes), mode)
        )
      }
    }
  }

  #callTool(
    name: string,
    raw: RawArguments | RequestRefused,
    mode?: CallMode
  ): Effect.Effect<Answer, ToolError | RequestRefused | ToolDefect, R | Caller> {
    if (isRefused(raw)) return Effect.fail(raw)
    return Effect.map(this.#options.catalog.call(name, raw, mode), (value) => success(JSON.stringify(value)))
  }

  /** Failures have the headers of the mode too. */
  #callInMode(
    call: Call,
    name: string,
    raw: RawArguments | RequestRefused,
    requested: RequestedMode
  ): Effect.Effect<Answer, never, R | Caller> {
    return Effect.flatMap(Effect.provide(callModeOf(requested), this.#modes), (mode) =>
      this.#callTool(name, raw, mode).pipe(
        Effect.catchAll((failure) => Effect.succeed(this.refuse(call, failure, true))),
        Effect.map((answer) => ({ ...answer, headers: { ...answer.headers, ...mode.headers() } }))
      )
    )
  }
}

/** What untraced calls of one server share. */
interface UntracedCalls<R> {
  readonly tools: ToolCalls<R>
  readonly tokens: AccessTokens["Type"]
  readonly runtime: Runtime.Runtime<R>
  /** The runtime inside `UnitOfWork.read`. */
  readonly readRuntime: Runtime.Runtime<R>
}

/**
 * A call without spans, as most are. If the token was valid a moment ago, a read runs in parallel with the look-up of the
 * token. Its answer is sent only if the look-up then returns the same holder.
 */
class UntracedCall<R> {
  readonly #shared: UntracedCalls<R>
  readonly #call: Call
  #presumedHolder: TokenHolder | undefined
  #holder: TokenHolder | undefined
  #presumedAnswer: Exit.Exit<Answer> | undefined
  #body: Exit.Exit<Buffer, RequestRefused | Transient> | undefined
  #cancel: (() => void) | undefined
  #isAbandoned = false

  constructor(shared: UntracedCalls<R>, call: Call) {
    this.#shared = shared
    this.#call = call
    call.response.once("close", () => {
      this.#isAbandoned = true
      if (!call.response.writableEnded) this.#cancel?.()
    })
  }

  start(token: string): void {
    const { tokens, tools } = this.#shared
    const lastHolder = tokens.authenticateThen(token, (exit) => this.#onAuthenticated(exit))
    if (lastHolder === undefined || !tools.isRead(this.#call)) return
    this.#presumedHolder = lastHolder
    this.#run(lastHolder, (exit) => {
      this.#presumedAnswer = exit
      this.#sendIfComplete()
    })
  }

  #onAuthenticated(exit: Exit.Exit<TokenHolder, Unauthorized | Transient>): void {
    if (Exit.isSuccess(exit)) {
      this.#holder = exit.value
      if (this.#presumedHolder === undefined) this.#runAndSend(exit.value)
      else this.#sendIfComplete()
      return
    }
    const { tools } = this.#shared
    const refusal = Option.map(Cause.failureOption(exit.cause), (failure) => tools.refuse(this.#call, failure))
    tools.send(this.#call, Option.isSome(refusal) ? Exit.succeed(refusal.value) : Exit.die(exit.cause))
  }

  /** Needs both the presumed answer and the token's holder. */
  #sendIfComplete(): void {
    if (this.#presumedHolder === undefined || this.#holder === undefined || this.#presumedAnswer === undefined) return
    if (isSameHolder(this.#presumedHolder, this.#holder)) this.#shared.tools.send(this.#call, this.#presumedAnswer)
    else this.#runAndSend(this.#holder)
  }

  #runAndSend(holder: TokenHolder): void {
    this.#run(holder, (exit) => this.#shared.tools.send(this.#call, exit))
  }

  #run(holder: TokenHolder, onExit: (exit: Exit.Exit<Answer>) => void): void {
    if (this.#isAbandoned) return
    const { readRuntime, runtime, tools } = this.#shared
    this.#cancel = runAsCaller(
      tools.answer(this.#call, this.#readBody(holder.accountId), holder),
      { ...holder, requestId: this.#call.requestId },
      tools.isRead(this.#call) ? readRuntime : runtime,
      onExit,
      tools.schedulerOf(this.#call, holder.accountId)
    )
  }

  /** Reads the body once, even if the call runs again. */
  #readBody(accountId: AccountId): Body {
    if (this.#body !== undefined) return this.#body
    return Effect.onExit(this.#shared.tools.readBody(this.#call, accountId), (exit) =>
      Effect.sync(() => {
        this.#body = exit
      })
    )
  }
}

const tracedAnswer = <R>(
  tools: ToolCalls<R>,
  tokens: AccessTokens["Type"],
  call: Call,
  token: string | undefined
): Effect.Effect<Answer, never, R> =>
  Effect.matchEffect(token === undefined ? Effect.fail(noToken) : tokens.authenticate(token), {
    onFailure: (failure) => Effect.succeed(tools.refuse(call, failure)),
    onSuccess: (holder) => {
      const scheduler = tools.schedulerOf(call, holder.accountId)
      const answer = Effect.provideService(tools.answer(call, tools.readBody(call, holder.accountId), holder), Caller, {
        ...holder,
        requestId: call.requestId
      })
      return scheduler === undefined ? answer : Effect.withScheduler(answer, scheduler)
    }
  })

/** The server span of a sampled request. The query string stays out: it holds arguments. */
const withRequestSpan = <R>(
  program: Effect.Effect<Answer, never, R>,
  { request, requestId, target }: Call,
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

/**
 * The tool routes on a bare `node:http` listener: one fiber per request, without router and middleware, which cost more
 * than a call. The returned function reports whether the request was for a tool route.
 */
export const makeFastLane = <R>(
  options: FastLaneOptions<R>
): Effect.Effect<
  (request: IncomingMessage, response: ServerResponse) => boolean,
  never,
  R | AccessTokens | UnitOfWork | DatabasePools | CallModes
> =>
  Effect.gen(function* () {
    const tokens = yield* AccessTokens
    const unit = yield* UnitOfWork
    const modes = yield* Effect.context<CallModes>()
    const tools = new ToolCalls(options, yield* CallLimits, (yield* DatabasePools).turns, modes)
    const runTraced = Runtime.runCallback(yield* Effect.runtime<R>())
    const untraced = Effect.withTracerEnabled(Effect.runtime<R>(), false)
    const shared = { tools, tokens, runtime: yield* untraced, readRuntime: yield* unit.read(untraced) }

    return (request, response) => {
      const target = targetOf(request.url ?? "")
      if (target === undefined) return false
      const requestId = requestIdOf(request)

      const allowed = request.method === "OPTIONS" ? allowedMethods(target.path) : undefined
      if (allowed !== undefined) {
        response
          .writeHead(204, {
            Allow: [...allowed, "OPTIONS"].join(", "),
            "X-Request-Id": requestId,
            "X-Content-Type-Options": "nosniff"
          })
          .end()
        return true
      }

      const route = matchRoute(request.method ?? "GET", target.path)
      const call: Call = { request, response, target, requestId, route }
      const token = bearerToken(request)
      const parent = parentSpan(request)
      if (Option.isSome(parent) ? parent.value.sampled : options.isSampled()) {
        const cancel = runTraced(withRequestSpan(tracedAnswer(tools, tokens, call, token), call, parent), {
          onExit: (exit) => tools.send(call, exit)
        })
        response.once("close", () => {
          if (!response.writableEnded) cancel()
        })
      } else if (token === undefined) tools.send(call, Exit.succeed(tools.refuse(call, noToken)))
      else new UntracedCall(shared, call).start(token)
      return true
    }
  })
