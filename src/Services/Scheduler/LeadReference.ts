import { createHmac, timingSafeEqual } from "node:crypto"
import type { AccountId } from "../Accounts/Ids.ts"
import { LeadId } from "../Leads/Ids.ts"

const sign = (key: Uint8Array, accountId: AccountId, leadId: LeadId): Buffer =>
  createHmac("sha256", key).update(`booking:${accountId}:${leadId}`).digest().subarray(0, 12)

/**
 * Creates a signed reference to the lead for its booking link. The scheduler returns it with the booking, and it cannot
 * be forged for another lead.
 */
export const leadReference = (key: Uint8Array, accountId: AccountId, leadId: LeadId): string =>
  `${leadId.toString(36)}-${sign(key, accountId, leadId).toString("base64url")}`

const shape = /^([0-9a-z]{1,10})-([A-Za-z0-9_-]{16})$/

/** The lead of a reference. Undefined if it was not made with the account's key. */
export const leadOfReference = (key: Uint8Array, accountId: AccountId, reference: string): LeadId | undefined => {
  const [, id, signature] = shape.exec(reference) ?? []
  if (id === undefined || signature === undefined) return undefined
  const number = Number.parseInt(id, 36)
  if (!Number.isSafeInteger(number)) return undefined
  const leadId = LeadId.make(number)
  const signatureBytes = Buffer.from(signature, "base64url")
  const right = sign(key, accountId, leadId)
  return signatureBytes.length === right.length && timingSafeEqual(signatureBytes, right) ? leadId : undefined
}
