import type { Language } from "../../Text/Language.ts"
import { fold } from "../../Text/PlainText.ts"
import { isChat } from "./Audience.ts"
import { mailIn, phonesIn } from "./MaterialContacts.ts"
import { sentencesIn } from "./MaterialText.ts"
import type { BriefFacts } from "./Rules/BriefRule.ts"
import { hidesRemark, likelyOpen, partsOfSentence } from "./SentenceParts.ts"

/**
 * Finds texts that the rules took from a description but that may not be meant for visitors. Rules recognise the form
 * of a list or price, and the classifier recognises the addressee. A text is certain only if both agree.
 */

const surelyOther = 0.75
/** Shorter texts are names of things. */
const fewestWords = 3

const isForOthers = (text: string, language: Language): boolean =>
  text.split(/\s+/).length >= fewestWords &&
  sentencesIn(text).some(
    (sentence) =>
      hidesRemark(sentence, language) ||
      partsOfSentence(sentence, language).some(
        ({ kind, share }) => kind !== "claim" && share >= (kind === "open" ? likelyOpen : surelyOther)
      )
  )

const titledTexts = (items: ReadonlyArray<{ readonly title: string; readonly text: string }>): ReadonlyArray<string> =>
  items.flatMap(({ text, title }) => [title, text])

/** The texts of these facts that occur in the description and are not certainly for visitors. */
export const doubtfulTexts = (facts: BriefFacts, description: string, language: Language): ReadonlyArray<string> => {
  const folded = fold(description)
  const texts = [
    ...titledTexts([...facts.offers, ...facts.benefits, ...facts.steps]),
    ...facts.prices.flatMap(({ includes, name, text }) => [name, text, ...includes]),
    ...facts.people.flatMap(({ role, text }) => [role, text]),
    ...facts.questions.map(({ answer }) => answer)
  ]
  return texts.filter((text) => text !== "" && folded.includes(fold(text)) && isForOthers(text, language))
}

/** True if a list item is only a greeting, or a contact that is shown elsewhere. */
export const isNoThing = (title: string): boolean =>
  isChat(title) || mailIn(title) !== undefined || phonesIn(title).length > 0
