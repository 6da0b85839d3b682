import { readFileSync } from "node:fs"
import { fold } from "./PlainText.ts"

/**
 * Opt-outs in the languages of Europe, from a table (Languages/optOutPhrases.tsv). It contains only unambiguous ones:
 * mailing-list commands, and phrases with no other meaning. The classifier of sentences handles other wishes in
 * Portuguese, English and Spanish.
 */

type Words = ReadonlyArray<string>

/** Alternatives, each a sequence of words. `*` at the end of a word matches any ending. A gap is up to three words. */
type Step = ReadonlyArray<Words> | "gap"

type Phrase = ReadonlyArray<Step>

/** Phrases by their first letters, because a long mail cannot be compared with every phrase at every word. */
type Phrases = ReadonlyMap<string, ReadonlyArray<Phrase>>

interface Table {
  readonly courtesies: Phrases
  /** Single polite words that may be inside a phrase. */
  readonly courteousWords: ReadonlySet<string>
  /** Polite words, and words that begin a request. */
  readonly requests: Phrases
  readonly commands: Phrases
  readonly sentences: Phrases
  readonly phrases: Phrases
  readonly signatures: Phrases
}

const longestText = 4000
const longestGap = 3
/** Of a longer sentence, only these first words are checked. */
const mostWords = 100

/** Letters that cannot be reduced to a base letter by dropping an accent, with their usual spelling. */
const plainLetters: ReadonlyMap<string, string> = new Map(
  "ı:i ø:o đ:d ð:d ł:l ħ:h æ:ae œ:oe ß:ss þ:th".split(" ").map((pair) => [pair.charAt(0), pair.slice(2)])
)

/** Serbian uses two alphabets. The table contains the Latin one. */
const latinLetters: ReadonlyMap<string, string> = new Map(
  "а:a б:b в:v г:g д:d ђ:d е:e ж:z з:z и:i ј:j к:k л:l љ:lj м:m н:n њ:nj о:o п:p р:r с:s т:t ћ:c у:u ф:f х:h ц:c ч:c џ:dz ш:s"
    .split(" ")
    .map((pair) => [pair.charAt(0), pair.slice(2)])
)

const plainText = (text: string): string =>
  fold(text)
    .replace(/[ıøđðłħæœßþ]/g, (letter) => plainLetters.get(letter) ?? letter)
    .replace(/\be[- ]?(mail|post)/g, "e$1")

