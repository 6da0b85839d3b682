import { Language } from "../../Text/Language.ts"
import { fold } from "../../Text/PlainText.ts"
import { amountsIn, linksIn } from "../../Text/Web/Links.ts"
import { type AskedQuestion, readQuestion } from "./AskedQuestion.ts"
import { idsIn } from "./BuyerTerms.ts"
import { type AnswerSource, bestCandidates, type Candidate } from "./PassageAnswer.ts"

/** A passage in another language than the question's, with what it answers. */
export interface ForeignAnswer<P> {
  readonly passage: P
  /** Word for word. */
  readonly text: string
  /** The answer in the question's language, if it consists only of an amount, a time or a link. */
  readonly sentence: string | undefined
}

interface Words {
  readonly price: (amount: string, period: string) => string
  readonly time: (time: string) => string
  readonly link: (url: string) => string
  readonly periods: { readonly [id: string]: string }
}

const words: { readonly [L in Language]: Words } = {
  "pt-BR": {
    price: (amount, period) => `O valor é ${amount}${period}.`,
    time: (time) => `O horário é ${time}.`,
    link: (url) => `Você encontra aqui: ${url}`,
    periods: {
      "#month_period": " por mês",
      "#year_period": " por ano",
      "#week_period": " por semana",
      "#hour_rate": " por hora"
    }
  },
  en: {
    price: (amount, period) => `The price is ${amount}${period}.`,
    time: (time) => `The time is ${time}.`,
    link: (url) => `You can find it here: ${url}`,
    periods: {
      "#month_period": " per month",
      "#year_period": " per year",
      "#week_period": " per week",
      "#hour_rate": " per hour"
    }
  },
  es: {
    price: (amount, period) => `El precio es ${amount}${period}.`,
    time: (time) => `El horario es ${time}.`,
    link: (url) => `Lo encuentra aquí: ${url}`,
    periods: {
      "#month_period": " al mes",
      "#year_period": " al año",
      "#week_period": " a la semana",
      "#hour_rate": " por hora"
    }
  }
}

const bareAmount = /^(?:r\$|us\$|\$|€|£|[a-z]{3})?\s?\d[\d.,]{0,12}\s?(?:€|£|[a-z]{3})?$/i
const bareTime = /^\d{1,2}(?:[:.]\d\d)?\s?(?:h|am|pm)?\s?[-–]\s?\d{1,2}(?:[:.]\d\d)?\s?(?:h|am|pm)?$/i

/** A sentence for a cell that contains only what was asked for. Units from the column's name are translated. */
const sentenceOf = <P>(
  { language, wanted: wantedKinds }: AskedQuestion,
  { cells, statement }: Candidate<P>,
  passageLanguage: Language
): string | undefined => {
  const { link, periods, price, time } = words[language]
  const [url, ...urls] = linksIn(statement.text)
  if (url !== undefined && urls.length === 0 && wantedKinds.size === 0) return link(url)
  const [, ...values] = cells
  const fits = values.filter(({ value }) =>
    wantedKinds.has("price")
      ? bareAmount.test(value.trim()) && amountsIn(value).length > 0
      : bareTime.test(fold(value.trim()))
  )
  const [cell, ...others] = fits
  if (cell === undefined || others.length > 0) return undefined
  if (!wantedKinds.has("price")) return wantedKinds.has("time") ? time(cell.value) : undefined
  const units = [...idsIn(cell.column, passageLanguage)].filter((id) => id.startsWith("#") && id !== "#price")
  const spokenUnits = units.filter((id) => periods[id] !== undefined)
  // "Price per user" would be wrong without the user.
  return units.length === spokenUnits.length && spokenUnits.length <= 1
    ? price(cell.value, periods[spokenUnits[0] ?? ""] ?? "")
    : undefined
}

/** Answers in other languages. They are found by topics, which have words in each language. */
export const foreignAnswer = <P extends AnswerSource>(
  question: string,
  passages: ReadonlyArray<P>,
  language: Language
): ForeignAnswer<P> | undefined => {
  const askedQuestion = readQuestion(question, language)
  for (const passageLanguage of Language.literals.filter((other) => other !== language)) {
    const candidates = bestCandidates(askedQuestion, passages, passageLanguage)
    const [best, ...others] = candidates
    if (best === undefined) continue
    return {
      passage: best.passage,
      text: candidates.map(({ statement }) => statement.text).join("\n"),
      sentence: others.length === 0 ? sentenceOf(askedQuestion, best, passageLanguage) : undefined
    }
  }
  return undefined
}
