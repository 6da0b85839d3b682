import { Either } from "effect"
import { parsedUrl } from "../../Core/Outside/ParsedUrl.ts"
import { normaliseDomain } from "../ContactDetails.ts"

const maximumLength = 500

export const websiteProblems = ["too_long", "invalid_website"] as const

const invalid = Either.left({
  reason: "invalid_website",
  message: "This is not the address of a website, such as https://company.com."
} as const)

/**
 * The address of a website as it is stored: with its scheme, which may be left out in the input, and without a slash
 * after a bare host. Only http and https, no credentials, and a host name with a top-level domain.
 */
export const normaliseWebsite = (
  raw: string
): Either.Either<string, { readonly reason: (typeof websiteProblems)[number]; readonly message: string }> => {
  const text = raw.trim()
  if (text.length > maximumLength) {
    return Either.left({ reason: "too_long", message: `The address is longer than ${maximumLength} characters.` })
  }
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`
  const url = /\s/.test(text) ? undefined : parsedUrl(address)
  if (url === undefined) return invalid
  if (url.protocol !== "https:" && url.protocol !== "http:") return invalid
  if (url.username !== "" || url.password !== "" || Either.isLeft(normaliseDomain(url.hostname))) return invalid
  return Either.right(url.pathname === "/" && url.search === "" && url.hash === "" ? url.origin : url.href)
}
