import type { IncomingMessage, ServerResponse } from "node:http"
import { Cause, Effect, Exit, type Scope } from "effect"
import { makeEngine } from "../../Api/Mcp/Engine.ts"
import { headerValue } from "../../Api/Mcp/Messages.ts"
import { codes, problem } from "../../Api/Mcp/Protocol.ts"
import { Unauthorized } from "../../Errors.ts"
import { CallLimits } from "../../Services/Accounts/CallLimits.ts"
import type { Caller } from "../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { RequestLog } from "../../Services/Core/RequestLog.ts"
import type { CancelledCalls } from "../../Services/Mcp/CancelledCalls.ts"
import { ClientQuestions } from "../../Services/Mcp/ClientQuestions.ts"
import type { ResourceNews } from "../../Services/Mcp/ResourceNews.ts"
import { requestIdOf } from "../Platform/Http/Answers/SendAnswer.ts"
import { runAsCaller } from "../Platform/Http/RunAsCaller.ts"
import { DatabasePools } from "../Platform/Postgres/Database.ts"
import { hostOf, isForeign, path, pathAfter } from "./McpAddress.ts"
import { McpCall, type McpCalls, type McpLaneOptions, refuseUnread } from "./McpCall.ts"
import { capabilitiesOf } from "./McpSessions.ts"
import { McpStream } from "./McpStream.ts"
import { makeNewsStreams } from "./NewsStreams.ts"
import { makeRunningCalls } from "./RunningCalls.ts"

const forbidden = problem(403, codes.invalidRequest, "Requests from this origin, or to this host, are not taken.")
const deadSession = problem(404, codes.invalidRequest, "The session is not known. Begin again with initialize.")
const postOnly = problem(405, codes.invalidRequest, "Send messages with POST.")
const allowed = { Allow: "POST, OPTIONS" }

const makeCalls = <R>(options: McpLaneOptions<R>) =>
  Effect.gen(function* () {
    const unit = yield* UnitOfWork
    const { turns } = yield* DatabasePools
    const untraced = Effect.withTracerEnabled(Effect.runtime<R>(), false)
    const readRuntime = yield* unit.read(untraced)
    const calls: McpCalls<R> = {
      options,
      engine: makeEngine<R | Caller>(),
      questions: yield* ClientQuestions,
      turns,
      limits: yield* CallLimits,
      requests: yield* RequestLog,
      clock: yield* Effect.clock,
      running: yield* makeRunningCalls,
      streams: yield* makeNewsStreams({
        authenticate: options.authenticate,
        isDraining: options.isDraining,
        read: (effect, caller, onExit) => {
          const reported: typeof onExit = (exit) => {
            if (Exit.isFailure(exit) && !Cause.isInterruptedOnly(exit.cause))
              options.onDefect(caller.requestId, exit.cause)
            onExit(exit)
          }
          runAsCaller(effect, caller, readRuntime, reported, undefined)
        }
      }),
      tracedRuntime: yield* Effect.runtime<R>(),
      runtime: yield* untraced,
      readRuntime
    }
    return calls
  })

/**
 * `/mcp` on the bare `node:http` listener, next to the tool routes. Each message has one fiber. The answer is JSON, or
 * a stream if something is sent before it. Nothing is stored between two messages.
 */
export const makeMcpLane = <R>(
  options: McpLaneOptions<R>
): Effect.Effect<
  (request: IncomingMessage, response: ServerResponse) => boolean,
  never,
  R | CancelledCalls | ClientQuestions | ResourceNews | UnitOfWork | DatabasePools | Scope.Scope
> =>
  Effect.map(makeCalls(options), (calls) => {
    const ownHost = hostOf(options.baseUrl)

    const answer = (request: IncomingMessage, response: ServerResponse, rest: string): void => {
      const { headers } = request
      const requestId = requestIdOf(request)
      const stream = new McpStream(
        response,
        {
          "X-Request-Id": requestId,
          "X-Content-Type-Options": "nosniff",
          ...(options.isDraining() ? { Connection: "close" } : {})
        },
        headerValue(headers, "accept") ?? "*/*"
      )
      if (isForeign(headers, ownHost)) return refuseUnread({ request, stream }, forbidden)
      if (request.method === "OPTIONS") return stream.empty(204, allowed)
      const session = headerValue(headers, "mcp-session-id")
      // Only an older client with a session opens a stream with GET.
      const isWaiting = request.method === "GET" && session !== undefined && stream.canStream
      if (request.method !== "POST" && !isWaiting) return refuseUnread({ request, stream }, postOnly, allowed)
      const offer = options.offerOf(rest, headers)
      if ("_tag" in offer) return refuseUnread({ request, stream }, offer)
      const capabilities = session === undefined ? {} : capabilitiesOf(session)
      if (capabilities === undefined) return refuseUnread({ request, stream }, deadSession)
      new McpCall(calls, {
        address: `${path}${rest}`,
        request,
        response,
        requestId,
        stream,
        offer,
        session,
        capabilities,
        isWaiting
      }).start()
    }

    return (request, response) => {
      const rest = pathAfter(request.url ?? "")
      if (rest === undefined) return false
      answer(request, response, rest)
      return true
    }
  })

/** Without a token there is no caller. */
export const noToken = new Unauthorized({
  error: "The request has no access token.",
  howToFix: "Send the header Authorization: Bearer <ACCESS_TOKEN> with every message."
})
