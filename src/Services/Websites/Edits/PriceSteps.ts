import { within } from "../Material/MaterialText.ts"
import { change, type EditDesk, failure, type Outcome, severalFound } from "./EditDesk.ts"
import { asks, type Clause, unexplained, valuesOf } from "./Reading/EditClause.ts"
import { amountOf, has, isWord } from "./Reading/EditTokens.ts"
import { type Block, blocksOfKind, replaceBlock } from "./SiteSections.ts"
import { resolveThings } from "./SiteThings.ts"
import { isStep } from "./Wishes/ValueEdits.ts"

type Item = Block<"Prices">["items"][number]

const numberShape = /\d+(?:[.,]\d+)*/

/** Formats an amount like the old one, with the same cents and separators. */
const shownLike = (old: string, value: number): string => {
  const digits = numberShape.exec(old)?.[0] ?? ""
  const decimals = /[.,]\d{2}$/.test(digits) ? 2 : Number.isInteger(value) ? 0 : 2
  const mark = digits.includes(",") && decimals === 2 ? "," : old.includes("R$") || old.includes("€") ? "," : "."
  const [whole = "", part] = value.toFixed(decimals).split(".")
  const isGrouped = /\d[.,]\d{3}/.test(digits)
  const grouped = isGrouped ? Number(whole).toLocaleString(digits.includes(".") ? "de-DE" : "en-US") : whole
  return old.replace(digits, part === undefined ? grouped : `${grouped}${mark}${part}`)
}

/** The prices after the change. Undefined if a price is not a single amount or would not stay positive. */
const pricesAfter = (
  items: ReadonlyArray<Item>,
  step: (old: number) => number
): ReadonlyMap<Item, string> | undefined => {
  const prices = new Map<Item, string>()
  for (const item of items) {
    const old = amountOf(item.price)
    if (old === undefined || [...item.price.matchAll(/\d+(?:[.,]\d+)*/g)].length !== 1) return undefined
    const value = step(old)
    if (value <= 0) return undefined
    prices.set(item, shownLike(item.price, Math.round(value * 100) / 100))
  }
  return prices
}

/** Raises or lowers prices: "Raise both prices by $20", "aumente os preços em 10%". */
export const raisingPrices = (clause: Clause, desk: EditDesk): Outcome | undefined => {
  const { notes, site } = desk
  if (!asks(clause, "raise", "lower") || asks(clause, "raise") === asks(clause, "lower")) return undefined
  const [value, more] = valuesOf(clause, "money", "number")
  const amount = value === undefined ? undefined : amountOf(value.text)
  if (value === undefined || more !== undefined || amount === undefined) return undefined
  const isShare = value.text.endsWith("%")
  if (!isShare && !isStep(clause, value)) return undefined
  const sign = asks(clause, "raise") ? 1 : -1
  const all = blocksOfKind(site, "Prices").flatMap((placed) => placed.block.items)
  const rest = unexplained(
    clause,
    (token) => token === value || (isWord(token) && has(token, "price", "both", "valuemark"))
  )
  const named =
    rest.length === 0
      ? undefined
      : resolveThings(
          site,
          rest.map(({ word }) => word),
          ({ kind }) => kind === "price"
        )
  if (named?._tag === "Several") return severalFound(desk, named.names)
  const [thing] = named?._tag === "Things" ? named.things : []
  const items = rest.length === 0 ? all : all.filter(({ name }) => name === thing?.name)
  const isBoth = clause.tokens.some(({ word }) => ["both", "ambos", "ambas", "dois", "duas", "dos"].includes(word))
  const prices = pricesAfter(items, (old) => (isShare ? old * (1 + (sign * amount) / 100) : old + sign * amount))
  if (items.length === 0 || prices === undefined || (isBoth && items.length !== 2))
    return failure(notes.notFound(within(clause.text, 160)), notes.nameIt)
  const operations = blocksOfKind(site, "Prices")
    .filter(({ block }) => block.items.some((item) => prices.has(item)))
    .map((placed) =>
      replaceBlock(placed, {
        ...placed.block,
        items: placed.block.items.map((item) => ({ ...item, price: prices.get(item) ?? item.price }))
      })
    )
  return change(
    "values",
    [...prices].map(([item, price]) => notes.price(item.name, price)),
    operations,
    { present: [...prices.values()] }
  )
}
