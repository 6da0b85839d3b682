import { Language } from "../Language.ts"
import type { TimeWord } from "./TimeMeanings.ts"
import { timePhrases } from "./TimePhrases.ts"

/** The longest phrase of the table, in words and marks. */
export const longestPhrase = 6

type Table = ReadonlyMap<string, ReadonlyArray<TimeWord>>

const languageOfMark: { readonly [mark: string]: Language } = { pt: "pt-BR", en: "en", es: "es" }

/** The table of one language: phrases marked with another ("es:once") are left out. */
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

/** Shorter words are too close to others. */
const shortestMistyped = 6

const mayBeTypo = ({ is }: TimeWord): boolean => is === "weekday" || is === "month" || is === "named day"

const typoWords = new Map(
  [...tables].map(([language, table]) => [
    language,
    [...table].flatMap(([phrase, words]) =>
      phrase.length >= shortestMistyped && !phrase.includes(" ") && words.some(mayBeTypo)
        ? [[phrase, words.filter(mayBeTypo)] as const]
        : []
    )
  ])
)

/** Whether a word lacks one letter of the other, has one too many, or has two in the wrong order. */
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

/** The meanings of a word that is one slip of the keyboard away from a weekday, a month or a named day. */
export const mistypedMeanings = (word: string, language: Language): ReadonlyArray<TimeWord> =>
  word.length < shortestMistyped - 1
    ? none
    : (typoWords.get(language)?.find(([right]) => isOneSlipAway(word, right))?.[1] ?? none)
