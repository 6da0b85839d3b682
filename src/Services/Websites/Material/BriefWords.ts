import { fold } from "../../Text/PlainText.ts"
import { wordTable } from "../WordTable.ts"

/** The roles of words in a brief. `briefWords.tsv` lists the words of each role in three languages. */
export const briefRoles = [
  /** Parts of a website that are never part of a business's offer. */
  "thing",
  /** Parts of a website that a business may also sell or show. */
  "sitepart",
  /** Content that an owner may want left out. */
  "content",
  "wish",
  /** Verbs that order at the beginning of a clause. */
  "make",
  /** Verbs of publishing, which order anywhere in a clause. */
  "order",
  /** Verbs that order after "must", "should" or a negation. */
  "tell",
  "polite",
  "negation",
  "withdraw",
  /** Words that limit or change what else is said. */
  "limit",
  /** Words for what is added to a price, or is taken from it. */
  "pricing",
  "aside",
  "chat",
  "lead",
  "pronoun",
  "look",
  "softener",
  /** Words that introduce a name. */
  "naming",
  /** Adjectives by which owners describe the page they want. */
  "approval",
  /** Words for visitors and for what they do on a page. */
  "visit",
  /** Words for kinds of businesses. */
  "trade",
  /** Names of the languages that sites are written in. */
  "portuguese",
  "english",
  "spanish"
] as const
export type BriefRole = (typeof briefRoles)[number]

/** True if a folded word can have one of these roles. */
export const { canMean } = wordTable(new URL("./briefWords.tsv", import.meta.url), briefRoles)

const wordShape = /[\p{L}\d]+(?:['-][\p{L}\d]+)*/gu

/** The folded words of a text. "e-mail" and "email" are the same word. */
export const briefWordsOf = (text: string): ReadonlyArray<string> =>
  [...fold(text).matchAll(wordShape)].map(([word]) => (word === "e-mail" ? "email" : word))
