import { type Language, writtenLanguage } from "../Text/Language.ts"
import type { WritingBrief } from "./WritingBrief.ts"

/** The number of words that show a language, without names, figures and addresses. */
const plainWords = (text: string): number =>
  text
    .replace(/\b(?:https?:\/\/|www\.)\S+/g, " ")
    .split(/\s+/)
    .filter((word) => !word.includes("@"))
    .join(" ")
    .split(/[^\p{L}\p{M}'’-]+/u)
    .filter((word) => word.length > 2 && word === word.toLowerCase()).length

/** The most words of another language that may be in a message: "R$ 199 por mês". */
const tellsNothing = 2

/** Whether a text of the owner's may be in a message in `language`. */
export const isIn = (text: string, language: Language, ownersLanguage: Language): boolean => {
  const textLanguage = writtenLanguage(text)
  if (textLanguage !== undefined) return textLanguage === language
  return ownersLanguage === language || plainWords(text) <= tellsNothing
}

/**
 * The brief for a writer that cannot translate. It leaves out the owner's texts in other languages than the lead's, and
 * a question whose only answer is in another language has no answer. Text that must be sent word for word stays.
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
    // A lead that asked for a document gets it in whatever language it is.
    links: links.filter(
      ({ title, url }) => title === undefined || requested.has(url) || isIn(title, language, ownersLanguage)
    )
  }
}

/** Whether the message only consists of an answer in another language than the lead's. */
export const needsTranslation = ({ kind, language, ownersLanguage = language }: WritingBrief): boolean =>
  kind._tag === "answer_relay" && !isIn(kind.answer, language, ownersLanguage)
