import type { Language } from "../../../Text/Language.ts"
import { colorsNamed } from "../../Writing/ColorWords.ts"
import type { EditDesk, Outcome } from "../EditDesk.ts"
import { guardOf, prohibitionOf, type UntouchedPart } from "../EditGuards.ts"
import { daysIn } from "../OpeningHours.ts"
import { thingsOf } from "../SiteThings.ts"
import { repeatsRemoval } from "../Wishes/RemovalEdits.ts"
import {
  type Act,
  actsOf,
  type Clause,
  clauseOf,
  type Inherited,
  nothingInherited,
  unexplained,
  valuesOf
} from "./EditClause.ts"
import { framed } from "./EditFrames.ts"
import { has, isContent, isWord, sameWord, type Token, wordsOf } from "./EditTokens.ts"
import type { Role } from "./EditWords.ts"

/** A part of a sentence, classified. */
export type Segment = { readonly clause: Clause; readonly tokens: ReadonlyArray<Token> } & (
  | { readonly is: "change"; readonly outcome: Extract<Outcome, { readonly _tag: "Change" }> }
  | { readonly is: "failure"; readonly outcome: Extract<Outcome, { readonly _tag: "Failure" }> }
  | { readonly is: "guard"; readonly guard: UntouchedPart }
  /** A heading such as "In the form:", which applies to the parts after it. */
  | { readonly is: "heading"; readonly inherited: Inherited }
  /** Withdraws what was said before it. */
  | { readonly is: "withdrawal" }
  /** A courtesy, a reason or a remark. */
  | { readonly is: "remark" }
  | { readonly is: "unknown" }
)

export interface SegmentSetting {
  readonly desk: EditDesk
  readonly language: Language
  /** True if the previous segment removed something. */
  readonly isAfterRemoval: boolean
}

const isDoubted = (token: Token): boolean =>
  isWord(token) && !/^\p{Lu}/u.test(token.text) && has(token, "limit", "only")

/** True if the site shows a name that contains this word. */
const isOfSite = (token: Token, { desk }: SegmentSetting): boolean =>
  isWord(token) && thingsOf(desk.site).some(({ name }) => wordsOf(name).some((each) => sameWord(each, token.word)))

const pageNouns: ReadonlyArray<Role> = [
  "phone",
  "whatsapp",
  "email",
  "address",
  "hours",
  "contact",
  "link",
  "headline",
  "subtitle",
  "text",
  "sentence",
  "price",
  "button",
  "field",
  "form",
  "section",
  "list",
  "picture",
  "question",
  "answer",
  "quote",
  "look",
  "size",
  "required",
  "optional",
  "order",
  "top",
  "bottom",
  "client",
  "team"
]

const isReasonMark = (token: Token | undefined): boolean =>
  token !== undefined && isWord(token) && has(token, "because")

/** True for a reason: it begins with "because" or the like and orders nothing. */
const isReason = (tokens: ReadonlyArray<Token>, clause: Clause): boolean => {
  const words = tokens.filter(isWord)
  const [first] = words
  const isResult =
    first !== undefined &&
    ["so", "para", "pra", "asi", "assim"].includes(first.word) &&
    words.some((token) => has(token, "before", "top", "highlight")) &&
    words.length <= 6 &&
    tokens.every(({ kind }) => kind !== "quote" && kind !== "number")
  if (isResult) return true
  if (first === undefined || !isReasonMark(first)) return false
  const isSure = ["porque", "pq", "because", "cos", "coz", "cause", "pois", "since", "pues", "ya"].includes(first.word)
  if (tokens.some((token) => isDoubted(token) || token.kind === "quote")) return false
  const tells = words.some((token) => has(token, "reasonverb"))
  const hasValue = tokens.some(({ kind }) => kind !== "word" && kind !== "mark")
  const ordersBehind = tokens.some((token, at) => {
    const before = tokens[at - 1]
    return (
      at > 1 &&
      isWord(token) &&
      before !== undefined &&
      (before.kind === "mark" || has(before, "joint")) &&
      has(token, "remove", "add", "change", "set", "move") &&
      !has(token, "copula", "reasonverb")
    )
  })
  return !ordersBehind && (isSure ? clause.tokens.length > 1 : tells && !hasValue)
}

const connecting: ReadonlySet<string> = new Set([
  "lo que si",
  "eso si",
  "que si",
  "outra coisa",
  "otra cosa",
  "una cosa",
  "one more thing",
  "uma coisa",
  "mais uma coisa"
])

