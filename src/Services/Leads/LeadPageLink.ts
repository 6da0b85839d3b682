import { createHmac, timingSafeEqual } from "node:crypto"
import { Option } from "effect"
import { AccountId } from "../Accounts/Ids.ts"
import { LeadId } from "./Ids.ts"

/** How long the link of a notice shows its lead. Mail is forwarded and kept for years. */
export const leadPageDays = 14

export interface LeadPageOf {
  readonly accountId: AccountId
  readonly leadId: LeadId
  /** Unix milliseconds. */
  readonly expiresAt: number
}

/** The path of a lead's page before its token. Erasing the lead finds its notices by it. */
export const leadPagePath = (leadId: LeadId): string => `/lead/${leadId.toString(36)}-`

const sign = (key: Uint8Array, { accountId, expiresAt, leadId }: LeadPageOf): Buffer =>
  createHmac("sha256", key)
    .update(`lead-page:${accountId}:${leadId}:${Math.floor(expiresAt / 1000)}`)
    .digest()
    .subarray(0, 16)

/** The rest of the address. `key` is the account's mail key. */
export const leadPageToken = (key: Uint8Array, page: LeadPageOf): string =>
  `${page.accountId.toString(36)}-${Math.floor(page.expiresAt / 1000).toString(36)}-${sign(key, page).toString("base64url")}`

const shape = /^([0-9a-z]{1,10})-([0-9a-z]{1,10})-([0-9a-z]{1,10})-([A-Za-z0-9_-]{22})$/

export interface LeadPageClaim extends LeadPageOf {
  /** Whether the account of this key made it. */
  readonly holds: (key: Uint8Array) => boolean
}

/** What a token says it is. Nothing is proven before `holds`. */
export const readLeadPage = (token: string): Option.Option<LeadPageClaim> => {
  const [, lead, account, seconds, signature] = shape.exec(token) ?? []
  if (lead === undefined || account === undefined || seconds === undefined || signature === undefined)
    return Option.none()
  const page = {
    leadId: LeadId.make(Number.parseInt(lead, 36)),
    accountId: AccountId.make(Number.parseInt(account, 36)),
    expiresAt: Number.parseInt(seconds, 36) * 1000
  }
  const receivedSignature = Buffer.from(signature, "base64url")
  return Option.some({
    ...page,
    holds: (key) => {
      const right = sign(key, page)
      return receivedSignature.length === right.length && timingSafeEqual(receivedSignature, right)
    }
  })
}
