import type { Language } from "../../Text/Language.ts"
import { fold } from "../../Text/PlainText.ts"
import { type Term, termsOf } from "./BuyerTerms.ts"
import { type Measure, measuresIn, peopleId } from "./Measures.ts"

/** The kind of information that an answer must contain. */
export type Wanted = "price" | "duration" | "time" | "count" | "frequency"

/** A question, parsed for finding its answer. */
export interface AskedQuestion {
  readonly language: Language
  readonly terms: ReadonlyArray<Term>
  readonly wanted: ReadonlySet<Wanted>
  /** Sizes and quantities that the answer must match. */
  readonly sizes: ReadonlyArray<Measure>
}

/** "Do you charge for weekends?" does not ask for an amount. */
const chargeVerb = /^(?:cobr|factur|fatur)|^charg|^bill/
const amountWord = /\b(?:quanto|qto|cuanto|how much|what)\b/
/** Clauses that give the reason for asking. The answer need not mention them. */
const reasons = /\b(?:while|because|porque|pois|enquanto|mientras|ya que|ja que|since)\b[^.!?;,]*/gi
const counts = /\b(?:quant[oa]s|cuant[oa]s|how many)\b/
const longestQuestion = 600

const wantedBy: ReadonlyArray<readonly [id: string, wanted: Wanted]> = [
  ["#price", "price"],
  ["#deadline_time", "duration"],
  ["#time_clock", "time"],
  ["#frequency", "frequency"]
]

export const readQuestion = (question: string, language: Language): AskedQuestion => {
  const text = question.slice(0, longestQuestion).replace(reasons, " ")
  const terms = termsOf(text, language).filter(({ weight }) => weight !== "empty")
  const wanted = new Set<Wanted>()
  const asksAmount = amountWord.test(fold(text))
  for (const [id, kind] of wantedBy) {
    const isWanted = terms.some(
      ({ ids, text: termText }) => ids.has(id) && (asksAmount || kind !== "price" || !chargeVerb.test(termText))
    )
    if (isWanted) wanted.add(kind)
  }
  if (counts.test(fold(text)) && !wanted.has("duration")) wanted.add("count")
  // "There are seven of us" has no unit.
  const areCounted = terms.some(({ ids }) => ids.has("#company_size"))
  const sizes = measuresIn(text, language)
    .filter(({ isTimeOfDay }) => !isTimeOfDay)
    .map((size) => (areCounted && size.units.size === 0 ? { ...size, units: new Set([peopleId]) } : size))
  return { language, terms, wanted, sizes }
}
