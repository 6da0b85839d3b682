import { randomInt } from "node:crypto"
import { Effect, Option, Redacted } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import type { WebsiteId } from "../../Services/Websites/Ids.ts"
import { Sealing } from "../Platform/Sealing.ts"

/** Letters and digits that cannot be mistaken for one another. */
const alphabet = "abcdefghjkmnpqrstuvwxyz23456789"

const part = () => Array.from({ length: 4 }, () => alphabet.charAt(randomInt(alphabet.length))).join("")

/**
 * Makes the codes that open restricted sites. They are stored encrypted rather than hashed, since the owner can read
 * them again.
 */
export const makeAccessCodes = Effect.map(Sealing, (sealing) => {
  const ownerOf = (accountId: AccountId, id: WebsiteId) => `website ${accountId} ${id}`
  return {
    /** Makes a code of twelve characters in three parts. */
    make: (accountId: AccountId, id: WebsiteId): Uint8Array =>
      sealing.seal(Redacted.make(`${part()}-${part()}-${part()}`), ownerOf(accountId, id)),
    /** Decrypts a code. None if its key no longer exists. */
    open: (accountId: AccountId, id: WebsiteId, sealed: Uint8Array | null): Option.Option<string> =>
      sealed === null ? Option.none() : Option.map(sealing.open(sealed, ownerOf(accountId, id)), Redacted.value)
  }
})
