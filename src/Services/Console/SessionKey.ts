import { hash } from "node:crypto"
import { AccountId } from "../Accounts/Ids.ts"

/**
 * The secret of a session, as the cookie has it: the key of the test account, if it is one's, the account, so that the look-up
 * goes to the account's node, and 256 random bits.
 */
const shape = /^(?:([0-9a-z]{10})\.)?([0-9a-z]{1,10})\.[A-Za-z0-9_-]{43}$/

/** `testKey` is undefined in the gateway of live accounts. */
export const makeSessionKey = (
  accountId: AccountId,
  testKey: string | undefined,
  randomBytes: (count: number) => Buffer
): string => {
  const key = `${accountId.toString(36)}.${randomBytes(32).toString("base64url")}`
  return testKey === undefined ? key : `${testKey}.${key}`
}

/** The account that a key claims to be of; undefined if the text is no key. */
export const accountOfKey = (key: string): AccountId | undefined => {
  const account = shape.exec(key)?.[2]
  return account === undefined ? undefined : AccountId.make(Number.parseInt(account, 36))
}

/** The key of the test account that a session claims to be of; undefined for one of a live account. */
export const testKeyOfSession = (key: string): string | undefined => shape.exec(key)?.[1]

/** What is stored of a key. */
export const keyDigest = (key: string): Buffer => hash("sha256", key, "buffer")

/** Browsers accept a cookie of this name only if it is `Secure`. */
const cookieName = "__Secure-console"

export const sessionCookie = (key: string, maximumSeconds: number): string =>
  `${cookieName}=${key}; Path=/console; Secure; HttpOnly; SameSite=Strict; Max-Age=${maximumSeconds}`

/** Removes the cookie from the browser. */
export const noSessionCookie = sessionCookie("", 0)

/** The session key in a `Cookie` header. A browser that has several cookies of the name gets none accepted. */
export const sessionKeyIn = (header: string | undefined): string | undefined => {
  const values = (header ?? "").split(";").flatMap((pair) => {
    const equals = pair.indexOf("=")
    return equals > 0 && pair.slice(0, equals).trim() === cookieName ? [pair.slice(equals + 1).trim()] : []
  })
  const [key, ...others] = values
  return others.length === 0 && key !== undefined && accountOfKey(key) !== undefined ? key : undefined
}
