import { Effect, Schema } from "effect"
import type { Answer } from "../../Api.ts"
import { badRequest, transient } from "../../Errors.ts"
import { isTestToken, TokenPrefix, testKeyOfPrefix } from "../../Services/Accounts/Tokens/AccessTokenFormat.ts"
import { ConsoleSessions, sessionSeconds } from "../../Services/Console/ConsoleSessions.ts"
import { noSessionCookie, sessionCookie, testKeyOfSession } from "../../Services/Console/SessionKey.ts"
import { TestSessions } from "../../Services/Console/TestSessions.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { TestAccountId } from "../../Services/TestAccounts/Ids.ts"
import { makeWindowLimit } from "../Platform/Http/Admission/WindowLimit.ts"
import { readBody } from "../Platform/Http/Bodies/RequestBody.ts"
import { clientAddress, clientShare } from "../Platform/Http/ClientAddress.ts"
import type { LaneOptions } from "../Platform/Http/Server.ts"
import { Settings } from "../Platform/Settings.ts"
import { sessionKeyOf } from "./ConsoleAccess.ts"
import type { ConsoleRequest, ConsoleRoute, ConsoleRoutes } from "./ConsoleRequest.ts"
import { makeSessionHolder } from "./SessionHolder.ts"
import { makeSignIn } from "./SignIn.ts"

const minuteMillis = 60_000
/** The limit of sign-ins per minute from one client address, in each process. A person needs one or two. */
const signInsPerMinute = 20

/** The size limit of a sign-in's body, in bytes. */
const longestSignIn = 4096

const SignIn = Schema.parseJson(
  Schema.Union(Schema.Struct({ token: Schema.String }), Schema.Struct({ test_account_id: TestAccountId }))
)

const notASignIn = badRequest(
  "InvalidRequestBody",
  "The body is neither an access token nor a test account.",
  'Send a JSON object such as {"token": "pgw_…"}, or with a session {"test_account_id": 1}.'
)

const tooManySignIns = transient("rate_limited", "There were too many sign-ins from this address.", minuteMillis / 1000)

/**
 * A tool that returns a token of the test account. Signing in to the test account therefore gives no additional access
 * to a token that may call it.
 */
const toolThatGivesTokens = "reset_test_account"

/** The routes to sign in, read the session, and sign out. */
export const makeSessionRoutes = ({ bodyBudget, needs }: LaneOptions) =>
  Effect.gen(function* () {
    const { trustedProxies } = yield* Settings
    const sessions = yield* ConsoleSessions
    const testSessions = yield* TestSessions
    const { viewOf, withToken } = yield* makeSignIn
    const { ofSession, useOf } = yield* makeSessionHolder
    const clock = yield* Effect.clock
    const signIns = makeWindowLimit<string>(signInsPerMinute, minuteMillis, () => clock.unsafeCurrentTimeMillis())

    const ownTestKey = testKeyOfPrefix(yield* TokenPrefix)

    const close = (key: string) =>
      testKeyOfSession(key) === ownTestKey ? sessions.close(key) : testSessions.close(key)

    const openTestAccount = (call: ConsoleRequest, id: TestAccountId) =>
      Effect.gen(function* () {
        const { holder } = yield* ofSession(call)
        const lack = needs.refusalOf(holder.bounds, toolThatGivesTokens)
        if (lack !== undefined) return yield* Effect.fail(lack)
        const { requestId } = call
        return yield* Effect.provideService(testSessions.open(id, useOf(call)), Caller, { ...holder, requestId })
      })

    const signIn: ConsoleRoute<never> = (call) =>
      Effect.gen(function* () {
        const { record, request, response } = call
        if (!signIns.spend(clientShare(clientAddress(request, trustedProxies)), 1)) return yield* tooManySignIns
        const tenant = bodyBudget.anonymous(request)
        const bytes = yield* readBody(request, response, { limit: longestSignIn, budget: bodyBudget, tenant })
        const body = yield* Effect.mapError(Schema.decodeUnknown(SignIn)(bytes.toString("utf8")), () => notASignIn)
        const startOf = (token: string) =>
          ownTestKey === undefined && isTestToken(token)
            ? testSessions.signIn(token, useOf(call))
            : withToken(token, useOf(call), (holder) => {
                record.holder = holder
              })
        const { key, view } = yield* "token" in body
          ? startOf(body.token.trim())
          : openTestAccount(call, body.test_account_id)
        // The session from before the sign-in is closed, because its id may be known to others.
        const earlierKey = sessionKeyOf(request)
        if (earlierKey !== undefined) yield* close(earlierKey)
        const answer: Answer = {
          status: 200,
          body: view,
          headers: { "Set-Cookie": sessionCookie(key, sessionSeconds) }
        }
        return answer
      })

    const look: ConsoleRoute<never> = (call) =>
      Effect.gen(function* () {
        const { holder, key } = yield* ofSession(call)
        return { status: 200, body: yield* viewOf(holder, key, call.requestId) }
      })

    /** Needs no valid session, so that a page can always get rid of its cookie. */
    const signOut: ConsoleRoute<never> = ({ request }: ConsoleRequest) =>
      Effect.gen(function* () {
        const key = sessionKeyOf(request)
        if (key !== undefined) yield* close(key)
        return { status: 204, body: "", headers: { "Set-Cookie": noSessionCookie } }
      })

    const routes: ConsoleRoutes<never> = { GET: look, POST: signIn, DELETE: signOut }
    return routes
  })
