import type { Language } from "../../Text/Language.ts"
import { contentWords } from "../../Text/WordStems.ts"
import { type BriefRole, briefWordsOf, canMean } from "./BriefWords.ts"
import { isAsk } from "./MaterialLabels.ts"

/**
 * Decides whether a part of a brief is for visitors or for the person who builds the site. Words for the builder are
 * never shown to visitors.
 */

const has = (words: ReadonlyArray<string>, ...roles: ReadonlyArray<BriefRole>): boolean =>
  words.some((word) => canMean(word, ...roles))

const subjects: ReadonlySet<string> = new Set(["i", "we", "id", "i'd", "we'd", "would"])
const conditional: ReadonlySet<string> = new Set(["id", "i'd", "we'd", "would"])

/** True for a wish of the owner: "I want", "we need", "I'd love", "quero". False for "clients who want". */
const wishes = (words: ReadonlyArray<string>): boolean =>
  words.some((word, at) => {
    if (!canMean(word, "wish")) return false
    const before = words[at - 1] ?? ""
    // "We love bread" is not a wish, but "we'd love a page" is.
    if (word === "like" || word === "love") return conditional.has(before)
    return !["want", "need", "wish", "wanna"].includes(word) || at === 0 || subjects.has(before)
  })

/** The largest number of courtesy and joining words before an order. */
const longestLead = 6

/** The words of a clause without leading greetings and joining words. */
const withoutLead = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  let from = 0
  while (from < Math.min(words.length, longestLead) && canMean(words[from] ?? "", "lead", "chat", "polite")) {
    if (canMean(words[from] ?? "", "make", "order") && !canMean(words[from] ?? "", "lead")) break
    from++
  }
  return words.slice(from)
}

const nearAfter = 3
const binding: ReadonlySet<string> = new Set(
  "must should deve devem debe deben podeis podriais podrias puedes poderia poderiam".split(" ")
)
const tellingVerbs: ReadonlySet<string> = new Set("diga digan salga aparezca leia mostre muestre mencione".split(" "))

/**
 * True if a negation, an obligation or "que" turns a verb of saying into an order: "must not say", "que diga", "don't
 * use".
 */
const ordersToTell = (words: ReadonlyArray<string>): boolean =>
  words.some((word, at) => {
    if (!canMean(word, "tell", "make", "order")) return false
    const before = words.slice(Math.max(0, at - nearAfter), at)
    const [last = ""] = before.slice(-1)
    if (before.some((each) => binding.has(each)) || (last === "que" && tellingVerbs.has(word))) return true
    // "We do not use frozen fish" is a fact for visitors.
    const hasSubject = before.some((each) => ["i", "we", "they", "you"].includes(each))
    return canMean(last, "negation") && !hasSubject
  })

const isLookWord = (word: string): boolean => canMean(word, "look")

/**
 * True for a clause about the look: it begins with a word of the look, or at least half of its meaningful words are of
 * the look.
 */
const isOfLook = (words: ReadonlyArray<string>): boolean => {
  const content = words.filter((word) => !canMean(word, "softener", "lead"))
  const looks = content.filter((word) => canMean(word, "look", "sitepart", "thing"))
  if (looks.length === 0 || words.some((word) => /\d/.test(word))) return false
  const [first = ""] = content
  const pure = content.filter(isLookWord)
  return (
    looks.length * 2 >= content.length ||
    (isLookWord(first) && pure.length > 1) ||
    (canMean(first, "sitepart") && pure.length > 0) ||
    (pure.length > 0 && looks.length > 1 && looks.length * 4 >= content.length)
  )
}

/** True for a clause that excludes a part of the site: "no pictures of gavels", "sem preços". */
const leavesOut = (words: ReadonlyArray<string>): boolean => {
  const [first = ""] = words
  return canMean(first, "negation") && has(words.slice(1, 4), "sitepart", "content", "thing")
}

/** "On site" in "Everything is baked on site" does not mean the website. */
const onSite = /\bon[ -]site\b/gi

/** True if a clause is addressed to the person who builds the site. */
export const isForMaker = (clause: string): boolean => {
  const text = clause.replace(onSite, " ")
  const all = briefWordsOf(text)
  const words = withoutLead(all)
  const [first = ""] = words
  if (all.length === 0) return false
  return (
    isAsk(text.trim()) ||
    wishes(all) ||
    has(all, "thing", "order", "polite") ||
    (canMean(first, "make") && !/^(?:make|faz|use|usa|call)$/.test(first)) ||
    (canMean(first, "make") && has(words.slice(1), "thing", "sitepart", "look", "pronoun")) ||
    ordersToTell(all) ||
    leavesOut(words) ||
    isOfLook(words)
  )
}

