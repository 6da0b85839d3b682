import type { Timestamp } from "../Core/Timestamp.ts"
import { type Cell, statementsOf } from "../Knowledge/Answers/Statements.ts"
import type { Language } from "../Text/Language.ts"
import { clip, fold, hashOf, sentencesOf, tidyText } from "../Text/PlainText.ts"
import { amountsIn } from "../Text/Web/Links.ts"
import { isIn } from "../Writing/OneLanguage.ts"
import { presentationPhrases, type TitledText } from "./PresentationPhrases.ts"

/** The content of a presentation: free text from people, treated as plain text. */
export interface PresentationFacts {
  readonly language: Language
  /** The language of the owner's texts if they are too short to detect it. */
  readonly ownersLanguage?: Language
  readonly business: {
    readonly name: string
    readonly description: string | null
    readonly website: string | null
    readonly email: string
  }
  readonly lead: {
    readonly name: string
    readonly company: string | null
  }
  /** Questions that the owner answered for all leads. */
  readonly answers: ReadonlyArray<{ readonly question: string; readonly answer: string }>
  /** Passages of the account's files that may contain prices. */
  readonly priceTexts: ReadonlyArray<string>
  /** Files and links that leads may get. */
  readonly files: ReadonlyArray<{ readonly title: string; readonly description: string; readonly url: string }>
  readonly madeAt: Timestamp
}

export type Page =
  | {
      readonly _tag: "Cover"
      readonly label: string
      readonly title: string
      readonly subtitle: string | undefined
      readonly preparedFor: string
      readonly recipient: string
      readonly company: string | undefined
    }
  | {
      readonly _tag: "Statement"
      readonly heading: string
      readonly statement: string
      readonly points: ReadonlyArray<string>
    }
  | {
      readonly _tag: "Cards"
      readonly heading: string
      readonly introduction: string
      readonly cards: ReadonlyArray<TitledText>
    }
  | {
      readonly _tag: "Questions"
      readonly heading: string
      readonly introduction: string
      readonly items: ReadonlyArray<TitledText>
    }
  | {
      readonly _tag: "List"
      readonly heading: string
      readonly introduction: string
      readonly items: ReadonlyArray<TitledText>
    }
  | {
      readonly _tag: "Steps"
      readonly heading: string
      readonly steps: ReadonlyArray<TitledText>
      readonly contact: string
      readonly email: string
      readonly website: string | undefined
    }

export interface Presentation {
  /** Used as the document's title and as its file name. */
  readonly title: string
  readonly language: Language
  readonly footer: string
  /** Selects the colours. All presentations of a business have the same. */
  readonly palette: number
  readonly madeAt: Timestamp
  readonly pages: ReadonlyArray<Page>
  /** The business's logo as PNG or JPEG. Without one, its initials are shown. */
  readonly logo?: Uint8Array
}

const longestName = 90
const longestText = 320
const maximumPoints = 5
const maximumQuestions = 4

