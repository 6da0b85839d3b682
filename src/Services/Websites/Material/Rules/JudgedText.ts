import type { Language } from "../../../Text/Language.ts"
import { isForMaker as isWish } from "../Audience.ts"
import { type ClauseSense, senseOf } from "../ClauseClassifier.ts"
import { phonesIn } from "../MaterialContacts.ts"
import { capitalised, endsJoining, withoutEnd } from "../MaterialText.ts"
import { type BriefContext, type BriefStatement, endsInMark, type Taken } from "./BriefRule.ts"

/**
 * What becomes of a sentence that no other rule reads. Visitors read it only if it is certain that it is for them. What is
 * certainly said to who makes the site, and holds nothing that could be lost, is left out. All else is asked.
 */

/** Shorter parts of a sentence are words of a list, and say nothing of its hearer. */
const fewestWords = 3
const seam = /,\s|;\s|\s[—–-]\s|!\s|\?\s|\.\s|\s\(|\)\s?/

const wordsIn = (text: string): number => text.split(/\s+/).filter((word) => word !== "").length

const clausesOf = (text: string): ReadonlyArray<string> =>
  text
    .split(seam)
    .map((clause) => clause.trim())
    .filter((clause) => wordsIn(clause) >= fewestWords)

const isForMaker = ({ isLikely, isProbable }: ClauseSense): boolean =>
  (isProbable("order") || isProbable("aside")) && !isLikely("claim")

/** A text with what it is as a whole. */
interface Sensed {
  readonly text: string
  readonly sense: ClauseSense
}

const sensed = (text: string, language: Language): Sensed => ({ text, sense: senseOf(text, language) })

/** Whether a text, and each clause of it, is for visitors. A text that a rule has read needs no more than to be likely. */
const isForVisitors = ({ sense, text }: Sensed, language: Language, isRead: boolean): boolean => {
  const { isCertain, isProbable } = sense
  if (isRead ? isForMaker(sense) : !isCertain("claim") || isProbable("order") || isProbable("aside")) return false
  const clauses = clausesOf(text)
  return clauses.length < 2 || !clauses.some((clause) => isForMaker(senseOf(clause, language)))
}

/** Names that owners speak of and that are no facts of theirs. */
const services = /\b(?:whatsapp|instagram|facebook|google|tiktok|youtube)\b/gi

/** Whether leaving a text out loses no number, name, contact or quotation. */
const isHarmless = (text: string, name: string): boolean => {
  const rest = (name === "" ? text : text.replaceAll(name, " ")).replace(services, "-")
  return !/[\d@“”"«»€£$]|\S \p{Lu}\p{Ll}/u.test(rest) && phonesIn(rest).length === 0
}

const isAside = ({ sense: { isCertain, isLikely }, text }: Sensed, name: string): boolean =>
  isCertain("aside") && !isLikely("claim") && !isLikely("order") && isHarmless(text, name)

const asProse = (text: string): Taken => ({ facts: { prose: [endsInMark(capitalised(text))] } })

/** A sentence whose last clauses are said to who makes the site: "we bake every day, honestly never looked back". */
const withoutAside = (text: string, { language, name }: BriefContext): Taken | undefined => {
  for (const match of [...text.matchAll(/,\s|;\s|\s[—–-]\s|!\s/g)].toReversed()) {
    const before = withoutEnd(text.slice(0, match.index), " ,;")
    const behind = text.slice(match.index + match[0].length)
    if (wordsIn(behind) < fewestWords || !isAside(sensed(behind, language), name)) continue
    if (isForVisitors(sensed(before, language), language, false))
      return { facts: { prose: [endsInMark(capitalised(before))], asides: [behind] } }
  }
  return undefined
}

/** A sentence as visitors read it: "Prize: a bicycle" says nothing without its label, unless that is a heading of the site. */
export const withLabel = ({ isInline, kind, label, text }: BriefStatement): string =>
  isInline === true && kind === undefined && label !== "" ? `${label}: ${text}` : text

export const judgedText = (text: string, context: BriefContext, isRead = false): Taken => {
  const whole = sensed(text, context.language)
  const { isLikely } = whole.sense
  if (isForVisitors(whole, context.language, isRead)) return asProse(text)
  if (isAside(whole, context.name)) return { facts: { asides: [text] } }
  const parted = withoutAside(text, context)
  if (parted !== undefined) return parted
  return isLikely("order") && !isLikely("claim")
    ? { facts: { orders: [{ text, isDenial: false }] } }
    : { facts: { unclear: [text] } }
}

/** Longest name of an offer that a heading holds. */
const longestOffer = 90

/** Words of sentences, which no name of a thing has. */
const sentenceWords =
  /(?<![\p{L}])(?:is|are|was|we|you|i|it|that|who|which|has|have|can|é|s[ãa]o|est[áa]|est[ãa]o|tem|temos|somos|fazemos|que|quem|voc[êe]|es|son|tiene|tenemos|hacemos|se|nos|chama|llama|called|quer|quiere|want|wants)(?![\p{L}])/iu

/** A title in quotation marks may be a sentence. */
const quoted = /"[^"]{1,200}"|“[^“”]{1,200}”|«[^«»]{1,200}»/g

/** Whether a phrase has neither the end nor the words of a part of a sentence. */
const isWholePhrase = (phrase: string): boolean =>
  phrase.length <= longestOffer &&
  !endsJoining(phrase) &&
  phrase.split("(").length === phrase.split(")").length &&
  !sentenceWords.test(phrase.replace(quoted, " ")) &&
  !isWish(phrase)

/** Whether a phrase names a thing that is offered, and is no part of a sentence. */
export const namesOffer = (phrase: string, language: Language): boolean => {
  const { isLikely } = senseOf(phrase, language)
  return isWholePhrase(phrase) && (isLikely("offer") || isLikely("claim")) && !isLikely("aside") && !isLikely("order")
}

/** "Sell more cake" is what the owner wants of the page, and no offer. */
const infinitive = /^\p{L}{2,}[aei]r(?:em|se|me|-se)?\s/iu

/** Whether what is behind "a page for" names a thing: there it needs no more than to be no part of a sentence. */
export const mayNameOffer = (phrase: string, language: Language): boolean => {
  const { isCertain, isProbable } = senseOf(phrase, language)
  return (
    namesOffer(phrase, language) ||
    (isWholePhrase(phrase) && !infinitive.test(phrase) && !isProbable("aside") && !isCertain("order"))
  )
}

/** Whether a phrase of a list is one of its things: it is no remark to who makes the site. */
export const mayBeThing = (phrase: string, language: Language): boolean =>
  wordsIn(phrase) < fewestWords || !isForMaker(senseOf(phrase, language))
