import type { IncomingMessage, ServerResponse } from "node:http"
import { Cause, Effect, Either, Exit, Option, type Scope } from "effect"
import { listenMethod, makeEngine, type Offer, type Reply } from "../../Api/Mcp/Engine.ts"
import { type HeaderValues, headerValue, isRequestId, type McpRequest, readMessage } from "../../Api/Mcp/Messages.ts"
import {
  codes,
  type Era,
  isObject,
  notificationText,
  objectOf,
  type Problem,
  problem,
  problemText,
  type RequestId
} from "../../Api/Mcp/Protocol.ts"
import type { CallScope } from "../../Api/Mcp/Toolbox.ts"
import { isTrue } from "../../Api/Mcp/Toolsets.ts"
import { failureAnswer } from "../../Api.ts"
import { type Transient, Unauthorized } from "../../Errors.ts"
import { isSameHolder, type TokenHolder } from "../../Services/Accounts/AccessTokens.ts"
import { CallLimits } from "../../Services/Accounts/CallLimits.ts"
import { Caller } from "../../Services/Core/Caller.ts"
import { UnitOfWork } from "../../Services/Core/UnitOfWork.ts"
import type { CancelledCalls } from "../../Services/Mcp/CancelledCalls.ts"
import { type AskedCall, ClientQuestions } from "../../Services/Mcp/ClientQuestions.ts"
import type { ResourceNews } from "../../Services/Mcp/ResourceNews.ts"
import type { BodyBudget } from "../Platform/Http/Admission/BodyBudget.ts"
import type { CallSchedulers } from "../Platform/Http/Admission/CallSchedulers.ts"
import { requestIdOf } from "../Platform/Http/Answers/SendAnswer.ts"
import { takeBody } from "../Platform/Http/Bodies/RequestBody.ts"
import { parentSpan, spanNamed } from "../Platform/Http/Incoming.ts"
import { runAsCaller } from "../Platform/Http/RunAsCaller.ts"
import { DatabasePools } from "../Platform/Postgres/Database.ts"
import { overloaded } from "../Platform/Postgres/Sql.ts"
import { hostOf, isForeign, path, pathAfter } from "./McpAddress.ts"
import { capabilitiesOf, sessionOf } from "./McpSessions.ts"
import { McpStream } from "./McpStream.ts"
import { type Authenticate, makeNewsStreams, type Waiting } from "./NewsStreams.ts"
import { withRequestSpan } from "./RequestSpan.ts"
import { makeRunningCalls } from "./RunningCalls.ts"

export interface McpLaneOptions<R> {
  /** What the address after `/mcp`, with the headers, offers. */
  readonly offerOf: (path: string, headers: HeaderValues) => Offer<R | Caller> | Problem
  /** Whether a call only reads, so that it may run beside the look-up of its token. */
  readonly isRead: (tool: string) => boolean
  readonly authenticate: Authenticate
  /** What a caller without a token that holds is told; `isShown` says whether it sent one. */
  readonly challenge: (address: string, isShown: boolean) => string
  /** Whether the next request is traced; one that continues a sampled trace always is. */
  readonly isSampled?: () => boolean
  /** Is told of each request that is answered. */
  readonly count?: (method: string, era: Era) => void
  readonly baseUrl: string
  /** Bytes. */
  readonly bodyLimit: number
  readonly bodyBudget: BodyBudget["Type"]
  readonly schedulerOf: CallSchedulers
  readonly isDraining: () => boolean
}

const forbidden = problem(403, codes.invalidRequest, "Requests from this origin, or to this host, are not taken.")
const deadSession = problem(404, codes.invalidRequest, "The session is not known. Begin again with initialize.")
const postOnly = problem(405, codes.invalidRequest, "Send messages with POST.")
const cannotAsk = problem(400, codes.invalidRequest, "The client takes no stream, so that nothing can be asked.")
const notNow = problem(503, codes.internalError, "The question cannot be kept for now. Repeat the call.")
const cannotCancel = problem(503, codes.internalError, "The call cannot be cancelled for now. Repeat the message.")
const defect = problem(500, codes.internalError, "The gateway failed. Nothing is known to have been done.")
const takenBack = problem(200, codes.invalidRequest, "The call was cancelled.")

const lookForAnswerEvery = "300 millis"

