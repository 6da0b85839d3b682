import type { Language } from "../../Text/Language.ts"
import { fold } from "../../Text/PlainText.ts"
import { isChat } from "./Audience.ts"
import { mailIn, phonesIn } from "./MaterialContacts.ts"
import { sentencesIn } from "./MaterialText.ts"
import { isPartOfSite } from "./Names/NameChoice.ts"
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

interface SureFacts {
  readonly facts: BriefFacts
  /** The texts that were taken from the facts. */
  readonly unsure: ReadonlyArray<string>
}

/** The facts without those that hold words of the description that are not certainly for visitors. */
export const withoutDoubtful = (facts: BriefFacts, description: string, language: Language): SureFacts => {
  const folded = fold(description)
  const unsure: Array<string> = []
  const sure = <A>(items: ReadonlyArray<A>, textsOf: (item: A) => ReadonlyArray<string>): ReadonlyArray<A> =>
    items.filter((item) => {
      const doubtful = textsOf(item).filter(
        (text) => text !== "" && folded.includes(fold(text)) && isForOthers(text, language)
      )
      unsure.push(...doubtful)
      return doubtful.length === 0
    })
  const titled = ({ text, title }: BriefFacts["offers"][number]) => [title, text]
  return {
    facts: {
      ...facts,
      offers: sure(facts.offers, titled),
      benefits: sure(facts.benefits, titled),
      steps: sure(facts.steps, titled),
      prices: sure(facts.prices, ({ includes, name, text }) => [name, text, ...includes]),
      people: sure(facts.people, ({ role, text }) => [role, text]),
      questions: sure(facts.questions, ({ answer }) => [answer])
    },
    unsure
  }
}

/** True if a list item is only a greeting, a part of the site, or a contact that is shown elsewhere. */
export const isNoThing = (title: string): boolean =>
  isChat(title) || isPartOfSite(title) || mailIn(title) !== undefined || phonesIn(title).length > 0
