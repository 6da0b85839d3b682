import { isForeign, type Language } from "../../Text/Language.ts"
import { saysAllOf } from "./Completeness.ts"
import { isPageLabel } from "./MaterialLabels.ts"
import { withoutEnd } from "./MaterialText.ts"
import {
  type BriefContext,
  type BriefFacts,
  type BriefRule,
  type BriefStatement,
  type BriefTexts,
  type Taken
} from "./Rules/BriefRule.ts"
import { contactRule, hoursRules } from "./Rules/ContactRules.ts"
import { judgedText } from "./Rules/JudgedText.ts"
import { offerRules } from "./Rules/OfferRules.ts"
import { peopleRules, titledPeopleRule } from "./Rules/PeopleRules.ts"
import { priceRules } from "./Rules/PriceRules.ts"
import { questionRules } from "./Rules/QuestionRules.ts"
import { quoteRules } from "./Rules/QuoteRules.ts"
import { isPageOfSomething, longestProse, proseRules, titleRules } from "./Rules/TextRules.ts"

const fewestWords = 5

/** True for labels about audience, goals and the like, which are never shown. */
const isForReaders = (label: string): boolean =>
  /^(?:p[uú]blico|audience|target|alvo|objetivo|goal|idioma|language|palavras-chave|keywords|seo|campanha|campaign|campa[nñ]a)\b/i.test(
    label
  )

/** Whether a text is in another language beyond doubt. "e-mail" would count as a Portuguese word. */
export const isForeignTo = (text: string, language: Language): boolean =>
  text.split(/\s+/).length >= fewestWords && isForeign(text.replace(/\be-mail/gi, "mail"), language)

/** What is in another language is left out, unless it is a name or a contact. */
const foreignRule: BriefRule = {
  name: "a sentence in another language",
  matches: ({ isOwn, kind, text }, { isForeignBrief, language }) =>
    (isOwn && isForeignBrief) ||
    (kind !== "contact" && kind !== "clients" && kind !== "people" && isForeignTo(text, language)),
  take: ({ isOrder }) => (isOrder ? {} : { foreign: 1 })
}

/** All rules, in the order in which they are applied to a statement. */
export const briefRules: ReadonlyArray<BriefRule> = [
  {
    name: "a label for who makes the site",
    matches: ({ kind, label }) => kind === "hidden" && !(isPageLabel(label) && isPageOfSomething(label)),
    take: ({ isOwn, label, text }) =>
      isOwn && !isForReaders(label) ? { facts: { orders: [{ text: `${label}: ${text}`, isDenial: false }] } } : {}
  },
  // The contacts of a sentence in another language are contacts too, and clients are quoted in their own.
  contactRule,
  ...quoteRules,
  foreignRule,
  ...questionRules,
  ...titleRules,
  ...hoursRules,
  titledPeopleRule,
  ...priceRules,
  ...peopleRules,
  ...offerRules,
  ...proseRules
]

export const nothing: BriefFacts = {
  offers: [],
  benefits: [],
  prices: [],
  figures: [],
  quotes: [],
  clients: [],
  people: [],
  steps: [],
  questions: [],
  prose: [],
  hours: [],
  contacts: [],
  unclear: [],
  orders: [],
  asides: []
}
export const noTexts: BriefTexts = {
  offersLabel: "",
  pricesLabel: "",
  clientsLabel: "",
  slogan: "",
  named: "",
  button: ""
}

const joined = (one: BriefFacts, more: Partial<BriefFacts>): BriefFacts => ({
  offers: [...one.offers, ...(more.offers ?? [])],
  benefits: [...one.benefits, ...(more.benefits ?? [])],
  prices: [...one.prices, ...(more.prices ?? [])],
  figures: [...one.figures, ...(more.figures ?? [])],
  quotes: [...one.quotes, ...(more.quotes ?? [])],
  clients: [...one.clients, ...(more.clients ?? [])],
  people: [...one.people, ...(more.people ?? [])],
  steps: [...one.steps, ...(more.steps ?? [])],
  questions: [...one.questions, ...(more.questions ?? [])],
  prose: [...one.prose, ...(more.prose ?? [])],
  hours: [...one.hours, ...(more.hours ?? [])],
  contacts: [...one.contacts, ...(more.contacts ?? [])],
  unclear: [...one.unclear, ...(more.unclear ?? [])],
  orders: [...one.orders, ...(more.orders ?? [])],
  asides: [...one.asides, ...(more.asides ?? [])]
})

/** For each text, the first value that was read counts. */
const firstTexts = (one: BriefTexts, more: Partial<BriefTexts>): BriefTexts => ({
  offersLabel: one.offersLabel || (more.offersLabel ?? ""),
  pricesLabel: one.pricesLabel || (more.pricesLabel ?? ""),
  clientsLabel: one.clientsLabel || (more.clientsLabel ?? ""),
  slogan: one.slogan || (more.slogan ?? ""),
  named: one.named || (more.named ?? ""),
  button: one.button || (more.button ?? "")
})

export interface Reading extends BriefContext {
  readonly foreign: number
}

const withTaken = (reading: Reading, result: Taken): Reading => ({
  ...reading,
  facts: joined(reading.facts, result.facts ?? {}),
  texts: firstTexts(reading.texts, result.texts ?? {}),
  openQuestion: result.openQuestion ?? reading.openQuestion,
  foreign: reading.foreign + (result.foreign ?? 0)
})

const fitsProse = (text: string): boolean => text.length >= 10 && text.length <= longestProse

/** Applies all rules to a statement. A part that no rule takes is shown as written if it is for visitors. */
export const readStatement = (reading: Reading, statement: BriefStatement): Reading => {
  let after = reading
  let wasForeign = false
  let isRead = false
  for (const rule of briefRules) {
    if (!rule.matches(statement, after)) continue
    const result = rule.take(statement, after)
    wasForeign = (result.foreign ?? 0) > 0
    isRead = isRead || result.facts?.contacts !== undefined || result.facts?.hours !== undefined
    after = withTaken(after, result)
    if (result.goesOn !== true) break
  }
  const { isItem, isOrder, isOwn, kind, text } = statement
  const isLeft =
    isOwn && !isOrder && !wasForeign && kind !== "hidden" && kind !== "name" && !saysAllOf(text, reading, after)
  return !isLeft || !fitsProse(text) || after.openQuestion !== ""
    ? after
    : withTaken(after, judgedText(isItem ? withoutEnd(text, ".,;") : text, after, isRead))
}
