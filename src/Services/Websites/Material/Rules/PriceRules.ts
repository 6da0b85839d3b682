import { type PricedItem, priced } from "../MaterialPrices.ts"
import { itemsIn } from "../MaterialText.ts"
import { type BriefRule, type BriefStatement, filled, ruleOf } from "./BriefRule.ts"

/** Longest name that is the name of a thing, and not half a sentence. */
const longestName = 60
const mostWords = 9
const spoken =
  /\b(?:is|are|has|have|we|i|you|it's|its|that|because|it|é|é|são|tem|que|não|eu|pra|es|son|hay|cuesta|si|pero|no|ya|depois|then|after|over|under|within)\b/i

const isThing = ({ name }: PricedItem): boolean =>
  name.length <= longestName && name.split(/\s+/).length <= mostWords && !spoken.test(name)

/** What a statement names with its price: each item must be a thing and a sum, and little else. */
export const pricesIn = ({ isItem, text }: Pick<BriefStatement, "isItem" | "text">): ReadonlyArray<PricedItem> => {
  const parts = isItem ? [text] : itemsIn(text)
  const items = parts.map(priced).filter((item) => item !== undefined)
  // One item with what it includes, or a list of them.
  const whole = items.length === 1 ? priced(text) : undefined
  const found = whole === undefined ? items : [whole]
  return isItem ? found : found.filter(isThing)
}

export const priceRules: ReadonlyArray<BriefRule> = [
  ruleOf(
    "things with their prices",
    (statement) => (statement.isOrder ? undefined : filled(pricesIn(statement))),
    (prices, { kind, label }) => ({
      facts: { prices },
      ...(kind === "prices" ? { texts: { pricesLabel: label } } : {})
    })
  )
]
