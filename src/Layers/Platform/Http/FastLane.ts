import type { IncomingMessage, ServerResponse } from "node:http"
import { Cause, Effect, Exit, Option, Runtime, type Tracer } from "effect"
import type { CallModes } from "../../../Api/RequestedMode.ts"
import { type Answer, allowedMethods, matchRoute, routeTemplate } from "../../../Api.ts"
import type { RequestRefused, Transient, Unauthorized } from "../../../Errors.ts"
import { CallLimits } from "../../../Services/Accounts/CallLimits.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { isSameHolder, type TokenHolder } from "../../../Services/Accounts/Tokens/AccessTokens.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { RequestLog } from "../../../Services/Core/RequestLog.ts"
import { DatabasePools } from "../Postgres/Database.ts"
import { requestIdOf } from "./Answers/SendAnswer.ts"
import type { CallerAccess } from "./CallerAccess.ts"
import { parentSpan, targetBelow } from "./Incoming.ts"
import { readTogetherPath, readTogetherRoute } from "./ReadTogether.ts"
import { runAsCaller } from "./RunAsCaller.ts"
import { type Body, type Call, type FastLaneOptions, ToolCalls } from "./ToolCalls.ts"

/** The services that all untraced calls of one server share. */
interface UntracedCalls<R> {
  readonly tools: ToolCalls<R>
  readonly access: CallerAccess
  readonly runtime: Runtime.Runtime<R>
  /** The runtime for a call that runs inside `UnitOfWork.read`. */
  readonly readRuntime: Runtime.Runtime<R>
}

/**
 * A call without spans, as most calls are. If the credential was valid a moment ago, a read runs in parallel with the
 * look-up of the credential. Its answer is sent only if the look-up then returns the same holder.
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

  start(credential: string): void {
    const { access, tools } = this.#shared
    const use = tools.useOf(this.#call)
    const lastHolder = access.authenticateThen(credential, (exit) => this.#onAuthenticated(exit), use)
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

  /**
   * Sends the answer of the parallel read once the token's holder is known too. If the holder differs, the call runs
   * again.
   */
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
      tools.callerOf(this.#call, holder),
      tools.readsOnly(this.#call) ? readRuntime : runtime,
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
  access: CallerAccess,
  call: Call,
  credential: string | undefined
): Effect.Effect<Answer, never, R> => {
  const holder =
    credential === undefined ? Effect.fail(access.noCredential) : access.authenticate(credential, tools.useOf(call))
  return Effect.matchEffect(holder, {
    onFailure: (failure) => Effect.succeed(tools.refuse(call, failure)),
    onSuccess: (holder) => {
      const scheduler = tools.schedulerOf(call, holder.accountId)
      const answer = Effect.provideService(
        tools.answer(call, tools.readBody(call, holder.accountId), holder),
        Caller,
        tools.callerOf(call, holder)
      )
      return scheduler === undefined ? answer : Effect.withScheduler(answer, scheduler)
    }
  })
}

/** The server span of a sampled request. The query string stays out: it holds arguments. */
const withRequestSpan = <R>(
  program: Effect.Effect<Answer, never, R>,
  { request, requestId, target }: Call,
  parent: Option.Option<Tracer.ExternalSpan>
): Effect.Effect<Answer, never, R> =>
  program.pipe(
    Effect.tap((answer) => Effect.annotateCurrentSpan("http.response.status_code", answer.status)),
    Effect.withSpan(`${request.method} ${target.base}${target.prefix}${routeTemplate(target.path)}`, {
      kind: "server",
      captureStackTrace: false,
      attributes: {
        "http.request.method": request.method,
        "http.route": `${target.base}${target.prefix}${routeTemplate(target.path)}`,
        "url.path": `${target.base}${target.prefix}${target.path}`.slice(0, 200),
        "request.id": requestId
      },
      ...(Option.isSome(parent) ? { parent: parent.value } : {})
    })
  )

/**
 * The tool routes on a bare `node:http` listener: one fiber per request, without router and middleware, which cost more
 * than a call. The returned function reports whether the request was for a tool route of this way in.
 */
export const makeFastLane = <R>(
  options: FastLaneOptions<R>
): Effect.Effect<
  (request: IncomingMessage, response: ServerResponse) => boolean,
  never,
  R | UnitOfWork | DatabasePools | CallModes
> =>
  Effect.gen(function* () {
    const { access } = options
    const targetOf = targetBelow(access.base, access.prefixes)
    const unit = yield* UnitOfWork
    const clock = yield* Effect.clock
    const tools = new ToolCalls(options, {
      limits: yield* CallLimits,
      turns: (yield* DatabasePools).turns,
      modes: yield* Effect.context<CallModes>(),
      requests: yield* RequestLog,
      clock
    })
    const runTraced = Runtime.runCallback(yield* Effect.runtime<R>())
    const untraced = Effect.withTracerEnabled(Effect.runtime<R>(), false)
    const shared = { tools, access, runtime: yield* untraced, readRuntime: yield* unit.read(untraced) }

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

      const { method = "GET" } = request
      const isForSeveral = access.readsTogether === true && target.path === readTogetherPath
      const route = isForSeveral ? readTogetherRoute(method, target.query) : matchRoute(method, target.path)
      const record = { startedAt: clock.unsafeCurrentTimeMillis() }
      const call: Call = { request, response, target, requestId, route, record }
      const foreign = access.refusalOf(request)
      if (foreign !== undefined) {
        tools.send(call, Exit.succeed(tools.refuse(call, foreign)))
        return true
      }
      const credential = access.credentialOf(request)
      const parent = parentSpan(request)
      if (Option.isSome(parent) ? parent.value.sampled : options.isSampled()) {
        const cancel = runTraced(withRequestSpan(tracedAnswer(tools, access, call, credential), call, parent), {
          onExit: (exit) => tools.send(call, exit)
        })
        response.once("close", () => {
          if (!response.writableEnded) cancel()
        })
      } else if (credential === undefined) tools.send(call, Exit.succeed(tools.refuse(call, access.noCredential)))
      else new UntracedCall(shared, call).start(credential)
      return true
    }
  })
