import { Context, type Effect, type Exit, type Option, Schema } from "effect"
import type { NotFound, Refused, Transient, Unauthorized } from "../../../Errors.ts"
import type { Caller } from "../../Core/Calls/Caller.ts"
import { Timestamp } from "../../Core/Timestamp.ts"
import { MemberId } from "../../Members/Ids.ts"
import { AccessTokenId, type AccountId, type Plan } from "../Ids.ts"
import type { Confirmation, TokenBounds } from "./TokenBounds.ts"

/** The data of a token that is shown after its creation. The value is never shown again. */
export const AccessTokenView = Schema.Struct({
  token_id: AccessTokenId,
  label: Schema.NullOr(Schema.String),
  created_at: Timestamp,
  last_used_at: Schema.NullOr(Timestamp).annotations({ description: "Accurate to a minute." }),
  expires_at: Schema.NullOr(Timestamp),
  revoked: Schema.Boolean,
  made_by: Schema.Literal("operator", "member", "token", "consent", "unknown").annotations({
    description:
      "operator: on the command line. member: with the link of a welcome. token: with another token. consent: by a person who let a program in. unknown: before this was recorded."
  }),
  made_by_token_id: Schema.NullOr(AccessTokenId).annotations({
    description: "The token that made it or that the person consented with."
  }),
  made_by_member_id: Schema.NullOr(MemberId).annotations({
    description: "The member who made it, also by another token; null for the owner."
  })
})
export type AccessTokenView = typeof AccessTokenView.Type

/** Tokens that hold, of one account. */
export const mostTokens = 200

/** Whom a token stands for. */
export interface TokenHolder {
  readonly tokenId: AccessTokenId
  readonly accountId: AccountId
  readonly plan: Plan
  readonly bounds?: TokenBounds
  /** Where a person decided otherwise than `when_possible`. */
  readonly confirmation?: Exclude<Confirmation, "when_possible">
  /** The token's own rate limit. */
  readonly callsPerMinute?: number
  /** Addresses and networks that the token may be used from. */
  readonly addressRanges?: ReadonlyArray<string>
}

/** Where and by whom a token is shown. */
export interface TokenUse {
  /** The address of this gateway. If it is unknown, a token with bounds is refused. */
  readonly address?: string
  /** The client's network address. A token with address ranges is refused where it is not known. */
  readonly from?: string
  readonly userAgent?: string | undefined
}

/** Whether what was found for one of them may be shown to the other. */
export const isSameHolder = (a: TokenHolder, b: TokenHolder): boolean =>
  a.tokenId === b.tokenId &&
  a.accountId === b.accountId &&
  a.plan === b.plan &&
  a.confirmation === b.confirmation &&
  a.callsPerMinute === b.callsPerMinute &&
  a.addressRanges?.join(" ") === b.addressRanges?.join(" ") &&
  a.bounds?.resource === b.bounds?.resource &&
  a.bounds?.scopes.join(" ") === b.bounds?.scopes.join(" ")

/** The creator of a token, if it is neither the caller's token nor the operator. */
export type TokenMaker =
  | { readonly by: "member"; readonly memberId: MemberId }
  | { readonly by: "consent"; readonly tokenId: AccessTokenId | null }

/** The restrictions that a token passes on to everything it creates. */
export interface Inheritance {
  readonly confirmation: Confirmation
  readonly expiresAt: Timestamp | null
  /** The member who made the token; null for the owner. */
  readonly memberId: MemberId | null
}

/** A token that ended, and with it the program that had it. */
export interface EndedToken {
  readonly kind: "access_token" | "agent"
  readonly id: AccessTokenId
  readonly label: string | null
}

export interface NewAccessToken {
  readonly view: AccessTokenView
  /** The value, which is stored nowhere: only its SHA-256 is. */
  readonly token: string
}

export class AccessTokens extends Context.Tag("AccessTokens")<
  AccessTokens,
  {
    /**
     * Looks the token up in the database on every call, so that a revocation holds on the next one. A token that was made
     * for an address, or for some clients, is refused everywhere else.
     */
    readonly authenticate: (token: string, use?: TokenUse) => Effect.Effect<TokenHolder, Unauthorized | Transient>
    /** The same for a session of the console, which knows only the digest of its token's secret. */
    readonly authenticateDigest: (
      digest: Buffer,
      use?: TokenUse
    ) => Effect.Effect<TokenHolder, Unauthorized | Transient>
    /**
     * The same for a caller that waits with a function instead of a fiber; leaves no span. Answers at once whom the token
     * stood for when it was last looked up, if that is known here. It may have been revoked since: what is found on that
     * holder's behalf may be shown only after `then` was told the same.
     */
    readonly authenticateThen: (
      token: string,
      then: (exit: Exit.Exit<TokenHolder, Unauthorized | Transient>) => void,
      use?: TokenUse
    ) => TokenHolder | undefined
    /**
     * The token neither outlives nor exceeds the one that makes it: it ends no later, and inherits bounds, limits and the
     * wish that a person confirms. Refused where that one has ended.
     */
    readonly generate: (options: {
      readonly label: string | undefined
      readonly expiresAt: Option.Option<Timestamp>
      readonly bounds?: TokenBounds
      /** Some of those of the token that makes it, if that one has any. */
      readonly addressRanges?: ReadonlyArray<string>
      readonly callsPerMinute?: number
      readonly confirmation?: Confirmation
      readonly maker?: TokenMaker
    }) => Effect.Effect<NewAccessToken, Refused | Transient, Caller>
    /**
     * A new value for a token that was not revoked, and none for one that was, or whose maker has expired; the value before is
     * worth nothing now. The token ends no later than its maker.
     */
    readonly renew: (
      tokenId: AccessTokenId,
      expiresAt: Timestamp
    ) => Effect.Effect<Option.Option<NewAccessToken>, Transient, Caller>
    /** None where there is no such token. */
    readonly setConfirmation: (
      tokenId: AccessTokenId,
      confirmation: Confirmation
    ) => Effect.Effect<AccessTokenView, NotFound | Transient, Caller>
    /** The holder of a token that was made for an address, whatever address that is. None for any other text. */
    readonly boundHolder: (token: string) => Effect.Effect<Option.Option<TokenHolder>, Transient>
    readonly list: Effect.Effect<ReadonlyArray<AccessTokenView>, Transient, Caller>
    readonly inheritance: Effect.Effect<Inheritance, Transient, Caller>
    /** Ends every token that the member made or consented to, also by other tokens. */
    readonly endOfMember: (memberId: MemberId) => Effect.Effect<ReadonlyArray<EndedToken>, Transient, Caller>
    /** Also ends what was consented to with the token. Revoking a revoked token changes nothing and answers it as it is. */
    readonly revoke: (tokenId: AccessTokenId) => Effect.Effect<AccessTokenView, NotFound | Transient, Caller>
  }
>() {}
