import { createHash } from "node:crypto"

const withoutDots = new Set(["gmail.com", "googlemail.com"])

/** An address as the platform compares it. For its own mailboxes, dots are ignored. */
export const normalisedMember = (email: string): string => {
  const text = email.trim().toLowerCase()
  const at = text.lastIndexOf("@")
  const domain = text.slice(at + 1)
  return withoutDots.has(domain) ? `${text.slice(0, at).replaceAll(".", "")}@${domain}` : text
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex")

export const hashedMember = (email: string): string => hashOf(normalisedMember(email))

/**
 * Hashes a number in the form that the platform compares: a plus sign, country code and digits. Undefined for a number
 * without a country code, which is not sent.
 */
export const hashedPhone = (phone: string): string | undefined => {
  const number = phone.trim()
  return /^\+\d{8,15}$/.test(number) ? hashOf(number) : undefined
}

/** Identifies a person at the platform by hashes of an e-mail address, a phone number, or both. */
export interface HashedPerson {
  readonly email: string | undefined
  readonly phone: string | undefined
}

export const hashedPerson = (email: string | null, phone: string | null): HashedPerson => ({
  email: email === null ? undefined : hashedMember(email),
  phone: phone === null ? undefined : hashedPhone(phone)
})

export const hashesOf = ({ email, phone }: HashedPerson): ReadonlyArray<string> =>
  [email, phone].filter((hash) => hash !== undefined)