/** True for a clause that only greets, thanks or says goodbye. */
export const isChat = (clause: string): boolean => {
  const words = briefWordsOf(clause)
  const [first = ""] = words
  return (
    words.every((word) => canMean(word, "chat", "aside", "lead")) ||
    (/^(?:thanks?|cheers|obrigad[oa]|gracias|atenciosamente|abracos?|saludos|regards)$/.test(first) &&
      words.length <= 8)
  )
}

const seam =
  /\s?\p{Extended_Pictographic}\uFE0F?\s?|,\s|;\s|\s[—–-]\s|\s(?=(?:so|but|pero|mas|asi que|así que|entao|então)\s)|!\s|\?\s/u

/** Splits a sentence where its addressee may change between visitors and the builder. */
export const clausesOf = (sentence: string): ReadonlyArray<string> =>
  sentence
    // Text in brackets stays in one clause.
    .replace(/\([^()]{0,200}\)/g, (inner) => inner.replaceAll(", ", "\u0001").replaceAll("; ", "\u0002"))
    .split(seam)
    .map((part) => part.replaceAll("\u0001", ", ").replaceAll("\u0002", "; ").trim())
    .filter((part) => part !== "")

/** True for a negation. In Portuguese, "no" means "in the". */
export const denies = (word: string, language: Language | undefined): boolean =>
  canMean(word, "negation") && !(word === "no" && language === "pt-BR")

const isDenied = (clause: string, language: Language | undefined): boolean =>
  briefWordsOf(clause).some((word) => denies(word, language))

/** An order with at most this many words may refer back with only a pronoun: "No lo pongáis". */
const mostWordsOfBackReference = 7
export const refersBack = (clause: string): boolean => {
  const words = withoutLead(briefWordsOf(clause))
  return (
    words.length <= mostWordsOfBackReference &&
    !words.some((word) => /\d/.test(word)) &&
    (words.some((word) => canMean(word, "pronoun")) || words.some((word) => /[aei]rl[oa]s?$|l[oa]s?$/.test(word)))
  )
}

const shortestKept = 4
/** Matches the second part of "I am Ana and I was a vet before". */
const lastPart = /\s(?:y|e|and)\s\S+(?:\s\S+){2,12}$/

/** Removes what a following order refers to: the last clause, or its last part. */
const withoutLastPart = (clauses: ReadonlyArray<string>, language: Language | undefined): ReadonlyArray<string> => {
  const last = clauses.at(-1) ?? ""
  const remainder = last.replace(lastPart, "")
  return remainder === last || isDenied(remainder, language)
    ? clauses.slice(0, -1)
    : [...clauses.slice(0, -1), remainder]
}

/** Whether an order says itself what it is about: "don't show prices", and not "don't publish". */
const hasObject = (clause: string, language: Language | undefined): boolean => {
  const words = briefWordsOf(clause)
  const behind = words.slice(words.findIndex((word) => denies(word, language)) + 1)
  return (
    refersBack(clause) ||
    contentWords(behind.join(" ")).some(
      (word) =>
        !canMean(word, "wish", "make", "order", "tell", "polite", "lead", "negation", "pronoun", "chat", "visit")
    )
  )
}

const dependent = /^(?:if|when|because|since|as|se|si|quando|cuando|porque|pq|pois|que|which|who|wich|to|para)\s/i

export interface Heard {
  /** The part that visitors may read. Empty if there is none. */
  readonly visible: string
  /** The part that is addressed to the builder. */
  readonly orders: string
  /** True if the order is to leave something out. */
  readonly isDenial: boolean
  /** True if the order refers to the previous sentence. */
  readonly isAboutBefore: boolean
  /** True if the sentence asks for its text to be shown: "say that we bake daily". */
  readonly isToSay: boolean
}

/** In "Say that nothing is sold that day", the text after "that" is for visitors. */
const sayThat =
  /^(?:(?:and|e|y|please|por favor|also|ah)\s)?(?:say|mention|note|diz|diga|dizer|avisa|avise|avisar|informe|que diga|digan)\s(?:that|que)\s(.{8,300})$/i

const allShown = (text: string, isToSay = false): Heard => ({
  visible: text,
  orders: "",
  isDenial: false,
  isAboutBefore: false,
  isToSay
})

