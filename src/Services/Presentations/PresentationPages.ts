import type { Timestamp } from "../Core/Timestamp.ts"
import type { Language } from "../Text/Language.ts"
import { clip, hashOf, sentencesOf, tidyText } from "../Text/PlainText.ts"
import { isIn } from "../Writing/OneLanguage.ts"
import { presentationPhrases, type TitledText } from "./PresentationPhrases.ts"

/** What a presentation is made from. All of it is free text of people, and nothing but text. */
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
      readonly _tag: "Steps"
      readonly heading: string
      readonly steps: ReadonlyArray<TitledText>
      readonly contact: string
      readonly email: string
      readonly website: string | undefined
    }

export interface Presentation {
  /** For the document's own title, and for the file's name. */
  readonly title: string
  readonly language: Language
  readonly footer: string
  /** Chooses the colours: the same for a business in all of its presentations. */
  readonly palette: number
  readonly madeAt: Timestamp
  readonly pages: ReadonlyArray<Page>
}

const longestName = 90
const longestText = 320
const maximumPoints = 5
const maximumQuestions = 4

/** What the typeface cannot show: other scripts, pictures and what only steers how text is shown. */
const unshown = /[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}\p{P}\p{Sc}\p{Zs}\n+<=>|~^`°©®™ºª]/gu

/** One line of text as it can be set; `undefined` where nothing is left of it. */
const line = (text: string | null, length: number): string | undefined => {
  const shown = tidyText(text ?? "")
    .normalize("NFC")
    .slice(0, 20_000)
    .replace(unshown, "")
    .replace(/\s+/g, " ")
    .trim()
  if (shown === "") return undefined
  return shown.length <= length ? shown : `${clip(shown, length - 1).replace(/\s+\S*$/, "")}…`
}

/** Nothing is shown in another language than the reader's. */
const fits = ({ language, ownersLanguage = language }: PresentationFacts, text: string): boolean =>
  isIn(text, language, ownersLanguage)

const sentences = (facts: PresentationFacts): ReadonlyArray<string> => {
  const shown = tidyText(facts.business.description ?? "").slice(0, 6_000)
  if (!fits(facts, shown)) return []
  return sentencesOf(shown).flatMap(({ text }) => line(text.replace(/^[-*•–]\s*/, ""), longestText) ?? [])
}

const longestOnCover = 240

/** A short description goes on the cover, because a separate page would be half empty. */
const isOnCover = (said: ReadonlyArray<string>): boolean => said.length <= 2 && said.join(" ").length <= longestOnCover

const cover = (facts: PresentationFacts, name: string, company: string | undefined): Page => {
  const said = sentences(facts)
  const phrases = presentationPhrases[facts.language]
  const month = new Intl.DateTimeFormat(facts.language, { month: "long", year: "numeric", timeZone: "UTC" })
  return {
    _tag: "Cover",
    label: `${phrases.coverLabel} · ${month.format(new Date(facts.madeAt))}`,
    title: name,
    // Text with a separate page is not repeated.
    subtitle: isOnCover(said) ? line(said.join(" "), longestOnCover) : undefined,
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
 * The pages of a presentation, from what the owner said of the business and what is known of the lead. The same facts
 * make the same pages. What is meant for the platform alone, such as instructions and the lead's background, is none
 * of the facts.
 */
export const presentationOf = (facts: PresentationFacts): Presentation => {
  const name = line(facts.business.name, longestName) ?? facts.business.email
  const company = line(facts.lead.company, longestName)
  const recipient = company ?? line(facts.lead.name, longestName)
  return {
    title: recipient === undefined ? name : `${name} - ${recipient}`,
    language: facts.language,
    footer: name,
    palette: hashOf(name),
    madeAt: facts.madeAt,
    pages: [cover(facts, name, company), ...about(facts), toLearn(facts), ...answered(facts), closing(facts, name)]
  }
}
