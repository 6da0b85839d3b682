import { asksForDetails } from "../Replies/LeadWishes.ts"
import { clip, fold, sentencesOf, tidyText } from "../Text/PlainText.ts"
import { linksIn } from "../Text/Web/Links.ts"
import { contentWords, stemOf } from "../Text/WordStems.ts"
import { isIn } from "./OneLanguage.ts"
import type { WritingBrief } from "./WritingBrief.ts"

/** Further information for a lead that wants to know more. */
export interface Details {
  /** The owner's sentences about the business. */
  readonly description: string | undefined
  /** Facts from the owner's answers, each a separate sentence, without the questions of other leads. */
  readonly facts: ReadonlyArray<string>
}

const longestDescription = 700
const longestFact = 300
const mostFacts = 3

const isPlain = (text: string): boolean => !/[{}[\]<>]|\*\*|```/.test(text) && linksIn(text).length === 0

const descriptionOf = ({ business }: WritingBrief): string | undefined => {
  let text = ""
  for (const sentence of sentencesOf(clip(tidyText(business.description ?? ""), 3000))) {
    const line = sentence.text.replace(/\s+/g, " ").trim()
    if (!isPlain(line)) continue
    if (text.length + line.length > longestDescription) break
    text = text === "" ? line : `${text} ${line}`
  }
  return text.length < 10 ? undefined : /[.!?]$/.test(text) ? text : `${text}.`
}

/** Beginnings of answers that only make sense after a question. */
const answerOpenings =
  /^(?:sim|claro|com certeza|isso|exato|yes|sure|of course|certainly|absolutely|right|si|por supuesto|asi es)[,.!:;]\s+/i
const denials = /^(?:nao|no|not|nope|nunca|never|ainda nao|not yet|todavia no)\b/

/** Shorter answers make no sense without their question, such as "In up to ten parts." */
const fewestWords = 5

/** The part of an answer that is understandable alone; undefined if none is. */
const factOf = (answer: string): string | undefined => {
  const text = tidyText(answer).normalize("NFC").replace(/\s+/g, " ").trim()
  // Folding keeps the number of characters, so the position applies to the original text too.
  const opening = answerOpenings.exec(fold(text))?.[0].length ?? 0
  const rest = text.slice(opening).trim()
  if (denials.test(fold(rest)) || rest.split(" ").length < fewestWords) return undefined
  const capital = rest.charAt(0).toUpperCase() + rest.slice(1)
  return /[.!?]$/.test(capital) ? capital : `${capital}.`
}

/** How much of the lead's message an answer or its question is about. */
const nearness = (leadStems: ReadonlySet<string>, texts: string): number =>
  new Set(
    contentWords(texts)
      .map(stemOf)
      .filter((stem) => leadStems.has(stem))
  ).size

const factsOf = (brief: WritingBrief): ReadonlyArray<string> => {
  const { business, kind, language, ownersLanguage = language } = brief
  const leadStems = new Set(contentWords(kind._tag === "response" ? clip(kind.text, 2000) : "").map(stemOf))
  const facts = business.answers
    .filter(({ answer }) => answer.length <= longestFact && isPlain(answer) && isIn(answer, language, ownersLanguage))
    .flatMap(({ answer, question }) => {
      const fact = factOf(answer)
      return fact === undefined ? [] : [{ fact, score: nearness(leadStems, `${question} ${answer}`) }]
    })
    .toSorted((one, other) => other.score - one.score)
    .map(({ fact }) => fact)
  return [...new Set(facts)].slice(0, mostFacts)
}

const detailsOf = (brief: WritingBrief): Details => ({ description: descriptionOf(brief), facts: factsOf(brief) })

/** Whether the lead asks for general information instead of one fact. */
export const wantsDetails = ({ kind }: Pick<WritingBrief, "kind">): boolean =>
  kind._tag === "response" &&
  (kind.reading.class === "interested" || kind.reading.class === "other") &&
  asksForDetails(kind.text)

/** More than the sentence of the first message; undefined if the owner has provided nothing. */
export const detailsFor = (brief: WritingBrief): Details | undefined => {
  const details = detailsOf(brief)
  const hasMore = sentencesOf(details.description ?? "").length > 1 || details.facts.length > 0
  const hasMaterial = brief.links.some(({ purpose }) => purpose === "presentation" || purpose === "file")
  return hasMore || hasMaterial ? details : undefined
}
