/** Domains that say nothing of a company. */
const publicMail =
  /^(?:gmail|googlemail|hotmail|outlook|live|msn|yahoo|ymail|icloud|me|aol|proton|protonmail|gmx|uol|bol|terra|ig|globo|zipmail|r7)\./

const companyDomain = (email: string | null): string | undefined => {
  const domain = email?.split("@")[1]
  return domain === undefined || publicMail.test(domain) ? undefined : domain
}

/** Whether two people's addresses are at one company. */
export const isColleague = (one: string | null, other: string | null): boolean =>
  companyDomain(one) !== undefined && companyDomain(one) === companyDomain(other)
