import { createHash } from "node:crypto"

const withoutDots = new Set(["gmail.com", "googlemail.com"])

/** An address as the platform compares it: its mailboxes are the same with and without dots. */
export const normalisedMember = (email: string): string => {
  const text = email.trim().toLowerCase()
  const at = text.lastIndexOf("@")
  const domain = text.slice(at + 1)
  return withoutDots.has(domain) ? `${text.slice(0, at).replaceAll(".", "")}@${domain}` : text
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex")

export const hashedMember = (email: string): string => hashOf(normalisedMember(email))

/** The platform compares numbers with a plus sign, the country code and digits. Others are not sent. */
export const hashedPhone = (phone: string): string | undefined => {
  const number = phone.trim()
  return /^\+\d{8,15}$/.test(number) ? hashOf(number) : undefined
}

/** How the platform recognises a person: by the hashes of an address and of a phone number, at least one of them. */
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
