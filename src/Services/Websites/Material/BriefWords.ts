import { fold } from "../../Text/PlainText.ts"
import { wordTable } from "../WordTable.ts"

/** What a word can mean in a brief. `briefWords.tsv` has the words of each role in three languages. */
export const briefRoles = [
  /** Parts of a site that no business speaks of otherwise. */
  "thing",
  /** Parts of a site that a business may sell or show too. */
  "sitepart",
  /** What an owner may want left out of a site. */
  "content",
  "wish",
  /** Orders at the beginning of a clause. */
  "make",
  /** Verbs of publishing, which order wherever they are. */
  "order",
  /** Verbs that order behind "must", "should" or a denial. */
  "tell",
  "polite",
  "negation",
  "withdraw",
  "aside",
  "chat",
  "lead",
  "pronoun",
  "look",
  "softener",
  /** Words that say that a name comes. */
  "naming",
  /** What pages are asked to be, which each is. */
  "approval",
  /** What visitors of a page do, and who they are. */
  "visit",
  /** What a business is called by its kind. */
  "trade",
  /** Names of the languages that sites are written in. */
  "portuguese",
  "english",
  "spanish"
] as const
export type BriefRole = (typeof briefRoles)[number]

/** Whether a folded word can mean one of these. */
export const { canMean } = wordTable(new URL("./briefWords.tsv", import.meta.url), briefRoles)

const wordShape = /[\p{L}\d]+(?:['-][\p{L}\d]+)*/gu

/** The words of a text, folded; "e-mail" and "email" are one. */
export const briefWordsOf = (text: string): ReadonlyArray<string> =>
  [...fold(text).matchAll(wordShape)].map(([word]) => (word === "e-mail" ? "email" : word))
