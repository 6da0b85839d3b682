import { Context, type Effect, Schema } from "effect"
import { type NotFound, type Refused, refused, type Transient } from "../../../Errors.ts"
import type { Caller } from "../../Core/Calls/Caller.ts"
import { networkOf } from "../../Core/Outside/Networks.ts"
import { Timestamp } from "../../Core/Timestamp.ts"
import type { AccessTokenId } from "../Ids.ts"
import { AccessTokenView } from "./AccessTokens.ts"
import { allowSomething, type KnownScopes, unknownScope } from "./KnownScopes.ts"
import type { Confirmation } from "./TokenBounds.ts"

/** A token with all that limits it, and its last use. */
export const ManagedTokenView = Schema.Struct({
  ...AccessTokenView.fields,
  scopes: Schema.NullOr(Schema.Array(Schema.String)).annotations({
    description: "What the token may do. Null means everything."
  }),
  resource: Schema.NullOr(Schema.String).annotations({
    description: "The address that a program's token was made for. Null means every address."
  }),
  confirmation: Schema.Literal("when_possible", "always", "never").annotations({
    description: "Whether a person confirms destructive calls."
  }),
  address_ranges: Schema.NullOr(Schema.Array(Schema.String)).annotations({
    description: "Networks that the token may be used from. Null means everywhere."
  }),
  calls_per_minute: Schema.NullOr(Schema.Int).annotations({
    description: "The token's own rate limit. Null means that only the limits of the gateway apply."
  }),
  last_used_address: Schema.NullOr(Schema.String).annotations({ description: "The client's network address." }),
  last_used_agent: Schema.NullOr(Schema.String).annotations({ description: "The client's User-Agent header." }),
  previous_secret_valid_until: Schema.NullOr(Timestamp).annotations({
    description: "Until when the secret before the last rotation works too. Null if it does not."
  })
})
export type ManagedTokenView = typeof ManagedTokenView.Type

/** A token and its secret, which is shown once. */
export interface ShownToken {
  readonly view: ManagedTokenView
  readonly token: string
}

/** The owner's limits for a token. An empty list means no limit, and so does a rate of 0. */
export interface TokenLimits {
  readonly scopes: ReadonlyArray<string> | undefined
  readonly addressRanges: ReadonlyArray<string> | undefined
  readonly callsPerMinute: number | undefined
  readonly expiresAt: Timestamp | undefined
  readonly confirmation: Confirmation | undefined
}

export const mostAddressRanges = 50
export const mostScopes = 100

export const scopeUnknown = (scope: string): Refused =>
  refused(
    "scope_unknown",
    `There is no scope ${scope.slice(0, 100)}.`,
    "Send read, write or destructive, names of groups as /SKILL.md links them, or tool:NAME for a single tool.",
    { scope: scope.slice(0, 100) }
  )

const scopesAllowNothing = refused(
  "scopes_allow_nothing",
  "The scopes name groups and no kind of tool.",
  "Add read, write or destructive."
)

const tooManyScopes = refused("too_many_scopes", `More than ${mostScopes} scopes are named.`, "Name groups instead.")

const addressRangeInvalid = (range: string): Refused =>
  refused(
    "address_range_invalid",
    `${range.slice(0, 100)} is neither an address nor a network.`,
    "Send addresses such as 203.0.113.7 or networks such as 203.0.113.0/24, separated by commas."
  )

const tooManyRanges = refused(
  "too_many_address_ranges",
  `More than ${mostAddressRanges} address ranges are named.`,
  "Name larger networks."
)

const expiresInThePast = refused("expires_in_past", "expires_at has passed.", "Send an instant in the future.")

export const tokenExceedsCaller = refused(
  "token_exceeds_caller",
  "The token would be limited less than the token of this call.",
  "Use a token that has no such limit, or ask for no more than this one has."
)

export const programToken = refused(
  "token_of_program",
  "A person gave this token to a program, and only consent can change it.",
  "Revoke it, and let the program in again."
)

export const ownerNeeded = refused(
  "owner_token_required",
  "Only the account's owner can make a member's token their own.",
  "Use a token that no member made."
)

export const tokenEnded = refused(
  "token_ended",
  "The token was revoked or has expired.",
  "Make a new token with create_token."
)

/** Why the limits cannot be applied. */
export const limitsFault = (
  { addressRanges = [], expiresAt, scopes = [] }: TokenLimits,
  knownScopes: KnownScopes["Type"],
  now: Timestamp
): Refused | undefined => {
  if (scopes.length > mostScopes) return tooManyScopes
  const scope = unknownScope(scopes, knownScopes)
  if (scope !== undefined) return scopeUnknown(scope)
  if (scopes.length > 0 && !allowSomething(scopes)) return scopesAllowNothing
  if (addressRanges.length > mostAddressRanges) return tooManyRanges
  const range = addressRanges.find((each) => networkOf(each) === undefined)
  if (range !== undefined) return addressRangeInvalid(range)
  return expiresAt !== undefined && expiresAt <= now ? expiresInThePast : undefined
}

/** Tokens that an owner makes, limits and rotates. */
export class ManagedTokens extends Context.Tag("ManagedTokens")<
  ManagedTokens,
  {
    readonly create: (
      label: string | undefined,
      limits: TokenLimits
    ) => Effect.Effect<ShownToken, Refused | Transient, Caller>
    readonly list: Effect.Effect<ReadonlyArray<ManagedTokenView>, Transient, Caller>
    /** Changes what is given. */
    readonly update: (
      tokenId: AccessTokenId,
      label: string | undefined,
      limits: TokenLimits
    ) => Effect.Effect<ManagedTokenView, NotFound | Refused | Transient, Caller>
    /** Gives the token a new secret. The present one is valid for some more seconds. */
    readonly rotate: (
      tokenId: AccessTokenId,
      overlapSeconds: number
    ) => Effect.Effect<ShownToken, NotFound | Refused | Transient, Caller>
    /** Makes a member's token the owner's, so that it does not end with the member. */
    readonly adopt: (tokenId: AccessTokenId) => Effect.Effect<ManagedTokenView, NotFound | Refused | Transient, Caller>
    /** Revokes the token that has this secret, of whichever account. Returns whether there was one. */
    readonly revokeSecret: (secret: string) => Effect.Effect<boolean, Transient>
  }
>() {}
