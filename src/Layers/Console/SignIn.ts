import { Effect } from "effect"
import type { ToolError, Unauthorized } from "../../Errors.ts"
import { AccountProfile } from "../../Services/Accounts/AccountProfile.ts"
import { tokenDigest } from "../../Services/Accounts/Tokens/AccessTokenFormat.ts"
import { AccessTokens, type TokenHolder } from "../../Services/Accounts/Tokens/AccessTokens.ts"
import { ConsoleSessions } from "../../Services/Console/ConsoleSessions.ts"
import type { SignInUse, StartedSession } from "../../Services/Console/TestSessions.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { IntegrationModes } from "../../Services/Core/Outside/IntegrationModes.ts"
import { offsetsAround } from "../../Services/Core/ZoneOffsets.ts"
import { makeSessionHolder } from "./SessionHolder.ts"

/** Starts sessions, and shows them. */
export const makeSignIn = Effect.gen(function* () {
  const tokens = yield* AccessTokens
  const sessions = yield* ConsoleSessions
  const profiles = yield* AccountProfile
  const outside_services = yield* IntegrationModes
  const { forSomePrefix } = yield* makeSessionHolder

  const viewOf = (holder: TokenHolder, key: string, requestId: string) =>
    Effect.gen(function* () {
      const { account_id, email, language, name, phone, plan, timezone_offset_utc_hours } = yield* profiles.get
      const { is_test, member, now, session, time_zone, token } = yield* sessions.view(key)
      const account = {
        account_id,
        name,
        email,
        phone,
        language,
        time_zone,
        time_zone_offsets: offsetsAround(time_zone, Date.parse(now)),
        timezone_offset_utc_hours,
        plan,
        is_test,
        now
      }
      return JSON.stringify({ account, member, token, session, outside_services })
    }).pipe(Effect.provideService(Caller, { ...holder, requestId }))

  const start = <E>(
    authenticated: Effect.Effect<TokenHolder, E>,
    digest: Uint8Array,
    { requestId }: SignInUse,
    onHolder: (holder: TokenHolder) => void
  ) =>
    Effect.gen(function* () {
      const holder = yield* authenticated
      onHolder(holder)
      const key = yield* sessions.open(holder.accountId, holder.tokenId, digest)
      return { key, view: yield* viewOf(holder, key, requestId) }
    })

  return {
    viewOf,
    /** Signs in with the secret of a token. `onHolder` is called with its holder. */
    withToken: (
      token: string,
      use: SignInUse,
      onHolder: (holder: TokenHolder) => void = () => undefined
    ): Effect.Effect<StartedSession, ToolError | Unauthorized> =>
      start(forSomePrefix(tokens.authenticate, token, use), tokenDigest(token), use, onHolder),
    /** Signs in with the digest of a token, if the secret itself was not sent. */
    withDigest: (
      digest: Buffer,
      use: SignInUse,
      onHolder: (holder: TokenHolder) => void
    ): Effect.Effect<StartedSession, ToolError | Unauthorized> =>
      start(forSomePrefix(tokens.authenticateDigest, digest, use), digest, use, onHolder)
  }
})
