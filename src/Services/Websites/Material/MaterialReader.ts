import { detectLanguage, type Language, languageOf } from "../../Text/Language.ts"
import { clip, fold } from "../../Text/PlainText.ts"
import type { SiteMaterial } from "../Writing/SiteWriter.ts"
import { heardIn, isChat, isForMaker, isUnsure, secondVersion, takesBackBefore } from "./Audience.ts"
import { saysAllOf } from "./Completeness.ts"
import { type Contacts, contactsIn, phonesIn } from "./MaterialContacts.ts"
import { isAsk, kindOf } from "./MaterialLabels.ts"
import { aboutIn, isDoubtful, isNameInDoubt, nameIn } from "./MaterialNames.ts"
import type { PricedItem } from "./MaterialPrices.ts"
import { askedForm } from "./AskedFields.ts"
import { pageOffer } from "./PageOffer.ts"
import { capitalised, type Statement, sentencesIn, statementsOf, within, withoutEnd } from "./MaterialText.ts"
import type {
  BriefContext,
  BriefFacts,
  BriefRule,
  BriefStatement,
  BriefTexts,
  ReadFigure,
  ReadPerson,
  ReadQuestion,
  ReadQuote,
  Taken,
  TitledText
} from "./Rules/BriefRule.ts"
import { endsInMark } from "./Rules/BriefRule.ts"
import { contactRules } from "./Rules/ContactRules.ts"
import { bareList, offerRules } from "./Rules/OfferRules.ts"
import { peopleRules } from "./Rules/PeopleRules.ts"
import { priceRules } from "./Rules/PriceRules.ts"
import { questionRules } from "./Rules/QuestionRules.ts"
import { quoteRules } from "./Rules/QuoteRules.ts"
import { longestProse, proseRules, titleRules } from "./Rules/TextRules.ts"
import { type Sector, sectorOf } from "./Sectors.ts"

/** What the material says, sorted by what a site does with it. Every text is the material's own. */
export interface ReadMaterial {
  readonly language: Language
  readonly sector: Sector
  /** Empty where nothing names the business. */
  readonly name: string
  /** Whether the name leaves no doubt. */
  readonly isNameSure: boolean
  /** "Law firm in Boston"; empty where nothing says it. */
  readonly about: string
  readonly slogan: string
  /** Sentences for visitors, in their order. */
  readonly statements: ReadonlyArray<string>
  readonly offers: ReadonlyArray<TitledText>
  /** As the material calls them; empty where it does not. */
  readonly offersLabel: string
  readonly benefits: ReadonlyArray<TitledText>
  readonly prices: ReadonlyArray<PricedItem>
  readonly pricesLabel: string
  readonly figures: ReadonlyArray<ReadFigure>
  readonly quotes: ReadonlyArray<ReadQuote>
  readonly clients: ReadonlyArray<string>
  readonly clientsLabel: string
  readonly people: ReadonlyArray<ReadPerson>
  readonly steps: ReadonlyArray<TitledText>
  readonly questions: ReadonlyArray<ReadQuestion>
  readonly contacts: Contacts
  /** What the main button says; empty where the owner does not say it. */
  readonly button: string
  /** Sentences of the owner that were not understood with certainty, and that the site does not show. */
  readonly unclear: ReadonlyArray<string>
  /** Sentences that were left out because they are in another language. */
  readonly foreign: number
  /** What the owner asks for, without accents and in lower case. */
  readonly wishes: string
  /** Of these, what is said to who makes the site, not to its visitors. */
  readonly orders: string
}

const longestLine = 2000

const isForeignTo = (text: string, language: Language, leastWords = 5): boolean => {
  if (text.split(/\s+/).length < leastWords) return false
  // "e-mail" would count as a Portuguese word.
  const found = detectLanguage(text.replace(/\be-mail/gi, "mail"))
  return found !== undefined && found !== language
}

const unique = <A>(items: ReadonlyArray<A>, keyOf: (item: A) => string, most: number): ReadonlyArray<A> =>
  [...new Map(items.toReversed().map((item) => [fold(keyOf(item)), item])).values()].toReversed().slice(0, most)

