import { type Language, writtenLanguage } from "../Text/Language.ts"
import type { WritingBrief } from "./WritingBrief.ts"

/** Words that could be of some language: what is left without names, figures and addresses. */
const plainWords = (text: string): number =>
  text
    .replace(/\b(?:https?:\/\/|www\.)\S+/g, " ")
    .split(/\s+/)
    .filter((word) => !word.includes("@"))
    .join(" ")
    .split(/[^\p{L}\p{M}'’-]+/u)
    .filter((word) => word.length > 2 && word === word.toLowerCase()).length

/** Up to so many words may stand in a message of any language: "R$ 199 por mês". */
const tellsNothing = 2

/** Whether a text of the owner's can stand in a message in `language`. */
export const isIn = (text: string, language: Language, ownersLanguage: Language): boolean => {
  const written = writtenLanguage(text)
  if (written !== undefined) return written === language
  return ownersLanguage === language || plainWords(text) <= tellsNothing
}

/**
 * The brief for a writer that cannot translate: what the owner wrote in another language than the lead's is left out,
 * and a question whose only answer is in another language has none. What must go out word for word stays.
 */
export const inOneLanguage = (brief: WritingBrief): WritingBrief => {
  const { business, documents, instructions, language, links, ownersLanguage = language } = brief
  const requested = new Set(documents?.documents.map(({ url }) => url))
  const fits = (text: string | undefined): string | undefined =>
    text === undefined || isIn(text, language, ownersLanguage) ? text : undefined
  return {
    ...brief,
    business: {
      ...business,
      description: fits(business.description),
      idealCustomerProfile: fits(business.idealCustomerProfile),
      answers: business.answers.filter(({ answer }) => isIn(answer, language, ownersLanguage)),
      knowledge: business.knowledge.filter(({ body }) => isIn(body, language, ownersLanguage))
    },
    instructions,
    // Who asked for a document gets it in the language that there is.
    links: links.filter(
      ({ title, url }) => title === undefined || requested.has(url) || isIn(title, language, ownersLanguage)
    )
  }
}

/** Whether the message is nothing but an answer in another language than the lead's. */
export const needsTranslation = ({ kind, language, ownersLanguage = language }: WritingBrief): boolean =>
  kind._tag === "answer_relay" && !isIn(kind.answer, language, ownersLanguage)
