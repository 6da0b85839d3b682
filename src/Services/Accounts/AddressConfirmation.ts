import { createHmac, timingSafeEqual } from "node:crypto"
import { Option, Schema } from "effect"
import * as Task from "../Jobs/Task.ts"
import { say } from "../Messages/Messages.ts"
import type { Language } from "../Text/Language.ts"
import { mailedName } from "../Text/MailedName.ts"
import { AccountId } from "./Ids.ts"

export const NotificationAddressId = Schema.Int.pipe(Schema.brand("NotificationAddressId"))
export type NotificationAddressId = typeof NotificationAddressId.Type

/** Sends the mail by which whoever reads an address says that notices may go there. */
export const confirmNotificationAddress = Task.make("confirm_notification_address", {
  sends: "email",
  payload: Schema.Struct({ accountId: AccountId, addressId: NotificationAddressId }),
  maxAttempts: 10
})

/** The same for an address that is in no list: the account's own, and the one that notices of prospecting go to. */
export const confirmOwnAddress = Task.make("confirm_own_address", {
  sends: "email",
  payload: Schema.Struct({ accountId: AccountId, address: Schema.String }),
  maxAttempts: 10
})

const signOwn = (key: Uint8Array, accountId: AccountId, address: string): Buffer =>
  createHmac("sha256", key).update(`own-address:${accountId}:${address}`).digest().subarray(0, 16)

/** No address of the list has this number: the signature says which address is meant. */
const unlisted = NotificationAddressId.make(0)

export const ownConfirmationToken = (key: Uint8Array, accountId: AccountId, address: string): string =>
  `${accountId.toString(36)}-${unlisted.toString(36)}-${signOwn(key, accountId, address).toString("base64url")}`

const sign = (key: Uint8Array, accountId: AccountId, addressId: NotificationAddressId): Buffer =>
  createHmac("sha256", key).update(`notification-address:${accountId}:${addressId}`).digest().subarray(0, 16)

/** The part of a link that names the address and proves that the platform made it; `key` is the account's mail key. */
export const confirmationToken = (key: Uint8Array, accountId: AccountId, addressId: NotificationAddressId): string =>
  `${accountId.toString(36)}-${addressId.toString(36)}-${sign(key, accountId, addressId).toString("base64url")}`

const shape = /^([0-9a-z]{1,10})-([0-9a-z]{1,10})-([A-Za-z0-9_-]{22})$/

export interface ConfirmationClaim {
  readonly accountId: AccountId
  readonly addressId: NotificationAddressId
  /** Whether the account of this key made it. */
  readonly holds: (key: Uint8Array) => boolean
  /** Whether it confirms this address, which is in no list. */
  readonly confirms: (key: Uint8Array, address: string) => boolean
}

/** Reads the claim in a token. Nothing is proven before `holds`. */
export const readConfirmation = (token: string): Option.Option<ConfirmationClaim> => {
  const [, account, address, signature] = shape.exec(token) ?? []
  if (account === undefined || address === undefined || signature === undefined) return Option.none()
  const accountId = AccountId.make(Number.parseInt(account, 36))
  const addressId = NotificationAddressId.make(Number.parseInt(address, 36))
  const given = Buffer.from(signature, "base64url")
  return Option.some({
    accountId,
    addressId,
    holds: (key) => {
      const right = sign(key, accountId, addressId)
      return given.length === right.length && timingSafeEqual(given, right)
    },
    confirms: (key, address) => {
      const right = signOwn(key, accountId, address)
      return addressId === unlisted && given.length === right.length && timingSafeEqual(given, right)
    }
  })
}

export const confirmationMail = (language: Language, account: string, link: string) => ({
  subject: say(language, "address_confirmation.subject"),
  text: say(language, "address_confirmation.text", { account: mailedName(account), link })
})
