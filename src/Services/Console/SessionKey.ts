import { hash } from "node:crypto"
import { AccountId } from "../Accounts/Ids.ts"

/**
 * The session key, as stored in the cookie: the key of the test account (if any), the account id, which locates the
 * account's node, and 256 random bits.
 */
const shape = /^(?:([0-9a-z]{10})\.)?([0-9a-z]{1,10})\.[A-Za-z0-9_-]{43}$/

/** `testKey` is undefined in the gateway for live accounts. */
export const makeSessionKey = (
  accountId: AccountId,
  testKey: string | undefined,
  randomBytes: (count: number) => Buffer
): string => {
  const key = `${accountId.toString(36)}.${randomBytes(32).toString("base64url")}`
  return testKey === undefined ? key : `${testKey}.${key}`
}

/** The account that a session key claims to belong to. Undefined if the text is not a session key. */
export const accountOfKey = (key: string): AccountId | undefined => {
  const account = shape.exec(key)?.[2]
  return account === undefined ? undefined : AccountId.make(Number.parseInt(account, 36))
}

/** The test account's key that a session key claims. Undefined for a live account. */
export const testKeyOfSession = (key: string): string | undefined => shape.exec(key)?.[1]

/** The digest of a session key, which is stored instead of it. */
export const keyDigest = (key: string): Buffer => hash("sha256", key, "buffer")

/** Browsers accept a cookie of this name only if it is `Secure`. */
const cookieName = "__Secure-console"

export const sessionCookie = (key: string, maximumSeconds: number): string =>
  `${cookieName}=${key}; Path=/console; Secure; HttpOnly; SameSite=Strict; Max-Age=${maximumSeconds}`

/** Removes the cookie from the browser. */
export const noSessionCookie = sessionCookie("", 0)

/** The session key in a `Cookie` header. If the header has several cookies with this name, none is accepted. */
export const sessionKeyIn = (header: string | undefined): string | undefined => {
  const values = (header ?? "").split(";").flatMap((pair) => {
    const equals = pair.indexOf("=")
    return equals > 0 && pair.slice(0, equals).trim() === cookieName ? [pair.slice(equals + 1).trim()] : []
  })
  const [key, ...others] = values
  return others.length === 0 && key !== undefined && accountOfKey(key) !== undefined ? key : undefined
}
