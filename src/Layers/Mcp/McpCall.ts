import type { IncomingMessage, ServerResponse } from "node:http"
import { Cause, type Clock, Effect, Either, Exit, Option, type Runtime } from "effect"
import { listenMethod, type makeEngine, type Offer, type Reply } from "../../Api/Mcp/Engine.ts"
import { type HeaderValues, isRequestId, type McpRequest, readMessage } from "../../Api/Mcp/Messages.ts"
import {
  codes,
  type Era,
  objectOf,
  type Problem,
  problem,
  problemText,
  type RequestId
} from "../../Api/Mcp/Protocol.ts"
import type { CallScope, NotedCall } from "../../Api/Mcp/Toolbox.ts"
import { failureAnswer } from "../../Api.ts"
import type { Transient, Unauthorized } from "../../Errors.ts"
import type { CallLimits } from "../../Services/Accounts/CallLimits.ts"
import { isSameHolder, type TokenHolder } from "../../Services/Accounts/Tokens/AccessTokens.ts"
import type { TokenBounds } from "../../Services/Accounts/Tokens/TokenBounds.ts"
import type { Caller } from "../../Services/Core/Calls/Caller.ts"
import type { RequestLog } from "../../Services/Core/RequestLog.ts"
import type { ClientQuestions } from "../../Services/Mcp/ClientQuestions.ts"
import type { BodyBudget } from "../Platform/Http/Admission/BodyBudget.ts"
import type { CallSchedulers } from "../Platform/Http/Admission/CallSchedulers.ts"
import { takeBody } from "../Platform/Http/Bodies/RequestBody.ts"
import { parentSpan, spanNamed } from "../Platform/Http/Incoming.ts"
import { runAsCaller } from "../Platform/Http/RunAsCaller.ts"
import type { DatabasePools } from "../Platform/Postgres/Database.ts"
import { overloaded } from "../Platform/Postgres/Sql.ts"
import { makeCallScope } from "./CallScopes.ts"
import { path as mcpPath } from "./McpAddress.ts"
import { sessionOf } from "./McpSessions.ts"
import type { McpStream } from "./McpStream.ts"
import type { Authenticate, makeNewsStreams } from "./NewsStreams.ts"
import { withRequestSpan } from "./RequestSpan.ts"
import type { makeRunningCalls } from "./RunningCalls.ts"

export interface McpLaneOptions<R> {
  /** Returns the tools and resources that the path and the headers select. */
  readonly offerOf: (path: string, headers: HeaderValues) => Offer<R | Caller> | Problem
  /** True if a call only reads. It may then run in parallel with the look-up of its token. */
  readonly isRead: (tool: string) => boolean
  /** The kinds of background jobs that a token with these bounds may see. */
  readonly jobKindsOf: (bounds: TokenBounds | undefined) => ReadonlyArray<string> | undefined
  readonly authenticate: Authenticate
  /**
   * Returns the `WWW-Authenticate` header for a caller without a valid token. `isShown` says whether the caller sent a
   * token.
   */
  readonly challenge: (address: string, isShown: boolean) => string
  /** Returns whether the next request is traced. A request that continues a sampled trace always is. */
  readonly isSampled?: () => boolean
  /** Called for each request that is answered. */
  readonly count?: (method: string, era: Era) => void
  readonly baseUrl: string
  /** The size limit of a body, in bytes. */
  readonly bodyLimit: number
  readonly bodyBudget: BodyBudget["Type"]
  readonly schedulerOf: CallSchedulers
  readonly isDraining: () => boolean
  /** Called for each message that is answered with an unexpected 500. */
  readonly onDefect: (requestId: string, cause: Cause.Cause<unknown>) => void
}

