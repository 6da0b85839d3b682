import { Effect } from "effect"
import { platformPrefix } from "../../Api.ts"
import type { Transient, Unauthorized } from "../../Errors.ts"
import { CallLimits } from "../../Services/Accounts/CallLimits.ts"
import type { TokenHolder, TokenUse } from "../../Services/Accounts/Tokens/AccessTokens.ts"
import { ConsoleSessions } from "../../Services/Console/ConsoleSessions.ts"
import { clientAddress } from "../Platform/Http/ClientAddress.ts"
import { Settings } from "../Platform/Settings.ts"
import { noSession, sessionKeyOf } from "./ConsoleAccess.ts"
import type { ConsoleRequest } from "./ConsoleRequest.ts"

/** The prefixes whose tools the console calls. A program's token must be valid for one of them. */
const consolePrefixes = ["/rest/v1", platformPrefix]

/** Creates the look-up of the sender of a request that calls no tool. */
export const makeSessionHolder = Effect.gen(function* () {
  const { baseUrl, trustedProxies } = yield* Settings
  const sessions = yield* ConsoleSessions
  const limits = yield* CallLimits
  const addresses = consolePrefixes.map((prefix) => new URL(`${baseUrl}${prefix}`).href)

  /** Authenticates for the first prefix that accepts the credential. */
  const forSomePrefix = <Credential>(
    authenticate: (credential: Credential, use: TokenUse) => Effect.Effect<TokenHolder, Unauthorized | Transient>,
    credential: Credential,
    { from, userAgent }: TokenUse
  ): Effect.Effect<TokenHolder, Unauthorized | Transient> =>
    Effect.firstSuccessOf(
      addresses.map((address) =>
        authenticate(credential, { address, userAgent, ...(from === undefined ? {} : { from }) })
      )
    )

  const useOf = ({ request, requestId }: ConsoleRequest) => ({
    from: clientAddress(request, trustedProxies),
    userAgent: request.headers["user-agent"],
    requestId
  })

  /** The session's holder. The request counts as one of its calls. */
  const ofSession = (
    call: ConsoleRequest
  ): Effect.Effect<{ readonly holder: TokenHolder; readonly key: string }, Unauthorized | Transient> =>
    Effect.gen(function* () {
      const key = sessionKeyOf(call.request)
      if (key === undefined) return yield* Effect.fail(noSession)
      const holder = yield* forSomePrefix(sessions.authenticate, key, useOf(call))
      call.record.holder = holder
      const verdict = limits.take(holder)
      if (verdict !== undefined) call.record.limitHeaders = verdict.headers
      if (verdict?.refusal !== undefined) return yield* Effect.fail(verdict.refusal)
      return { holder, key }
    })

  return { forSomePrefix, ofSession, useOf }
})
