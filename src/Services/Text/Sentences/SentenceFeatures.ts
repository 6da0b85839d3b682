import type { Language } from "../Language.ts"
import { hashOf, tidyText } from "../PlainText.ts"
import { concepts } from "./Concepts.ts"

/** Only the first words of a longer sentence are read, because its purpose is usually clear early. */
const maximumWords = 60

/** Groups of words that the classifier treats as one, folded and in all three languages. */
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
  [/\b(?:https?:\/\/|www\.)\S{1,200}/gi, " <link> "],
  [
    /(?:r\$|us\$|u\$s|[$€£])\s?\d[\d.,]{0,12}|\b\d[\d.,]{0,12}\s?(?:reais|dolares|dollars|bucks|euros|pesos|conto|mil reais|k\b)/gi,
    " <money> "
  ],
  [/\b\d{1,3}\s?(?:%|por cento|percent|por ciento)/gi, " <percent> "],
  [
    /\b\d{1,2}(?::\d{2}|h\d{0,2}\b|hs\b| ?horas?\b)(?: ?(?:am|pm)\b)?|\b\d{1,2} ?(?:am|pm|a\.m\.|p\.m\.)/gi,
    " <clock> "
  ],
  [/\b\d{1,2}\/\d{1,2}(?:\/\d{2,4})?\b|\b20\d\d-\d\d-\d\d\b/g, " <date> "],
  [/\+?\(?\d[\d\s().-]{7,20}\d/g, " <phone> "],
  [/\b\d[\d.,]*\b/g, " <number> "]
]

