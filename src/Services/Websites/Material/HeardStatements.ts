import type { Language } from "../../Text/Language.ts"
import {
  clausesOf,
  heardIn,
  isChat,
  isForMaker,
  isUnsure,
  secondVersion,
  takesBackBefore,
  withoutGreeting
} from "./Audience.ts"
import { briefWordsOf, canMean } from "./BriefWords.ts"
import { senseOf } from "./ClauseClassifier.ts"
import { askedForm } from "./Fields/AskedFields.ts"
import { phonesIn } from "./MaterialContacts.ts"
import { isAsk, isPageLabel, kindOf } from "./MaterialLabels.ts"
import { isProper, type Statement, statementsOf } from "./MaterialText.ts"
import { pageOffer } from "./PageOffer.ts"
import type { BriefStatement } from "./Rules/BriefRule.ts"
import { kindOfText, likelyOpen, partsOfSentence } from "./SentenceParts.ts"

/** A statement as the rules read it, for visitors. */
export const asWritten = (statement: Statement, isOwn: boolean): BriefStatement => ({
  ...statement,
  isOwn,
  kind: statement.label === "" ? undefined : kindOf(statement.label),
  isOrder: false,
  isDenial: false,
  offer: ""
})

/** "A site for the office Ferraz & Kuhn, founded in 2006": what an order says of the business behind its name. */
const behindName = (order: string, name: string): string => {
  const at = name === "" ? -1 : order.indexOf(name)
  const tail = at < 0 ? "" : order.slice(at + name.length)
  if (!/^,\s/.test(tail)) return ""
  const clauses = tail.slice(2).split(/,\s/)
  const end = clauses.findIndex((clause) => isForMaker(clause))
  const remainder = clauses.slice(0, end < 0 ? undefined : end).join(", ")
  return remainder === "" || /\b(?:onde|donde|where|que|with|com|con)\b/.test(remainder) ? "" : `${name}, ${remainder}`
}

const wordsIn = (text: string): number => text.split(/\s+/).length

/** "The order on the page: intro, prices, team" lists parts of the site. */
const isBelowOrder = ({ isInline, kind, label }: BriefStatement, language: Language): boolean =>
  kind === undefined &&
  label !== "" &&
  !isPageLabel(label) &&
  // "Let the phone be seen: 555 0134".
  (isForMaker(label) || (isInline === true && wordsIn(label) > 2 && senseOf(label, language).isProbable("order")))

const isAllForVisitors = (statement: BriefStatement, language: Language): boolean => {
  const { isItem, kind, text } = statement
  const isData = isItem || kind === "questions" || kind === "quotes" || kind === "slogan"
  return (
    !isBelowOrder(statement, language) &&
    (isData ? !isAsk(text) : !isForMaker(text) || isClaimOfPages(text, language) || isClaimOfOther(text, language))
  )
}

/** "The recipe book has 28 pages": a word for parts of a site in a sentence that wants nothing. */
const isClaimOfPages = (text: string, language: Language): boolean => {
  const words = briefWordsOf(text)
  return (
    words.some((word) => canMean(word, "thing")) &&
    !words.some((word) => canMean(word, "make", "order", "wish", "polite")) &&
    !isAsk(text) &&
    isClaim(text, language, true)
  )
}

const surelyClaim = 0.97
const forOf: ReadonlySet<string> = new Set("for para pra pro of de da do del".split(" "))

/** "Free site assessment": a sentence for visitors, whose words could order something. */
const isClaimOfOther = (text: string, language: Language): boolean => {
  const words = briefWordsOf(text)
  const { kind, share } = kindOfText(text, language)
  return (
    kind === "claim" &&
    share >= surelyClaim &&
    !words.some((word) => canMean(word, "wish", "polite", "look")) &&
    !words.some((word, at) => canMean(word, "thing") && (at === 0 || forOf.has(words[at + 1] ?? "")))
  )
}

/** Shorter clauses belong to the one before them: "a page for Vila Nova Imóveis, Londrina". */
const fewestWordsOfClaim = 4

const isClaim = (clause: string, language: Language, isOfPages = false): boolean => {
  const { isCertain, isLikely } = senseOf(clause, language)
  return (
    wordsIn(clause) >= fewestWordsOfClaim &&
    (isOfPages || !isForMaker(clause)) &&
    isCertain("claim") &&
    !isLikely("order")
  )
}

/** "A page for my course, the first class is free": an order, and what is behind it and for visitors by itself. */
const withoutClaims = (
  orders: string,
  language: Language
): { readonly order: string; readonly claims: ReadonlyArray<string> } => {
  const [first = "", ...others] = clausesOf(orders)
  return {
    order: [first, ...others.filter((clause) => !isClaim(clause, language))].join(", "),
    claims: others.filter((clause) => isClaim(clause, language))
  }
}

/** What a page is for: the clause that orders it, and the short ones that belong to it. */
const offerIn = (order: string, language: Language): string => {
  const [first = "", ...others] = clausesOf(order)
  const end = others.findIndex(
    (clause) =>
      wordsIn(clause) > fewestWordsOfClaim || isForMaker(clause) || senseOf(clause, language).isLikely("aside")
  )
  return pageOffer([first, ...others.slice(0, end < 0 ? undefined : end)].join(", "))
}

