import { Effect } from "effect"
import type { ToolError, Transient, Unauthorized } from "../../Errors.ts"
import type { TokenHolder } from "../../Services/Accounts/Tokens/AccessTokens.ts"
import { ManagedTokens } from "../../Services/Accounts/Tokens/ManagedTokens.ts"
import { ConsoleSessions } from "../../Services/Console/ConsoleSessions.ts"
import type { SignInUse, StartedSession } from "../../Services/Console/TestSessions.ts"
import { RequestLog } from "../../Services/Core/RequestLog.ts"
import type { ServedTestAccount } from "../../Services/TestAccounts/TestAccounts.ts"
import { makeSignIn } from "../Console/SignIn.ts"
import { recordRequest } from "../Platform/Http/RequestRecords.ts"

/** The operations of the live gateway on a test account's tokens and sessions. */
export interface TestSecrets {
  /** Starts a session of the console for a token of the account. */
  readonly signIn: (token: string, use: SignInUse) => Effect.Effect<StartedSession, ToolError | Unauthorized>
  /** Opens a session with the first token of the account. */
  readonly openSession: (use: SignInUse) => Effect.Effect<StartedSession, ToolError | Unauthorized>
  readonly closeSession: (key: string) => Effect.Effect<void, Transient>
  readonly revokeSecret: (token: string) => Effect.Effect<boolean, Transient>
}

/** `run` runs an effect in the gateway of the test account. */
export const makeTestSecrets = (
  { tokenHash }: ServedTestAccount,
  run: <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>
) =>
  Effect.gen(function* () {
    const tokens = yield* ManagedTokens
    const sessions = yield* ConsoleSessions
    const { withDigest, withToken } = yield* makeSignIn
    const log = { clock: yield* Effect.clock, requests: yield* RequestLog }

    /** A sign-in counts as a request of its token. */
    const recorded = (requestId: string) => {
      const startedAt = log.clock.unsafeCurrentTimeMillis()
      return (holder: TokenHolder): void =>
        recordRequest(log, { holder, requestId, route: "POST /console/api/session", startedAt }, { status: 200 })
    }

    const secrets: TestSecrets = {
      signIn: (token, use) => run(Effect.suspend(() => withToken(token, use, recorded(use.requestId)))),
      openSession: (use) => run(Effect.suspend(() => withDigest(Buffer.from(tokenHash), use, recorded(use.requestId)))),
      closeSession: (key) => run(sessions.close(key)),
      revokeSecret: (token) => run(tokens.revokeSecret(token))
    }
    return secrets
  })