/** The services that all calls of one lane share. */
export interface McpCalls<R> {
  readonly options: McpLaneOptions<R>
  readonly engine: ReturnType<typeof makeEngine<R | Caller>>
  readonly questions: ClientQuestions["Type"]
  readonly turns: DatabasePools["Type"]["turns"]
  readonly limits: CallLimits["Type"]
  readonly requests: RequestLog["Type"]
  readonly clock: Clock.Clock
  readonly running: Effect.Effect.Success<typeof makeRunningCalls>
  readonly streams: Effect.Effect.Success<ReturnType<typeof makeNewsStreams>>
  readonly tracedRuntime: Runtime.Runtime<R>
  /** The runtime without spans. */
  readonly runtime: Runtime.Runtime<R>
  /** The runtime without spans, inside `UnitOfWork.read`. */
  readonly readRuntime: Runtime.Runtime<R>
}

/** One HTTP request for the lane. */
export interface McpExchange<R> {
  readonly address: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  readonly stream: McpStream
  readonly offer: Offer<R | Caller>
  readonly session: string | undefined
  readonly capabilities: Readonly<Record<string, unknown>>
  /** Whether an older client opens a stream for notifications. */
  readonly isWaiting: boolean
}

type Message = ReturnType<typeof readMessage>
type MessageOf<Kind extends Message["_tag"]> = Extract<Message, { readonly _tag: Kind }>

const cannotCancel = problem(503, codes.internalError, "The call cannot be cancelled for now. Repeat the message.")
const defect = problem(500, codes.internalError, "The gateway failed. Nothing is known to have been done.")
const takenBack = problem(200, codes.invalidRequest, "The call was cancelled.")

/**
 * Returns the name of an older client's call. Ids are unique in its session only, and other clients may have the same
 * token.
 */
const callName = ({ tokenId }: TokenHolder, session: string | undefined, id: RequestId): string =>
  `${tokenId} ${session ?? ""} ${typeof id} ${id}`

/** Refuses a message before it is read. */
export const refuseUnread = (
  { request, stream }: Pick<McpExchange<never>, "request" | "stream">,
  reason: Problem,
  headers: Readonly<Record<string, string>> = {}
): void => {
  request.resume()
  stream.end({ status: reason.status, body: problemText(null, reason) }, headers)
}

/**
 * Handles a message, from its head to its answer. The token's holder and the message arrive in any order. If the token
 * was valid a moment ago, a read runs in parallel with the look-up of the token. Its answer is sent only if the holder
 * is the same.
 */
export class McpCall<R> {
  readonly #shared: McpCalls<R>
  readonly #exchange: McpExchange<R>
  #holder: TokenHolder | undefined
  #message: Message | undefined
  #span: { readonly parent: ReturnType<typeof parentSpan> } | undefined
  #presumedHolder: TokenHolder | undefined
  /** The holder for whom a read runs before the token was looked up. */
  #presumedRun: TokenHolder | undefined
  #presumedReply: Exit.Exit<Reply> | undefined
  #interrupt: (() => void) | undefined
  #isReading = false
  #noted: NotedCall | undefined
  /** The start in Unix milliseconds. */
  readonly #startedAt: number

  constructor(shared: McpCalls<R>, exchange: McpExchange<R>) {
    this.#shared = shared
    this.#exchange = exchange
    this.#startedAt = shared.clock.unsafeCurrentTimeMillis()
  }

