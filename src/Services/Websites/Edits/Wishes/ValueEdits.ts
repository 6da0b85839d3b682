import { within, withoutEnd } from "../../Material/MaterialText.ts"
import type { Site } from "../../Site.ts"
import { applyOperations, type SiteOperation } from "../../SiteOperations.ts"
import { change, type EditDesk, failure, type Outcome, severalFound } from "../EditDesk.ts"
import { asks, type Clause, says, unexplained, valuesOf } from "../Reading/EditClause.ts"
import { amountOf, contentWords, has, isTypoOf, isWord, sameWord, type Token } from "../Reading/EditTokens.ts"
import { type NewValue, newValueOf, sameAmount, withAmount } from "../Reading/NewValues.ts"
import { type Mention, mentionsOf, sameUnit, unitBehind } from "../SiteMentions.ts"
import { type Block, blocksOfKind, callsSection, type PlacedBlock, replaceBlock } from "../SiteSections.ts"
import { replacingText } from "../SiteTexts.ts"

type PriceItem = Block<"Prices">["items"][number]

/** A number on the site that a wish may change, and how to change it. */
interface Candidate {
  readonly label: string
  readonly near: ReadonlyArray<string>
  readonly far: ReadonlyArray<string>
  readonly amount: number | undefined
  readonly isMoney: boolean
  readonly unit: string | undefined
  readonly old: string
  readonly isPriceRow: boolean
  /** The operations that set the new value and the resulting text. Undefined if the value does not fit there. */
  readonly set: (
    site: Site,
    next: string
  ) => { readonly operations: ReadonlyArray<SiteOperation>; readonly text: string } | undefined
}

const priceRow = ({ block, page }: PlacedBlock<Block<"Prices">>, item: PriceItem): Candidate => ({
  label: item.name,
  near: contentWords(item.name),
  far: [
    ...contentWords(item.name),
    ...contentWords(item.text),
    ...contentWords(item.price),
    ...item.includes.flatMap(contentWords)
  ],
  amount: amountOf(item.price),
  isMoney: true,
  unit: undefined,
  old: item.price,
  isPriceRow: true,
  set: (site, next) => {
    const price = withAmount(item.price, next)
    const now = blocksOfKind(site, "Prices").find((each) => each.block.id === block.id && each.page.id === page.id)
    if (price === undefined || now === undefined) return undefined
    const items = now.block.items.map((each) =>
      each.name === item.name && each.price === item.price ? { ...each, price: within(price, 60) } : each
    )
    return { operations: [replaceBlock(now, { ...now.block, items })], text: price }
  }
})

const ofMention = ({ amount, far, near, sentence, token, unit }: Mention): Candidate => ({
  label: sentence,
  near,
  far,
  amount,
  isMoney: token.kind === "money",
  unit,
  old: token.text,
  isPriceRow: false,
  set: (site, next) => {
    const text = withAmount(token.text, next)
    if (text === undefined) return undefined
    const changed = sentence.slice(0, token.start) + text + sentence.slice(token.end)
    return { operations: replacingText(site, withoutEnd(sentence, "."), withoutEnd(changed, ".")), text }
  }
})

/** True if a sentence is the name of a price item. Numbers in it are part of the name. */
const isPriceName = (site: Site, sentence: string): boolean =>
  blocksOfKind(site, "Prices").some(({ block }) => block.items.some(({ name }) => name === sentence))

const candidatesOf = (site: Site): ReadonlyArray<Candidate> => [
  ...blocksOfKind(site, "Prices").flatMap((placed) => placed.block.items.map((item) => priceRow(placed, item))),
  ...mentionsOf(site)
    .filter(({ sentence, token }) => token.kind !== "time" && !isPriceName(site, sentence))
    .map(ofMention)
]

const isNamedBy = (words: ReadonlyArray<string>, word: string): boolean => words.some((each) => sameWord(each, word))
const isNearlyNamedBy = (words: ReadonlyArray<string>, word: string): boolean =>
  words.some((each) => sameWord(each, word) || isTypoOf(each, word))

interface Ranked {
  readonly candidate: Candidate
  readonly score: number
}

