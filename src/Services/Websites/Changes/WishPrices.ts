import { within, withoutEnd } from "../Material/MaterialText.ts"
import type { Site } from "../Site.ts"
import type { ChangeDesk } from "./ChangeDesk.ts"
import { type Block, blocksOfKind, type PlacedBlock } from "./ChangeTargets.ts"
import { replaceBlock } from "./ChangeWords.ts"
import { resolveThings } from "./SiteThings.ts"
import { change, failure, type Outcome, type Reading, severalFound } from "./WishOutcome.ts"
import { contentOf, sameWord, unexplained, wordsOf } from "./WishTokens.ts"
import { copulas, isNoun, valueMarks, verbs } from "./WishWords.ts"

const sums =
  /(?:R\$|US\$|S\/|€|£|\$)\s?\d[\d.,]{0,14}|\d[\d.,]{0,14}\s?(?:€|£|\$|(?:reais|real|euros?|d[oó]lares|dollars|pounds|pesos)\b)/giu

const sumsIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(sums)].map(([sum]) => withoutEnd(sum, ".,").trim())

type Item = Block<"Prices">["items"][number]

interface PlacedItem {
  readonly placed: PlacedBlock<Block<"Prices">>
  readonly item: Item
}

const pricedItems = (site: Site): ReadonlyArray<PlacedItem> =>
  blocksOfKind(site, "Prices").flatMap((placed) => placed.block.items.map((item) => ({ placed, item })))

const settingPrices = (
  site: Site,
  prices: ReadonlyMap<Item, string>
): Extract<Outcome, { readonly _tag: "Change" }>["operations"] =>
  blocksOfKind(site, "Prices")
    .filter(({ block }) => block.items.some((item) => prices.has(item)))
    .map((placed) => {
      const items = placed.block.items.map((item) => ({ ...item, price: prices.get(item) ?? item.price }))
      return replaceBlock(placed, { ...placed.block, items })
    })

const per = /\s(?:por|per|al|a)\s\p{L}+$|\s?\/\s?\p{L}+$/u
const lead = /^(?:a partir de|from|desde|starting at|de)\s/i

/** The new price in the way in which the site writes the old one. */
const writtenLike = (old: string, sum: string, text: string): string => {
  const unit = per.exec(old)?.[0] ?? ""
  const from = lead.exec(old)?.[0] ?? ""
  const at = text.indexOf(sum)
  const behind = text.slice(at + sum.length)
  const unitBehind = /^(?:\s?\/\s?\p{L}{1,8}|\s(?:por|per|al|a)\s\p{L}{1,9})(?![\p{L}])/u.exec(behind)?.[0]
  const before = /(?:a partir de|from|desde|starting at)\s$/i.exec(text.slice(0, at))?.[0] ?? from
  return within(`${before}${sum}${unitBehind ?? unit}`.trim(), 60)
}

const isPriceWord = (word: string): boolean =>
  isNoun(word, "price", "item", "list") ||
  copulas.has(word) ||
  valueMarks.has(word) ||
  verbs.some(([act, words]) => act !== "remove" && words.has(word)) ||
  [
    "from",
    "partir",
    "desde",
    "starting",
    "new",
    "novo",
    "nova",
    "nuevo",
    "nueva",
    "instead",
    "each",
    "cada",
    "month",
    "mes",
    "per",
    "hora",
    "hour",
    "noite",
    "night",
    "dia",
    "day",
    "ano",
    "year",
    "aula",
    "session",
    "sessao",
    "person",
    "pessoa",
    "persona",
    "kg",
    "unidade",
    "unidad",
    "only",
    "apenas",
    "so",
    "solo",
    "old",
    "anterior"
  ].includes(word)