/** What an older client names a call by: ids are unique in its session, and others may have the token too. */
const callName = ({ tokenId }: TokenHolder, session: string | undefined, id: RequestId): string =>
  `${tokenId} ${session ?? ""} ${typeof id} ${id}`

/**
 * `/mcp` on the bare `node:http` listener, beside the tool routes: one fiber a message, the answer as JSON or, where
 * something goes out before it, as a stream. Holds nothing between two messages.
 */
export const makeMcpLane = <R>(
  options: McpLaneOptions<R>
): Effect.Effect<
  (request: IncomingMessage, response: ServerResponse) => boolean,
  never,
  R | CancelledCalls | ClientQuestions | ResourceNews | UnitOfWork | DatabasePools | Scope.Scope
> =>
  Effect.gen(function* () {
    const questions = yield* ClientQuestions
    const unit = yield* UnitOfWork
    const { turns } = yield* DatabasePools
    const limits = yield* CallLimits
    const tracedRuntime = yield* Effect.runtime<R>()
    const untraced = Effect.withTracerEnabled(Effect.runtime<R>(), false)
    const runtime = yield* untraced
    const readRuntime = yield* unit.read(untraced)
    const engine = makeEngine<R | Caller>()
    const ownHost = hostOf(options.baseUrl)
    const running = yield* makeRunningCalls

    const ask =
      (stream: McpStream, caller: Caller["Type"]) =>
      (method: string, params: object, call: AskedCall): Effect.Effect<unknown, Problem> => {
        if (!stream.canStream) return Effect.fail(cannotAsk)
        const asked = Effect.gen(function* () {
          const id = yield* questions.open(call)
          stream.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }))
          while (stream.isOpen) {
            const answer = yield* questions.answered(id)
            if (Option.isSome(answer)) return answer.value
            yield* Effect.sleep(lookForAnswerEvery)
          }
          return undefined
        })
        return asked.pipe(
          Effect.provideService(Caller, caller),
          Effect.mapError(() => notNow)
        )
      }

    const scopeOf = (
      message: McpRequest,
      stream: McpStream,
      caller: Caller["Type"],
      { address, holder, request }: Pick<Waiting, "address" | "holder" | "request">
    ): CallScope => {
      const key = message.meta["io.prospecting-gateway/idempotencyKey"]
      const { inputResponses, requestState } = message.params
      return {
        era: message.era,
        meta: message.meta,
        capabilities: message.capabilities,
        address,
        bounds: holder.bounds,
        confirmation: holder.confirmation ?? "when_possible",
        lockdown: isTrue(headerValue(request.headers, "x-mcp-lockdown")),
        session: headerValue(request.headers, "mcp-session-id"),
        idempotencyKey: typeof key === "string" ? key : headerValue(request.headers, "idempotency-key"),
        inputResponses: isObject(inputResponses) ? inputResponses : undefined,
        requestState: typeof requestState === "string" ? requestState : undefined,
        notify: (method, params) => stream.send(notificationText(method, params)),
        ask: ask(stream, caller)
      }
    }

    const streams = yield* makeNewsStreams({
      authenticate: options.authenticate,
      isDraining: options.isDraining,
      read: (effect, caller, onExit) => void runAsCaller(effect, caller, readRuntime, onExit, undefined)
    })

    return (request, response) => {
      const rest = pathAfter(request.url ?? "")
      if (rest === undefined) return false
      const requestId = requestIdOf(request)
      const { headers } = request
      const address = `${path}${rest}`
      const place = { address, request, response, requestId }
      const stream = new McpStream(
        response,
        { "X-Request-Id": requestId, ...(options.isDraining() ? { Connection: "close" } : {}) },
        headerValue(headers, "accept") ?? "*/*"
      )
      const refuse = (found: Problem, more: Readonly<Record<string, string>> = {}): true => {
        request.resume()
        stream.end({ status: found.status, body: problemText(null, found) }, more)
        return true
      }

      if (isForeign(headers, ownHost)) return refuse(forbidden)
      if (request.method === "OPTIONS") {
        stream.empty(204, { Allow: "POST, OPTIONS" })
        return true
      }
      const session = headerValue(headers, "mcp-session-id")
      // Only an older client with a session has something to wait for here.
      const isWaiting = request.method === "GET" && session !== undefined && stream.canStream
      if (request.method !== "POST" && !isWaiting) return refuse(postOnly, { Allow: "POST, OPTIONS" })
      const offer = options.offerOf(rest, headers)
      if ("_tag" in offer) return refuse(offer)
      const capabilities = session === undefined ? {} : capabilitiesOf(session)
      if (capabilities === undefined) return refuse(deadSession)

      const refuseCall = (failure: Unauthorized | Transient, more: Readonly<Record<string, string>> = {}): void => {
        const answer = failureAnswer({
          prefix: "/rest/v1",
          failure,
          reachedTool: false,
          requestId,
          baseUrl: options.baseUrl
        })
        request.resume()
        const { authorization } = request.headers
        const challenge =
          failure._tag === "Unauthorized"
            ? { "WWW-Authenticate": options.challenge(address, authorization !== undefined) }
            : {}
        stream.end(answer, {
          ...answer.headers,
          ...challenge,
          ...more,
          ...(request.complete ? {} : { Connection: "close" })
        })
      }

      /** The token's holder and the message, whichever is there first. */
      let holder: TokenHolder | undefined
      let message: ReturnType<typeof readMessage> | undefined
      let span: ReturnType<typeof spanOf>
      let found: Exit.Exit<Reply> | undefined
      let presumedRun: TokenHolder | undefined
      let interrupt: (() => void) | undefined

      const settle = (reply: Exit.Exit<Reply>, id: RequestId, more: Readonly<Record<string, string>>): void =>
        Exit.isSuccess(reply)
          ? stream.end(reply.value, { ...more, ...reply.value.headers })
          : stream.end(
              Cause.isInterruptedOnly(reply.cause)
                ? { status: 200, body: problemText(id, takenBack) }
                : { status: 500, body: problemText(id, defect) },
              more
            )

      const callerOf = ({ accountId, plan, tokenId }: TokenHolder): Caller["Type"] => ({
        accountId,
        plan,
        tokenId,
        requestId
      })

      /** The span that a traced request continues or begins; undefined for all others, which are most. */
      const spanOf = ({ meta }: McpRequest) => {
        const parent = Option.orElse(spanNamed(meta["traceparent"]), () => parentSpan(request))
        return (Option.isSome(parent) ? parent.value.sampled : options.isSampled?.() === true) ? { parent } : undefined
      }

      const handle = (asked: McpRequest, of: TokenHolder, isRead: boolean, done: (exit: Exit.Exit<Reply>) => void) => {
        const caller = callerOf(of)
        const answer = engine.handle(offer, asked, scopeOf(asked, stream, caller, { ...place, holder: of }))
        const onExit = (exit: Exit.Exit<Reply>): void => {
          interrupt = undefined
          done(exit)
        }
        const scheduler = options.schedulerOf(request, response, of.accountId)
        if (span === undefined) {
          interrupt = runAsCaller(answer, caller, isRead ? readRuntime : runtime, onExit, scheduler)
          return
        }
        const name = asked.params["name"]
        const isTool =
          asked.method === "tools/call" && typeof name === "string" && offer.toolbox.get(name) !== undefined
        const described = {
          address,
          method: engine.knows(asked) ? asked.method : "other",
          tool: isTool ? name : undefined,
          requestId
        }
        interrupt = runAsCaller(
          withRequestSpan(answer, asked, described, span.parent),
          caller,
          tracedRuntime,
          onExit,
          scheduler
        )
      }

      const isReadCall = (asked: McpRequest): boolean =>
        asked.method === "tools/call" &&
        typeof asked.params["name"] === "string" &&
        options.isRead(asked.params["name"])

      const proceed = (): void => {
        if (message === undefined) return
        if (message._tag === "Unreadable") {
          // Whoever has no token learns nothing of what was wrong.
          if (holder !== undefined) {
            stream.end({ status: message.problem.status, body: problemText(message.id, message.problem) })
          }
          return
        }
        if (message._tag === "Request" && holder === undefined) {
          if (presumed === undefined || presumedRun !== undefined || span !== undefined || !isReadCall(message)) return
          const lastKnown = presumed
          presumedRun = lastKnown
          const call = callName(lastKnown, session, message.id)
          handle(message, lastKnown, true, (exit) => {
            running.ended(call)
            if (presumedRun !== lastKnown) return
            found = exit
            proceed()
          })
          return
        }
        if (holder === undefined) return
        const of = holder
        switch (message._tag) {
          case "Notification": {
            const id = message.params["requestId"]
            if (message.method !== "notifications/cancelled" || !isRequestId(id)) return stream.empty(202)
            const noted = Effect.match(running.cancel(callName(of, session, id)), {
              onFailure: () => ({ status: 503, body: problemText(null, cannotCancel) }),
              onSuccess: () => undefined
            })
            const onNoted = (exit: Exit.Exit<Reply | undefined>) =>
              Exit.isSuccess(exit) && exit.value !== undefined ? stream.end(exit.value) : stream.empty(202)
            runAsCaller(noted, callerOf(of), runtime, onNoted, undefined)
            return
          }
          case "Response": {
            const { id, result } = message
            const kept = Effect.catchAll(questions.answer(String(id), result), () => Effect.void)
            runAsCaller(kept, callerOf(of), runtime, () => stream.empty(202), undefined)
            return
          }
          case "Request": {
            const asked = message
            options.count?.(engine.knows(asked) ? asked.method : "other", asked.era)
            if (presumedRun !== undefined) {
              if (isSameHolder(presumedRun, of)) {
                // While it still runs there is nothing to send: its end comes here again.
                if (found !== undefined) settle(found, asked.id, {})
                else if (interrupt !== undefined && asked.era === "legacy") {
                  running.began(callName(of, session, asked.id), of.accountId, interrupt)
                }
                return
              }
              presumedRun = undefined
              interrupt?.()
            }
            if (asked.method === listenMethod && asked.era === "modern") {
              const scope = scopeOf(asked, stream, callerOf(of), { ...place, holder: of })
              return streams.listen(asked, offer, scope, { ...place, holder: of, stream })
            }
            // Told before anything is done for the call, where the account's calls wait in numbers already.
            if (turns[isReadCall(asked) ? "read" : "write"].isFull(of.accountId)) return refuseCall(overloaded())
            const call = callName(of, session, asked.id)
            const begun = asked.method === "initialize" && asked.era === "legacy"
            const more: Readonly<Record<string, string>> = begun
              ? { "Mcp-Session-Id": sessionOf(objectOf(asked.params["capabilities"])) }
              : {}
            handle(asked, of, isReadCall(asked), (exit) => {
              running.ended(call)
              settle(exit, asked.id, more)
            })
            // Older clients cancel by a notification, newer ones by closing their stream.
            if (interrupt !== undefined && asked.era === "legacy") running.began(call, of.accountId, interrupt)
          }
        }
      }

      // Who is presumed to send it counts for its bytes; without a token that stands nothing is read.
      let isReading = false
      const readFor = (of: TokenHolder): void => {
        if (isReading) return
        isReading = true
        const { bodyBudget: budget, bodyLimit: limit } = options
        takeBody(request, response, { limit, budget, tenant: of.accountId }, (body) => {
          if (Either.isRight(body)) {
            message = readMessage(body.right, headers, capabilities)
            if (message._tag === "Request") span = spanOf(message)
            proceed()
          } else if (body.left._tag === "Transient") refuseCall(body.left)
          else {
            const { detail, error, status } = body.left
            refuse(problem(status, codes.invalidRequest, error, { detail }), { Connection: "close" })
          }
        })
      }

      const presumed = options.authenticate(request, address, (exit) => {
        if (Exit.isSuccess(exit)) {
          const { headers: told, refusal } = limits.take(exit.value) ?? {}
          if (refusal !== undefined) {
            interrupt?.()
            return refuseCall(refusal, told)
          }
          if (isWaiting) return streams.open({ ...place, holder: exit.value, stream, session })
          holder = exit.value
          readFor(exit.value)
          proceed()
          return
        }
        const failure = Cause.failureOption(exit.cause)
        interrupt?.()
        if (Option.isSome(failure)) refuseCall(failure.value)
        else stream.end({ status: 500, body: problemText(null, defect) })
      })
      if (presumed !== undefined && !isWaiting) readFor(presumed)
      response.once("close", () => {
        if (!response.writableFinished && message?._tag === "Request" && message.era === "modern") interrupt?.()
      })
      return true
    }
  })

/** Without a token there is no caller. */
export const noToken = new Unauthorized({
  error: "The request has no access token.",
  howToFix: "Send the header Authorization: Bearer <ACCESS_TOKEN> with every message."
})
