import { Context, type Effect } from "effect"
import type { Transient, Unauthorized } from "../../Errors.ts"
import type { TokenHolder, TokenUse } from "../Accounts/AccessTokens.ts"
import type { AccessTokenId, AccountId } from "../Accounts/Ids.ts"
import type { Confirmation } from "../Accounts/TokenBounds.ts"
import type { Caller } from "../Core/Caller.ts"
import type { Timestamp } from "../Core/Timestamp.ts"
import type { MemberId } from "../Members/Ids.ts"

/** A session ends this long after the sign-in. */
export const sessionSeconds = 12 * 60 * 60
/** A session ends after this long without a call. */
export const idleSeconds = 60 * 60
/** With one more, the token's oldest session ends. */
export const sessionsPerToken = 20

/**
 * The time by which sessions end, in Unix milliseconds. A person's hours do not pass faster when the clock of a test account
 * is moved.
 */
export class SessionTime extends Context.Reference<SessionTime>()("SessionTime", {
  defaultValue: () => (): number => Date.now()
}) {}

/** What the page shows of a session besides the account's profile. */
export interface ConsoleSessionView {
  readonly is_test: boolean
  /** The time in the account, which a test account has its own of. */
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
 * Sessions of people who use the gateway in a browser. Each belongs to the secret of an access token and ends with it. The
 * database has digests of their keys, so any process knows a session, and none can be stolen from a backup.
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
    /** The same for an open stream, which does not count as a call. */
    readonly check: (key: string, use?: TokenUse) => Effect.Effect<TokenHolder, Unauthorized | Transient>
    readonly close: (key: string) => Effect.Effect<void, Transient>
    /** Fails if the session ended since it was authenticated. */
    readonly view: (key: string) => Effect.Effect<ConsoleSessionView, Unauthorized | Transient, Caller>
  }
>() {}