/** Scores how well the words of a wish fit. Undefined if one of them belongs to something else. */
const rank = (candidate: Candidate, words: ReadonlyArray<string>, isNamed: typeof isNamedBy): Ranked | undefined => {
  if (!words.every((word) => isNamed(candidate.far, word) || isNamed(candidate.near, word))) return undefined
  const near = words.filter((word) => isNamed(candidate.near, word))
  if (words.length > 0 && near.length === 0 && candidate.isPriceRow) return undefined
  const content = candidate.near.filter((word) => !/^\d/.test(word))
  const covered = content.length > 0 && content.every((word) => words.some((each) => sameWord(each, word)))
  return { candidate, score: near.length * 2 + (covered && candidate.isPriceRow ? 3 : 0) }
}

const bestOf = (candidates: ReadonlyArray<Candidate>, words: ReadonlyArray<string>): ReadonlyArray<Candidate> => {
  const ranks = (isNamed: typeof isNamedBy): ReadonlyArray<Ranked> =>
    candidates.flatMap((candidate) => {
      const ranked = rank(candidate, words, isNamed)
      return ranked === undefined ? [] : [ranked]
    })
  const exact = ranks(isNamedBy)
  const all = exact.length > 0 ? exact : ranks(isNearlyNamedBy)
  const most = Math.max(0, ...all.map(({ score }) => score))
  return all.filter(({ score }) => score === most).map(({ candidate }) => candidate)
}

/**
 * True if the candidate has the right kind of value: a price if the wish is about money, or a number with the same
 * unit.
 */
const takes = (candidate: Candidate, next: Token, unit: string | undefined, isPrice: boolean): boolean => {
  if (next.kind === "money" || isPrice) return candidate.isMoney && unit === undefined
  if (unit === undefined) return candidate.unit !== "%" || next.text.endsWith("%")
  return candidate.unit !== undefined && !candidate.isMoney && sameUnit(candidate.unit, unit)
}

/** True for a word of the price's unit, which must match the existing price. */
const isUnitOf = (candidate: Candidate, token: Token): boolean =>
  has(token, "per", "unit") && candidate.far.some((each) => sameWord(each, token.word))

/** Other places on the site with the same amount for the same thing. */
const sameFacts = (site: Site, candidate: Candidate, words: ReadonlyArray<string>): ReadonlyArray<Candidate> =>
  candidatesOf(site).filter(
    (each) =>
      each.isMoney === candidate.isMoney &&
      each.amount === candidate.amount &&
      each.label !== candidate.label &&
      (each.unit === undefined || candidate.unit === undefined || sameUnit(each.unit, candidate.unit)) &&
      words.length > 0 &&
      words.some((word) => isNamedBy(each.near, word))
  )

/** Sets the number here and in other places that state the same fact. */
const withValue = (desk: EditDesk, candidate: Candidate, next: Token, words: ReadonlyArray<string>): Outcome => {
  const { notes, site } = desk
  const set = candidate.set(site, next.text)
  if (set === undefined) return failure(notes.notEffective, notes.oneByOne)
  if (sameAmount(candidate.old, next.text))
    return failure(
      notes.already(candidate.isPriceRow ? `${candidate.label}: ${candidate.old}` : candidate.label),
      notes.oneByOne
    )
  let after = applyOperations(site, set.operations).site
  const operations = [...set.operations]
  for (const same of sameFacts(site, candidate, words)) {
    const more = same.set(after, next.text)
    if (more === undefined) return failure(notes.contradiction(within(same.label, 160)), notes.bothTexts)
    operations.push(...more.operations)
    after = applyOperations(after, more.operations).site
  }
  const note = candidate.isPriceRow ? notes.price(candidate.label, set.text) : notes.replaced(candidate.old, set.text)
  return change("values", note, operations, { present: [set.text], topic: candidate.label })
}

/** Words between "raise" and the amount. "Raise it by 5" sets nothing to 5. */
const stepWords: ReadonlySet<string> = new Set(["by", "em", "en"])

/** True if a value is the amount of change, not the new value. */
export const isStep = (clause: Clause, value: Token): boolean =>
  asks(clause, "raise", "lower") && stepWords.has(clause.tokens[clause.tokens.indexOf(value) - 1]?.word ?? "")

const goesUp = (clause: Clause): boolean | undefined =>
  asks(clause, "raise") === asks(clause, "lower") || clause.verb === undefined ? undefined : asks(clause, "raise")

/** In "Pack of 5 is 160 now" the first number is part of the item's name and the last one is the price. */
const lastValueOf = (clause: Clause): NewValue | undefined => {
  const values = valuesOf(clause, "money", "number")
  const next = values.at(-1)
  const isPlain =
    !says(clause, "negation") && !clause.tokens.some(({ word }) => ["instead", "rather", "vez"].includes(word))
  return values.length === 2 && next !== undefined && isPlain ? { next, old: undefined } : undefined
}

