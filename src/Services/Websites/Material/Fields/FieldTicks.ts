import { capitalised, within, withoutEnd } from "../MaterialText.ts"
import { type AskedField, requirementIn } from "./FieldItems.ts"
import { fieldWordsOf, ofField } from "./FieldWords.ts"

/** Boxes to tick: "a tick box “I agree”", "casilla de aceptar las bases", "tem que marcar que aceita o regulamento". */

const quotedLabel = /["“«]([^"”»]{4,100})["”»]/
const mustTick = /\b(?:must(?!n)|tienen que|tem que|tem q|tiene que|has to|have to)\b/i

/** "Accepts the rules" as the visitor says it. */
const ownWords: ReadonlyArray<readonly [verb: RegExp, spoken: string]> = [
  [/^(?:aceita[rm]?|aceite[m]?)\s/i, "Aceito "],
  [/^(?:concorda[rm]?|concorde[m]?)\s/i, "Concordo "],
  [/^acept(?:ar?|an|en?)\s/i, "Acepto "],
  [/^(?:they |you )?accepts?\s/i, "I accept "],
  [/^(?:they |you )?agrees?\s/i, "I agree "]
]

const strongBox = /^(?:casillas?|checkbox|caixinha|quadradinho|tildar|tilde)$/
const weakBox = /^(?:tick|check|caixas?|marcar)$/
/** What makes a box of a word that has other meanings: "tick box", "caixa de aceite", "marcar que aceita". */
const ofBox = /^(?:box(?:es)?|que|aceit\w*|acept\w*|concord\w*|selecao)$/

const isBoxAt = (words: ReadonlyArray<string>, at: number): boolean => {
  const word = words[at] ?? ""
  const next = words.slice(at + 1, at + 3).find((each) => !/^(?:de|of)$/.test(each)) ?? ""
  return strongBox.test(word) || (weakBox.test(word) && ofBox.test(next))
}

/** Whether a text asks for a box to tick. */
export const isTick = (text: string): boolean => {
  const words = fieldWordsOf(text)
  return (
    words.some((_, at) => isBoxAt(words, at)) || (quotedLabel.test(text) && words.some((word) => ofField(word, "tick")))
  )
}

/** Where what is said of the box itself begins: "which must not be compulsory". */
const aboutBox = (words: ReadonlyArray<string>): number => {
  const at = words.findIndex(
    (word, index) =>
      index > 0 &&
      /^(?:which|that|que|q|but|pero|mas|\(.*|-)$/i.test(word) &&
      requirementIn(words.slice(index).join(" ")) !== undefined
  )
  return at < 0 ? words.length : at
}

const unquoted = (text: string): string => {
  const words = withoutEnd(text.trim(), ".,;!").split(/\s+/)
  const folded = words.map((word) => fieldWordsOf(word)[0] ?? "")
  const box = folded.findLastIndex((word) => strongBox.test(word) || weakBox.test(word) || word === "box")
  const behind = words.slice(box + 1)
  const first = behind.findIndex((word) => !ofField(fieldWordsOf(word)[0] ?? "", "plain"))
  return first < 0 ? "" : behind.slice(first, first + aboutBox(behind.slice(first))).join(" ")
}

const asVisitorSays = (label: string): string => {
  for (const [verb, spoken] of ownWords) if (verb.test(label)) return label.replace(verb, spoken)
  return label
}

/** Reads the checkbox that a text requests. Undefined if the text has no words for it. */
export const tickIn = (text: string): AskedField | undefined => {
  if (!isTick(text)) return undefined
  const label = quotedLabel.exec(text)?.[1] ?? unquoted(text)
  const says = text.replace(quotedLabel, " ")
  return label === ""
    ? undefined
    : {
        label: within(capitalised(asVisitorSays(withoutEnd(label, "."))), 120),
        kind: "checkbox",
        choices: [],
        isRequired: requirementIn(says) ?? mustTick.test(says)
      }
}
