import { createHash } from "node:crypto"

const withoutDots = new Set(["gmail.com", "googlemail.com"])

/** An address as the platform compares it: its mailboxes are the same with and without dots. */
export const normalisedMember = (email: string): string => {
  const text = email.trim().toLowerCase()
  const at = text.lastIndexOf("@")
  const domain = text.slice(at + 1)
  return withoutDots.has(domain) ? `${text.slice(0, at).replaceAll(".", "")}@${domain}` : text
}

export const hashedMember = (email: string): string =>
  createHash("sha256").update(normalisedMember(email)).digest("hex")
