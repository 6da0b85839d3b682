import type { Language } from "../../../Text/Language.ts"
import type { LabelKind } from "../MaterialLabels.ts"
import type { PricedItem } from "../MaterialPrices.ts"
import type { Statement } from "../MaterialText.ts"

export interface TitledText {
  readonly title: string
  readonly text: string
}
export interface ReadFigure {
  readonly value: string
  readonly label: string
}
export interface ReadQuote {
  readonly words: string
  readonly name: string
  readonly role: string
}
export interface ReadPerson {
  readonly name: string
  readonly role: string
  readonly text: string
}
/** What the owner wants of the site. */
export interface ReadOrder {
  readonly text: string
  /** Whether it wants something left out. */
  readonly isDenial: boolean
}
export interface ReadQuestion {
  readonly question: string
  readonly answer: string
}

/** A statement for visitors, or of the account's knowledge, with what its label says it is. */
export interface BriefStatement extends Statement {
  /** Whether it is from the owner's description, and not from a fact of the account. */
  readonly isOwn: boolean
  readonly kind: LabelKind | undefined
  /** Whether it is said to who makes the site: it gives no facts, but may hold contacts and texts to show. */
  readonly isOrder: boolean
  /** Of an order: whether it wants something left out. */
  readonly isDenial: boolean
  /** Of the order to make a capture page: what the page is for. */
  readonly offer: string
  /** Whether the owner wants visitors to read it. */
  readonly isToSay?: boolean
}

/** What rules take of statements. */
export interface BriefFacts {
  readonly offers: ReadonlyArray<TitledText>
  readonly benefits: ReadonlyArray<TitledText>
  readonly prices: ReadonlyArray<PricedItem>
  readonly figures: ReadonlyArray<ReadFigure>
  readonly quotes: ReadonlyArray<ReadQuote>
  readonly clients: ReadonlyArray<string>
  readonly people: ReadonlyArray<ReadPerson>
  readonly steps: ReadonlyArray<TitledText>
  readonly questions: ReadonlyArray<ReadQuestion>
  readonly prose: ReadonlyArray<string>
  readonly hours: ReadonlyArray<string>
  /** Texts of statements that hold contacts. */
  readonly contacts: ReadonlyArray<string>
  /** What was not understood with certainty. */
  readonly unclear: ReadonlyArray<string>
  /** Whether each was carried out is seen when the site is made. */
  readonly orders: ReadonlyArray<ReadOrder>
  /** What is certainly said to who makes the site, and holds neither a wish nor a fact. */
  readonly asides: ReadonlyArray<string>
}

/** Labels and single texts: the first that is read counts. */
export interface BriefTexts {
  readonly offersLabel: string
  readonly pricesLabel: string
  readonly clientsLabel: string
  readonly slogan: string
  /** What the business is, as the text behind its name says. */
  readonly named: string
  /** What the main button says. */
  readonly button: string
}

/** What is known before the statement is read. */
export interface BriefContext {
  readonly language: Language
  readonly name: string
  readonly about: string
  /** Whether the whole brief is in another language than the site. */
  readonly isForeignBrief: boolean
  readonly facts: BriefFacts
  readonly texts: BriefTexts
  /** A question whose answer is the next statement. */
  readonly openQuestion: string
}

export interface Taken {
  readonly facts?: Partial<BriefFacts>
  readonly texts?: Partial<BriefTexts>
  readonly openQuestion?: string
  readonly foreign?: number
  /** Whether later rules may read the statement too. */
  readonly goesOn?: boolean
}

/** Reads one kind of statement. The first rule that matches takes it, unless more may be taken. */
export interface BriefRule {
  readonly name: string
  readonly matches: (statement: BriefStatement, context: BriefContext) => boolean
  readonly take: (statement: BriefStatement, context: BriefContext) => Taken
}

/** A rule that takes what a reader finds, where it finds something. */
export const ruleOf = <A>(
  name: string,
  find: (statement: BriefStatement, context: BriefContext) => A | undefined,
  take: (match: A, statement: BriefStatement, context: BriefContext) => Taken
): BriefRule => ({
  name,
  matches: (statement, context) => find(statement, context) !== undefined,
  take: (statement, context) => {
    const match = find(statement, context)
    return match === undefined ? { goesOn: true } : take(match, statement, context)
  }
})

/** The list where it has something. */
export const filled = <A>(items: ReadonlyArray<A>): ReadonlyArray<A> | undefined =>
  items.length === 0 ? undefined : items

export const endsInMark = (text: string): string => (/[.!?…”"]$/.test(text) ? text : `${text}.`)