  start(): void {
    const { address, isWaiting, request, response } = this.#exchange
    this.#presumedHolder = this.#shared.options.authenticate(request, address, (exit) => this.#onAuthenticated(exit))
    if (this.#presumedHolder !== undefined && !isWaiting) this.#readFor(this.#presumedHolder)
    response.once("close", () => {
      const isAbandoned = !response.writableFinished
      if (isAbandoned && this.#message?._tag === "Request" && this.#message.era === "modern") this.#interrupt?.()
    })
  }

  #onAuthenticated(exit: Exit.Exit<TokenHolder, Unauthorized | Transient>): void {
    const { session, stream } = this.#exchange
    if (Exit.isFailure(exit)) {
      const failure = Cause.failureOption(exit.cause)
      this.#interrupt?.()
      if (Option.isSome(failure)) this.#refuse(failure.value)
      else {
        this.#report(exit)
        stream.end({ status: 500, body: problemText(null, defect) })
      }
      return
    }
    const { headers, refusal } = this.#shared.limits.take(exit.value) ?? {}
    if (refusal !== undefined) {
      this.#interrupt?.()
      this.#log(exit.value, { status: 429, reason: refusal.reason })
      return this.#refuse(refusal, headers)
    }
    if (this.#exchange.isWaiting) {
      return this.#shared.streams.open({
        ...this.#place,
        holder: exit.value,
        stream,
        ...(session === undefined ? {} : { session })
      })
    }
    this.#holder = exit.value
    this.#readFor(exit.value)
    this.#proceed()
  }

  /** Reads the message. Its bytes count for the presumed holder; without a valid token nothing is read. */
  #readFor({ accountId }: TokenHolder): void {
    if (this.#isReading) return
    this.#isReading = true
    const { capabilities, request, response } = this.#exchange
    const { bodyBudget: budget, bodyLimit: limit } = this.#shared.options
    takeBody(request, response, { limit, budget, tenant: accountId }, (body) => {
      if (Either.isRight(body)) {
        this.#message = readMessage(body.right, request.headers, capabilities)
        if (this.#message._tag === "Request") this.#span = this.#spanOf(this.#message)
        this.#proceed()
      } else if (body.left._tag === "Transient") this.#refuse(body.left)
      else {
        const { detail, error, status } = body.left
        refuseUnread(this.#exchange, problem(status, codes.invalidRequest, error, { detail }), { Connection: "close" })
      }
    })
  }

  /** Continues with what has arrived so far: the message, the holder, or both. */
  #proceed(): void {
    const message = this.#message
    const holder = this.#holder
    if (message === undefined) return
    if (holder === undefined) return message._tag === "Request" ? this.#presume(message) : undefined
    switch (message._tag) {
      case "Unreadable":
        return this.#exchange.stream.end({
          status: message.problem.status,
          body: problemText(message.id, message.problem)
        })
      case "Notification":
        return this.#takeNotification(message, holder)
      case "Response":
        return this.#takeResponse(message, holder)
      case "Request":
        return this.#takeRequest(message, holder)
    }
  }

  /** Starts a read for the token's last known holder. */
  #presume(message: McpRequest): void {
    const holder = this.#presumedHolder
    if (holder === undefined || this.#presumedRun !== undefined || this.#span !== undefined || !this.#isRead(message))
      return
    this.#presumedRun = holder
    this.#handle(message, holder, (exit) => {
      this.#shared.running.ended(this.#nameOf(message.id, holder))
      if (this.#presumedRun !== holder) return
      this.#presumedReply = exit
      this.#proceed()
    })
  }

  #takeNotification({ method, params }: MessageOf<"Notification">, holder: TokenHolder): void {
    const { stream } = this.#exchange
    const id = params["requestId"]
    if (method !== "notifications/cancelled" || !isRequestId(id)) return stream.empty(202)
    const cancelled = Effect.match(this.#shared.running.cancel(this.#nameOf(id, holder)), {
      onFailure: () => ({ status: 503, body: problemText(null, cannotCancel) }),
      onSuccess: () => undefined
    })
    const onExit = (exit: Exit.Exit<Reply | undefined>) => {
      this.#report(exit)
      if (Exit.isSuccess(exit) && exit.value !== undefined) stream.end(exit.value)
      else stream.empty(202)
    }
    runAsCaller(cancelled, this.#callerOf(holder), this.#shared.runtime, onExit, undefined)
  }

  #takeResponse({ id, result }: MessageOf<"Response">, holder: TokenHolder): void {
    const { questions, runtime } = this.#shared
    const stored = Effect.catchAll(questions.answer(String(id), result), () => Effect.void)
    const onExit = (exit: Exit.Exit<void>) => {
      this.#report(exit)
      this.#exchange.stream.empty(202)
    }
    runAsCaller(stored, this.#callerOf(holder), runtime, onExit, undefined)
  }

  #takeRequest(message: McpRequest, holder: TokenHolder): void {
    const { engine, options, running, streams, turns } = this.#shared
    const { offer, stream } = this.#exchange
    options.count?.(engine.knows(message) ? message.method : "other", message.era)
    if (this.#presumedRun !== undefined && this.#settlePresumed(this.#presumedRun, message, holder)) return
    if (message.method === listenMethod && message.era === "modern") {
      return streams.listen(message, offer, this.#scopeOf(message, holder), { ...this.#place, holder, stream })
    }
    // Checked before any work for the call: too many calls of the account wait already.
    if (turns[this.#isRead(message) ? "read" : "write"].isFull(holder.accountId)) return this.#refuse(overloaded())
    const isNewSession = message.method === "initialize" && message.era === "legacy"
    const headers: Readonly<Record<string, string>> = isNewSession
      ? { "Mcp-Session-Id": sessionOf(objectOf(message.params["capabilities"])) }
      : {}
    this.#handle(message, holder, (exit) => {
      running.ended(this.#nameOf(message.id, holder))
      this.#settle(exit, message.id, headers)
    })
    this.#makeCancellable(message, holder)
  }

  /** Returns whether the answer of the parallel run is used, now or once it ends. */
  #settlePresumed(presumed: TokenHolder, message: McpRequest, holder: TokenHolder): boolean {
    if (isSameHolder(presumed, holder)) {
      if (this.#presumedReply === undefined) this.#makeCancellable(message, holder)
      else this.#settle(this.#presumedReply, message.id)
      return true
    }
    this.#presumedRun = undefined
    this.#interrupt?.()
    return false
  }

  /** Older clients cancel by a notification, newer ones by closing their stream. */
  #makeCancellable({ era, id }: McpRequest, holder: TokenHolder): void {
    if (this.#interrupt === undefined || era !== "legacy") return
    this.#shared.running.began(this.#nameOf(id, holder), holder.accountId, this.#interrupt)
  }

  #handle(message: McpRequest, holder: TokenHolder, done: (exit: Exit.Exit<Reply>) => void): void {
    const { engine, options, readRuntime, runtime, tracedRuntime } = this.#shared
    const { offer, request, response } = this.#exchange
    const caller = this.#callerOf(holder)
    const answer = engine.handle(offer, message, this.#scopeOf(message, holder))
    const scheduler = options.schedulerOf(request, response, holder.accountId)
    const onExit = (exit: Exit.Exit<Reply>): void => {
      this.#interrupt = undefined
      done(exit)
    }
    this.#interrupt =
      this.#span === undefined
        ? runAsCaller(answer, caller, this.#isRead(message) ? readRuntime : runtime, onExit, scheduler)
        : runAsCaller(this.#traced(answer, message, this.#span.parent), caller, tracedRuntime, onExit, scheduler)
  }

  #traced<R2>(
    answer: Effect.Effect<Reply, never, R2>,
    message: McpRequest,
    parent: ReturnType<typeof parentSpan>
  ): Effect.Effect<Reply, never, R2> {
    const { address, offer, requestId } = this.#exchange
    const tool = this.#toolOf(message)
    return withRequestSpan(
      answer,
      message,
      {
        address,
        method: this.#shared.engine.knows(message) ? message.method : "other",
        tool: tool === undefined || offer.toolbox.get(tool) === undefined ? undefined : tool,
        requestId
      },
      parent
    )
  }

  #settle(reply: Exit.Exit<Reply>, id: RequestId, headers: Readonly<Record<string, string>> = {}): void {
    const { stream } = this.#exchange
    const isCancelled = Exit.isFailure(reply) && Cause.isInterruptedOnly(reply.cause)
    if (this.#noted !== undefined && this.#holder !== undefined) {
      const hasFailed = Exit.isFailure(reply) && !isCancelled
      this.#log(this.#holder, hasFailed ? { ...this.#noted, status: 500, reason: "internal_error" } : this.#noted)
    }
    if (Exit.isSuccess(reply)) return stream.end(reply.value, { ...headers, ...reply.value.headers })
    this.#report(reply)
    stream.end(
      isCancelled ? { status: 200, body: problemText(id, takenBack) } : { status: 500, body: problemText(id, defect) },
      headers
    )
  }

  #report(exit: Exit.Exit<unknown, unknown>): void {
    if (Exit.isFailure(exit) && !Cause.isInterruptedOnly(exit.cause)) {
      this.#shared.options.onDefect(this.#exchange.requestId, exit.cause)
    }
  }

  #refuse(failure: Unauthorized | Transient, headers: Readonly<Record<string, string>> = {}): void {
    const { address, request, requestId, stream } = this.#exchange
    const { baseUrl, challenge } = this.#shared.options
    const answer = failureAnswer({ prefix: "/rest/v1", failure, reachedTool: false, requestId, baseUrl })
    request.resume()
    const hasToken = request.headers.authorization !== undefined
    stream.end(answer, {
      ...answer.headers,
      ...(failure._tag === "Unauthorized" ? { "WWW-Authenticate": challenge(address, hasToken) } : {}),
      ...headers,
      ...(request.complete ? {} : { Connection: "close" })
    })
  }

  get #place() {
    const { address, request, requestId, response } = this.#exchange
    return { address, request, response, requestId }
  }

  #nameOf(id: RequestId, holder: TokenHolder): string {
    return callName(holder, this.#exchange.session, id)
  }

  #callerOf({ accountId, bounds, plan, tokenId }: TokenHolder): Caller["Type"] {
    const jobKinds = this.#shared.options.jobKindsOf(bounds)
    return { accountId, plan, tokenId, requestId: this.#exchange.requestId, jobKinds }
  }

  #toolOf({ method, params }: McpRequest): string | undefined {
    const { name } = params
    return method === "tools/call" && typeof name === "string" ? name : undefined
  }

  #isRead(message: McpRequest): boolean {
    const tool = this.#toolOf(message)
    return tool !== undefined && this.#shared.options.isRead(tool)
  }

  /** The span that a traced request continues or starts. Most requests have none. */
  #spanOf({ meta }: McpRequest) {
    const parent = Option.orElse(spanNamed(meta["traceparent"]), () => parentSpan(this.#exchange.request))
    const isSampled = Option.isSome(parent) ? parent.value.sampled : this.#shared.options.isSampled?.() === true
    return isSampled ? { parent } : undefined
  }

  #scopeOf(message: McpRequest, holder: TokenHolder): CallScope {
    return makeCallScope({
      exchange: this.#exchange,
      message,
      holder,
      caller: this.#callerOf(holder),
      questions: this.#shared.questions,
      note: (call) => {
        this.#noted = call
      }
    })
  }

  /** The request log contains messages that call a tool, and messages that a limit refused. */
  #log({ accountId, tokenId }: TokenHolder, call: Pick<NotedCall, "status" | "reason"> & Partial<NotedCall>): void {
    const { clock, requests } = this.#shared
    const { request, requestId } = this.#exchange
    const at = clock.unsafeCurrentTimeMillis()
    requests.record({
      at,
      accountId,
      tokenId,
      requestId,
      route: `${request.method} ${mcpPath}`,
      tool: call.tool,
      status: call.status,
      reason: call.reason,
      milliseconds: Math.max(0, at - this.#startedAt),
      arguments: call.arguments ?? { names: [], values: {} }
    })
  }
}
