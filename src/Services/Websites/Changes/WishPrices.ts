import { within, withoutEnd } from "../Material/MaterialText.ts"
import type { Site } from "../Site.ts"
import type { ChangeDesk } from "./ChangeDesk.ts"
import { type Block, blocksOfKind, type PlacedBlock } from "./ChangeTargets.ts"
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
    .map(({ block, page }) => ({
      _tag: "ReplaceBlock",
      page: page.id,
      variant: null,
      block: { ...block, items: block.items.map((item) => ({ ...item, price: prices.get(item) ?? item.price })) }
    }))

const per = /\s(?:por|per|al|a)\s\p{L}+$|\s?\/\s?\p{L}+$/u
const lead = /^(?:a partir de|from|desde|starting at|de)\s/i

/** The new price in the way in which the site writes the old one. */
const writtenLike = (old: string, sum: string, text: string): string => {
  const unit = per.exec(old)?.[0] ?? ""
  const from = lead.exec(old)?.[0] ?? ""
  const at = text.indexOf(sum)
  const behind = text.slice(at + sum.length)
  const own = /^(?:\s?\/\s?\p{L}{1,8}|\s(?:por|per|al|a)\s\p{L}{1,9})(?![\p{L}])/u.exec(behind)?.[0]
  const before = /(?:a partir de|from|desde|starting at)\s$/i.exec(text.slice(0, at))?.[0] ?? from
  return within(`${before}${sum}${own ?? unit}`.trim(), 60)
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

/** "The voucher now costs 99 €", "change the price of X to Y", "fee is from $159 now". */
export const settingPrice = ({ act, object, value }: Reading, desk: ChangeDesk, text: string): Outcome | undefined => {
  const { notes, site } = desk
  if (act === "remove" || act === "raise" || act === "lower" || act === "move") return undefined
  const found = sumsIn(text)
  const sum = found.at(-1)
  if (sum === undefined || found.length > 2 || (found.length === 2 && value === undefined)) return undefined
  const [old] = found
  const rest = found.reduce((left, each) => left.replace(each, " "), text)
  const all = pricedItems(site)
  const words = contentOf(wordsOf(rest))
  const subject = words.filter(
    (word) => !isPriceWord(word) || all.some(({ item }) => wordsOf(item.name).includes(word))
  )
  const named = all.filter(({ item, placed }) => {
    const name = wordsOf(item.name)
    const described = wordsOf(`${item.name} ${item.text} ${placed.block.title}`)
    const hits = subject.filter((word) => described.some((each) => sameWord(each, word)))
    return (
      hits.length > 0 &&
      unexplained(words, (word) => isPriceWord(word) || described.some((each) => sameWord(each, word))).length === 0 &&
      (subject.length > 0 || name.length > 0)
    )
  })
  const exact = named.filter(({ item }) =>
    contentOf(wordsOf(item.name)).every((word) => subject.some((each) => sameWord(each, word)))
  )
  const byOld = all.filter(({ item }) => found.length === 2 && old !== undefined && item.price.includes(old))
  const choices =
    subject.length === 0
      ? unexplained(words, isPriceWord).length === 0
        ? found.length === 2
          ? byOld
          : all.length === 1
            ? all
            : []
        : []
      : exact.length > 0
        ? exact
        : named
  if (choices.length === 0) {
    const isNew = subject.length > 0 && (act === "add" || resolveThings(site, object)._tag !== "None")
    return isNew ? undefined : failure(notes.notFound(within(subject.join(" ") || text, 160)), notes.nameIt)
  }
  const [choice] = choices
  if (choices.length > 1)
    return severalFound(
      desk,
      choices.map(({ item }) => item.name)
    )
  if (choice === undefined) return undefined
  const { item } = choice
  if (found.length === 2 && old !== undefined && !item.price.includes(old))
    return failure(notes.notFound(old), notes.nameIt)
  const price = writtenLike(item.price, sum, text)
  if (price === item.price) return failure(notes.already(`${item.name} ${price}`), notes.oneByOne)
  const isShared = pricedItems(site).some((each) => each.item !== item && each.item.price === item.price)
  return change(notes.price(item.name, price), settingPrices(site, new Map([[item, price]])), {
    present: [item.name, price],
    absent: isShared || item.price === "" || price.includes(item.price) ? [] : [item.price]
  })
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

/** "Raise both prices by $20", "aumente os preços em 10%". */
export const raisingPrices = ({ act, object }: Reading, desk: ChangeDesk, text: string): Outcome | undefined => {
  const { notes, site } = desk
  if (act !== "raise" && act !== "lower") return undefined
  const percent = /(\d{1,3}(?:[.,]\d{1,2})?)\s?%/.exec(text)
  const [sum, more] = sumsIn(text)
  if (more !== undefined || (percent === null) === (sum === undefined)) return undefined
  const words = contentOf(wordsOf(object.replace(percent?.[0] ?? sum ?? "", " ")))
  // "To" is where it ends, and no step.
  if (
    sum !== undefined &&
    new RegExp(`\\b(?:para|to|a)\\s+${sum.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")}`, "i").test(text)
  )
    return undefined
  const all = pricedItems(site)
  const rest = words.filter((word) => !isNoun(word, "price", "both") && !valueMarks.has(word))
  const found = rest.length === 0 ? undefined : resolveThings(site, rest.join(" "), ({ kind }) => kind === "price")
  if (found?._tag === "Several") return severalFound(desk, found.names)
  const [thing] = found?._tag === "Things" ? found.things : []
  const chosen = rest.length === 0 ? all : all.filter(({ item }) => item.name === thing?.name)
  const isBoth = words.some((word) => ["both", "ambos", "ambas", "dois", "duas", "dos"].includes(word))
  if (chosen.length === 0 || (isBoth && chosen.length !== 2))
    return failure(notes.notFound(within(object, 160)), notes.nameIt)
  const step = numberOf(percent?.[1] ?? sum ?? "")
  const sign = act === "raise" ? 1 : -1
  const prices = new Map<Item, string>()
  for (const { item } of chosen) {
    const old = numberOf(item.price)
    if (old === undefined || step === undefined || sumsIn(item.price).length !== 1)
      return failure(notes.notFound(item.name), notes.nameIt)
    const value = percent === null ? old + sign * step : old * (1 + (sign * step) / 100)
    if (value <= 0) return undefined
    prices.set(item, shownLike(item.price, Math.round(value * 100) / 100))
  }
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
