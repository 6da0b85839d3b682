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
/** An order of the owner about the site. */
export interface ReadOrder {
  readonly text: string
  /** True if the order is to leave something out. */
  readonly isDenial: boolean
}
export interface ReadQuestion {
  readonly question: string
  readonly answer: string
}

/** A statement for visitors or from the account's knowledge, with the kind that its label gives. */
export interface BriefStatement extends Statement {
  /** True if it comes from the owner's description, false if from a fact of the account. */
  readonly isOwn: boolean
  readonly kind: LabelKind | undefined
  /** True if it is addressed to the builder. It gives no facts, but may contain contacts and texts to show. */
  readonly isOrder: boolean
  /** For an order, true if it is to leave something out. */
  readonly isDenial: boolean
  /** For the order to make a capture page, what the page offers. */
  readonly offer: string
  /** True if the owner asks that visitors read it. */
  readonly isToSay?: boolean
}

/** The facts that the rules take from statements. */
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
  /** The owner's orders. After the site is made, each is checked. */
  readonly orders: ReadonlyArray<ReadOrder>
  /** Statements for the builder that contain neither a wish nor a fact. */
  readonly asides: ReadonlyArray<string>
}

/** Labels and single texts: the first that is read counts. */
export interface BriefTexts {
  readonly offersLabel: string
  readonly pricesLabel: string
  readonly clientsLabel: string
  readonly slogan: string
  /** The kind of business, from the text after its name. */
  readonly named: string
  /** The label of the main button. */
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
