import { Context, type Effect, type Exit, type Option, Schema } from "effect"
import type { NotFound, Refused, Transient, Unauthorized } from "../../Errors.ts"
import type { Caller } from "../Core/Caller.ts"
import { Timestamp } from "../Core/Timestamp.ts"
import { AccessTokenId, type AccountId, type Plan } from "./Ids.ts"
/** What can be told of a token after its creation; never the value. */
export const AccessTokenView = Schema.Struct({
  token_id: AccessTokenId,
  label: Schema.NullOr(Schema.String),
  created_at: Timestamp,
  last_used_at: Schema.NullOr(Timestamp).annotations({ description: "Accurate to a minute." }),
  expires_at: Schema.NullOr(Timestamp),
  revoked: Schema.Boolean
})
export type AccessTokenView = typeof AccessTokenView.Type

/** Tokens that hold, of one account. */
export const mostTokens = 200

/** Whom a token stands for. */
export interface TokenHolder {
  readonly tokenId: AccessTokenId
  readonly accountId: AccountId
  readonly plan: Plan
}

export interface NewAccessToken {
  readonly view: AccessTokenView
  /** The value, which is stored nowhere: only its SHA-256 is. */
  readonly token: string
}

export class AccessTokens extends Context.Tag("AccessTokens")<
  AccessTokens,
  {
    /** Looks the token up in the database on every call, so that a revocation holds on the next one. */
    readonly authenticate: (token: string) => Effect.Effect<TokenHolder, Unauthorized | Transient>
    /**
     * The same for a caller that waits with a function instead of a fiber; leaves no span. Answers at once whom the token
     * stood for when it was last looked up, if that is known here. It may have been revoked since: what is found on that
     * holder's behalf may be shown only after `then` was told the same.
     */
    readonly authenticateThen: (
      token: string,
      then: (exit: Exit.Exit<TokenHolder, Unauthorized | Transient>) => void
    ) => TokenHolder | undefined
    readonly generate: (options: {
      readonly label: string | undefined
      readonly expiresAt: Option.Option<Timestamp>
    }) => Effect.Effect<NewAccessToken, Refused | Transient, Caller>
    readonly list: Effect.Effect<ReadonlyArray<AccessTokenView>, Transient, Caller>
    /** Revoking a revoked token changes nothing and answers it as it is. */
    readonly revoke: (tokenId: AccessTokenId) => Effect.Effect<AccessTokenView, NotFound | Transient, Caller>
  }
>() {}
