import { Either } from "effect"
import { type Refused, refused } from "../../Errors.ts"
import { fold } from "../Text/PlainText.ts"

export const shortestName = 3
export const longestName = 63

/** Days for which a released name redirects to the site's new one and stays reserved. */
export const daysKeptBack = 90

/** Names that visitors or programs take for the platform's own. */
const reserved: ReadonlySet<string> = new Set(
  (
    "about abuse access account accounts admin administrator api apis app apps archive assets auth autoconfig autodiscover " +
    "backend beta billing blog bot bots broadcasthost cdn chat checkout client clients cloud cms code config connect console " +
    "contact cpanel css dashboard data database default demo dev developer developers dns docs domain domains download " +
    "downloads editor email embed error errors example feedback file files forum ftp gateway git graphql guest health help " +
    "home host hosting hostmaster hosts http https image images imap img info internal invoice invoices isatap jobs js kb " +
    "legal link links live local localdomain localhost log login logout logs mail mailer manage manager media member members " +
    "metrics mobile monitor mx mysql net network news newsletter noc noreply notify null oauth official openid operator ops " +
    "org panel partner partners pay payment payments phpmyadmin platform pop pop3 portal postgres postmaster preview privacy " +
    "private prod production profile proxy public register registry relay report reports robots root rss sales sample sandbox " +
    "search secure security server service services session settings setup share shop signin signup site sitemap sites smtp " +
    "sql ssh ssl sso staff stage staging static stats status store sudo suporte support suspended sys sysadmin system team " +
    "terms test testing tests tls token tokens tools tracking undefined unsubscribe update updates upload uploads usenet user " +
    "users uucp verify video videos vpn webdisk webhook webhooks webmail webmaster website websites welcome whois widget wiki " +
    "world wpad www xml"
  ).split(" ")
)

/** In addition to the reserved words: `ns1`, `mx2`, `www3` and similar names. */
const isServers = (name: string): boolean => /^(?:ns|mx|dns|www|ftp|smtp|mail|web|cdn|api)\d{1,3}$/.test(name)

export const isReservedName = (name: string): boolean => reserved.has(name) || isServers(name)

const unacceptable = (error: string, detail: string, name: string) =>
  Either.left(refused("name_not_accepted", error, detail, { new_subdomain: name.slice(0, 100) }))

/** The requested name in lower case. Refused if no site can have it. */
export const checkedName = (wish: string): Either.Either<string, Refused> => {
  const name = wish.trim().toLowerCase()
  if (name.length < shortestName || name.length > longestName) {
    return unacceptable(
      `A name has ${shortestName} to ${longestName} characters.`,
      "Send the part before the site domain, for example padaria-aurora.",
      name
    )
  }
  if (!/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(name)) {
    return unacceptable(
      "A name has letters without accents, digits and hyphens, and begins and ends with none of the latter.",
      "Send the part before the site domain alone, for example padaria-aurora.",
      name
    )
  }
  if (name.slice(2, 4) === "--") {
    return unacceptable(
      "The third and fourth character of a name are not both hyphens: such names stand for other letters.",
      "Use one hyphen between words.",
      name
    )
  }
  if (isReservedName(name)) {
    return Either.left(
      refused("name_reserved", `The name ${name} is kept for the platform.`, "Choose another name.", {
        new_subdomain: name
      })
    )
  }
  return Either.right(name)
}

const longestMade = 40

/** A name made of a business's or a title's words; `site-1` where they have no letter that a name can have. */
export const nameOf = (words: string): string => {
  const parts = fold(words.slice(0, 400)).match(/[a-z0-9]+/g) ?? []
  const joined = (all: ReadonlyArray<string>): string => all.join("-").slice(0, longestMade).replace(/-$/, "")
  const plain = joined(parts)
  return Either.isRight(checkedName(plain)) ? plain : joined(["site", ...(parts.length === 0 ? ["1"] : parts)])
}
