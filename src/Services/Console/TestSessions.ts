import { Context, Effect } from "effect"
import { refused, type ToolError, type Transient, Unauthorized } from "../../Errors.ts"
import type { TokenUse } from "../Accounts/AccessTokens.ts"
import type { Caller } from "../Core/Caller.ts"
import type { TestAccountId } from "../TestAccounts/Ids.ts"

/** A session that has just begun: its key, and what the page gets to see of it. */
export interface StartedSession {
  readonly key: string
  readonly view: string
}

/** Who signs in, and with which request. */
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
 * Sessions on test accounts, for the gateway of live accounts. They are in the database of the test account, and their keys
 * name it. A test account itself has none.
 */
export class TestSessions extends Context.Reference<TestSessions>()("TestSessions", {
  defaultValue: (): {
    readonly signIn: (token: string, use: SignInUse) => Effect.Effect<StartedSession, ToolError | Unauthorized>
    /** Of a test account of the caller's account. The session ends with the token that the test account had at first. */
    readonly open: (
      id: TestAccountId,
      use: SignInUse
    ) => Effect.Effect<StartedSession, ToolError | Unauthorized, Caller>
    readonly close: (key: string) => Effect.Effect<void, Transient>
    /** Ends a token of a test account. Returns whether there was one. */
    readonly revokeSecret: (token: string) => Effect.Effect<boolean, Transient>
  } => ({
    signIn: () => Effect.fail(noTestAccount),
    open: () => Effect.fail(noTestAccount),
    close: () => Effect.void,
    revokeSecret: () => Effect.succeed(false)
  })
}) {}
