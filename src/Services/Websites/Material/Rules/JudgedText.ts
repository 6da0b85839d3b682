import type { Language } from "../../../Text/Language.ts"
import { isForMaker as isWish } from "../Audience.ts"
import { type ClauseSense, senseOf } from "../ClauseClassifier.ts"
import { phonesIn } from "../MaterialContacts.ts"
import { capitalised, endsJoining, withoutEnd } from "../MaterialText.ts"
import { hidesRemark, kindOfText, partsOfSentence, type SentencePart } from "../SentenceParts.ts"
import { type BriefContext, type BriefFacts, type BriefStatement, endsInMark, filled, type Taken } from "./BriefRule.ts"

/**
 * What becomes of a sentence that no other rule reads. Visitors read a part of it only if it is certain that it is for them. What
 * is said to who makes the site, and holds nothing that could be lost, is left out. All else is asked.
 */

/** Shorter parts of a sentence are words of a list, and say nothing of its hearer. */
const fewestWords = 3
const wordsIn = (text: string): number => text.split(/\s+/).filter((word) => word !== "").length

const isForMaker = ({ isLikely, isProbable }: ClauseSense): boolean =>
  (isProbable("order") || isProbable("aside")) && !isLikely("claim")

/** How sure it must be that a part is for visitors, of the look, or a remark. */
const surelyClaim = 0.8
const surelyOrder = 0.6
const surelyAside = 0.8
/** A remark with a name in it: a name may be a fact. */
const surelyNamedAside = 0.97
/** Of what rules have read: it needs no more than to be likelier than not. */
const likelyClaim = 0.5

const isForVisitors = ({ kind, share, text }: SentencePart, language: Language, isRead: boolean): boolean =>
  kind === "claim" && share >= (isRead ? likelyClaim : surelyClaim) && !hidesRemark(text, language)

/** Names that owners speak of and that are no facts of theirs. */
const services = /\b(?:whatsapp|instagram|facebook|google|tiktok|youtube)\b/gi

const withoutNames = (text: string, name: string): string =>
  (name === "" ? text : text.replaceAll(name, " ")).replace(services, "-")

const holdsNumber = (text: string): boolean => /[\d@“”"«»€£$?]/.test(text) || phonesIn(text).length > 0

/** Whether leaving a text out loses no number, name, contact or quotation. */
const isHarmless = (text: string, name: string): boolean => {
  const rest = withoutNames(text, name)
  return !holdsNumber(rest) && !/\S \p{Lu}\p{Ll}/u.test(rest)
}

const isAside = ({ kind, share, text }: SentencePart, name: string): boolean =>
  kind === "aside" &&
  ((share >= surelyAside && isHarmless(text, name)) ||
    (share >= surelyNamedAside && !holdsNumber(withoutNames(text, name))))

/** A doubtful sentence without any fact: the site leaves it out, and says so. */
const isIdle = ({ kind, probability, text }: SentencePart, name: string): boolean =>
  isHarmless(text, name) && (kind === "aside" || kind === "order") && probability >= likelyClaim

/** Words that lean on what was said before them. */
const leaning = /^(?:but|so|and|mas|e|entao|então|pero|y|as[ií] que)\s/i
const dependent = /^(?:because|bc|cos|which|who|that|if|porque|pq|que|quem|se|si|quien|senao|senão|sino)\s/i

const asSentence = (text: string): string =>
  endsInMark(capitalised(withoutEnd(text.replace(leaning, "").replace(/^\(([^()]*)\)[.,]?$/, "$1"), " ,;:—–-")))

/** "Prize: a bicycle" says nothing without its label, unless that is a heading of the site. */
export const withLabel = ({ isInline, kind, label, text }: BriefStatement): string =>
  isInline === true && kind === undefined && label !== "" ? `${label}: ${text}` : text

const takenOf = (part: SentencePart, isAlone: boolean, context: BriefContext, isRead: boolean): Partial<BriefFacts> => {
  const { kind, share, text } = part
  const isWhole = isAlone || !dependent.test(text)
  if (isWhole && isForVisitors(part, context.language, isRead)) return { prose: [asSentence(text)] }
  if (isAside(part, context.name)) return { asides: [text] }
  if (kind === "order" && share >= surelyOrder) return { orders: [{ text, isDenial: false }] }
  return isIdle(part, context.name) ? { asides: [text] } : { unclear: [text] }
}

export const judgedText = (text: string, context: BriefContext, isRead = false): Taken => {
  const parts = partsOfSentence(text, context.language)
  if (parts.every((part) => isForVisitors(part, context.language, isRead)))
    return { facts: { prose: [endsInMark(capitalised(text))] } }
  const partFacts = parts.map((part) => takenOf(part, parts.length === 1, context, isRead))
  const prose = filled(partFacts.flatMap((each) => each.prose ?? []))
  const asides = filled(partFacts.flatMap((each) => each.asides ?? []))
  const orders = filled(partFacts.flatMap((each) => each.orders ?? []))
  const unclear = filled(partFacts.flatMap((each) => each.unclear ?? []))
  return {
    facts: {
      ...(prose && { prose }),
      ...(asides && { asides }),
      ...(orders && { orders }),
      ...(unclear && { unclear })
    }
  }
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
  const { kind, share } = kindOfText(phrase, language)
  if (kind !== "claim" && share >= surelyOrder) return false
  return (
    namesOffer(phrase, language) ||
    (isWholePhrase(phrase) && !infinitive.test(phrase) && !isProbable("aside") && !isCertain("order"))
  )
}

/** Whether a phrase of a list is one of its things: it is no remark to who makes the site. */
export const mayBeThing = (phrase: string, language: Language): boolean =>
  wordsIn(phrase) < fewestWords || !isForMaker(senseOf(phrase, language))

/** Whether a line of a list is no order and no remark: "don't put sympathy flowers". */
export const mayBeItem = (item: string, language: Language): boolean => {
  const { kind, share } = kindOfText(item, language)
  return kind === "claim" || share < likelyClaim
}
