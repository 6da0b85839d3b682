import { fold } from "../../../Text/PlainText.ts"
import type { ApplicationType } from "../../Ids.ts"
import { nameIn } from "./MaterialNames.ts"

/** The words of a name that distinguish a business from others. */
const wordsOf = (text: string): ReadonlyArray<string> =>
  (fold(text.slice(0, 10_000)).match(/[a-z0-9]+/g) ?? []).filter((word) => word.length >= 3)

/** The request for a site. */
export interface AskedSite {
  readonly type: ApplicationType
  readonly description: string
  readonly businessName: string | null
  /** The owner's wishes for this request, and those that apply to every request. */
  readonly wishes: string
}

/**
 * Returns the name of the business if the site is for another business than the account's. Then the account's knowledge
 * is not used. A capture page always belongs to the account's own business.
 */
export const otherBusiness = (
  { businessName, description, type, wishes }: AskedSite,
  accountsName: string | null
): string | undefined => {
  const name = businessName ?? nameIn(description.slice(0, 2000))
  if (type === "LeadCapturePage" || name === undefined || accountsName === null) return undefined
  const own = wordsOf(accountsName)
  const said = new Set(wordsOf([businessName ?? "", description, wishes].join(" ")))
  return own.length === 0 || own.some((word) => said.has(word)) ? undefined : name
}
