import { Context, type Effect } from "effect"
import type { Transient, Unauthorized } from "../../Errors.ts"
import type { AccessTokenId, AccountId } from "../Accounts/Ids.ts"
import type { TokenHolder, TokenUse } from "../Accounts/Tokens/AccessTokens.ts"
import type { Confirmation } from "../Accounts/Tokens/TokenBounds.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import type { Timestamp } from "../Core/Timestamp.ts"
import type { MemberId } from "../Members/Ids.ts"

/** A session ends this long after the sign-in. */
export const sessionSeconds = 12 * 60 * 60
/** A session ends after this long without a call. */
export const idleSeconds = 60 * 60
/** Opening another session ends the token's oldest one. */
export const sessionsPerToken = 20

/**
 * The clock by which sessions expire, in Unix milliseconds. It is separate from a test account's clock, which can be
 * moved forward.
 */
export class SessionTime extends Context.Reference<SessionTime>()("SessionTime", {
  defaultValue: () => (): number => Date.now()
}) {}

/** What the page shows about a session, apart from the account's profile. */
export interface ConsoleSessionView {
  readonly is_test: boolean
  /** The account's current time. A test account has its own clock. */
  readonly now: Timestamp
  readonly member: { readonly member_id: MemberId; readonly name: string } | null
  readonly time_zone: string
  readonly token: {
    readonly token_id: AccessTokenId
    readonly label: string | null
    /** Null if the token may do everything. */
    readonly scopes: ReadonlyArray<string> | null
    readonly confirmation: Confirmation
    readonly expires_at: Timestamp | null
  }
  readonly session: { readonly started_at: Timestamp; readonly ends_at: Timestamp; readonly idle_seconds: number }
}

/**
 * Sessions of people who use the gateway in a browser. A session belongs to an access token and ends with it. The
 * database stores only digests of session keys, so every process can check a session and a backup reveals none.
 */
export class ConsoleSessions extends Context.Tag("ConsoleSessions")<
  ConsoleSessions,
  {
    /** Starts a session for a token that was just authenticated, by its digest, and returns its key. */
    readonly open: (
      accountId: AccountId,
      tokenId: AccessTokenId,
      digest: Uint8Array
    ) => Effect.Effect<string, Transient>
    /** The holder of the session's token. Counts as a call. */
    readonly authenticate: (key: string, use?: TokenUse) => Effect.Effect<TokenHolder, Unauthorized | Transient>
    /**
     * Returns for each open stream whether its session has ended. It does not count as a call. Sessions of one token and
     * client are checked as one.
     */
    readonly haveEnded: (
      streams: ReadonlyArray<{ readonly key: string; readonly use: TokenUse }>
    ) => Effect.Effect<ReadonlyArray<boolean>, Transient>
    readonly close: (key: string) => Effect.Effect<void, Transient>
    /** Fails if the session ended since it was authenticated. */
    readonly view: (key: string) => Effect.Effect<ConsoleSessionView, Unauthorized | Transient, Caller>
  }
>() {}