/** What is in another language is left out, unless it is a name or a contact. */
const foreignRule: BriefRule = {
  name: "a sentence in another language",
  matches: ({ isItem, kind, text }, { language }) =>
    kind !== "contact" &&
    kind !== "clients" &&
    kind !== "people" &&
    isForeignTo(text, language, isItem || kind !== undefined ? 10 : 5),
  take: ({ isOrder }) => (isOrder ? {} : { foreign: 1 })
}

/** Every rule, in the order in which a statement meets them. */
export const briefRules: ReadonlyArray<BriefRule> = [
  { name: "a label for who makes the site", matches: ({ kind }) => kind === "hidden", take: () => ({}) },
  ...questionRules,
  ...titleRules,
  ...quoteRules,
  // The contacts of a sentence in another language are contacts too.
  ...contactRules,
  foreignRule,
  ...peopleRules.slice(0, 1),
  ...priceRules,
  ...peopleRules.slice(1),
  ...offerRules,
  ...proseRules
]

const nothing: BriefFacts = {
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
  unclear: []
}
const noTexts: BriefTexts = { offersLabel: "", pricesLabel: "", clientsLabel: "", slogan: "", named: "", button: "" }

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
  unclear: [...one.unclear, ...(more.unclear ?? [])]
})

/** The first text of each kind counts. */
const firstTexts = (one: BriefTexts, more: Partial<BriefTexts>): BriefTexts => ({
  offersLabel: one.offersLabel || (more.offersLabel ?? ""),
  pricesLabel: one.pricesLabel || (more.pricesLabel ?? ""),
  clientsLabel: one.clientsLabel || (more.clientsLabel ?? ""),
  slogan: one.slogan || (more.slogan ?? ""),
  named: one.named || (more.named ?? ""),
  button: one.button || (more.button ?? "")
})

interface Reading extends BriefContext {
  readonly foreign: number
}

const withTaken = (reading: Reading, taken: Taken): Reading => ({
  ...reading,
  facts: joined(reading.facts, taken.facts ?? {}),
  texts: firstTexts(reading.texts, taken.texts ?? {}),
  openQuestion: taken.openQuestion ?? reading.openQuestion,
  foreign: reading.foreign + (taken.foreign ?? 0)
})

const isShowable = (text: string): boolean => text.length >= 10 && text.length <= longestProse

/** A statement read by all rules. What they leave out of it is shown as it is written. */
const readStatement = (reading: Reading, statement: BriefStatement): Reading => {
  let after = reading
  let wasForeign = false
  for (const rule of briefRules) {
    if (!rule.matches(statement, after)) continue
    const taken = rule.take(statement, after)
    wasForeign = (taken.foreign ?? 0) > 0
    after = withTaken(after, taken)
    if (taken.goesOn !== true) break
  }
  const { isItem, isOrder, isOwn, kind, text } = statement
  const isLeft =
    isOwn && !isOrder && !wasForeign && kind !== "hidden" && kind !== "name" && !saysAllOf(text, reading, after)
  return !isLeft || !isShowable(text) || after.openQuestion !== ""
    ? after
    : withTaken(after, { facts: { prose: [endsInMark(capitalised(isItem ? withoutEnd(text, ".,;") : text))] } })
}

type Fact = SiteMaterial["facts"][number]

/** A statement as the rules read it, for visitors. */
const asWritten = (statement: Statement, isOwn: boolean): BriefStatement => ({
  ...statement,
  isOwn,
  kind: statement.label === "" ? undefined : kindOf(statement.label),
  isOrder: false,
  isDenial: false,
  offer: ""
})

