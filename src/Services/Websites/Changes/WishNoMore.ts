import { fold } from "../../Text/PlainText.ts"
import { within, withoutEnd } from "../Material/MaterialText.ts"
import type { ChangeDesk } from "./ChangeDesk.ts"
import { isDenial } from "./WishGrammar.ts"
import { failure, type Outcome } from "./WishOutcome.ts"
import { removing } from "./WishRemoval.ts"
import { contentOf, wordsOf } from "./WishTokens.ts"
import { actsOf, doing, isNoun, noMore, particles, prefaces } from "./WishWords.ts"

const stop =
  /^(?:(?:we|a gente|n[óo]s|nosotros|i|eu|agora|now|ahora|and|e|y)\s)*(?:(?:don't|do not|no longer|n[ãa]o|j[áa] n[ãa]o|ya no|no|stopped|have stopped|'ve stopped|paramos de|deixamos de|dejamos de|we've stopped)\s)(?:(?:mais|more|longer|ya)\s)?(\p{L}+)\s(.{2,160})$/iu
const pronouns: ReadonlySet<string> = new Set(
  "those them him her he she that this it isso isto eso esto ellos esas esos deles delas nada anything".split(" ")
)

/** "We don't do chimney repairs any more", "ya no copiamos llaves": the business does it no longer, so the site says it no longer. */
export const noLonger = (text: string, desk: ChangeDesk): Outcome | undefined => {
  const plain = withoutEnd(text.trim(), ".!;")
    .replace(/\b(?:any ?more|mais|m[áa]s|no momento)$/i, "")
    .trim()
  const isEnded = /\b(?:any ?more|longer|mais|m[áa]s|ya no|j[áa] n[ãa]o|stopped|paramos|deixamos|dejamos)\b/i.test(text)
  const match = stop.exec(plain)
  if (match === null || !isDenial(text) || !isEnded) return undefined
  const [, verb = "", rest = ""] = match
  const words = wordsOf(rest).filter((word) => !noMore.has(word))
  if (words.every((word) => pronouns.has(word))) return undefined
  const object = rest.replace(/\s(?:mais|more|m[áa]s)$/i, "").replace(/^(?:mais|any more|more|m[áa]s)\s/i, "")
  const isPlain = doing.has(fold(verb)) || /(?:amos|emos|imos)$/.test(fold(verb)) || fold(verb).length > 2
  if (!isPlain) return undefined
  const removal = removing({ act: "remove", object, value: undefined, isStatement: true }, desk)
  if (removal?._tag === "Change") return removal
  // "Ya no copiamos llaves": the site may name it with its verb.
  const whole = removing({ act: "remove", object: `${verb} ${object}`, value: undefined, isStatement: true }, desk)
  if (whole?._tag === "Change") return whole
  return removal ?? failure(desk.notes.notFound(within(object, 160)), desk.notes.nameIt)
}

/** Whether a wish only says once more that what was just taken out is no longer done. */
export const repeatsRemoval = (text: string): boolean => {
  const words = contentOf(wordsOf(text))
  const isOrder = actsOf(wordsOf(text).find((word) => !prefaces.has(word)) ?? "").includes("remove")
  if (isOrder) {
    const objects = words.filter(
      (word) => !actsOf(word).includes("remove") && !prefaces.has(word) && !particles.has(word)
    )
    return objects.length > 0 && objects.every((word) => pronouns.has(word))
  }
  return (
    isDenial(text) &&
    words.every(
      (word) =>
        pronouns.has(word) ||
        doing.has(word) ||
        noMore.has(word) ||
        isNoun(word, "item") ||
        ["not", "don't", "nao", "no", "longer", "stopped"].includes(word)
    )
  )
}
