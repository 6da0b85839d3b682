import { isForeign, type Language, languageOf } from "../../Text/Language.ts"
import { clip, fold } from "../../Text/PlainText.ts"
import type { SiteMaterial } from "../Writing/SiteWriter.ts"
import { isNoThing, withoutDoubtful } from "./DoubtfulTexts.ts"
import { unreadFieldsOf } from "./Fields/AskedForms.ts"
import { asWritten, heardStatements, sureStatements } from "./HeardStatements.ts"
import { type Contacts, contactsIn } from "./MaterialContacts.ts"
import { isAsk } from "./MaterialLabels.ts"
import type { PricedItem } from "./MaterialPrices.ts"
import { capitalised, sentencesIn, statementsOf, within } from "./MaterialText.ts"
import { aboutIn } from "./Names/BusinessKind.ts"
import { nameRead } from "./Names/MaterialNames.ts"
import { isTrade } from "./Names/NameReaders.ts"
import { isForeignTo, noTexts, nothing, type Reading, readStatement } from "./ReadStatement.ts"
import {
  type BriefFacts,
  type BriefStatement,
  endsInMark,
  type ReadFigure,
  type ReadOrder,
  type ReadPerson,
  type ReadQuestion,
  type ReadQuote,
  type TitledText
} from "./Rules/BriefRule.ts"
import { mayBeThing } from "./Rules/JudgedText.ts"
import { bareList } from "./Rules/OfferRules.ts"
import { saysWhatItIs } from "./Rules/TextRules.ts"
import { type Sector, sectorOf } from "./Sectors.ts"

/** The content of the material, sorted by its use on a site. Every text is quoted from the material. */
export interface ReadMaterial {
  readonly language: Language
  readonly sector: Sector
  /** Empty if the material does not name the business. */
  readonly name: string
  /** True if the name is beyond doubt. */
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
  /** The label of the main button. Empty if the owner does not give one. */
  readonly button: string
  /** Sentences of the owner that were not understood with certainty, and that the site does not show. */
  readonly unclear: ReadonlyArray<string>
  /** Two prices for one thing. */
  readonly contradictions: ReadonlyArray<string>
  /** Statements about the form's fields that were not fully understood. */
  readonly unreadFields: ReadonlyArray<string>
  /** The owner's orders for the site. After the site is made, each is checked. */
  readonly ownOrders: ReadonlyArray<ReadOrder>
  /** Statements that are certainly addressed to the builder. They are left out. */
  readonly asides: ReadonlyArray<string>
  /** Sentences that were left out because they are in another language. */
  readonly foreign: number
  /** What the owner asks for, without accents and in lower case. */
  readonly wishes: string
  /** The part of the wishes that is addressed to the builder. */
  readonly orders: string
}

const longestLine = 2000

const unique = <A>(items: ReadonlyArray<A>, keyOf: (item: A) => string, most: number): ReadonlyArray<A> =>
  [...new Map(items.toReversed().map((item) => [fold(keyOf(item)), item])).values()].toReversed().slice(0, most)

type Fact = SiteMaterial["facts"][number]

const accountStatements = (facts: ReadonlyArray<Fact>, businessName: string): ReadonlyArray<BriefStatement> =>
  facts
    .filter(({ source, text }) => source !== "faq" && source !== "guidelines" && text !== businessName)
    .flatMap(({ text }) => statementsOf(text).map((each) => ({ ...asWritten(each, false), isOrder: isAsk(each.text) })))

/** The account's FAQ, without what is in another language. */
const faqOf = (
  facts: ReadonlyArray<Fact>,
  language: Language
): { readonly questions: ReadonlyArray<ReadQuestion>; readonly foreign: number } => {
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

/** Items with two different prices. The owner is asked which one counts. */
const pricesInDoubt = (prices: ReadonlyArray<PricedItem>): ReadonlyArray<PricedItem> =>
  prices.filter(({ name, price }) => prices.some((other) => fold(other.name) === fold(name) && other.price !== price))

const mostUnclear = 24

/** Most sentences that a site shows. */
const mostStatements = 40

/** What kind of business it is, if the words around the name say so. */
const kindIn = (opening: string, name: string, language: Language): string => {
  const about = aboutIn(opening, name, language)
  // What is around a name ends with its sentence.
  const isOneSentence = sentencesIn(about).length === 1
  const isKind = isTrade(about) || (about.includes(" ") && mayBeThing(about, language))
  return isOneSentence && isKind && !/[€£$]/.test(about) && saysWhatItIs(about) ? about : ""
}

/** Reads the whole material. Pure: the same material always gives the same result. */
export const readMaterial = (material: SiteMaterial): ReadMaterial => {
  const language = languageOf(material.language)
  const { description, facts: known } = material
  // The name and what the business is come at the beginning.
  const opening = clip(description, longestLine)
  const business = known.filter(({ source }) => source === "business").map(({ text }) => text)
  const [businessName = ""] = business.filter((text) => text.length <= 80 && !/[.!?]\s|\n|https?:|www\./.test(text))
  const given = material.businessName?.trim() ?? ""
  const named = nameRead(opening)
  const name = given || named?.name || businessName
  const about = kindIn(opening, name, language)
  const heard = heardStatements(description, { isCapture: material.type === "LeadCapturePage", name, language })
  const sure = sureStatements(heard, language)
  const statements = [...sure.statements, ...accountStatements(known, businessName)]
  const start: Reading = {
    language,
    name,
    about,
    isForeignBrief: isForeign(description, language),
    facts: nothing,
    texts: noTexts,
    openQuestion: "",
    foreign: 0
  }
  const read = statements.reduce(readStatement, start)
  const faq = faqOf(known, language)
  const { facts, unsure } = withoutDoubtful(withListAsOffer(read.facts, heard.length), description, language)
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
    isNameSure: name !== "" && (given === name || name === businessName || named?.isSure === true),
    about: about === "" || isForeignTo(about, language) ? texts.named : about,
    slogan: texts.slogan,
    statements: unique(isSentenceUsed ? [endsInMark(firstSentence)] : facts.prose, (text) => text, mostStatements),
    offers: unique(
      facts.offers.filter(({ title }) => title.length > 1 && !isNoThing(title)),
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
    unclear: unique([...sure.unclear, ...facts.unclear, ...unsure], (text) => text, mostUnclear),
    contradictions: doubtful.map(({ name: item, price }) => `${item}: ${price}`),
    unreadFields: unreadFieldsOf(description, material.type === "LeadCapturePage"),
    ownOrders: facts.orders,
    asides: unique(facts.asides, (text) => text, 12),
    foreign: read.foreign + faq.foreign,
    wishes: fold(`${description}\n${material.guidelines}`),
    orders: ordersIn(statements, material.guidelines)
  }
}