const wordsOf = (plain: string): Words => plain.match(/[\p{L}\p{N}·]+(?:'\p{L}+)*/gu) ?? []

const inLatin = (words: Words): Words =>
  words.map((word) => [...word].map((letter) => latinLetters.get(letter) ?? letter).join(""))

const stepOf = (entry: string): Step =>
  entry === ".." ? "gap" : entry.split("|").map((words) => plainText(words).match(/[\p{L}\p{N}·'*]+/gu) ?? [])

const phraseOf = (entry: string): Phrase =>
  [...entry.matchAll(/\{([^}]*)\}|(\S+)/g)].map(([, alternatives, word]) => stepOf(alternatives ?? word ?? ""))

const singleWords = (phrase: Phrase): Words => {
  const [step, ...others] = phrase
  if (step === undefined || step === "gap" || others.length > 0) return []
  return step.flatMap((words) => (words.length === 1 ? words : []))
}

const prefixOf = (word: string): string => word.slice(0, 2)

const byPrefix = (phrases: ReadonlyArray<Phrase>): Phrases => {
  const index = new Map<string, Array<Phrase>>()
  for (const phrase of phrases) {
    const [first] = phrase
    if (first === undefined || first === "gap") continue
    for (const prefix of new Set(first.map(([word = ""]) => prefixOf(word)))) {
      const others = index.get(prefix)
      if (others === undefined) index.set(prefix, [phrase])
      else others.push(phrase)
    }
  }
  return index
}

const readTable = (): Table => {
  const text = readFileSync(new URL("./Languages/optOutPhrases.tsv", import.meta.url), "utf8")
  const rows = text.split("\n").map((line) => line.split("\t"))
  const entriesOf = (kind: string): ReadonlyArray<Phrase> =>
    rows.filter((row) => row[0] === kind).flatMap((row) => (row[2] ?? "").split(" | ").map(phraseOf))
  const courtesies = entriesOf("courtesy")
  return {
    courtesies: byPrefix(courtesies),
    courteousWords: new Set(courtesies.flatMap(singleWords)),
    requests: byPrefix([...courtesies, ...entriesOf("request")]),
    commands: byPrefix(entriesOf("command")),
    sentences: byPrefix(entriesOf("sentence")),
    phrases: byPrefix(entriesOf("phrase")),
    signatures: byPrefix(entriesOf("signature"))
  }
}

let table: Table | undefined

const isWord = (word: string | undefined, pattern: string): boolean =>
  word !== undefined && (pattern.endsWith("*") ? word.startsWith(pattern.slice(0, -1)) : word === pattern)

/** The possible ends of a phrase that starts at a position. */
const endsOf = (phrase: Phrase, words: Words, from: number): ReadonlySet<number> => {
  let ends = new Set([from])
  for (const step of phrase) {
    const next = new Set<number>()
    for (const at of ends) {
      if (step === "gap") for (let skipped = 0; skipped <= longestGap; skipped++) next.add(at + skipped)
      else
        for (const sequence of step) {
          if (sequence.every((pattern, index) => isWord(words[at + index], pattern))) next.add(at + sequence.length)
        }
    }
    ends = next
    if (ends.size === 0) break
  }
  return ends
}

/** The possible ends of all phrases that start at a position. */
const allEndsOf = (phrases: Phrases, words: Words, from: number): ReadonlyArray<number> =>
  (phrases.get(prefixOf(words[from] ?? "")) ?? []).flatMap((phrase) => [...endsOf(phrase, words, from)])

/** Whether one of the phrases covers all words, apart from those that `around` allows. */
const isWhole = (phrases: Phrases, words: Words, around: Phrases): boolean => {
  const afterCourtesies = (from: Iterable<number>): ReadonlySet<number> => {
    const reached = new Set(from)
    for (const at of reached) for (const end of allEndsOf(around, words, at)) reached.add(end)
    return reached
  }
  const ends = [...afterCourtesies([0])].flatMap((start) => allEndsOf(phrases, words, start))
  return afterCourtesies(ends).has(words.length)
}

const hasPhrase = (phrases: Phrases, words: Words): boolean =>
  words.some((_, at) => allEndsOf(phrases, words, at).length > 0)

/** Quoted text is not the writer's wish. */
const quotations = /"[^"\n]{1,300}"|„[^"„\n]{1,300}"/g

/**
 * Whether a reply opts out, in a language of Europe. Pass the text without the quoted mail. A command such as STOP must
 * be the whole reply or its last line, while a phrase may be inside a sentence. CANCELAR may refer to a meeting, which
 * the caller must check.
 */
export const isOptOutPhrase = (text: string): boolean => {
  table ??= readTable()
  const { commands, courteousWords, courtesies, phrases, requests, sentences, signatures } = table
  const plain = plainText(text.slice(0, longestText)).replace(quotations, " x ")
  const lines = plain
    .split("\n")
    .map(wordsOf)
    .filter((words) => words.length > 0)
    .filter((words) => allEndsOf(signatures, words, 0).length === 0)
  const candidates = [lines.flat(), lines.at(-1) ?? []]
  // The last line of a longer text was cut off.
  if (text.length <= longestText && candidates.some((words) => isWhole(commands, words, courtesies))) {
    return true
  }
  for (const sentence of plain.split(/[.!?;\n\u037e]+/)) {
    const words = wordsOf(sentence).slice(0, mostWords)
    if (words.length === 0) continue
    if (isWhole(sentences, words, requests)) return true
    const brief = words.filter((word) => !courteousWords.has(word))
    if ([words, brief, inLatin(words), inLatin(brief)].some((some) => hasPhrase(phrases, some))) return true
  }
  return false
}
