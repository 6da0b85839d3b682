import { distance } from "fastest-levenshtein"
import type { Term } from "./BuyerTerms.ts"

export const hasAny = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  [...one].some((id) => other.has(id))

/** The parts of a passage that may mention a term: the statement, the text above it, its paragraph and the headings. */
export interface Places {
  readonly own: ReadonlySet<string>
  readonly about: ReadonlySet<string>
  readonly paragraph: ReadonlySet<string>
  readonly heading: ReadonlySet<string>
  /** A short paragraph is quoted completely, so its words count more. */
  readonly paragraphShare: number
}

/** Terms that imply others: a question about a place for the car is answered by "parking". */
const impliedBy: { readonly [id: string]: ReadonlyArray<string> } = {
  "#pay_verb": [
    "#invoice_bill",
    "#credit_card",
    "#debit_card",
    "#pix_transfer",
    "#cash",
    "#installments",
    "#deposit_security",
    "#price"
  ],
  "#pay_method": [
    "#invoice_bill",
    "#credit_card",
    "#debit_card",
    "#pix_transfer",
    "#cash",
    "#installments",
    "#deposit_security"
  ],
  "#car_vehicle": ["#parking"],
  "#delivery": ["#deadline_time"],
  "#consumption": ["#generation_output"],
  "#absent_home": ["#attempt_try"],
  "#cancel": ["#notice_period"],
  "#installments": ["#finance_loan"],
  "#saturday": ["#weekend"],
  "#sunday": ["#weekend"],
  "#weekend": ["#saturday", "#sunday"]
}

export const isMatter = (id: string): boolean => id.startsWith("#")

/** The word itself counts more than another word for the same topic. */
const shareIn = (ids: ReadonlySet<string>, place: ReadonlySet<string>): number => {
  let share = 0
  for (const id of ids) {
    if (!place.has(id)) {
      if (impliedBy[id]?.some((other) => place.has(other)) === true) share = Math.max(share, 0.8)
    } else share = Math.max(share, isMatter(id) ? 0.9 : 1)
  }
  return share
}

/** In letters. Shorter words that differ in one letter are different words. */
const shortestMisspelt = 6
const longMisspelt = 9

/** A word with a typing mistake, or another form of a name: "Ethiopian" and "Ethiopia". */
export const isNear = (root: string, place: ReadonlySet<string>): boolean => {
  if (root.length < shortestMisspelt || /\d/.test(root)) return false
  const allowed = root.length >= longMisspelt ? 2 : 1
  return [...place].some(
    (id) => id[0] === root[0] && Math.abs(id.length - root.length) <= allowed && distance(id, root) <= allowed
  )
}

/** How certainly a part mentions a term, from 0 to 1. */
export const termShare = ({ ids, words }: Term, place: ReadonlySet<string>): number => {
  const share = Math.max(shareIn(ids, place), words.length > 1 && words.every((word) => place.has(word)) ? 0.9 : 0)
  const [root = ""] = ids
  return share > 0 || ids.size > 1 || words.length > 0 ? share : isNear(root, place) ? 0.8 : 0
}

/** The best of its parts, weighed by how close they are to the statement. */
export const shareOf = ({ about, heading, own, paragraph, paragraphShare }: Places, term: Term): number =>
  Math.max(
    termShare(term, own),
    termShare(term, about),
    paragraphShare * termShare(term, paragraph),
    0.7 * termShare(term, heading)
  )

/** The number of meanings of ambiguous terms that a statement mentions. It decides between equal scores. */
export const breadthOf = (terms: ReadonlyArray<Term>, { about, own }: Places): number => {
  const ids = terms.flatMap((term) => [...term.ids])
  return ids.length === 0 ? 0 : ids.filter((id) => own.has(id) || about.has(id)).length / ids.length
}

/** "Liability insurance" is not answered by "insurance" alone: one word cannot count for two. */
export const isTwice = (
  { ids, words }: Term,
  { about, heading, own, paragraph }: Places,
  used: Set<string>
): boolean => {
  const all = [own, about, paragraph, heading]
  const present = [...ids].filter((id) => all.some((place) => place.has(id)))
  const isLiteral =
    present.some((id) => !isMatter(id)) ||
    (words.length > 1 && all.some((place) => words.every((word) => place.has(word))))
  const isUsed = !isLiteral && present.length > 0 && present.every((id) => used.has(id))
  for (const id of present) used.add(id)
  return isUsed
}
