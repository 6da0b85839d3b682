import { Either } from "effect"
import { type Refused, refused } from "../../Errors.ts"
import { isReservedHandle } from "../Accounts/Handle.ts"
import { normaliseEmail } from "../Text/ContactDetails.ts"

const shortestLabel = 3
const longestLabel = 40

/** Labels that the platform's zone uses, or with which an account could impersonate the platform. */
const reservedLabels: ReadonlySet<string> = new Set([
  "app",
  "autoconfig",
  "autodiscover",
  "bounces",
  "console",
  "dkim",
  "dmarc",
  "ftp",
  "gateway",
  "imap",
  "mta-sts",
  "mx",
  "ns",
  "pop",
  "sandbox",
  "smtp",
  "spf",
  "status",
  "webmail"
])

const isReservedLabel = (label: string): boolean =>
  reservedLabels.has(label) || isReservedHandle(label) || /^(?:mx|ns|smtp|imap|mail)-?\d+$/.test(label)

/** The requested label under the platform's mail domain: letters and digits, with hyphens between them. */
export const subdomainLabelOf = (text: string): Either.Either<string, Refused> => {
  const label = text.trim().toLowerCase()
  if (!/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(label) || label.length < shortestLabel || label.length > longestLabel) {
    return Either.left(
      refused(
        "subdomain_invalid",
        "The subdomain is not a name of letters, digits and hyphens.",
        `Send ${shortestLabel} to ${longestLabel} letters, digits and hyphens between them: the name alone, without the platform's domain.`,
        { parameter: "subdomain" }
      )
    )
  }
  // Two hyphens at this position mark encoded names, which may look like other names.
  if (label.slice(2, 4) === "--" || isReservedLabel(label)) {
    return Either.left(
      refused("subdomain_reserved", `The subdomain ${label} is reserved.`, "Choose another.", {
        parameter: "subdomain",
        subdomain: label
      })
    )
  }
  return Either.right(label)
}

/** Public mail providers: no account can publish DNS records for their domains. */
const publicMailDomains: ReadonlySet<string> = new Set([
  "aol.com",
  "bol.com.br",
  "gmail.com",
  "gmx.com",
  "googlemail.com",
  "hotmail.com",
  "hotmail.com.br",
  "icloud.com",
  "live.com",
  "mail.com",
  "me.com",
  "msn.com",
  "outlook.com",
  "outlook.com.br",
  "proton.me",
  "protonmail.com",
  "terra.com.br",
  "uol.com.br",
  "yahoo.com",
  "yahoo.com.br",
  "ymail.com",
  "zoho.com"
])

const publicMailNames = new Set([...publicMailDomains].map((domain) => domain.split(".", 1)[0] ?? ""))

/** Includes the provider's domains in other countries, such as `hotmail.es` and `yahoo.co.uk`. */
export const isPublicMailDomain = (domain: string): boolean => publicMailNames.has(domain.split(".", 1)[0] ?? "")

export interface CustomAddress {
  readonly address: string
  readonly domain: string
}

/** The sender address of a custom domain, or why it cannot be used. */
export const customAddressOf = (text: string, mailDomain: string): Either.Either<CustomAddress, Refused> =>
  Either.flatMap(
    Either.mapLeft(normaliseEmail(text), ({ message, reason }) =>
      refused(reason, message, "Send the whole address that mail is to come from, such as sales@company.com.", {
        parameter: "email_address"
      })
    ),
    (address) => {
      const domain = address.slice(address.lastIndexOf("@") + 1)
      if (publicMailDomains.has(domain)) {
        return Either.left(
          refused(
            "public_mail_domain",
            `${domain} is a public mail service, whose DNS only its owner can change.`,
            "Send an address of a domain of your own.",
            { parameter: "email_address" }
          )
        )
      }
      return domain === mailDomain || domain.endsWith(`.${mailDomain}`)
        ? Either.left(
            refused(
              "platform_domain",
              "The address is in the platform's own mail domain.",
              "Use setup_email_subdomain for a name in it.",
              { parameter: "email_address" }
            )
          )
        : Either.right({ address, domain })
    }
  )

/** How many messages a new domain may send on each day after its verification. After these days, there is no limit. */
const rampUp = [20, 40, 80, 150, 300, 600, 1200, 2500, 5000] as const

/** The limit of a day (0 is the first). Null without a limit. */
export const dailyLimit = (day: number): number | null => (day < 0 ? rampUp[0] : (rampUp[day] ?? null))

/** The delivery results of a domain's mail in the last week. */
export interface Reputation {
  readonly sent: number
  readonly bounced: number
  readonly complained: number
}

/** With fewer messages, a rate means nothing. */
const fewestSent = 20
const mostBounced = 0.05
const mostComplained = 0.003

export type BrakeReason = "bounces" | "complaints"

/** Why a domain's mail must stop. Undefined if it may continue. */
export const pauseReasonOf = ({ bounced, complained, sent }: Reputation): BrakeReason | undefined => {
  if (sent < fewestSent) return undefined
  // One complaint in a few hundred messages is not a pattern.
  if (complained >= 2 && complained / sent > mostComplained) return "complaints"
  return bounced / sent > mostBounced ? "bounces" : undefined
}

/** Hours that mail of a paused domain waits. Then its warm-up starts again. */
export const brakeHours = 72
