import type { Language } from "../Language.ts"
import { fold, hashOf } from "../PlainText.ts"
import { concepts } from "./Concepts.ts"

/** How many buckets features are hashed into. A power of two, so that a mask is enough. */
export const featureBuckets = 1 << 18

/** Longer sentences are read by their first words: what a sentence does is said early. */
const maximumWords = 60

/** Words of one kind, which a classifier should not have to learn one by one. Folded, in all three languages. */
const kinds: ReadonlyArray<readonly [kind: string, words: string]> = [
  [
    "<weekday>",
    "segunda terca quarta quinta sexta sabado domingo segundas tercas quartas quintas sextas monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat lunes martes miercoles jueves viernes mondays fridays"
  ],
  [
    "<month>",
    "janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro january february march april june july august september october november december enero febrero marzo mayo junio julio septiembre setiembre octubre noviembre diciembre jan feb fev mar abr apr jun jul ago aug set sep sept out oct nov dez dec dic"
  ],
  [
    "<person>",
    "socio socia esposa esposo marido chefe gerente diretor diretora jefe jefa partner boss wife husband manager colega colleague dono dona owner contador contadora accountant"
  ]
]

const kindOfWord: ReadonlyMap<string, string> = new Map(
  kinds.flatMap(([kind, words]) => words.split(" ").map((word) => [word, kind] as const))
)

const shapes: ReadonlyArray<readonly [pattern: RegExp, sign: string]> = [
  [/\b(?:https?:\/\/|www\.)\S{1,200}/g, " <link> "],
  [
    /(?:r\$|us\$|u\$s|[$€£])\s?\d[\d.,]{0,12}|\b\d[\d.,]{0,12}\s?(?:reais|dolares|dollars|bucks|euros|pesos|conto|mil reais|k\b)/g,
    " <money> "
  ],
  [/\b\d{1,3}\s?(?:%|por cento|percent|por ciento)/g, " <percent> "],
  [/\b\d{1,2}(?::\d{2}|h\d{0,2}\b|hs\b| ?horas?\b)(?: ?(?:am|pm)\b)?|\b\d{1,2} ?(?:am|pm|a\.m\.|p\.m\.)/g, " <clock> "],
  [/\b\d{1,2}\/\d{1,2}(?:\/\d{2,4})?\b|\b20\d\d-\d\d-\d\d\b/g, " <date> "],
  [/\+?\(?\d[\d\s().-]{7,20}\d/g, " <phone> "],
  [/\b\d[\d.,]*\b/g, " <number> "]
]

const wordPattern = /<[a-z]+>|[\p{L}]+(?:'[\p{L}]+)*|[?!…]|\.{3}|\p{Extended_Pictographic}/gu

/** The words of a sentence as the classifier sees them: folded, with numbers, dates and names of days as their kinds. */
export const featureWords = (sentence: string): ReadonlyArray<string> => {
  // An address by its sign, not by a pattern: that would look at a long word from each of its letters.
  let text = fold(sentence)
    .split(" ")
    .map((word) => (word.includes("@") ? "<email>" : word))
    .join(" ")
  for (const [pattern, sign] of shapes) text = text.replace(pattern, sign)
  const words = text.match(wordPattern) ?? []
  return words.slice(0, maximumWords).map((word) => kindOfWord.get(word) ?? word)
}

const bucketOf = (feature: string): number => {
  const hash = hashOf(feature)
  return (hash ^ (hash >>> 15)) & (featureBuckets - 1)
}

/** The letters of a word in threes to fives, so that a typing error or an ending does not hide it. */
const addLetters = (word: string, add: (feature: string) => void): void => {
  const marked = `_${word}_`
  for (let size = 3; size <= 5; size++) {
    for (let from = 0; from + size <= marked.length; from++) add(`c${marked.slice(from, from + size)}`)
  }
}

const isShape = (word: string): boolean => /^(?:<[a-z]+>|[?!])$/.test(word)

/** The concepts of a sentence in their order: of the phrases that overlap the longest counts. */
const conceptsIn = (words: ReadonlyArray<string>, language: Language): ReadonlyArray<ReadonlyArray<string>> => {
  const { longestPhrase, of } = concepts()
  const phrases: Array<ReadonlyArray<string>> = []
  for (let at = 0; at < words.length; ) {
    let size = Math.min(longestPhrase, words.length - at)
    let names = of(words.slice(at, at + size).join(" "), language)
    while (names.length === 0 && size > 1) {
      size--
      names = of(words.slice(at, at + size).join(" "), language)
    }
    const word = words[at] ?? ""
    if (names.length > 0) phrases.push(names)
    else if (isShape(word)) phrases.push([word])
    at += size
  }
  return phrases
}

/** Of sentences with more concepts only neighbours are paired. */
const mostPaired = 14

const addConcepts = (phrases: ReadonlyArray<ReadonlyArray<string>>, add: (feature: string) => void): void => {
  phrases.forEach((names, index) => {
    const [next = [], afterNext = []] = [phrases[index + 1], phrases[index + 2]]
    for (const name of names) {
      add(`C${name}`)
      for (const second of next) {
        add(`D${name}>${second}`)
        for (const third of afterNext) add(`T${name}>${second}>${third}`)
      }
      for (const second of afterNext) add(`S${name}>${second}`)
    }
  })
  const all = [...new Set(phrases.flat())].sort()
  if (all.length <= mostPaired) {
    all.forEach((name, index) => all.slice(index + 1).forEach((other) => add(`U${name}&${other}`)))
  }
  add(`F${phrases[0]?.[0] ?? ""}`)
  add(`L${phrases.at(-1)?.[0] ?? ""}`)
}

/**
 * The buckets of a sentence's features, each once: words, pairs and threes of them, words at either end, letters, and the
 * same for the concepts that the words mean.
 */
export const featuresOf = (sentence: string, language: Language): Uint32Array => {
  const words = featureWords(sentence)
  const buckets = new Set<number>()
  const add = (feature: string): void => {
    buckets.add(bucketOf(feature))
  }
  words.forEach((word, index) => {
    add(`w${word}`)
    const [next, afterNext] = [words[index + 1], words[index + 2]]
    if (next !== undefined) add(`p${word} ${next}`)
    if (next !== undefined && afterNext !== undefined) add(`t${word} ${next} ${afterNext}`)
    if (afterNext !== undefined) add(`s${word} ${afterNext}`)
    if (word.length > 3 && !word.startsWith("<")) addLetters(word, add)
  })
  add(`b${words[0] ?? ""}`)
  add(`b${words[0] ?? ""} ${words[1] ?? ""}`)
  add(`e${words.at(-1) ?? ""}`)
  add(`n${Math.min(8, Math.ceil(Math.sqrt(words.length)))}`)
  add(`language ${language}`)
  addConcepts(conceptsIn(words, language), add)
  return Uint32Array.from(buckets)
}
