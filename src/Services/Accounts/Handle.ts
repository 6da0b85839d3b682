import { Either } from "effect"
import { type Refused, refused } from "../../Errors.ts"

/** The part of the account's platform address before the @. */
export const longestHandle = 20
const shortestHandle = 3

/** Days that a released handle stays reserved, so that no other account receives its previous owner's mail. */
export const handleKeptBackDays = 90

/** Names that mail standards, the platform or its operator need, and that would let an account pass as one of them. */
const reserved: ReadonlySet<string> = new Set([
  "abuse",
  "account",
  "accounts",
  "admin",
  "administrator",
  "api",
  "billing",
  "bounce",
  "bounces",
  "contact",
  "daemon",
  "finance",
  "help",
  "hostmaster",
  "info",
  "legal",
  "mail",
  "mailer",
  "mailerdaemon",
  "marketing",
  "news",
  "noc",
  "noreply",
  "notifications",
  "nobody",
  "operator",
  "owner",
  "platform",
  "postmaster",
  "privacy",
  "reply",
  "root",
  "sales",
  "security",
  "spam",
  "staff",
  "support",
  "system",
  "team",
  "unsubscribe",
  "webmaster",
  "www"
])

export const isReservedHandle = (handle: string): boolean => reserved.has(handle.replace(/[._-]/g, ""))

/**
 * What stays of a text when it becomes a handle: lower case, accents gone, only `a-z`, `0-9`, and single dots, hyphens
 * and underscores between them. Not shortened.
 */
export const strippedHandle = (text: string): string =>
  text
    .slice(0, 400)
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll("ø", "o")
    .replaceAll("æ", "ae")
    .replaceAll("ł", "l")
    .replace(/[^a-z0-9._-]/g, "")
    .replace(/[._-]{2,}/g, (marks) => marks[0] ?? "")
    .replace(/^[._-]|[._-]$/g, "")

/** The handle that a text asks for, or why it cannot be one. */
export const handleOf = (text: string): Either.Either<string, Refused> => {
  const handle = strippedHandle(text)
  if (handle.length < shortestHandle) {
    return Either.left(
      refused(
        "handle_too_short",
        "Too little of the handle is left once accents, spaces and invalid characters are taken out.",
        `Send ${shortestHandle} to ${longestHandle} letters or digits; dots, hyphens and underscores may stand between them.`,
        { parameter: "handle", handle }
      )
    )
  }
  if (handle.length > longestHandle) {
    return Either.left(
      refused(
        "handle_too_long",
        `The handle is longer than ${longestHandle} characters.`,
        `Send at most ${longestHandle} characters.`,
        { parameter: "handle", handle: handle.slice(0, 40) }
      )
    )
  }
  return isReservedHandle(handle)
    ? Either.left(
        refused("handle_reserved", `The handle ${handle} is reserved.`, "Choose another handle.", {
          parameter: "handle",
          handle
        })
      )
    : Either.right(handle)
}

/** Where a new account's handle begins; a number follows where it is taken. */
export const handleOfName = (name: string): string => {
  const start = strippedHandle(name).replace(/[._-]/g, "").slice(0, 14)
  return start === "" || isReservedHandle(start) ? "account" : start
}