/** "Raffle of the rowing club: a page to sign up": the label says what the page is for. */
const offerBefore = ({ isInline, kind, label }: BriefStatement, name: string): string =>
  isInline === true && kind === undefined && label !== name && !isPageLabel(label) ? label : ""

interface Hearing {
  readonly isCapture: boolean
  readonly name: string
  readonly language: Language
}

/** What visitors may read of a statement that orders something, and the order. */
const partsOfOrder = (
  statement: BriefStatement,
  { isCapture, language, name }: Hearing
): { readonly isAboutBefore: boolean; readonly parts: ReadonlyArray<BriefStatement> } => {
  const { text } = statement
  if (isBelowOrder(statement, language)) return { isAboutBefore: false, parts: [{ ...statement, isOrder: true }] }
  const { isAboutBefore, isDenial, isToSay, orders, visible } = heardIn(text, language)
  const behind = behindName(text, name)
  const named = isCapture && !isProper(behind.slice(name.length + 2)) ? "" : behind
  const introduced = named === "" ? [] : [{ ...statement, text: named }]
  if (visible !== "" && orders === "")
    return { isAboutBefore, parts: [...introduced, { ...statement, text: visible, isToSay }] }
  const whole = orders === "" ? text : orders
  const { claims, order } = isDenial ? { claims: [], order: whole } : withoutClaims(whole, language)
  const before = visible === "" ? [] : [{ ...statement, text: visible }]
  const offer = isCapture && !isDenial ? offerIn(order, language) || offerBefore(statement, name) : ""
  return {
    isAboutBefore,
    parts: [
      ...introduced,
      ...before,
      { ...statement, text: order, isOrder: true, isDenial, offer },
      ...claims.map((claim) => ({ ...statement, text: claim }))
    ]
  }
}

/** Splits the owner's description into statements for visitors and statements for the person who builds the site. */
export const heardStatements = (description: string, hearing: Hearing): ReadonlyArray<BriefStatement> => {
  const statementList: Array<BriefStatement> = []
  const statements = statementsOf(description)
  // A page's fields are no texts of it.
  const rest = hearing.isCapture ? askedForm(statements).rest : statements.map(({ text }) => text)
  statements.forEach((statement, at) => {
    const text = withoutGreeting(rest[at] ?? "")
    const each = asWritten({ ...statement, text }, true)
    if (text === "" || (each.kind === undefined && isChat(text))) return
    if (isAllForVisitors(each, hearing.language)) {
      statementList.push(each)
      return
    }
    const { isAboutBefore, parts } = partsOfOrder(each, hearing)
    // "That flyer has the old address. Don't put it."
    if (isAboutBefore) statementList.pop()
    statementList.push(...parts)
  })
  return statementList
}

/** "Not sure what else to say": a doubt of the owner about no fact. */
const isIdleDoubt = (text: string, language: Language): boolean => {
  const { isCertain, isProbable } = senseOf(text, language)
  return isCertain("aside") && !isProbable("claim") && !/\d/.test(text)
}

const surelyOther = 0.8
/** A number that was cut, or a place for a value: "73 99803-", "3344-81xx", "944 ..", "[number]", "$___". */
const cutNumber = /\d{2}\s?-(?=\s|$)|\dx{2}|(?<![\p{L}])x{2}|\d\s?\.{2}|\w@(?=\s|$)|_{3}|\[[^\]\n]{2,30}\]/iu

/** Whether a part of it is not settled, or a contact in it is not for visitors: "mine is 99600-0176, but I don't answer". */
const isOpen = (text: string, language: Language): boolean =>
  cutNumber.test(text) ||
  partsOfSentence(text, language).some(
    ({ kind, share, text: part }) =>
      (kind === "open" && share >= likelyOpen) ||
      (kind !== "claim" && share >= surelyOther && phonesIn(part).length > 0 && phonesIn(text).length > 1)
  )

interface SortedStatements {
  readonly statements: ReadonlyArray<BriefStatement>
  readonly unclear: ReadonlyArray<string>
}

/** Removes statements that the writer is unsure of, and replaces withdrawn ones by their correction. */
export const sureStatements = (all: ReadonlyArray<BriefStatement>, language: Language): SortedStatements => {
  const statements: Array<BriefStatement> = []
  const unclear: Array<string> = []
  for (const statement of all) {
    if (statement.isOrder && takesBackBefore(statement.text)) {
      const before = statements.pop()
      if (before !== undefined) unclear.push(before.text)
    }
    if (!statement.isOrder && isOpen(statement.text, language)) {
      unclear.push(statement.text)
      continue
    }
    if (statement.isOrder || !isUnsure(statement.text) || isIdleDoubt(statement.text, language)) {
      statements.push(statement)
      continue
    }
    const withdrawn = takesBackBefore(statement.text) ? statements.pop() : undefined
    if (withdrawn !== undefined) unclear.push(withdrawn.text)
    const second = secondVersion(statement.text)
    const clause = second?.split(/,\s/).findLast((part) => phonesIn(part).length > 0)
    if (clause !== undefined) statements.push({ ...statement, text: clause })
    else unclear.push(statement.text)
  }
  return { statements, unclear }
}