/** What the owner wrote, parted into what visitors may read and what is said to who makes the site. */
const heardStatements = (description: string, isCapture: boolean): ReadonlyArray<BriefStatement> => {
  const heard: Array<BriefStatement> = []
  const statements = statementsOf(description)
  // A page's fields are no texts of it.
  const rest = isCapture ? askedForm(statements).rest : statements.map(({ text }) => text)
  statements.forEach((statement, at) => {
    const text = rest[at] ?? ""
    const each = asWritten({ ...statement, text }, true)
    const { isItem, kind } = each
    if (text === "" || (kind === undefined && isChat(text))) return
    const isData = isItem || kind === "questions" || kind === "quotes" || kind === "slogan"
    if (isData ? !isAsk(text) : !isForMaker(text)) {
      heard.push(each)
      return
    }
    const { isAboutBefore, isDenial, orders, shown } = heardIn(text)
    // "That flyer has the old address. Don't put it."
    if (isAboutBefore) heard.pop()
    if (shown !== "" && !isCapture) heard.push({ ...each, text: shown })
    const order = isCapture || orders === "" ? text : orders
    heard.push({ ...each, text: order, isOrder: true, isDenial, offer: isCapture && !isDenial ? pageOffer(order) : "" })
  })
  return heard
}

interface SortedStatements {
  readonly statements: ReadonlyArray<BriefStatement>
  readonly unclear: ReadonlyArray<string>
}

/** Without what its writer is not sure of. What is taken back gives way to what is said instead. */
const sureStatements = (all: ReadonlyArray<BriefStatement>): SortedStatements => {
  const statements: Array<BriefStatement> = []
  const unclear: Array<string> = []
  for (const statement of all) {
    if (statement.isOrder || !isUnsure(statement.text)) {
      statements.push(statement)
      continue
    }
    const taken = takesBackBefore(statement.text) ? statements.pop() : undefined
    if (taken !== undefined) unclear.push(taken.text)
    const second = secondVersion(statement.text)
    if (second !== undefined && phonesIn(second).length > 0) statements.push({ ...statement, text: second })
    else unclear.push(statement.text)
  }
  return { statements, unclear }
}

const accountStatements = (facts: ReadonlyArray<Fact>, businessName: string): ReadonlyArray<BriefStatement> =>
  facts
    .filter(({ source, text }) => source !== "faq" && source !== "guidelines" && text !== businessName)
    .flatMap(({ text }) => statementsOf(text).map((each) => ({ ...asWritten(each, false), isOrder: isAsk(each.text) })))

/** The account's FAQ, without what is in another language. */
const faqOf = (facts: ReadonlyArray<Fact>, language: Language): { readonly questions: ReadonlyArray<ReadQuestion>; readonly foreign: number } => {
  const questions: Array<ReadQuestion> = []
  let foreign = 0
  for (const { source, text } of facts) {
    if (source !== "faq") continue
    const [question = "", ...rest] = text.split("\n")
    const answer = rest.join("\n").trim()
    if (isForeignTo(answer, language)) foreign++
    else if (question.trim() !== "" && answer !== "")
      questions.push({ question: within(question.trim(), 300), answer: within(answer, 1500) })
  }
  return { questions, foreign }
}

/** Orders that hold a number which no part of the site has: it could be a fact. */
const numbersOrdered = (statements: ReadonlyArray<BriefStatement>, reading: Reading): ReadonlyArray<string> =>
  statements
    .filter(
      ({ isDenial, isOrder, isOwn, kind, offer, text }) =>
        isOrder && isOwn && offer === "" && !isDenial && kind !== "hidden" && /\d/.test(text) && !saysAllOf(text, undefined, reading)
    )
    .map(({ text }) => text)

/** A sentence that only lists things is the offer if there is no other, and if it is not all that is said. */
const withListAsOffer = (facts: BriefFacts, statementCount: number): BriefFacts => {
  if (facts.offers.length > 0 || statementCount <= 1) return facts
  for (const sentence of facts.prose) {
    const items = bareList(sentence)
    if (items.length > 0)
      return {
        ...facts,
        offers: items.map((title) => ({ title, text: "" })),
        prose: facts.prose.filter((each) => each !== sentence)
      }
  }
  return facts
}

/** The owner's orders on how the site is made, which are not shown to visitors. */
const ordersIn = (statements: ReadonlyArray<BriefStatement>, guidelines: string): string =>
  fold(
    [
      ...statements.flatMap(({ isOrder, isOwn, kind, label, text }) =>
        isOwn && (isOrder || kind === "hidden" || (label !== "" && isAsk(label))) ? [`${label} ${text}`] : []
      ),
      guidelines
    ].join("\n")
  )

