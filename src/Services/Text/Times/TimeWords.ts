import { Language } from "../Language.ts"
import type { TimeWord } from "./TimeMeanings.ts"
import { expansions, timePhrases } from "./TimePhrases.ts"

type Table = ReadonlyMap<string, ReadonlyArray<TimeWord>>

const languageOfMark: { readonly [mark: string]: Language } = { pt: "pt-BR", en: "en", es: "es" }

/** The table of one language, without phrases that are marked for another one ("es:once"). */
const tableOf = (language: Language): Table => {
  const table = new Map<string, Array<TimeWord>>()
  for (const [word, phrases] of timePhrases) {
    for (const entry of phrases.split("|")) {
      const [mark, marked] = entry.split(":", 2)
      const only = marked === undefined ? undefined : languageOfMark[mark ?? ""]
      if (only !== undefined && only !== language) continue
      const phrase = only === undefined ? entry : (marked ?? "")
      table.set(phrase, [...(table.get(phrase) ?? []), word])
    }
  }
  return table
}

const tables = new Map(Language.literals.map((language) => [language, tableOf(language)]))

const none: ReadonlyArray<TimeWord> = []

/** The meanings of a phrase in a language, in the order of the table. */
export const meaningsOf = (phrase: string, language: Language): ReadonlyArray<TimeWord> =>
  tables.get(language)?.get(phrase) ?? none

/** The beginnings of phrases with several words. */
const beginnings = new Map(
  [...tables].map(([language, table]) => {
    const all = new Set<string>()
    for (const phrase of [...table.keys(), ...expansions.keys()]) {
      for (let end = phrase.indexOf(" "); end !== -1; end = phrase.indexOf(" ", end + 1)) all.add(phrase.slice(0, end))
    }
    return [language, all]
  })
)

/** Whether a longer phrase of the table begins with these words. */
export const isBeginning = (words: string, language: Language): boolean => beginnings.get(language)?.has(words) === true

/** Shorter words resemble too many others. */
const shortestMistyped = 6

const mayBeTypo = ({ is }: TimeWord): boolean => is === "weekday" || is === "month" || is === "named day"

interface RightWord {
  readonly text: string
  readonly meanings: ReadonlyArray<TimeWord>
}

/** Words that may be mistyped, by their first letter. */
const rightWords = new Map(
  [...tables].map(([language, table]) => {
    const byLetter = new Map<string, Array<RightWord>>()
    for (const [text, words] of table) {
      const meanings = words.filter(mayBeTypo)
      if (text.length < shortestMistyped || text.includes(" ") || meanings.length === 0) continue
      const letter = text.charAt(0)
      byLetter.set(letter, [...(byLetter.get(letter) ?? []), { text, meanings }])
    }
    return [language, byLetter]
  })
)

/** Whether the words differ by one missing, extra or swapped letter. */
const isOneSlipAway = (word: string, right: string): boolean => {
  let at = 0
  while (at < word.length && word[at] === right[at]) at++
  if (at === 0) return false
  const [rest, restOfRight] = [word.slice(at), right.slice(at)]
  return (
    rest === restOfRight.slice(1) ||
    rest.slice(1) === restOfRight ||
    (rest.slice(2) === restOfRight.slice(2) && rest[0] === restOfRight[1] && rest[1] === restOfRight[0])
  )
}

/** The meanings of a word that is one typing mistake away from a weekday, a month or a named day. */
export const mistypedMeanings = (word: string, language: Language): ReadonlyArray<TimeWord> => {
  if (word.length < shortestMistyped - 1) return none
  const candidates = rightWords.get(language)?.get(word.charAt(0)) ?? []
  const right = candidates.find(({ text }) => Math.abs(text.length - word.length) < 2 && isOneSlipAway(word, text))
  return right?.meanings ?? none
}
