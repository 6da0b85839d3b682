import { createHmac, timingSafeEqual } from "node:crypto"
import { Option } from "effect"
import { AccountId } from "../Accounts/Ids.ts"
import { LeadId } from "../Leads/Ids.ts"

/** An account's secret for signing addresses and links: 32 bytes. */
export type MailKey = Uint8Array

/** Replies and bounces of a message go to different addresses. */
export type TagKind = "reply" | "bounce"

const letterOf: { readonly [K in TagKind]: string } = { reply: "r", bounce: "b" }

const sign = (key: MailKey, purpose: string, length: number): Buffer =>
  createHmac("sha256", key).update(purpose).digest().subarray(0, length)

const same = (one: Uint8Array, other: Uint8Array): boolean => one.length === other.length && timingSafeEqual(one, other)

// Hexadecimal, because some servers convert addresses to lower case.
const tagShape = /^([rb])([0-9a-f]{1,12})-([0-9a-f]{16})$/

const signTag = (key: MailKey, kind: TagKind, emailMessageId: number): Buffer =>
  sign(key, `tag:${kind}:${emailMessageId}`, 8)

/** An address of the account that identifies a message: `handle+tag@domain`. */
export const taggedAddress = (
  account: { readonly handle: string; readonly mailKey: MailKey; readonly domain: string },
  kind: TagKind,
  emailMessageId: number
): string => {
  const signature = signTag(account.mailKey, kind, emailMessageId).toString("hex")
  return `${account.handle}+${letterOf[kind]}${emailMessageId.toString(16)}-${signature}@${account.domain}`
}

export interface LocalAddress {
  readonly handle: string
  /** The text after the plus sign, or empty. */
  readonly tag: string
}

/** Splits an address at `domain`. None for an address at another domain. */
export const localAddress = (address: string, domain: string): Option.Option<LocalAddress> => {
  const at = address.lastIndexOf("@")
  if (at < 1 || address.slice(at + 1).toLowerCase() !== domain.toLowerCase()) return Option.none()
  const local = address.slice(0, at).toLowerCase()
  const plus = local.indexOf("+")
  return Option.some(
    plus < 0 ? { handle: local, tag: "" } : { handle: local.slice(0, plus), tag: local.slice(plus + 1) }
  )
}

/** The message of a tag that was made with the account's key. None for any other tag. */
export const readTag = (
  key: MailKey,
  tag: string
): Option.Option<{ readonly kind: TagKind; readonly emailMessageId: number }> => {
  const [, letter, id, signature] = tagShape.exec(tag) ?? []
  if (id === undefined || signature === undefined) return Option.none()
  const kind: TagKind = letter === letterOf.reply ? "reply" : "bounce"
  const emailMessageId = Number.parseInt(id, 16)
  return same(Buffer.from(signature, "hex"), signTag(key, kind, emailMessageId))
    ? Option.some({ kind, emailMessageId })
    : Option.none()
}

/** The lead of an unsubscribe link: only ids, no personal data. */
export interface Subscription {
  readonly accountId: AccountId
  readonly leadId: LeadId
}

const idBytes = 7
const signatureBytes = 16
const tokenShape = /^[A-Za-z0-9_-]{40}$/

const idsOf = ({ accountId, leadId }: Subscription): Buffer => {
  const ids = Buffer.alloc(2 * idBytes)
  for (const [offset, id] of [accountId, leadId].entries()) {
    ids.writeUInt8(Math.floor(id / 2 ** 48), offset * idBytes)
    ids.writeUIntBE(id % 2 ** 48, offset * idBytes + 1, 6)
  }
  return ids
}

const readId = (bytes: Buffer, offset: number): number =>
  bytes.readUInt8(offset) * 2 ** 48 + bytes.readUIntBE(offset + 1, 6)

const signSubscription = (key: MailKey, ids: Buffer): Buffer =>
  sign(key, `unsubscribe:${ids.toString("hex")}`, signatureBytes)

/** The token of the unsubscribe link in every message to the lead. */
export const unsubscribeToken = (key: MailKey, subscription: Subscription): string => {
  const ids = idsOf(subscription)
  return Buffer.concat([ids, signSubscription(key, ids)]).toString("base64url")
}

/** The content of a token. It is only proven once `isGenuine` accepts it with the account's key. */
export const claimedSubscription = (
  token: string
): Option.Option<{ readonly subscription: Subscription; readonly isGenuine: (key: MailKey) => boolean }> => {
  if (!tokenShape.test(token)) return Option.none()
  const bytes = Buffer.from(token, "base64url")
  const ids = bytes.subarray(0, 2 * idBytes)
  const [accountId, leadId] = [readId(ids, 0), readId(ids, idBytes)]
  if (!Number.isSafeInteger(accountId) || !Number.isSafeInteger(leadId)) return Option.none()
  return Option.some({
    subscription: { accountId: AccountId.make(accountId), leadId: LeadId.make(leadId) },
    isGenuine: (key: MailKey) => same(bytes.subarray(2 * idBytes), signSubscription(key, ids))
  })
}