/** True for "not at the end" after a wish to move something: it only says where the thing must not go. */
const isDenialOfPlace = ({ tokens }: Clause): boolean => {
  const words = tokens.filter(isWord)
  const [first] = words
  return (
    first !== undefined &&
    has(first, "negation") &&
    words.length <= 5 &&
    tokens.length === words.length &&
    words.slice(1).every((token) => has(token, "top", "bottom", "function", "before", "after", "order")) &&
    words.length > 1
  )
}

/** True for a remark without an order: it has no verb, no value, and no word about anything on the page. */
const isRemark = (clause: Clause, setting: SegmentSetting): boolean => {
  const { tokens } = clause
  if (
    tokens.length === 0 ||
    tokens.every((token) => token.kind === "mark" || (isWord(token) && has(token, "polite", "chatter", "function")))
  )
    return true
  if (
    connecting.has(
      tokens
        .filter(isWord)
        .map(({ word }) => word)
        .join(" ")
    )
  )
    return true
  if (isDenialOfPlace(clause)) return true
  if (
    tokens.length < 2 ||
    clause.verb !== undefined ||
    tokens.some((token) => isDoubted(token) || (token.kind !== "word" && token.kind !== "mark"))
  )
    return false
  if (clause.text.includes("?")) return false
  const content = tokens.filter(isContent)
  const isNamed = tokens.some(({ text }, at) => at > 0 && /^\p{Lu}\p{L}/u.test(text))
  const isOfLook = colorsNamed(clause.text).length > 0 || daysIn(clause.text).days.length > 0
  const isFact =
    content.some((token) => has(token, "doing") && !has(token, "reasonverb")) &&
    !content.some((token) => has(token, "reasonverb"))
  if (isNamed || isOfLook || isFact) return false
  const isOfPage = content.some(
    (token) => has(token, ...pageNouns, "page", "now", "rest", "withdraw") || isOfSite(token, setting)
  )
  const ordersInside = content.some(
    (token) => has(token, "remove", "addonly", "move") || (has(token, "change") && !has(token, "reasonverb"))
  )
  const isReported =
    content.some((token) => has(token, "reasonverb", "chatter", "subject", "negation")) ||
    tokens.some((token) => isWord(token) && has(token, "subject"))
  return !isOfPage && !ordersInside && isReported
}

const withdrawing: ReadonlySet<string> = new Set(
  "no nao not eso isso that espera wait mentira scratch forget esquece esquece perdon pera perai bueno digo mejor melhor kkk so actually hmm opa aguarda it nada ah".split(
    " "
  )
)

/** True for "No, espera", "mentira kkk", "scratch that": the previous wish is withdrawn. */
const isWithdrawal = ({ tokens }: Clause, all: ReadonlyArray<Token>): boolean => {
  const words = all.filter(isWord)
  const isWaiting = words
    .slice(0, 2)
    .some(({ word }) => ["espera", "wait", "mentira", "scratch", "forget", "esquece", "esperate"].includes(word))
  const isLeft = words
    .slice(1)
    .every((token) => withdrawing.has(token.word) || has(token, "keep", "function", "copula", "withdraw"))
  if (isWaiting && isLeft && words.length <= 8 && all.every(({ kind }) => kind === "word" || kind === "mark"))
    return true
  if (words.length === 0 || words.length > 4 || all.some(({ kind }) => kind !== "word" && kind !== "mark")) return false
  const isMark =
    words.some((token) => has(token, "withdraw") && !["mejor", "digo"].includes(token.word)) ||
    (words.some((token) => has(token, "negation")) && words.some(({ word }) => ["eso", "isso", "that"].includes(word)))
  return isMark && words.every(({ word }) => withdrawing.has(word)) && tokens.length <= 4
}

/** True for a negated order that names nothing: "No la quites", "don't". */
const isTakenBack = ({ tokens }: Clause): boolean => {
  const words = tokens.filter(isWord)
  const denial = words.findIndex((token) => has(token, "negation"))
  const behind = words.slice(denial + 1)
  return (
    denial === 0 &&
    behind.length <= 3 &&
    behind.some((token) => has(token, "touch", "remove", "add", "change")) &&
    tokens.every(({ kind }) => kind === "word") &&
    behind.every((token) => has(token, "function", "touch", "remove", "add", "change"))
  )
}

/** True for "Fix it everywhere", "corrijan donde salga": repeats the previous change. */
const repeatsChange = (clause: Clause): boolean =>
  clause.verb !== undefined &&
  has(clause.verb, "change") &&
  clause.tokens.length > 1 &&
  clause.tokens.every(isWord) &&
  unexplained(clause, "everywhere", "polite").length === 0

