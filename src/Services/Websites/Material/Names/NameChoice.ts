import { fold } from "../../../Text/PlainText.ts"
import { mailAddressesIn } from "../../../Text/Web/Links.ts"
import { isForMaker } from "../Audience.ts"
import { canMean } from "../BriefWords.ts"
import { addressIn } from "../MaterialContacts.ts"
import { kindOf } from "../MaterialLabels.ts"
import { sentencesIn } from "../MaterialText.ts"

/** Which phrases may name a business. */

const lettersOf = (text: string): string => fold(text).replace(/[^a-z0-9]+/g, "")

/** Mail and network accounts say the name in one word: "hello@mapleandmain.example" is of Maple & Main. */
const accountsIn = (description: string): ReadonlyArray<string> => [
  ...mailAddressesIn(description).flatMap((address) => address.split("@").map((part) => part.split(".")[0] ?? "")),
  ...[...description.matchAll(/(?<![\w.])@([\w.]{3,30})/g)].map(([, handle = ""]) => handle)
]

/** Shorter names are part of many words. */
const shortestAgreeing = 5

/** Whether an account of the business is called like the name. */
export const agreesWithAccount = (name: string, description: string): boolean => {
  const letters = lettersOf(name)
  return (
    letters.length >= shortestAgreeing &&
    accountsIn(description).some((account) => {
      const called = lettersOf(account)
      return called.includes(letters) || (called.length >= shortestAgreeing && letters.includes(called))
    })
  )
}

const pageTitles: ReadonlySet<string> = new Set("home inicio portada capa nosotros faq our nossa nuestra".split(" "))

/** Whether a word can be a part of a site, a heading or a joining word, and no part of a name. */
export const isPartOfSite = (word: string): boolean =>
  pageTitles.has(fold(word)) ||
  kindOf(word) !== undefined ||
  canMean(fold(word), "thing", "sitepart", "content", "softener", "make")

const titles: ReadonlySet<string> = new Set("dr dra sr sra mr mrs ms prof profa lic eng chef".split(" "))
const linking: ReadonlySet<string> = new Set(["&", "and", "e", "y", "de", "do", "da"])

/** Whether a phrase can be a name: it is no address, no place of a list of pages, and no title alone. */
export const mayBeName = (name: string, description: string): boolean => {
  const words = name.split(/\s+/).filter((word) => !linking.has(word.toLowerCase()))
  const bare = words.map((word) => fold(word).replace(/[^\p{L}\d]+/gu, ""))
  if (bare.length === 0 || bare.every((word) => titles.has(word) || isPartOfSite(word))) return false
  const sentences = sentencesIn(description.replaceAll("\n", ". ")).filter((sentence) => sentence.includes(name))
  const isOfAddress = (sentence: string): boolean => addressIn(sentence)?.includes(name) === true
  const isUnnamed = (sentence: string): boolean => {
    const before = sentence.slice(0, sentence.indexOf(name)).trim()
    // "I'd like Home, Services & Pricing": a part of a list of pages.
    return isForMaker(sentence) && bare.every(isPartOfSite) && /[,:]$/.test(before)
  }
  return sentences.length === 0 || !sentences.every((sentence) => isOfAddress(sentence) || isUnnamed(sentence))
}
