import type { Timestamp } from "../../Core/Timestamp.ts"
import type { MemberId } from "../../Members/Ids.ts"
import { areScopesWithin, type Confirmation, stricter } from "./TokenBounds.ts"

/** All that limits a token. Null where there is no limit. */
export interface TokenAuthority {
  readonly scopes: ReadonlyArray<string> | null
  readonly addressRanges: ReadonlyArray<string> | null
  readonly callsPerMinute: number | null
  readonly expiresAt: Timestamp | null
  readonly confirmation: Confirmation
  /** The member with whom the token ends. */
  readonly memberId: MemberId | null
}

const isSubset = <A>(items: ReadonlyArray<A> | null, whole: ReadonlyArray<A> | null): boolean =>
  whole === null || (items?.every((item) => whole.includes(item)) ?? false)

const isAtMost = <A extends number | string>(value: A | null, limit: A | null): boolean =>
  limit === null || (value !== null && value <= limit)

/** The authority of a call without a token, such as an operator's command. */
export const unlimited: TokenAuthority = {
  scopes: null,
  addressRanges: null,
  callsPerMinute: null,
  expiresAt: null,
  confirmation: "when_possible",
  memberId: null
}

/**
 * Whether a token is limited at least as much as another one in every way. A token may make and change only such tokens:
 * with another one it would get more than it was given.
 */
export const isWithinAuthority = (token: TokenAuthority, maker: TokenAuthority): boolean =>
  (maker.scopes === null || (token.scopes !== null && areScopesWithin(token.scopes, maker.scopes))) &&
  isSubset(token.addressRanges, maker.addressRanges) &&
  isAtMost(token.callsPerMinute, maker.callsPerMinute) &&
  isAtMost(token.expiresAt, maker.expiresAt) &&
  stricter(maker.confirmation, token.confirmation) === token.confirmation &&
  (maker.memberId === null || token.memberId === maker.memberId)
