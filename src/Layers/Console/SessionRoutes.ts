import { Effect, Schema } from "effect"
import type { Answer } from "../../Api.ts"
import { badRequest, transient } from "../../Errors.ts"
import { AccessTokens, type TokenHolder } from "../../Services/Accounts/AccessTokens.ts"
import { AccountProfile } from "../../Services/Accounts/AccountProfile.ts"
import { ConsoleSessions, sessionSeconds } from "../../Services/Console/ConsoleSessions.ts"
import { noSessionCookie, sessionCookie } from "../../Services/Console/SessionKey.ts"
import { Caller } from "../../Services/Core/Caller.ts"
import { IntegrationModes } from "../../Services/Core/IntegrationModes.ts"
import { makeWindowLimit } from "../Platform/Http/Admission/WindowLimit.ts"
import { readBody } from "../Platform/Http/Bodies/RequestBody.ts"
import { clientAddress, clientShare } from "../Platform/Http/ClientAddress.ts"
import type { LaneOptions } from "../Platform/Http/Server.ts"
import { Settings } from "../Platform/Settings.ts"
import { sessionKeyOf } from "./ConsoleAccess.ts"
import type { ConsoleRequest, ConsoleRoute, ConsoleRoutes } from "./ConsoleRequest.ts"
import { makeSessionHolder } from "./SessionHolder.ts"

const minuteMillis = 60_000
/** Of one client address in each process. A person needs one or two. */
const signInsPerMinute = 20

/** Bytes. */
const longestSignIn = 4096

const SignIn = Schema.parseJson(Schema.Struct({ token: Schema.String }))

const notASignIn = badRequest(
  "InvalidRequestBody",
  "The body is not an access token.",
  'Send a JSON object such as {"token": "pgw_…"}.'
)

const tooManySignIns = transient("rate_limited", "There were too many sign-ins from this address.", minuteMillis / 1000)

/** Sign in, look at the session, sign out. */
export const makeSessionRoutes = ({ bodyBudget }: LaneOptions) =>
  Effect.gen(function* () {
    const { trustedProxies } = yield* Settings
    const tokens = yield* AccessTokens
    const sessions = yield* ConsoleSessions
    const profiles = yield* AccountProfile
    const outside_services = yield* IntegrationModes
    const { forSomePrefix, ofSession } = yield* makeSessionHolder
    const clock = yield* Effect.clock
    const signIns = makeWindowLimit<string>(signInsPerMinute, minuteMillis, () => clock.unsafeCurrentTimeMillis())

    const viewOf = (holder: TokenHolder, key: string, requestId: string) =>
      Effect.gen(function* () {
        const { account_id, email, language, name, phone, plan, timezone_offset_utc_hours } = yield* profiles.get
        const { member, session, time_zone, token } = yield* sessions.view(key)
        const account = { account_id, name, email, phone, language, time_zone, timezone_offset_utc_hours, plan }
        return JSON.stringify({ account, member, token, session, outside_services })
      }).pipe(Effect.provideService(Caller, { ...holder, requestId }))

    const signIn: ConsoleRoute<never> = (call) =>
      Effect.gen(function* () {
        const { record, request, requestId, response } = call
        if (!signIns.spend(clientShare(clientAddress(request, trustedProxies)), 1)) return yield* tooManySignIns
        const tenant = bodyBudget.anonymous(request)
        const body = yield* readBody(request, response, { limit: longestSignIn, budget: bodyBudget, tenant })
        const { token } = yield* Effect.mapError(Schema.decodeUnknown(SignIn)(body.toString("utf8")), () => notASignIn)
        const holder = yield* forSomePrefix(tokens.authenticate, token.trim(), call)
        record.holder = holder
        // The id of before the sign-in may be known to others.
        const earlierKey = sessionKeyOf(request)
        if (earlierKey !== undefined) yield* sessions.close(earlierKey)
        const key = yield* sessions.open(holder.accountId, holder.tokenId, token.trim())
        const answer: Answer = {
          status: 200,
          body: yield* viewOf(holder, key, requestId),
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
        if (key !== undefined) yield* sessions.close(key)
        return { status: 204, body: "", headers: { "Set-Cookie": noSessionCookie } }
      })

    const routes: ConsoleRoutes<never> = { GET: look, POST: signIn, DELETE: signOut }
    return routes
  })