/** True for a price per unit: "a night", "por pessoa". */
const isPerUnit = (period: ReadonlyArray<Token>): boolean =>
  ["a", "la", "por", "per", "/"].includes(period[0]?.word ?? "") &&
  period.some((token) => isWord(token) && has(token, "per") && !has(token, "function"))

interface Fitting {
  readonly fitting: ReadonlyArray<Candidate>
  readonly next: Token
  readonly words: ReadonlyArray<string>
}

/** Changes the best candidate if no other fits as well and the direction agrees with the verb. */
const withBest = (clause: Clause, desk: EditDesk, { fitting, next, words }: Fitting): Outcome | undefined => {
  const { notes } = desk
  const [first, ...others] = fitting
  if (first === undefined) return undefined
  const isOther = others.some(({ amount, label }) => label !== first.label && amount !== first.amount)
  const isTwice = others.some(({ label }) => label === first.label)
  if (isOther || isTwice)
    return severalFound(
      desk,
      fitting.map(({ label, old }) => (isTwice ? `${label}: ${old}` : label))
    )
  const isUp = goesUp(clause)
  const amount = amountOf(next.text)
  if (isUp !== undefined && first.amount !== undefined && amount !== undefined && amount > first.amount !== isUp)
    return failure(notes.opposite, notes.oneByOne)
  return withValue(desk, first, next, words.length > 0 ? words : contentWords(first.label))
}

const severalPrices = (desk: EditDesk, prices: ReadonlyArray<Candidate>): Outcome | undefined =>
  prices.length > 1
    ? severalFound(
        desk,
        prices.map(({ label }) => label)
      )
    : undefined

/**
 * Sets a number: "O corte agora é 40", "put call out up to £70", "the guarantee is 20 years now", "12 hours rather than
 * 10".
 */
export const settingValue = (clause: Clause, desk: EditDesk): Outcome | undefined => {
  const { site } = desk
  const value = newValueOf(clause, "money", "number") ?? lastValueOf(clause)
  if (value === undefined || (clause.verb !== undefined && !asks(clause, "set", "change", "raise", "lower", "add")))
    return undefined
  const { next, old } = value
  if (isStep(clause, next)) return undefined
  const at = clause.tokens.indexOf(next)
  const unit = unitBehind(clause.tokens, at)
  const isPrice = next.kind === "money" || says(clause, "price") || isPerUnit(clause.tokens.slice(at + 1, at + 3))
  const isOfValue = (token: Token): boolean =>
    token === next ||
    token === old ||
    (unit !== undefined && token === clause.tokens[at + 1]) ||
    (isWord(token) && has(token, "price", "now", "set", "copula", "valuemark", "oldmark", "raise", "lower", "money"))
  const oldUnit = old === undefined ? undefined : clause.tokens[clause.tokens.indexOf(old) + 1]
  const fits = candidatesOf(site).filter((candidate) => takes(candidate, next, unit, isPrice))
  const rest = unexplained(clause, isOfValue, (token) => token === oldUnit && has(token, "unit"))
  // A word for the section or for the price's unit does not identify the item.
  const optional = (token: Token, candidate: Candidate): boolean =>
    isUnitOf(candidate, token) ||
    (candidate.isPriceRow &&
      (has(token, "item", "list") || blocksOfKind(site, "Prices").some(({ block }) => callsSection(token.word, block))))
  const words = rest.map(({ word }) => word)
  const named =
    words.length === 0 && clause.inherited.topic !== "" && clause.verb !== undefined
      ? contentWords(clause.inherited.topic)
      : words
  const withOld = fits.filter(({ amount }) => old === undefined || amount === amountOf(old.text))
  if (named.length === 0 && unit === undefined && old === undefined && !(says(clause, "price") && withOld.length === 1))
    return says(clause, "price") ? severalPrices(desk, withOld) : undefined
  const matching = withOld.filter((candidate) =>
    rest.every(
      (token) =>
        isNearlyNamedBy(candidate.far, token.word) ||
        isNearlyNamedBy(candidate.near, token.word) ||
        optional(token, candidate)
    )
  )
  const needed = named.filter((word) => matching.some((candidate) => isNearlyNamedBy(candidate.far, word)))
  return withBest(clause, desk, { fitting: bestOf(matching, needed), next, words: needed })
}