const wordPattern = /<[a-z]+>|[\p{L}]+(?:['’][\p{L}]+)*|[?!…]|\.{3}|\p{Extended_Pictographic}/gu

/** A capital letter inside a sentence marks a name. */
const isName = (word: string, index: number): boolean => index > 0 && /^\p{Lu}\p{Ll}{2,}$/u.test(word)

interface FeatureWord {
  readonly text: string
  readonly isName: boolean
}

/** Most sentences contain no number and no address, so the replacement can be skipped. */
const mayHaveShapes = /[\d@]|www\.|http/i

const withShapes = (sentence: string): string => {
  if (!mayHaveShapes.test(sentence)) return sentence
  // Addresses are found by their @, because a pattern would scan a long word from each of its letters.
  let text = sentence
    .split(/\s/)
    .map((word) => (word.includes("@") ? "<email>" : word))
    .join(" ")
  for (const [pattern, sign] of shapes) text = text.replace(pattern, sign)
  return text
}

/** Text without accents. Folding only changes its capitals. */
const plainText = /^[\t\n\x20-\x7e]*$/

/** The words of a sentence for the classifier: folded, with numbers, dates and weekdays replaced by their kind. */
export const featureWords = (sentence: string): ReadonlyArray<FeatureWord> => {
  const isPlain = plainText.test(sentence)
  const text = isPlain
    ? sentence
    : tidyText(sentence)
        .normalize("NFD")
        .replace(/\p{M}+/gu, "")
  const words = withShapes(text).match(wordPattern) ?? []
  return words.slice(0, maximumWords).map((word, index) => {
    const folded = isPlain ? word.toLowerCase() : word.normalize("NFKC").toLowerCase().replaceAll("’", "'")
    return { text: kindOfWord.get(folded) ?? folded, isName: isName(word, index) }
  })
}

/** The kinds of features. Each has a number, so that a word and a concept with the same name are different features. */
const kind = {
  word: 1,
  pair: 2,
  three: 3,
  skip: 4,
  letters: 5,
  first: 6,
  firstTwo: 7,
  last: 8,
  length: 9,
  language: 10,
  concept: 11,
  conceptPair: 12,
  conceptThree: 13,
  conceptSkip: 14,
  conceptBoth: 15,
  firstConcept: 16,
  lastConcept: 17,
  name: 18
} as const

/** Hashes two numbers, in this order, into one of 32 bits. */
const joined = (first: number, second: number): number => {
  const value = Math.imul(first ^ (second + 0x9e3779b9 + (first << 6) + (first >>> 2)), 0x85ebca6b)
  return value ^ (value >>> 15)
}

type Add = (feature: number) => void

const shortestLetters = 3
const longestLetters = 5
const fnvStart = 0x811c9dc5
const fnvPrime = 0x01000193

/** How many words' letter sequences are cached. A clause repeats the words of its sentence, and texts repeat theirs. */
const mostRemembered = 4096
const rememberedLetters = new Map<string, Uint32Array>()

const newLettersOf = (word: string): Uint32Array => {
  const marked = `_${word}_`
  const sequences: Array<number> = []
  for (let from = 0; from + shortestLetters <= marked.length; from++) {
    let hash = fnvStart
    for (let size = 1; size <= longestLetters && from + size <= marked.length; size++) {
      hash = Math.imul(hash ^ marked.charCodeAt(from + size - 1), fnvPrime)
      if (size >= shortestLetters) sequences.push(joined(hash, kind.letters) >>> 0)
    }
  }
  return Uint32Array.from(sequences)
}

/** Sequences of three to five letters of a word, so that a typing mistake or another ending still matches. */
const lettersOf = (word: string): Uint32Array => {
  const remembered = rememberedLetters.get(word)
  if (remembered !== undefined) return remembered
  if (rememberedLetters.size >= mostRemembered) rememberedLetters.clear()
  const letters = newLettersOf(word)
  rememberedLetters.set(word, letters)
  return letters
}

const isShape = (word: string): boolean => word.startsWith("<") || word === "?" || word === "!"

/** The concepts of a sentence in order, as hashes. If phrases overlap, the longest counts. */
const conceptsIn = (words: ReadonlyArray<FeatureWord>, language: Language): ReadonlyArray<ReadonlyArray<number>> => {
  const { longestFrom, of } = concepts()
  const phrases: Array<ReadonlyArray<number>> = []
  for (let at = 0; at < words.length; ) {
    const { isName: isNameHere, text } = words[at] ?? { isName: false, text: "" }
    let size = Math.min(longestFrom(text, language), words.length - at)
    let names: ReadonlyArray<number> = []
    for (; size > 0 && names.length === 0; size--) {
      const phrase = size === 1 ? text : words.slice(at, at + size).map((word) => word.text)
      names = of(typeof phrase === "string" ? phrase : phrase.join(" "), language)
      if (names.length > 0) break
    }
    if (names.length > 0) phrases.push(names)
    else if (isShape(text)) phrases.push([hashOf(text)])
    else if (isNameHere) phrases.push([kind.name])
    at += Math.max(1, size)
  }
  return phrases
}

/** In sentences with more concepts, only adjacent ones are paired. */
const mostPaired = 14

const addConcepts = (phrases: ReadonlyArray<ReadonlyArray<number>>, add: Add): void => {
  phrases.forEach((names, index) => {
    const [next = [], afterNext = []] = [phrases[index + 1], phrases[index + 2]]
    for (const name of names) {
      add(joined(name, kind.concept))
      for (const second of next) {
        const pair = joined(name, second)
        add(joined(pair, kind.conceptPair))
        for (const third of afterNext) add(joined(joined(pair, third), kind.conceptThree))
      }
      for (const second of afterNext) add(joined(joined(name, second), kind.conceptSkip))
    }
  })
  const all = [...new Set(phrases.flat())].sort((a, b) => a - b)
  if (all.length <= mostPaired) {
    all.forEach((name, index) => {
      for (let other = index + 1; other < all.length; other++)
        add(joined(joined(name, all[other] ?? 0), kind.conceptBoth))
    })
  }
  add(joined(phrases[0]?.[0] ?? 0, kind.firstConcept))
  add(joined(phrases.at(-1)?.[0] ?? 0, kind.lastConcept))
}

const longestLength = 8

const addWords = (words: ReadonlyArray<FeatureWord>, add: Add): void => {
  const hashes = words.map(({ text }) => hashOf(text))
  words.forEach(({ isName: isNameHere, text }, index) => {
    const hash = hashes[index] ?? 0
    add(joined(hash, kind.word))
    const [next, afterNext] = [hashes[index + 1], hashes[index + 2]]
    if (next !== undefined) {
      const pair = joined(hash, next)
      add(joined(pair, kind.pair))
      if (afterNext !== undefined) add(joined(joined(pair, afterNext), kind.three))
    }
    if (afterNext !== undefined) add(joined(joined(hash, afterNext), kind.skip))
    if (text.length > 3 && !text.startsWith("<")) for (const letters of lettersOf(text)) add(letters)
    if (isNameHere) add(kind.name)
  })
  const [first = 0, second = 0] = hashes
  add(joined(first, kind.first))
  add(joined(joined(first, second), kind.firstTwo))
  add(joined(hashes.at(-1) ?? 0, kind.last))
  add(joined(Math.min(longestLength, Math.ceil(Math.sqrt(words.length))), kind.length))
}

/** A set of 32-bit numbers in insertion order. It is cleared and reused for each sentence. */
class NumberSet {
  private slots = new Uint32Array(2 ** 12)
  private all = new Uint32Array(2 ** 11)
  private count = 0

  clear(): void {
    this.slots.fill(0)
    this.count = 0
  }

  add(value: number): void {
    const mask = this.slots.length - 1
    let place = value & mask
    // A slot holds an index of `all` plus one, because 0 marks a free slot.
    for (let entry = this.slots[place] ?? 0; entry !== 0; entry = this.slots[place] ?? 0) {
      if (this.all[entry - 1] === value) return
      place = (place + 1) & mask
    }
    this.all[this.count++] = value
    this.slots[place] = this.count
    if (this.count === this.all.length) this.grow()
  }

  values(): Uint32Array {
    return this.all.slice(0, this.count)
  }

  private grow(): void {
    const values = this.values()
    this.slots = new Uint32Array(this.slots.length * 2)
    this.all = new Uint32Array(this.all.length * 2)
    this.count = 0
    for (const value of values) this.add(value)
  }
}

const features = new NumberSet()

/**
 * The features of a sentence as distinct 32-bit hashes: words, pairs and triples of them, words at either end, letter
 * sequences, and the same for the concepts that the words mean.
 */
export const featuresOf = (sentence: string, language: Language): Uint32Array => {
  const words = featureWords(sentence)
  features.clear()
  const add: Add = (feature) => {
    features.add(feature >>> 0)
  }
  addWords(words, add)
  add(joined(hashOf(language), kind.language))
  addConcepts(conceptsIn(words, language), add)
  return features.values()
}
