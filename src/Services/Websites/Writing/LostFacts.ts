import { fold } from "../../Text/PlainText.ts"
import { contentWords, stemOf } from "../../Text/WordStems.ts"
import { isChat } from "../Material/Audience.ts"
import { factWords } from "../Material/Completeness.ts"
import type { ReadMaterial } from "../Material/MaterialReader.ts"
import { labelledSentencesOf } from "../Material/MaterialText.ts"
import { isPartOfSite } from "../Material/Names/NameChoice.ts"
import { isAsking, type SeenSite } from "./CarriedOut.ts"

/**
 * Sentences of a description that a site leaves out and that its owner would not hear of. Each word that means something must be
 * on the site, or in what is reported or asked.
 */

/** More words may be said in other words. */
const mostLost = 0.5
const fewestLost = 2
/** Numbers of one digit are in many others. */
const fewestDigits = 2

export const lostSentences = (
  description: string,
  read: ReadMaterial,
  view: SeenSite,
  wishes: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const reported = fold(
    [...read.asides, ...read.unclear, ...read.unreadFields, ...wishes, ...read.ownOrders.map(({ text }) => text)].join(
      "\n"
    )
  )
  const accounted = new Set([...view.stems, ...contentWords(reported).map(stemOf)])
  const isAccounted = (word: string): boolean => {
    const digits = word.replace(/\D+/g, "")
    return (
      accounted.has(stemOf(word)) ||
      isAsking(word) ||
      isPartOfSite(word) ||
      view.text.includes(word) ||
      reported.includes(word) ||
      (digits.length >= fewestDigits && view.digits.includes(digits))
    )
  }
  return labelledSentencesOf(description).filter((sentence) => {
    if (isChat(sentence)) return false
    const words = contentWords(sentence)
    const lost = words.filter((word) => !isAccounted(word))
    const isFactLost = factWords(sentence).some((word) => !isAccounted(word))
    return isFactLost || (lost.length >= fewestLost && lost.length > words.length * mostLost)
  })
}
