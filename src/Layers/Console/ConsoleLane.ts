import { Cause, Effect, Exit, Runtime } from "effect"
import { type Answer, defectAnswer, failureAnswer } from "../../Api.ts"
import { RequestRefused } from "../../Errors.ts"
import type { Caller } from "../../Services/Core/Calls/Caller.ts"
import { RequestLog } from "../../Services/Core/RequestLog.ts"
import { requestIdOf, sendAnswer } from "../Platform/Http/Answers/SendAnswer.ts"
import { partsOfAddress } from "../Platform/Http/Incoming.ts"
import { recordRequest } from "../Platform/Http/RequestRecords.ts"
import type { LaneOptions, RequestLane, ServedTools } from "../Platform/Http/Server.ts"
import { Settings } from "../Platform/Settings.ts"
import { makeConfirmations } from "./Confirmations.ts"
import { challenge, consoleApi, foreignRefusal } from "./ConsoleAccess.ts"
import type { ConsoleFailure, ConsoleRequest, ConsoleRoutes } from "./ConsoleRequest.ts"
import { makeSessionRoutes } from "./SessionRoutes.ts"

const unknownRoute = new RequestRefused({
  status: 404,
  type: "UnknownRoute",
  error: "There is no such route.",
  detail: "The console's routes are session, confirmations, rest/v1 and platform/v1, below /console/api."
})

const methodNotAllowed = (methods: ReadonlyArray<string>) =>
  new RequestRefused({
    status: 405,
    type: "MethodNotAllowed",
    error: "The route does not have this method.",
    detail: `Use ${methods.join(" or ")}.`,
    allow: [...methods, "OPTIONS"].join(", ")
  })

const noContent = (allow: ReadonlyArray<string>): Answer => ({
  status: 204,
  body: "",
  headers: { Allow: [...allow, "OPTIONS"].join(", ") }
})

/** The console's routes other than tools and events: sessions and confirmations. */
export const consoleLane =
  <R>(tools: ServedTools<R | Caller>) =>
  (options: LaneOptions) =>
    Effect.gen(function* () {
      const { baseUrl } = yield* Settings
      const clock = yield* Effect.clock
      const log = { clock, requests: yield* RequestLog }
      const session = yield* makeSessionRoutes(options)
      const confirmations = yield* makeConfirmations(tools, options)
      const runtime = yield* Effect.withTracerEnabled(Effect.runtime<never>(), false)
      const run = Runtime.runCallback(runtime)
      const routes: ReadonlyMap<string, ConsoleRoutes<never>> = new Map([
        [`${consoleApi}/session`, session],
        [`${consoleApi}/confirmations`, confirmations]
      ])

      const refused = (failure: ConsoleFailure, requestId: string): Answer =>
        failureAnswer({ prefix: "/rest/v1", failure, reachedTool: true, requestId, baseUrl, challenge })

      const answerOf = (call: ConsoleRequest, path: string): Effect.Effect<Answer> => {
        const { method = "GET" } = call.request
        const route = routes.get(path)
        if (route === undefined) return Effect.succeed(refused(unknownRoute, call.requestId))
        if (method === "OPTIONS") return Effect.succeed(noContent(Object.keys(route)))
        const handler = route[method]
        if (handler === undefined) return Effect.succeed(refused(methodNotAllowed(Object.keys(route)), call.requestId))
        const foreign = foreignRefusal(call.request)
        return Effect.catchAll(foreign === undefined ? handler(call) : Effect.fail(foreign), (failure) =>
          Effect.succeed(refused(failure, call.requestId))
        )
      }

      const lane: RequestLane = (request, response) => {
        const { path } = partsOfAddress(request.url ?? "")
        if (path !== consoleApi && !path.startsWith(`${consoleApi}/`)) return false
        const call: ConsoleRequest = { request, response, requestId: requestIdOf(request), record: {} }
        const startedAt = clock.unsafeCurrentTimeMillis()
        const cancel = run(answerOf(call, path), {
          onExit: (exit) => {
            const { requestId } = call
            if (Exit.isFailure(exit) && !Cause.isInterruptedOnly(exit.cause)) options.onDefect(requestId, exit.cause)
            const { headers, ...answer } = Exit.isSuccess(exit) ? exit.value : defectAnswer(requestId)
            const whole = { ...answer, headers: { ...headers, ...call.record.limitHeaders } }
            sendAnswer(request, response, whole, { requestId, close: options.isDraining() })
            // A sign-in counts as a request of its token. A request without a session belongs to no account.
            const { holder } = call.record
            recordRequest(log, { holder, requestId, route: `${request.method} ${path}`, startedAt }, whole)
          }
        })
        response.once("close", () => {
          if (!response.writableEnded) cancel()
        })
        return true
      }
      return lane
    })