/** Two prices of one thing: which of them counts is asked. */
const pricesInDoubt = (prices: ReadonlyArray<PricedItem>): ReadonlyArray<PricedItem> =>
  prices.filter(({ name, price }) =>
    prices.some((other) => fold(other.name) === fold(name) && other.price !== price)
  )

/** Most sentences that a site shows. */
const mostStatements = 40

/** Reads all that the material says. Pure: the same material is read the same. */
export const readMaterial = (material: SiteMaterial): ReadMaterial => {
  const language = languageOf(material.language)
  const { description, facts: known } = material
  // The name and what the business is come at the beginning.
  const opening = clip(description, longestLine)
  const business = known.filter(({ source }) => source === "business").map(({ text }) => text)
  const [businessName = ""] = business.filter((text) => text.length <= 80 && !/[.!?]\s|\n|https?:|www\./.test(text))
  const given = material.businessName?.trim() ?? ""
  const name = given || nameIn(opening) || businessName
  const about = aboutIn(opening, name, language)
  const heard = heardStatements(description, material.type === "LeadCapturePage")
  const sure = sureStatements(heard)
  const statements = [...sure.statements, ...accountStatements(known, businessName)]
  const start: Reading = { language, name, about, facts: nothing, texts: noTexts, openQuestion: "", foreign: 0 }
  const read = statements.reduce(readStatement, start)
  const faq = faqOf(known, language)
  const facts = withListAsOffer(read.facts, heard.length)
  const [firstSentence = ""] = sentencesIn(
    business.find((text) => text !== businessName && text.length > 20 && !/^https?:/.test(text)) ?? ""
  )
  const isSentenceUsed =
    facts.prose.length === 0 &&
    facts.offers.length === read.facts.offers.length &&
    firstSentence !== "" &&
    !isForeignTo(firstSentence, language)
  const doubtful = pricesInDoubt(facts.prices)
  const { texts } = read
  return {
    language,
    sector: sectorOf(`${description}\n${business.join("\n")}`, name),
    name,
    isNameSure:
      name !== "" &&
      (given === name || name === businessName || (!isDoubtful(name) && !isNameInDoubt(opening, name))),
    about: about === "" || isForeignTo(about, language) ? texts.named : about,
    slogan: texts.slogan,
    statements: unique(isSentenceUsed ? [endsInMark(firstSentence)] : facts.prose, (text) => text, mostStatements),
    offers: unique(
      facts.offers.filter(({ title }) => title.length > 1),
      ({ title }) => title,
      12
    ),
    offersLabel: texts.offersLabel.length <= 40 ? capitalised(texts.offersLabel) : "",
    benefits: unique(facts.benefits, ({ title }) => title, 9),
    prices: unique(
      facts.prices.filter((item) => !doubtful.includes(item)),
      ({ name: item }) => item,
      24
    ),
    pricesLabel: capitalised(texts.pricesLabel),
    figures: unique(facts.figures, ({ label, value }) => `${value} ${label}`, 4),
    quotes: unique(facts.quotes, ({ words }) => words, 6),
    clientsLabel: capitalised(texts.clientsLabel),
    clients: unique(facts.clients, (client) => client, 24),
    people: unique(facts.people, ({ name: person }) => person, 12),
    steps: unique(facts.steps, ({ title }) => title, 8),
    questions: unique([...facts.questions, ...faq.questions], ({ question }) => question, 12),
    contacts: contactsIn(facts.contacts, facts.hours),
    button: texts.button,
    unclear: unique(
      [
        ...sure.unclear,
        ...facts.unclear,
        ...numbersOrdered(sure.statements, read),
        ...doubtful.map(({ name: item, price }) => `${item}: ${price}`)
      ],
      (text) => text,
      6
    ),
    foreign: read.foreign + faq.foreign,
    wishes: fold(`${description}\n${material.guidelines}`),
    orders: ordersIn(statements, material.guidelines)
  }
}
