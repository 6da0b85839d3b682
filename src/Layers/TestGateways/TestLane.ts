import type { IncomingMessage, ServerResponse } from "node:http"
import { Effect, Option, Runtime, Schedule } from "effect"
import { eventStreamPath, failureAnswer } from "../../Api.ts"
import { RequestRefused, type Transient, transient, type Unauthorized } from "../../Errors.ts"
import { isTestKey, isTestToken, testKeyOf } from "../../Services/Accounts/Tokens/AccessTokenFormat.ts"
import { testKeyOfSession } from "../../Services/Console/SessionKey.ts"
import { noTestAccount } from "../../Services/Console/TestSessions.ts"
import { type ServedTestAccount, TestAccounts } from "../../Services/TestAccounts/TestAccounts.ts"
import { challenge, consoleApi, noSession, sessionKeyOf } from "../Console/ConsoleAccess.ts"
import { endOfStream } from "../Events/Streams/EventStream.ts"
import { requestIdOf, sendAnswer } from "../Platform/Http/Answers/SendAnswer.ts"
import { bearerToken, isAt } from "../Platform/Http/Incoming.ts"
import type { LaneOptions, RequestLane } from "../Platform/Http/Server.ts"
import { Settings } from "../Platform/Settings.ts"
import { TestGateways } from "./TestGateways.ts"

const unknownAddress = new RequestRefused({
  status: 404,
  type: "UnknownRoute",
  error: "There is no such route.",
  detail: "The address is of no test account. See base_url in list_test_accounts."
})

const testPath = "/test/"
const keyLength = 10

/** The test account that a request is for, or the response if it does not exist. */
interface Destination {
  readonly key: string | undefined
  readonly url: string | undefined
  readonly unknown: Unauthorized | RequestRefused
  readonly challenge: string
}

/**
 * The console's requests go to the gateway of their session, never to that of a token. The gateway for live accounts
 * handles signing in and out, and also ends the browser's previous session.
 */
const destinationOfConsole = (request: IncomingMessage, address: string): Destination | undefined => {
  if (request.method !== "GET" && isAt(address, `${consoleApi}/session`)) return undefined
  const key = testKeyOfSession(sessionKeyOf(request) ?? "")
  return key === undefined ? undefined : { key, url: request.url, unknown: noSession, challenge }
}

/** An address that begins with `/test/` always belongs to a test account. */
const destinationOf = (request: IncomingMessage): Destination | undefined => {
  const address = request.url ?? ""
  if (address.startsWith(`${consoleApi}/`)) return destinationOfConsole(request, address)
  if (address.startsWith(testPath)) {
    const key = address.slice(testPath.length, testPath.length + keyLength)
    const rest = address.slice(testPath.length + keyLength)
    const isWhole = rest === "" || rest.startsWith("/") || rest.startsWith("?")
    return {
      key: isWhole && isTestKey(key) ? key : undefined,
      url: rest.startsWith("/") ? rest : `/${rest}`,
      unknown: unknownAddress,
      challenge: "Bearer"
    }
  }
  const token = bearerToken(request)
  if (token === undefined || !isTestToken(token)) return undefined
  return { key: testKeyOf(token), url: request.url, unknown: noTestAccount, challenge: "Bearer" }
}

/** Milliseconds after which a client may reconnect if its stream was ended for another account. */
const retryMillis = 30_000

const streamPaths = [eventStreamPath, `${consoleApi}${eventStreamPath}`, "/mcp"]

const placeNeeded = transient(
  "test_account_unavailable",
  "A call to another test account needed the place of this one.",
  retryMillis / 1000
)

/** Whether the response lasts until the client leaves. Such a request gives way to calls for other test accounts. */
const isStream = ({ method, url = "" }: IncomingMessage): boolean =>
  method === "GET" && streamPaths.some((path) => isAt(url, path))

/** The interval at which an open stream checks that its account still exists. */
const checkEvery = "4 seconds"

/** Passes requests with a token of a test account, or to its address, to the account's gateway. */
export const testLane = ({ isDraining }: Pick<LaneOptions, "isDraining">) =>
  Effect.gen(function* () {
    const accounts = yield* TestAccounts
    const gateways = yield* TestGateways
    const { baseUrl } = yield* Settings
    const runtime = yield* Effect.withTracerEnabled(Effect.runtime<never>(), false)

    const refuse = (
      request: IncomingMessage,
      response: ServerResponse,
      failure: Unauthorized | RequestRefused | Transient,
      challenge: string
    ) =>
      Effect.sync(() => {
        const requestId = requestIdOf(request)
        const prefix = request.url?.startsWith("/api/v1") === true ? "/api/v1" : "/rest/v1"
        const answer = failureAnswer({ prefix, failure, reachedTool: false, requestId, baseUrl, challenge })
        sendAnswer(request, response, answer, { requestId, close: isDraining() })
      })

    const closed = (response: ServerResponse) =>
      Effect.async<void>((resume) => {
        if (response.closed || response.destroyed) resume(Effect.void)
        else response.once("close", () => resume(Effect.void))
      })

    /** Ends the stream when its account is deleted or reset, because its own gateway does not notice that. */
    const endWith = (account: ServedTestAccount, response: ServerResponse) =>
      accounts.isServed(account).pipe(
        // If the database is unavailable, the stream stays open.
        Effect.catchAll(() => Effect.succeed(true)),
        Effect.repeat({ while: (isServed) => isServed, schedule: Schedule.spaced(checkEvery) }),
        Effect.zipRight(Effect.sync(() => response.end(response.headersSent ? endOfStream("token_ended") : undefined)))
      )

    const pass = (request: IncomingMessage, response: ServerResponse, { challenge, key, unknown }: Destination) =>
      Effect.gen(function* () {
        const account = key === undefined ? Option.none() : yield* accounts.servedByKey(key)
        if (Option.isNone(account)) return yield* unknown
        // A stream that has not begun is refused, because an empty response would look like a completed stream.
        const end = () =>
          void (response.headersSent
            ? response.end(endOfStream("place_needed", retryMillis))
            : Runtime.runFork(runtime)(refuse(request, response, placeNeeded, challenge)))
        const gateway = yield* gateways.open(account.value, isStream(request) ? end : undefined)
        gateway.handle(request, response)
        if (isStream(request)) yield* Effect.forkScoped(endWith(account.value, response))
        yield* closed(response)
        // A write may have queued work that is due now.
        if (request.method !== "GET" && request.method !== "HEAD") gateway.wake()
      }).pipe(
        Effect.scoped,
        Effect.catchAll((failure) => refuse(request, response, failure, challenge))
      )

    const lane: RequestLane = (request, response) => {
      const destination = destinationOf(request)
      if (destination === undefined) return false
      const { url } = destination
      if (url !== undefined) request.url = url
      Runtime.runFork(runtime)(pass(request, response, destination))
      return true
    }
    return lane
  })
