import { parsePhoneNumberFromString } from "libphonenumber-js/min"
import { refused } from "../../Errors.ts"

/**
 * The account's country (ISO, two letters). The order is: the stored country, the owner's phone, the language's region.
 */
export const accountCountry = (account: {
  readonly country: string | null
  readonly phone: string | null
  readonly languageKey: string
}): string | undefined => {
  if (account.country !== null) return account.country.toUpperCase()
  const byPhone = account.phone === null ? undefined : parsePhoneNumberFromString(account.phone)?.country
  const region = /[-_]([A-Za-z]{2})$/.exec(account.languageKey)?.[1]
  return byPhone ?? region?.toUpperCase()
}

export const brazilianAccountsOnly = (country: string | undefined) =>
  refused(
    "brazilian_accounts_only",
    "This tool only covers Brazil, and the account is in another country.",
    "Describe the companies in words in the ideal customer profile, and filter by country_filter.",
    { account_country: country ?? null }
  )
