import { createHash, createHmac, timingSafeEqual } from "node:crypto"
import { Context, type Effect, Option } from "effect"
import { type Refused, refused, type Transient } from "../../Errors.ts"
import { AccountId } from "../Accounts/Ids.ts"

/** Mails in a day (UTC), from all accounts, to an address that did not confirm that it expects them. */
export const mostToStranger = 10
/** Mails of one account in a day (UTC) to such addresses. */
export const mostOfAccount = 50

export type StrangerMailLimit = "recipient" | "account" | "same_text"

const problems: { readonly [L in StrangerMailLimit]: string } = {
  recipient: `This address has received ${mostToStranger} mails today, and has confirmed none of them.`,
  account: `This account has written ${mostOfAccount} mails today to addresses that have not confirmed.`,
  same_text: "This address received the same mail today."
}

/** Why a mail to an address that has not confirmed is not queued. */
export const tooManyMails = (limit: StrangerMailLimit): Refused =>
  refused(
    "too_many_mails",
    problems[limit],
    "Try again tomorrow (UTC), or ask the person to open the link of an earlier mail.",
    { limit }
  )

/** What a mail says, but for its links, which differ each time. */
export const mailDigest = (subject: string, text: string): Buffer =>
  createHash("sha256")
    .update(`${subject}\n${text.replace(/https?:\/\/\S+/g, "")}`)
    .digest()

const gmailDomains = new Set(["gmail.com", "googlemail.com"])

/**
 * The mailbox of an address: what follows a plus sign leads to the same reader, as do dots at Gmail. Otherwise one person
 * has endless addresses to be written to. `mailboxIn` is the same in SQL.
 */
const mailboxOf = (address: string): string => {
  const [, local = "", domain = ""] = /^([^+@]+)(?:\+[^@]*)?@([^@]+)$/.exec(address.trim().toLowerCase()) ?? []
  if (local === "") return address.trim().toLowerCase()
  return gmailDomains.has(domain) ? `${local.replaceAll(".", "")}@gmail.com` : `${local}@${domain}`
}

/** How an address is stored: people who want no mail should not have to leave their address for that. */
export const addressDigest = (address: string): Buffer => createHash("sha256").update(mailboxOf(address)).digest()

const sign = (key: Uint8Array, accountId: AccountId, digest: Buffer): Buffer =>
  createHmac("sha256", key)
    .update(`stop-mails:${accountId}:${digest.toString("hex")}`)
    .digest()
    .subarray(0, 16)

/** The part of a link by which the reader of an address stops all such mail; `key` is the account's mail key. */
export const stopToken = (key: Uint8Array, accountId: AccountId, address: string): string => {
  const digest = addressDigest(address)
  return `${accountId.toString(36)}-${Buffer.concat([digest, sign(key, accountId, digest)]).toString("hex")}`
}

const shape = /^([0-9a-z]{1,10})-([0-9a-f]{64})([0-9a-f]{32})$/

export interface StopClaim {
  readonly accountId: AccountId
  readonly digest: Buffer
  /** Whether the account of this key made it. */
  readonly holds: (key: Uint8Array) => boolean
}

/** What a link's token says it is. Nothing is proven before `holds`. */
export const readStop = (token: string): Option.Option<StopClaim> => {
  const [, account, hex, signature] = shape.exec(token) ?? []
  if (account === undefined || hex === undefined || signature === undefined) return Option.none()
  const accountId = AccountId.make(Number.parseInt(account, 36))
  const digest = Buffer.from(hex, "hex")
  return Option.some({
    accountId,
    digest,
    holds: (key) => timingSafeEqual(Buffer.from(signature, "hex"), sign(key, accountId, digest))
  })
}

/** Mail of the platform to people who have not shown that they expect it. */
export class StrangerMails extends Context.Tag("StrangerMails")<
  StrangerMails,
  {
    /**
     * Counts mails, in the transaction of the caller. Those to addresses that have confirmed, or that want no mail, count
     * for nothing. `text` is what `mailDigest` makes, where it is known. A mail that a visitor asked for does not count
     * for the account.
     */
    readonly reserve: (
      accountId: AccountId,
      mails: ReadonlyArray<{ readonly to: string; readonly text?: Uint8Array }>,
      options?: { readonly isAskedFor: boolean }
    ) => Effect.Effect<void, Refused | Transient>
    /** Stops all such mail to the address of a link; false where the token is of no link. */
    readonly stop: (token: string) => Effect.Effect<boolean, Transient>
    /** Takes a stop back; false where there was none. */
    readonly allow: (address: string) => Effect.Effect<boolean, Transient>
    /** Forgets what was counted before yesterday. */
    readonly forget: Effect.Effect<void, Transient>
  }
>() {}
