import type { IncomingMessage, ServerResponse } from "node:http"
import { Effect, Option, Runtime } from "effect"
import { eventStreamPath, failureAnswer } from "../../Api.ts"
import { RequestRefused, type Transient, Unauthorized } from "../../Errors.ts"
import { isTestKey, isTestToken, testKeyOf } from "../../Services/Accounts/AccessTokenFormat.ts"
import { TestAccounts } from "../../Services/TestAccounts/TestAccounts.ts"
import { endOfStream } from "../Events/Streams/EventStream.ts"
import { requestIdOf, sendAnswer } from "../Platform/Http/Answers/SendAnswer.ts"
import { bearerToken, isAt } from "../Platform/Http/Incoming.ts"
import type { LaneOptions, RequestLane } from "../Platform/Http/Server.ts"
import { Settings } from "../Platform/Settings.ts"
import { TestGateways } from "./TestGateways.ts"

const unknownToken = new Unauthorized({
  error: "The access token is not one of a test account.",
  howToFix: "Send the whole token as create_test_account showed it. It ends when the test account is reset or deleted."
})

const unknownAddress = new RequestRefused({
  status: 404,
  type: "UnknownRoute",
  error: "There is no such route.",
  detail: "The address is of no test account. See base_url in list_test_accounts."
})

const testPath = "/test/"
const keyLength = 10

/** Which test account a request is for. An address that begins with `/test/` is for no other gateway. */
const destinationOf = (request: IncomingMessage) => {
  const address = request.url ?? ""
  if (address.startsWith(testPath)) {
    const key = address.slice(testPath.length, testPath.length + keyLength)
    const rest = address.slice(testPath.length + keyLength)
    const isWhole = rest === "" || rest.startsWith("/") || rest.startsWith("?")
    return {
      key: isWhole && isTestKey(key) ? key : undefined,
      url: rest.startsWith("/") ? rest : `/${rest}`,
      isByToken: false
    }
  }
  const token = bearerToken(request)
  if (token === undefined || !isTestToken(token)) return undefined
  return { key: testKeyOf(token), url: request.url, isByToken: true }
}

/** When a client may connect again whose stream was ended for another account. */
const retryMillis = 30_000

/** Whether the answer lasts until the client leaves. Such a request gives way to calls for other test accounts. */
const isStream = ({ method, url = "" }: IncomingMessage): boolean =>
  method === "GET" && (isAt(url, eventStreamPath) || isAt(url, "/mcp"))

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
      failure: Unauthorized | RequestRefused | Transient
    ) =>
      Effect.sync(() => {
        const requestId = requestIdOf(request)
        const prefix = request.url?.startsWith("/api/v1") === true ? "/api/v1" : "/rest/v1"
        const answer = failureAnswer({ prefix, failure, reachedTool: false, requestId, baseUrl })
        sendAnswer(request, response, answer, { requestId, close: isDraining() })
      })

    const closed = (response: ServerResponse) =>
      Effect.async<void>((resume) => {
        if (response.closed || response.destroyed) resume(Effect.void)
        else response.once("close", () => resume(Effect.void))
      })

    const pass = (
      request: IncomingMessage,
      response: ServerResponse,
      key: string | undefined,
      unknown: Unauthorized | RequestRefused
    ) =>
      Effect.gen(function* () {
        const account = key === undefined ? Option.none() : yield* accounts.servedByKey(key)
        if (Option.isNone(account)) return yield* unknown
        const end = () => void response.end(response.headersSent ? endOfStream("place_needed", retryMillis) : undefined)
        const gateway = yield* gateways.open(account.value, isStream(request) ? end : undefined)
        gateway.handle(request, response)
        yield* closed(response)
        // A write may have queued work for this instant.
        if (request.method !== "GET" && request.method !== "HEAD") gateway.wake()
      }).pipe(
        Effect.scoped,
        Effect.catchAll((failure) => refuse(request, response, failure))
      )

    const lane: RequestLane = (request, response) => {
      const destination = destinationOf(request)
      if (destination === undefined) return false
      const { isByToken, key, url } = destination
      if (url !== undefined) request.url = url
      Runtime.runFork(runtime)(pass(request, response, key, isByToken ? unknownToken : unknownAddress))
      return true
    }
    return lane
  })