const isSpelling = (clause: Clause): boolean =>
  clause.tokens.some((token) => isWord(token) && has(token, "spelled")) &&
  clause.tokens.every(({ kind }) => kind === "word" || kind === "mark")

const headingNouns: ReadonlyArray<Role> = [
  "form",
  "question",
  "price",
  "section",
  "list",
  "team",
  "service",
  "item",
  "hours",
  "quote",
  "contact",
  "page",
  "spelled",
  "field"
]

/**
 * Reads a heading such as "No formulário", "actualizá precios:" or "aumentou tudo:", which applies to the parts after
 * it.
 */
const headingOf = (clause: Clause, tokens: ReadonlyArray<Token>): Inherited | undefined => {
  const content = clause.tokens.filter((token) => isContent(token) && token !== clause.verb)
  if (clause.tokens.some(({ kind }) => kind !== "word" && kind !== "mark")) return undefined
  const isNamed = content.every(
    (token) =>
      isWord(token) &&
      has(token, ...headingNouns, "add", "change", "raise", "lower", "both", "now", "polite", "copula", "set")
  )
  const hasNoun = content.some((token) => has(token, ...headingNouns, "both"))
  const first = clause.tokens[0]
  const isPlace =
    first !== undefined && ["no", "na", "nos", "nas", "em", "en", "in", "on", "para", "for", "to"].includes(first.word)
  const isVerb = clause.tokens.some((token) => isWord(token) && has(token, "add", "change", "raise", "lower"))
  const last = tokens.at(-1)
  const isColon = last?.text === ":"
  const isMisspelt =
    isSpelling(clause) && unexplained(clause, "spelled", "name", "person", "polite", "chatter", "subject").length === 0
  if (isMisspelt) return { ...nothingInherited, nouns: ["spelled", "errado"] }
  if (
    !isNamed ||
    !hasNoun ||
    !(isPlace || isColon) ||
    clause.tokens.some((token) => isWord(token) && has(token, "negation", "remove"))
  )
    return undefined
  const acts: ReadonlyArray<Act> = isVerb
    ? (["raise", "lower", "change", "set", "add"] as const).filter((act) =>
        clause.tokens.some((token) => isWord(token) && has(token, act))
      )
    : []
  return { ...nothingInherited, acts, nouns: content.map(({ word }) => word) }
}

/** Classifies one part of a sentence by itself. */
export const segmentOf = (
  tokens: ReadonlyArray<Token>,
  inherited: Inherited,
  setting: SegmentSetting,
  isLast: boolean
): Segment => {
  const { desk, language } = setting
  const clause = clauseOf(desk.prompt, tokens, language, inherited)
  const base = { clause, tokens }
  if (isWithdrawal(clause, tokens) || isTakenBack(clause)) return { ...base, is: "withdrawal" }
  const prohibition = prohibitionOf(clause, desk.site)
  const guard = prohibition ?? guardOf(clause, desk.site)
  if (guard !== undefined) return { ...base, is: "guard", guard }
  if (isReason(tokens, clause)) return { ...base, is: "remark" }
  if (setting.isAfterRemoval && repeatsRemoval(clause)) return { ...base, is: "remark" }
  if (repeatsChange(clause)) return { ...base, is: "remark" }
  const heading = isLast && tokens.at(-1)?.text !== ":" && !isSpelling(clause) ? undefined : headingOf(clause, tokens)
  if (heading !== undefined) return { ...base, is: "heading", inherited: heading }
  const outcome = clause.tokens.length === 0 ? undefined : framed(clause, desk)
  if (outcome?._tag === "Change") return { ...base, is: "change", outcome }
  if (isRemark(clause, setting)) return { ...base, is: "remark" }
  return outcome === undefined ? { ...base, is: "unknown" } : { ...base, is: "failure", outcome }
}

/** What the next segment inherits from this one. */
export const leftBy = (segment: Segment, before: Inherited): Inherited => {
  if (segment.is === "heading") return segment.inherited
  if (segment.is === "unknown" || segment.is === "remark") {
    // "The orange is too bright": the next clause's "it" refers to the orange.
    const colors = colorsNamed(segment.clause.text).flatMap(({ words }) => words)
    return colors.length === 0 ? before : { ...before, topic: colors.join(" ") }
  }
  if (segment.is !== "change" && segment.is !== "failure") return before
  const acts = actsOf(segment.clause).filter((act) => act !== "remove" && act !== "move")
  const nouns = unexplained(segment.clause)
    .filter((token) => isWord(token) && has(token, "form", "field", "question", "quote", "team", "price", "spelled"))
    .map(({ word }) => word)
  const topic = segment.is === "change" ? segment.outcome.topic : before.topic
  return { acts, nouns: nouns.length > 0 ? nouns : before.nouns, topic }
}