/** Characters that the typeface lacks: other scripts, emoji and control characters. */
const unshown = /[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}\p{P}\p{Sc}\p{Zs}\n+<=>|~^`°©®™ºª]/gu

/** One line of text without unsupported characters. `undefined` if nothing remains. */
const line = (text: string | null, length: number): string | undefined => {
  const shortText = tidyText(text ?? "")
    .normalize("NFC")
    .slice(0, 20_000)
    .replace(unshown, "")
    .replace(/\s+/g, " ")
    .trim()
  if (shortText === "") return undefined
  return shortText.length <= length ? shortText : `${clip(shortText, length - 1).replace(/\s+\S*$/, "")}…`
}

/** Only texts in the reader's language are shown. */
const fits = ({ language, ownersLanguage = language }: PresentationFacts, text: string): boolean =>
  isIn(text, language, ownersLanguage)

const sentences = (facts: PresentationFacts): ReadonlyArray<string> => {
  const description = tidyText(facts.business.description ?? "").slice(0, 6_000)
  if (!fits(facts, description)) return []
  return sentencesOf(description).flatMap(({ text }) => line(text.replace(/^[-*•–]\s*/, ""), longestText) ?? [])
}

const longestOnCover = 240

/** A short description goes on the cover, because a separate page would be half empty. */
const isOnCover = (lines: ReadonlyArray<string>): boolean =>
  lines.length <= 2 && lines.join(" ").length <= longestOnCover

const cover = (facts: PresentationFacts, name: string, company: string | undefined): Page => {
  const coverLines = sentences(facts)
  const phrases = presentationPhrases[facts.language]
  const month = new Intl.DateTimeFormat(facts.language, { month: "long", year: "numeric", timeZone: "UTC" })
  return {
    _tag: "Cover",
    label: `${phrases.coverLabel} · ${month.format(new Date(facts.madeAt))}`,
    title: name,
    // Text with a separate page is not repeated.
    subtitle: isOnCover(coverLines) ? line(coverLines.join(" "), longestOnCover) : undefined,
    preparedFor: phrases.preparedFor,
    recipient: line(facts.lead.name, longestName) ?? company ?? "",
    company
  }
}

/** The owner's answers that can be shown to the reader. */
const answersShown = (facts: PresentationFacts): ReadonlyArray<TitledText> =>
  facts.answers.flatMap(({ answer, question }) => {
    const title = line(question, 140)
    const text = line(answer, longestText)
    const isFit = title !== undefined && text !== undefined && fits(facts, question) && fits(facts, answer)
    return isFit ? [{ title, text }] : []
  })

/** The description of the business. A single answer joins it, because a separate page would be half empty. */
const about = (facts: PresentationFacts): ReadonlyArray<Page> => {
  const [statement, ...points] = sentences(facts)
  if (statement === undefined || isOnCover([statement, ...points])) return []
  const heading = presentationPhrases[facts.language].whatWeDo
  const [only, ...others] = answersShown(facts)
  const beside = only === undefined || others.length > 0 ? [] : [`${only.title} ${only.text}`]
  return [
    { _tag: "Statement", heading, statement, points: [...points.slice(0, maximumPoints - beside.length), ...beside] }
  ]
}

const toLearn = ({ language }: PresentationFacts): Page => {
  const phrases = presentationPhrases[language]
  return {
    _tag: "Cards",
    heading: phrases.whatWeAsk,
    introduction: phrases.beforeAnything,
    cards: phrases.toLearn
  }
}

const answered = (facts: PresentationFacts): ReadonlyArray<Page> => {
  const phrases = presentationPhrases[facts.language]
  const items = answersShown(facts)
  return items.length === 0 || (items.length === 1 && about(facts).length > 0)
    ? []
    : [
        {
          _tag: "Questions",
          heading: phrases.questions,
          introduction: phrases.questionsIntroduction,
          items: items.slice(0, maximumQuestions)
        }
      ]
}

/** The most rows that are readable from a distance. */
const maximumPrices = 6
const maximumFiles = 4
/** A row with one cell has no price. */
const fewestCells = 2

const priceColumn = /\b(?:r\$|us\$|preco|valor|mensalidade|price|fee|rate|cost|precio|cuota|tarifa)|[$€£]/

const isPrice = ({ column, value }: Cell): boolean =>
  amountsIn(value).length > 0 || (/\d/.test(value) && priceColumn.test(fold(column)))

/** Rows of price tables, each with an item and its price. */
const pricesShown = (facts: PresentationFacts): ReadonlyArray<TitledText> => {
  const rows = new Map<string, TitledText>()
  for (const { cells } of facts.priceTexts.flatMap((text) => statementsOf(text))) {
    if (cells.length < fewestCells || !cells.some(isPrice)) continue
    const [first, ...others] = cells
    const title = line(first?.value ?? "", 80)
    const said = others.map(({ column, value }) => (column === "" ? value : `${column}: ${value}`))
    const text = line(said.join(" · "), longestText)
    if (title === undefined || text === undefined || !fits(facts, `${title} ${text}`)) continue
    if (!rows.has(title)) rows.set(title, { title, text })
  }
  return [...rows.values()].slice(0, maximumPrices)
}

/** Whether the presentation contains a price table. */
export const showsPrices = (facts: PresentationFacts): boolean => pricesShown(facts).length > 0

const filesShown = (facts: PresentationFacts): ReadonlyArray<TitledText> =>
  facts.files
    .flatMap(({ description, title, url }) => {
      const name = line(title, 100)
      const about = line(description, 160)
      if (name === undefined || !fits(facts, `${title} ${description}`) || !/^https?:\/\/\S+$/i.test(url)) return []
      return [{ title: name, text: about === undefined || about === name ? "" : about, link: url }]
    })
    .slice(0, maximumFiles)

const listed = (heading: string, introduction: string, items: ReadonlyArray<TitledText>): ReadonlyArray<Page> =>
  items.length === 0 ? [] : [{ _tag: "List", heading, introduction, items }]

/** Whether the account provided any content. Answers to questions alone are not enough. */
export const hasContent = (facts: PresentationFacts): boolean =>
  sentences(facts).length > 0 ||
  answersShown(facts).length > 0 ||
  pricesShown(facts).length > 0 ||
  filesShown(facts).length > 0

const closing = ({ business, language }: PresentationFacts, name: string): Page => {
  const phrases = presentationPhrases[language]
  return {
    _tag: "Steps",
    heading: phrases.nextSteps,
    steps: phrases.steps(name),
    contact: phrases.contact,
    email: business.email,
    website: line(business.website, 120)
  }
}

/**
 * Builds the pages of a presentation from the owner's description of the business and the lead's data. The result only
 * depends on the facts. These never include internal texts, such as instructions and the lead's background.
 */
export const presentationOf = (facts: PresentationFacts): Presentation => {
  const name = line(facts.business.name, longestName) ?? facts.business.email
  const company = line(facts.lead.company, longestName)
  const recipient = company ?? line(facts.lead.name, longestName)
  const phrases = presentationPhrases[facts.language]
  return {
    title: recipient === undefined ? name : `${name} - ${recipient}`,
    language: facts.language,
    footer: name,
    palette: hashOf(name),
    madeAt: facts.madeAt,
    pages: [
      cover(facts, name, company),
      ...about(facts),
      ...listed(phrases.prices, phrases.pricesIntroduction, pricesShown(facts)),
      toLearn(facts),
      ...answered(facts),
      ...listed(phrases.files, phrases.filesIntroduction, filesShown(facts)),
      closing(facts, name)
    ]
  }
}
