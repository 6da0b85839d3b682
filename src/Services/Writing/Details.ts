import { asksForDetails } from "../Replies/LeadWishes.ts"
import { linksIn } from "../Text/Links.ts"
import { clip, sentencesOf, tidyText } from "../Text/PlainText.ts"
import { isIn } from "./OneLanguage.ts"
import type { WritingBrief } from "./WritingBrief.ts"

/** What can be told to a lead that wants to read more. */
export interface Details {
  /** The owner's own sentences about the business. */
  readonly description: string | undefined
  /** What others asked, with the owner's answers. */
  readonly answers: ReadonlyArray<{ readonly question: string; readonly answer: string }>
}

const longestDescription = 700
const longestAnswer = 300
const mostAnswers = 3

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

const detailsOf = (brief: WritingBrief): Details => ({
  description: descriptionOf(brief),
  answers: brief.business.answers
    .filter(({ answer, question }) => answer.length <= longestAnswer && question.length <= 200 && isPlain(answer))
    .filter(({ question }) => isIn(question, brief.language, brief.ownersLanguage ?? brief.language))
    .slice(0, mostAnswers)
})

/** Whether the lead asks to read more rather than for one thing. */
export const wantsDetails = ({ kind }: Pick<WritingBrief, "kind">): boolean =>
  kind._tag === "response" &&
  (kind.reading.class === "interested" || kind.reading.class === "other") &&
  asksForDetails(kind.text)

/** More than the sentence that the first message had; undefined where the owner has given nothing to tell. */
export const detailsFor = (brief: WritingBrief): Details | undefined => {
  const details = detailsOf(brief)
  const hasMore = sentencesOf(details.description ?? "").length > 1 || details.answers.length > 0
  const hasMaterial = brief.links.some(({ purpose }) => purpose === "presentation" || purpose === "file")
  return hasMore || hasMaterial ? details : undefined
}
