import { type PricedItem, priced } from "../MaterialPrices.ts"
import { capitalised, endsJoining, itemsIn } from "../MaterialText.ts"
import { type BriefRule, type BriefStatement, endsInMark, filled, ruleOf } from "./BriefRule.ts"
import { withLabel } from "./JudgedText.ts"

/** Longest name that is the name of a thing, and not half a sentence. */
const longestName = 60
const mostWords = 9
const spoken =
  /\b(?:is|are|has|have|we|i|you|it's|its|that|because|it|é|é|são|tem|que|não|eu|pra|es|son|hay|cuesta|si|pero|no|ya|depois|then|after|over|under|within)\b/i

const sum = /(?:R\$|US\$|S\/|€|£|\$)\s?\d|\d\s?(?:€|reais|euros?|pesos|MXN|COP|USD)(?![\p{L}])/u
const offers = /^(?:hacemos|fazemos|vendemos|ofrecemos|oferecemos|we (?:do|make|sell|offer)|i do|hago|fa[çc]o)\s/i
const isBalanced = (text: string): boolean => text.split("(").length === text.split(")").length

/** Whether the item is a thing with one sum, and not the rest of a sentence. */
const isThing = ({ includes, name, text }: PricedItem): boolean =>
  name.length <= longestName &&
  name.split(/\s+/).length <= mostWords &&
  !spoken.test(name) &&
  !endsJoining(name) &&
  !/^(?:com|con|with|for|para|por|de|al|a|an|in|en|em)\s/i.test(name) &&
  [name, text, ...includes].every((part) => isBalanced(part) && !sum.test(part))

/**
 * What a statement names with its price. In a sentence each part with a sum must be a thing, named before its sum: else the
 * sentence is shown as it is written.
 */
export const pricesIn = ({ isItem, text }: Pick<BriefStatement, "isItem" | "text">): ReadonlyArray<PricedItem> => {
  const bare = text.replace(offers, "")
  const parts = isItem ? [bare] : itemsIn(bare)
  const summed = parts.filter((part) => sum.test(part))
  const [first = ""] = parts
  // One item with what it includes, or a list of them.
  const isOne = isItem || (summed.length === 1 && sum.test(first))
  const items = (isOne ? [bare] : summed).map((part) =>
    startsWithSum.test(part) && !isItem ? undefined : priced(part)
  )
  const pricedItems = items.filter((item) => item !== undefined)
  return pricedItems.length === items.length && pricedItems.every(isThing) ? pricedItems : []
}
const startsWithSum = /^(?:R\$|US\$|€|£|\$|\d)/

/** Whether parts of the list have no sum: they are shown with the sentence. */
const hasOtherParts = ({ isItem, text }: BriefStatement): boolean =>
  !isItem && itemsIn(text).some((part) => !sum.test(part))

export const priceRules: ReadonlyArray<BriefRule> = [
  ruleOf(
    "things with their prices",
    (statement) => (statement.isOrder ? undefined : filled(pricesIn(statement))),
    (prices, statement) => ({
      facts: {
        prices,
        ...(hasOtherParts(statement) && (prices.length > 1 || !sum.test(itemsIn(statement.text)[0] ?? ""))
          ? { prose: [endsInMark(capitalised(withLabel(statement)))] }
          : {})
      },
      // "Pre-sale of Christmas cakes: small 20, large 30": what the prices are of.
      ...(statement.kind === "prices" || (statement.isInline === true && statement.kind === undefined)
        ? { texts: { pricesLabel: statement.label } }
        : {})
    })
  )
]