const costs: { readonly [Is in Segment["is"]]: number } = {
  change: 1,
  guard: 1,
  heading: 0.5,
  remark: 0.6,
  withdrawal: 0.4,
  failure: 1.9,
  unknown: 2
}
/** Each smallest part inside an unknown segment costs this much. This favours splitting off what is understood. */
const costOfUnknownPart = 2

/** A guard or a remark over several parts costs this much, so that it does not hide a wish in one of them. */
const costOfQuietPart = 0.7

interface Cover {
  readonly cost: number
  readonly segments: ReadonlyArray<Segment>
}

/** Splits a sentence into segments. Of all possible splits, chooses the one that leaves least unexplained. */
export const segmentsOf = (
  parts: ReadonlyArray<ReadonlyArray<Token>>,
  setting: SegmentSetting,
  inherited: Inherited
): ReadonlyArray<Segment> => {
  const covers = new Map<string, Cover>()
  const read = new Map<string, Segment>()
  const keyOf = (each: Inherited): string => [each.acts.join(), each.nouns.join(), each.topic].join("|")
  const segment = (from: number, to: number, before: Inherited): Segment => {
    const key = `${from}-${to}-${keyOf(before)}`
    const earlier = read.get(key)
    if (earlier !== undefined) return earlier
    const fresh = segmentOf(parts.slice(from, to).flat(), before, setting, to === parts.length)
    read.set(key, fresh)
    return fresh
  }
  const cover = (from: number, before: Inherited): Cover => {
    if (from >= parts.length) return { cost: 0, segments: [] }
    const key = `${from}-${keyOf(before)}`
    const earlier = covers.get(key)
    if (earlier !== undefined) return earlier
    let best: Cover | undefined
    for (let to = parts.length; to > from; to--) {
      const first = segment(from, to, before)
      const cost =
        costs[first.is] +
        (first.is === "unknown" || first.is === "failure"
          ? costOfUnknownPart * (to - from)
          : first.is === "guard" || first.is === "remark"
            ? costOfQuietPart * (to - from - 1)
            : 0)
      if (best !== undefined && cost >= best.cost) continue
      const rest = cover(to, leftBy(first, before))
      if (best === undefined || cost + rest.cost < best.cost)
        best = { cost: cost + rest.cost, segments: [first, ...rest.segments] }
    }
    const cheapest = best ?? { cost: 0, segments: [] }
    covers.set(key, cheapest)
    return cheapest
  }
  return cover(0, inherited).segments
}

const tooMuch: ReadonlySet<string> = new Set("too muito mt muy demais demasiado demasiada gostei".split(" "))

/** True for "The orange is too bright", which complains and limits nothing. */
export const isComplaint = ({ clause }: Segment): boolean =>
  clause.verb === undefined &&
  clause.tokens.some(({ word }) => tooMuch.has(word)) &&
  clause.tokens.every(({ kind }) => kind === "word" || kind === "mark")

/** True if a part that was not understood could be a condition of the part before it. */
export const mayLimit = ({ clause, tokens }: Segment): boolean => {
  const [first, second] = tokens.filter(({ kind }) => kind !== "mark")
  const isLimit =
    [first, second].some(
      (token) => token !== undefined && isWord(token) && has(token, "limit", "only", "negation", "because")
    ) ||
    [
      "com",
      "with",
      "con",
      "para",
      "for",
      "de",
      "do",
      "da",
      "of",
      "in",
      "on",
      "em",
      "en",
      "at",
      "so",
      "if",
      "se",
      "si",
      "que",
      "q",
      "which",
      "that"
    ].includes(first?.word ?? "")
  const isOwn = clause.verb !== undefined || valuesOf(clause, "quote", "phone", "email", "money").length > 0
  return isLimit || (!isOwn && !startsClause(tokens))
}

/** True if a part begins a new clause, so that it cannot continue the part before it. */
export const startsClause = (tokens: ReadonlyArray<Token>): boolean =>
  tokens.some((token, at) => at < 3 && isWord(token) && has(token, "copula", "subject", "doing"))
