import { Context, Effect } from "effect"
import { refused, type ToolError, type Transient, Unauthorized } from "../../Errors.ts"
import type { TokenUse } from "../Accounts/Tokens/AccessTokens.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import type { TestAccountId } from "../TestAccounts/Ids.ts"

/** A new session: its key, and what the page may see of it. */
export interface StartedSession {
  readonly key: string
  readonly view: string
}

/** The person who signs in, and the request used for it. */
export type SignInUse = Pick<TokenUse, "from" | "userAgent"> & { readonly requestId: string }

export const noTestAccount = new Unauthorized({
  error: "The access token is not one of a test account.",
  howToFix: "Send the whole token as create_test_account showed it. It ends when the test account is reset or deleted."
})

export const firstTokenEnded = refused(
  "test_token_ended",
  "The test account's first token was revoked or rotated.",
  "Sign in with another token of the test account, or reset it to get a new one."
)

/**
 * Sessions of test accounts, opened by the gateway for live accounts. They are stored in the test account's database,
 * and their keys name it. A test account cannot open any.
 */
export class TestSessions extends Context.Reference<TestSessions>()("TestSessions", {
  defaultValue: (): {
    readonly signIn: (token: string, use: SignInUse) => Effect.Effect<StartedSession, ToolError | Unauthorized>
    /**
     * Opens a session of a test account that belongs to the caller's account. It ends with the first token of the test
     * account.
     */
    readonly open: (
      id: TestAccountId,
      use: SignInUse
    ) => Effect.Effect<StartedSession, ToolError | Unauthorized, Caller>
    readonly close: (key: string) => Effect.Effect<void, Transient>
    /** Ends a token of a test account. Returns whether the token existed. */
    readonly revokeSecret: (token: string) => Effect.Effect<boolean, Transient>
  } => ({
    signIn: () => Effect.fail(noTestAccount),
    open: () => Effect.fail(noTestAccount),
    close: () => Effect.void,
    revokeSecret: () => Effect.succeed(false)
  })
}) {}
