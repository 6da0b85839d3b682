import { createHash, createHmac, timingSafeEqual } from "node:crypto"
import { Context, type Effect, Option } from "effect"
import { type Refused, refused, type Transient } from "../../Errors.ts"
import { AccountId } from "../Accounts/Ids.ts"

/** Mails per day (UTC), from all accounts, to an address that has not confirmed that it expects them. */
export const mostToStranger = 10
/** Mails of one account per day (UTC) to such addresses. */
export const mostOfAccount = 50

export type StrangerMailLimit = "recipient" | "account" | "same_text"

const problems: { readonly [L in StrangerMailLimit]: string } = {
  recipient: `This address has received ${mostToStranger} mails today, and has confirmed none of them.`,
  account: `This account has written ${mostOfAccount} mails today to addresses that have not confirmed.`,
  same_text: "This address received the same mail today."
}

/** The refusal of a mail to an unconfirmed address. */
export const tooManyMails = (limit: StrangerMailLimit): Refused =>
  refused(
    "too_many_mails",
    problems[limit],
    "Try again tomorrow (UTC), or ask the person to open the link of an earlier mail.",
    { limit }
  )

/** A hash of the mail without its links, which differ each time. */
export const mailDigest = (subject: string, text: string): Buffer =>
  createHash("sha256")
    .update(`${subject}\n${text.replace(/https?:\/\/\S+/g, "")}`)
    .digest()

const gmailDomains = new Set(["gmail.com", "googlemail.com"])

/**
 * The mailbox of an address: without the part after a plus sign and, at Gmail, without dots. Otherwise one person could
 * be written to under any number of addresses. `mailboxIn` does the same in SQL.
 */
const mailboxOf = (address: string): string => {
  const [, local = "", domain = ""] = /^([^+@]+)(?:\+[^@]*)?@([^@]+)$/.exec(address.trim().toLowerCase()) ?? []
  if (local === "") return address.trim().toLowerCase()
  return gmailDomains.has(domain) ? `${local.replaceAll(".", "")}@gmail.com` : `${local}@${domain}`
}

/** A digest is stored instead of the address, so that people who want no mail need not leave their address. */
export const addressDigest = (address: string): Buffer => createHash("sha256").update(mailboxOf(address)).digest()

const sign = (key: Uint8Array, accountId: AccountId, digest: Buffer): Buffer =>
  createHmac("sha256", key)
    .update(`stop-mails:${accountId}:${digest.toString("hex")}`)
    .digest()
    .subarray(0, 16)

/** The token of a link that stops all such mail to an address. `key` is the account's mail key. */
export const stopToken = (key: Uint8Array, accountId: AccountId, address: string): string => {
  const digest = addressDigest(address)
  return `${accountId.toString(36)}-${Buffer.concat([digest, sign(key, accountId, digest)]).toString("hex")}`
}

const shape = /^([0-9a-z]{1,10})-([0-9a-f]{64})([0-9a-f]{32})$/

export interface StopClaim {
  readonly accountId: AccountId
  readonly digest: Buffer
  /** Whether the token was made with this account's key. */
  readonly holds: (key: Uint8Array) => boolean
}

/** The content of a link's token. It is unproven until `holds` accepts it. */
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

/** Mail of the platform to people who have not confirmed that they expect it. */
export class StrangerMails extends Context.Tag("StrangerMails")<
  StrangerMails,
  {
    /**
     * Counts mails in the caller's transaction. Mails to confirmed addresses, or to ones that stopped such mail, do not
     * count. `text` is the result of `mailDigest`, if known. A mail that a visitor requested does not count against the
     * account.
     */
    readonly reserve: (
      accountId: AccountId,
      mails: ReadonlyArray<{ readonly to: string; readonly text?: Uint8Array }>,
      options?: { readonly isAskedFor: boolean }
    ) => Effect.Effect<void, Refused | Transient>
    /** Stops all such mail to the address of a link; false if the token is invalid. */
    readonly stop: (token: string) => Effect.Effect<boolean, Transient>
    /** Cancels a stop; false if there was none. */
    readonly allow: (address: string) => Effect.Effect<boolean, Transient>
    /** Deletes counts from before yesterday. */
    readonly forget: Effect.Effect<void, Transient>
  }
>() {}