/** The items that the words of a wish without its sums can mean; undefined where they name something else. */
const itemsMeant = (
  site: Site,
  words: ReadonlyArray<string>,
  sums: ReadonlyArray<string>
): { readonly subject: ReadonlyArray<string>; readonly items: ReadonlyArray<PlacedItem> } => {
  const all = pricedItems(site)
  const isOfItem = (word: string): boolean => all.some(({ item }) => wordsOf(item.name).includes(word))
  const subject = words.filter((word) => !isPriceWord(word) || isOfItem(word))
  if (subject.length === 0) {
    if (unexplained(words, isPriceWord).length > 0) return { subject, items: [] }
    const [old = ""] = sums
    if (sums.length === 2) return { subject, items: all.filter(({ item }) => item.price.includes(old)) }
    return { subject, items: all.length === 1 ? all : [] }
  }
  const named = all.filter(({ item, placed }) => {
    const described = wordsOf(`${item.name} ${item.text} ${placed.block.title}`)
    const isDescribed = (word: string): boolean => described.some((each) => sameWord(each, word))
    return (
      subject.some(isDescribed) && unexplained(words, (word) => isPriceWord(word) || isDescribed(word)).length === 0
    )
  })
  const exact = named.filter(({ item }) =>
    contentOf(wordsOf(item.name)).every((word) => subject.some((each) => sameWord(each, word)))
  )
  return { subject, items: exact.length > 0 ? exact : named }
}

/** The item with its new price. */
const repriced = (
  { item }: PlacedItem,
  sums: ReadonlyArray<string>,
  { notes, site }: ChangeDesk,
  text: string
): Outcome => {
  const [old = ""] = sums
  if (sums.length === 2 && !item.price.includes(old)) return failure(notes.notFound(old), notes.nameIt)
  const price = writtenLike(item.price, sums.at(-1) ?? "", text)
  if (price === item.price) return failure(notes.already(`${item.name} ${price}`), notes.oneByOne)
  const isShared = pricedItems(site).some((each) => each.item !== item && each.item.price === item.price)
  return change(notes.price(item.name, price), settingPrices(site, new Map([[item, price]])), {
    present: [item.name, price],
    absent: isShared || item.price === "" || price.includes(item.price) ? [] : [item.price]
  })
}

/** "The voucher now costs 99 €", "change the price of X to Y", "fee is from $159 now". */
export const settingPrice = ({ act, object, value }: Reading, desk: ChangeDesk, text: string): Outcome | undefined => {
  const { notes, site } = desk
  if (act === "remove" || act === "raise" || act === "lower" || act === "move") return undefined
  const sums = sumsIn(text)
  if (sums.length === 0 || sums.length > 2 || (sums.length === 2 && value === undefined)) return undefined
  const rest = sums.reduce((left, each) => left.replace(each, " "), text)
  const { items, subject } = itemsMeant(site, contentOf(wordsOf(rest)), sums)
  const [choice, ...others] = items
  if (choice === undefined) {
    const isNew = subject.length > 0 && (act === "add" || resolveThings(site, object)._tag !== "None")
    return isNew ? undefined : failure(notes.notFound(within(subject.join(" ") || text, 160)), notes.nameIt)
  }
  return others.length > 0
    ? severalFound(
        desk,
        items.map(({ item }) => item.name)
      )
    : repriced(choice, sums, desk, text)
}

const amount = /\d[\d.,]*/

/** The number of a sum; undefined where its marks leave a doubt. */
const numberOf = (sum: string): number | undefined => {
  const digits = amount.exec(sum)?.[0] ?? ""
  const plain = withoutEnd(digits, ".,")
  const isGrouped = /^\d{1,3}([.,])\d{3}$/.test(plain)
  const normal = isGrouped ? plain.replace(/[.,]/, "") : plain.replace(",", ".")
  const value = Number(normal)
  return Number.isFinite(value) && plain !== "" ? value : undefined
}

