import { fold } from "../../Text/PlainText.ts"
import type { ApplicationType } from "../Ids.ts"
import { nameIn } from "./MaterialNames.ts"

/** The words of a name that distinguish a business from others. */
const wordsOf = (text: string): ReadonlyArray<string> =>
  (fold(text.slice(0, 10_000)).match(/[a-z0-9]+/g) ?? []).filter((word) => word.length >= 3)

/** What a site is asked for with. */
export interface AskedSite {
  readonly type: ApplicationType
  readonly description: string
  readonly businessName: string | null
  /** The owner's wishes of this time and of all times. */
  readonly wishes: string
}

/**
 * The business that a site is for, where that is another one than the account's: it has a name of its own, and nothing
 * that was said has a word of the account's name. What the account knows of itself is then none of the site's business.
 * A capture page is the account's own, whatever its offer is called.
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
