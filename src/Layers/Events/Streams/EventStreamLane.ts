import type { IncomingMessage, ServerResponse } from "node:http"
import { Cause, Effect, Exit, Runtime } from "effect"
import { type Answer, defectAnswer, eventStreamPath, failureAnswer, platformPrefix } from "../../../Api.ts"
import { badRequest, RequestRefused, type ToolError, transient, type Unauthorized } from "../../../Errors.ts"
import { CallLimits } from "../../../Services/Accounts/CallLimits.ts"
import type { TokenHolder } from "../../../Services/Accounts/Tokens/AccessTokens.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { RequestLog } from "../../../Services/Core/RequestLog.ts"
import { type EventType, eventTypes } from "../../../Services/Events/AccountEvents.ts"
import { requestIdOf, sendAnswer } from "../../Platform/Http/Answers/SendAnswer.ts"
import type { CallerAccess } from "../../Platform/Http/CallerAccess.ts"
import { clientAddress } from "../../Platform/Http/ClientAddress.ts"
import { isAt, partsOfAddress, singleHeader } from "../../Platform/Http/Incoming.ts"
import { recordRequest } from "../../Platform/Http/RequestRecords.ts"
import type { LaneOptions, RequestLane } from "../../Platform/Http/Server.ts"
import { Settings } from "../../Platform/Settings.ts"
import { type Follower, makeEventFollowers, streamLimits } from "./EventFollowers.ts"
import { EventStream } from "./EventStream.ts"

/** The tool that a token must be allowed to call in order to follow events. */
const feedTool = "list_account_events"

const allow = "GET, OPTIONS"

const getOnly = new RequestRefused({
  status: 405,
  type: "MethodNotAllowed",
  error: "The route does not have this method.",
  detail: "Use GET.",
  allow
})

const typesUnknown = badRequest(
  "ParameterTypeMismatch",
  "types has a type of events that does not exist.",
  `Send some of ${eventTypes.join(", ")}, separated by commas.`
)

const cursorUnknown = badRequest(
  "ParameterTypeMismatch",
  "Last-Event-ID is no cursor of the feed.",
  "Send the id of the last event that was received, or leave it out to begin with the next event."
)

const tooManyStreams = transient(
  "rate_limited",
  `There are too many streams: ${streamLimits.token} of a token, ${streamLimits.account} of an account and ${streamLimits.process} of a process may be open.`,
  5
)

const isEventType = (text: string): text is EventType => eventTypes.some((type) => type === text)

interface Wish {
  readonly types: ReadonlyArray<EventType>
  /** The position to start after; undefined to start with the next event. */
  readonly since: number | undefined
}

/** Reads the requested position and filters from the request. */
const wishOf = ({ headers, url = "" }: IncomingMessage): Wish | RequestRefused => {
  const query = new URLSearchParams(partsOfAddress(url).query)
  const types = (query.get("types") ?? "").split(",").map((type) => type.trim())
  const names = types.filter((type) => type !== "")
  const existingTypes = names.filter(isEventType)
  if (existingTypes.length < names.length) return typesUnknown
  const last = singleHeader(headers["last-event-id"]) ?? query.get("last_event_id") ?? undefined
  if (last === undefined) return { types: existingTypes, since: undefined }
  return /^\d{1,15}$/.test(last) ? { types: existingTypes, since: Number(last) } : cursorUnknown
}

type Failure = ToolError | RequestRefused | Unauthorized

/** A request for a stream until it is answered. */
interface Opening {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly access: CallerAccess
  readonly requestId: string
  readonly startedAt: number
  holder?: TokenHolder
  limitHeaders?: Readonly<Record<string, string>>
}