/**
 * Separates a sentence into what is for visitors and what is for the builder. Clauses before an order are kept if they
 * are complete without it.
 */
export const heardIn = (sentence: string, language?: Language): Heard => {
  const toSay = sayThat.exec(sentence)?.[1]
  if (toSay !== undefined && !isForMaker(toSay)) return allShown(toSay, true)
  if (!isForMaker(sentence)) return allShown(sentence)
  const clauses = clausesOf(sentence)
  const first = clauses.findIndex(isForMaker)
  const order = clauses.slice(Math.max(0, first)).join(", ")
  const isDenial = isDenied(clauses[first] ?? sentence, language)
  const none: Heard = {
    visible: "",
    orders: sentence,
    isDenial,
    isAboutBefore: first <= 0 && refersBack(clauses[0] ?? sentence) && isDenial,
    isToSay: false
  }
  if (first <= 0) return none
  const isBack = refersBack(clauses[first] ?? "")
  const before = isBack && isDenial ? withoutLastPart(clauses.slice(0, first), language) : clauses.slice(0, first)
  // With an order to leave something out, negated clauses are not for visitors either.
  const remainder = isDenial ? before.filter((clause) => !isDenied(clause, language)) : before
  const text = remainder.join(", ")
  // "It costs 6.500, my husband wants it shown and I don't": what is left open may be of all before it.
  const denying = clauses.slice(first).find((clause) => isDenied(clause, language))
  if (denying !== undefined && (!isDenial || !hasObject(denying, language))) return { ...none, isDenial: true }
  if (briefWordsOf(text).length < shortestKept || dependent.test(text)) return none
  return { visible: text, orders: order, isDenial, isAboutBefore: false, isToSay: false }
}

/** The text after "No wait" or "ou é 5508" replaces the text before it, or is as likely. */
const secondThought = / (?:(?:no|nao) (?:wait|espera)|or is it|ou e \d\S*|o es el \d\S*) /
const notKnown =
  / (?:nao sei|no se (?:que|si|cual|como|cuando|cuanto|donde)|not sure|don't know|dont know|nao lembro|no me acuerdo|i think|i forget|acho que|creo que|never remember it) /

/** True if the writer is unsure or withdraws a part of the sentence. */
export const isUnsure = (sentence: string): boolean => {
  const words = briefWordsOf(sentence)
  const text = ` ${words.join(" ")} `
  return words.some((word) => canMean(word, "withdraw")) || secondThought.test(text) || notKnown.test(text)
}

/** The text after a withdrawal in a sentence. Undefined if the sentence only expresses doubt. */
export const secondVersion = (sentence: string): string | undefined => {
  const words = [...sentence.matchAll(/[\p{L}\d'’-]+/gu)]
  const at = words.findLastIndex((match) => canMean(briefWordsOf(match[0])[0] ?? "", "withdraw"))
  const withdrawal = words[at]
  return withdrawal === undefined
    ? undefined
    : sentence.slice(withdrawal.index + withdrawal[0].length).replace(/^[\s,.;:!-]+/, "")
}

/** A withdrawal within this many first words refers to the previous sentence. */
const opening = 3

/** True for a sentence that withdraws the previous one: "No, scratch that". */
export const takesBackBefore = (sentence: string): boolean =>
  briefWordsOf(sentence)
    .slice(0, opening)
    .some((word) => canMean(word, "withdraw"))

const greeting = /^(?:oi+|ol[aá]|hola|hi|hiya|hello|hey|bom|boa|buenas|buenos|buen|good|prezados|howya)$/

/** Removes the greeting at the start of a sentence. */
export const withoutGreeting = (sentence: string): string => {
  const words = [...sentence.matchAll(/[\p{L}\d'’-]+/gu)]
  const isChatWord = (match: RegExpMatchArray | undefined): boolean =>
    match !== undefined && canMean(briefWordsOf(match[0])[0] ?? "", "chat")
  if (!greeting.test(briefWordsOf(words[0]?.[0] ?? "")[0] ?? "")) return sentence
  const end = words.findIndex((match) => !isChatWord(match))
  const behind = words[0] === undefined ? "" : sentence.charAt(words[0].index + words[0][0].length)
  // "hello@bakery.example" is not a greeting.
  if (!/[\s,!.]|^$/.test(behind)) return sentence
  return end < 0 ? "" : sentence.slice(words[end]?.index ?? 0)
}