const shownLike = (old: string, value: number): string => {
  const digits = withoutEnd(amount.exec(old)?.[0] ?? "", ".,")
  const decimals = /[.,]\d{2}$/.test(digits) ? 2 : Number.isInteger(value) ? 0 : 2
  const mark = digits.includes(",") && decimals === 2 ? "," : old.includes("R$") || old.includes("€") ? "," : "."
  const [whole = "", part] = value.toFixed(decimals).split(".")
  const grouped = /\d[.,]\d{3}/.test(digits)
    ? whole.replace(/\B(?=(?:\d{3})+$)/g, digits.includes(".") ? "." : ",")
    : whole
  return old.replace(digits, part === undefined ? grouped : `${grouped}${mark}${part}`)
}

/** By how much prices change: a sum, or a share of them. */
interface PriceStep {
  readonly sum: string | undefined
  readonly percent: string | undefined
  readonly sign: 1 | -1
}

const stepOf = (act: "raise" | "lower", text: string): PriceStep | undefined => {
  const percent = /(\d{1,3}(?:[.,]\d{1,2})?)\s?%/.exec(text)?.[1]
  const [sum, more] = sumsIn(text)
  if (more !== undefined || (percent === undefined) === (sum === undefined)) return undefined
  // "To" is where it ends, and no step.
  const end = sum === undefined ? -1 : text.indexOf(sum)
  const isEnd = end > 0 && /\s(?:para|to|a)\s$/i.test(text.slice(0, end))
  return isEnd ? undefined : { sum, percent, sign: act === "raise" ? 1 : -1 }
}

/** The prices after the step; undefined where one of them is no plain sum, or would be nothing. */
const pricesAfter = (
  items: ReadonlyArray<Item>,
  { percent, sign, sum }: PriceStep
): ReadonlyMap<Item, string> | undefined => {
  const step = numberOf(percent ?? sum ?? "")
  const prices = new Map<Item, string>()
  for (const item of items) {
    const old = numberOf(item.price)
    if (old === undefined || step === undefined || sumsIn(item.price).length !== 1) return undefined
    const value = percent === undefined ? old + sign * step : old * (1 + (sign * step) / 100)
    if (value <= 0) return undefined
    prices.set(item, shownLike(item.price, Math.round(value * 100) / 100))
  }
  return prices
}

/** "Raise both prices by $20", "aumente os preços em 10%". */
export const raisingPrices = ({ act, object }: Reading, desk: ChangeDesk, text: string): Outcome | undefined => {
  const { notes, site } = desk
  if (act !== "raise" && act !== "lower") return undefined
  const step = stepOf(act, text)
  if (step === undefined) return undefined
  const amountText = step.percent === undefined ? (step.sum ?? "") : step.percent
  const words = contentOf(wordsOf(object.replace(amountText, " ")))
  const all = pricedItems(site)
  const rest = words.filter((word) => !isNoun(word, "price", "both") && !valueMarks.has(word))
  const finding = rest.length === 0 ? undefined : resolveThings(site, rest.join(" "), ({ kind }) => kind === "price")
  if (finding?._tag === "Several") return severalFound(desk, finding.names)
  const [thing] = finding?._tag === "Things" ? finding.things : []
  const raisedItems = rest.length === 0 ? all : all.filter(({ item }) => item.name === thing?.name)
  const isBoth = words.some((word) => ["both", "ambos", "ambas", "dois", "duas", "dos"].includes(word))
  const prices = pricesAfter(
    raisedItems.map(({ item }) => item),
    step
  )
  if (raisedItems.length === 0 || prices === undefined || (isBoth && raisedItems.length !== 2))
    return failure(notes.notFound(within(object, 160)), notes.nameIt)
  const after = [...prices.values()]
  return change(
    [...prices].map(([item, price]) => notes.price(item.name, price)),
    settingPrices(site, prices),
    {
      present: after,
      absent: [...prices.keys()]
        .map(({ price }) => price)
        .filter((price) => !after.some((each) => each.includes(price)))
    }
  )
}