/** Serves `/platform/v1/events` for every kind of access: the account's feed as server-sent events. */
export const eventStreamLane =
  (accesses: ReadonlyArray<CallerAccess>) =>
  ({ isDraining, needs, onDefect }: LaneOptions) =>
    Effect.gen(function* () {
      const { baseUrl, trustedProxies } = yield* Settings
      const limits = yield* CallLimits
      const requests = yield* RequestLog
      const clock = yield* Effect.clock
      const unit = yield* UnitOfWork
      const followers = yield* makeEventFollowers(isDraining)
      const runtime = yield* unit.read(Effect.withTracerEnabled(Effect.runtime<never>(), false))
      const run = Runtime.runCallback(runtime)
      const address = new URL(`${baseUrl}${eventStreamPath}`).href
      const routes = accesses.map((access) => ({ access, path: `${access.base}${eventStreamPath}` }))

      const log = (
        { access, holder, requestId, startedAt }: Opening,
        answer: Pick<Answer, "reason" | "status">
      ): void => {
        const route = `GET ${access.base}${eventStreamPath}`
        recordRequest({ clock, requests }, { holder, requestId, route, startedAt }, answer)
      }

      const refuse = (opening: Opening, answer: Answer): void => {
        const { limitHeaders, request, requestId, response } = opening
        const whole = { ...answer, headers: { ...answer.headers, ...limitHeaders } }
        sendAnswer(request, response, whole, { requestId, close: isDraining() })
        log(opening, answer)
      }

      /** Opens the stream and sends the missed events. The stream lasts until the client leaves. */
      const open = (opening: Opening): Effect.Effect<void, Failure> =>
        Effect.gen(function* () {
          const { access, request, requestId, response } = opening
          if (request.method !== "GET") return yield* Effect.fail(getOnly)
          const foreign = access.refusalOf(request)
          if (foreign !== undefined) return yield* Effect.fail(foreign)
          const credential = access.credentialOf(request)
          if (credential === undefined) return yield* Effect.fail(access.noCredential)
          const from = clientAddress(request, trustedProxies)
          const use = { address, from, userAgent: request.headers["user-agent"] }
          const holder = yield* access.authenticate(credential, use)
          opening.holder = holder
          const verdict = limits.take(holder)
          if (verdict !== undefined) opening.limitHeaders = verdict.headers
          if (verdict?.refusal !== undefined) return yield* Effect.fail(verdict.refusal)
          const lack = needs.refusalOf(holder.bounds, feedTool)
          if (lack !== undefined) return yield* Effect.fail(lack)
          const wish = wishOf(request)
          if (wish instanceof RequestRefused) return yield* Effect.fail(wish)
          const cursor =
            wish.since ?? (yield* Effect.provideService(followers.latest, Caller, { ...holder, requestId }))
          const stream = new EventStream(response, new Set(wish.types), cursor)
          const follower: Follower = {
            stream,
            holder,
            requestId,
            types: wish.types,
            access,
            credential,
            use
          }
          if (!stream.isOpen) return
          if (!followers.enter(follower)) return yield* Effect.fail(tooManyStreams)
          response.once("close", () => followers.leave(follower))
          stream.open({ ...opening.limitHeaders, "X-Request-Id": requestId, "X-Content-Type-Options": "nosniff" })
          log(opening, { status: 200 })
          yield* followers.follow(follower)
        })

      const lane: RequestLane = (request, response) => {
        const route = routes.find(({ path }) => isAt(request.url ?? "", path))
        if (route === undefined) return false
        const requestId = requestIdOf(request)
        if (request.method === "OPTIONS") {
          response.writeHead(204, { Allow: allow, "X-Request-Id": requestId }).end()
          return true
        }
        const startedAt = clock.unsafeCurrentTimeMillis()
        const opening: Opening = { request, response, access: route.access, requestId, startedAt }
        const { challenge } = route.access
        const cancel = run(open(opening), {
          onExit: (exit) => {
            if (Exit.isSuccess(exit) || Cause.isInterruptedOnly(exit.cause)) return
            const failure = Cause.failureOption(exit.cause)
            if (failure._tag === "Some") {
              const options = { failure: failure.value, requestId, baseUrl, challenge, reachedTool: false }
              return refuse(opening, failureAnswer({ prefix: platformPrefix, ...options }))
            }
            onDefect(requestId, exit.cause)
            if (response.headersSent) response.destroy()
            else refuse(opening, defectAnswer(requestId))
          }
        })
        response.once("close", () => cancel())
        return true
      }
      return lane
    })
