import { Array } from "effect"
import { fold } from "../../Text/PlainText.ts"
import { contentWords, stemOf } from "../../Text/WordStems.ts"
import { briefWordsOf, canMean } from "../Material/BriefWords.ts"
import { factWords } from "../Material/Completeness.ts"
import type { ReadMaterial } from "../Material/MaterialReader.ts"
import { kindOfText } from "../Material/SentenceParts.ts"
import type { SiteBlock } from "../Site.ts"
import { isAsking, type SeenSite } from "./CarriedOut.ts"

/**
 * A sentence that was not understood may be left out of a site if what the site shows stays true without it. "No cats" limits
 * nothing on a page about dogs. "We close on Sundays" does, where the page says that it is always open.
 */

const quoted = /"[^"]{1,400}"|“[^“”]{1,400}”|«[^«»]{1,400}»/g

/** Words that limit, deny, change or doubt something. */
const turnsSomething = (words: ReadonlyArray<string>): boolean =>
  words.some((word) => canMean(word, "negation", "limit", "withdraw"))

/** "Gas extra", "plus VAT": what limits prices need not name what is sold. */
const limitsPrices = (words: ReadonlyArray<string>): boolean => words.some((word) => canMean(word, "pricing"))

const showsPrices = (blocks: ReadonlyArray<SiteBlock>, text: string): boolean =>
  blocks.some(({ _tag }) => _tag === "Prices") || /[€£$]\s?\d|\d\s?[€£]/.test(text)

/** A number and the thing that it counts: "7 suites". */
const countsIn = (text: string): ReadonlyArray<readonly [count: string, thing: string]> =>
  [...fold(text).matchAll(/(?<![\d.,:/-])(\d{1,4})\s(\p{L}{4,})/gu)].map(([, count = "", thing = ""]) => [
    count,
    stemOf(thing)
  ])

/** Whether a sentence counts something otherwise than the site does. */
const countsOtherwise = (sentence: string, shownCounts: ReadonlyMap<string, ReadonlySet<string>>): boolean =>
  countsIn(sentence).some(([count, thing]) => shownCounts.get(thing)?.has(count) === false)

/** How many things a sentence may share with a site by chance. */
const mostShared = 1

export interface Omissions {
  /** The sentences without which the site could be untrue: their owner is asked. */
  readonly needed: ReadonlyArray<string>
  /** The sentences that the site leaves out: their owner reads of them. */
  readonly omitted: ReadonlyArray<string>
}

export const omissionsOf = (sentences: ReadonlyArray<string>, read: ReadMaterial, view: SeenSite): Omissions => {
  const nameStems = new Set(contentWords(read.name).map(stemOf))
  const shownWords = new Set(
    view.text.match(/[\p{L}\d][\p{L}\d'’.,:@-]*/gu)?.map((word) => word.replace(/[.,:]+$/, ""))
  )
  const shownCounts = new Map<string, Set<string>>()
  for (const [count, thing] of countsIn(view.text)) {
    const counts = shownCounts.get(thing) ?? new Set()
    shownCounts.set(thing, counts.add(count))
  }
  const isShownPriced = showsPrices(view.blocks, view.text)

  const isNeeded = (sentence: string): boolean => {
    const unquoted = sentence.replace(quoted, " ")
    const words = briefWordsOf(unquoted)
    if (countsOtherwise(sentence, shownCounts)) return true
    if (isShownPriced && limitsPrices(words)) return true
    const isTurning = turnsSomething(words) || /\?/.test(unquoted)
    const isClaim = kindOfText(sentence, read.language).kind === "claim"
    if (isClaim && !isTurning) return false
    const isOfName = (word: string): boolean => nameStems.has(stemOf(word))
    if (factWords(unquoted).some((word) => shownWords.has(word) && !isOfName(word))) return true
    const shared = new Set(
      contentWords(unquoted)
        .filter((word) => !isAsking(word) && !isOfName(word))
        .map(stemOf)
        .filter((stem) => view.stems.has(stem))
    )
    return isTurning && shared.size > mostShared
  }

  const [omitted, needed] = Array.partition(sentences, isNeeded)
  return { needed, omitted }
}
