import type { Language } from "../src/Services/Text/Language.ts"
import type { LabelledSentence } from "./Sentences.ts"
import { generator } from "./Training.ts"

/**
 * Sentences that say what two others say, made for training: people write "thanks for asking, but we have a supplier, try me in
 * May" in one breath. They have the labels of both.
 */

/** How many are made for each sentence that can be a half. */
const joinedPerSentence = 1
/** Longer sentences say several things already. */
const longestHalf = 90

const and: { readonly [L in Language]: string } = { "pt-BR": " e ", en: " and ", es: " y " }

/** Shares of the ways in which two sentences are joined: by a comma, by nothing, else by "and". */
const byComma = 0.6
const byNothing = 0.2

const joinOf = (share: number, language: Language): string => {
  if (share < byComma) return ", "
  return share < byComma + byNothing ? " " : and[language]
}

/** The joined sentences of one language. The same sentences give the same ones. */
const joinedOf = (halves: ReadonlyArray<LabelledSentence>, language: Language): ReadonlyArray<LabelledSentence> => {
  const random = generator(halves.length + 1)
  const half = (): LabelledSentence => halves[Math.floor(random() * halves.length)]!
  return Array.from({ length: joinedPerSentence * halves.length }, () => {
    const [first, second] = [half(), half()]
    const begin = first.text.replace(/[.!]+$/, "")
    const end = second.text.charAt(0).toLowerCase() + second.text.slice(1)
    return {
      language,
      text: `${begin}${joinOf(random(), language)}${end}`,
      labels: new Set([...first.labels, ...second.labels]),
      isHeldOut: false,
      part: -1
    }
  })
}

/** Joined sentences of those that are trained on; none may be held out or of the part that is tested. */
export const joinedSentences = (sentences: ReadonlyArray<LabelledSentence>): ReadonlyArray<LabelledSentence> => {
  const short = sentences.filter(({ text }) => text.length <= longestHalf)
  return [...new Set(short.map(({ language }) => language))].flatMap((language) =>
    joinedOf(
      short.filter((sentence) => sentence.language === language),
      language
    )
  )
}
