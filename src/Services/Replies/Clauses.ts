import type { Language } from "../Text/Language.ts"
import { fold, type Span, sentencesOf } from "../Text/PlainText.ts"
import { isZoneWord } from "../Text/Times/ZoneNames.ts"

/** A part of a sentence that says one thing. */
export interface Clause {
  readonly text: string
  readonly isQuestion: boolean
  /** True if the clause begins with "but" or the like. */
  readonly isContrast?: boolean
}

/** A sentence with its clauses: at least one, which is then the whole sentence. */
export interface ReadSentence extends Clause {
  readonly clauses: ReadonlyArray<Clause>
  /** An item of a list such as "1) … 2) …". */
  readonly isItem: boolean
}

/** Words that begin a new clause: what follows may say the opposite of what came before. */
const joints: { readonly [L in Language]: ReadonlySet<string> } = {
  "pt-BR": new Set(["mas", "porem", "entretanto", "contudo", "porque", "pois", "so"]),
  en: new Set(["but", "however", "though", "although", "because", "so", "only", "instead", "except"]),
  es: new Set(["pero", "sino", "aunque", "porque", "solo"])
}

/** Words behind which the opposite is said. Folded, all three languages. */
const contrasts: ReadonlySet<string> = new Set(
  "mas porem entretanto contudo but however though although pero sino aunque".split(" ")
)

/** "Thanks ever so much" is one clause. */
const degrees = new Set(["much", "many", "far", "good"])

/** Conjunctions that begin a clause if enough words follow. */
const conjunctions = new Set(["e", "and", "y", "ou", "or", "o"])

/** Words at which a clause is cut that would otherwise be endless: dictated text has no marks. */
const breaths: { readonly [L in Language]: ReadonlySet<string> } = {
  "pt-BR": new Set(["e", "que", "entao", "ai", "se", "quando", "olha", "ne", "ta"]),
  en: new Set(["and", "that", "then", "if", "when", "which", "um", "uh", "yeah", "ok"]),
  es: new Set(["y", "que", "entonces", "si", "cuando", "pues", "este", "mira"])
}
/** People say no more in one breath. */
const longestBreath = 16
const shortestBreath = 4

const marks = /[,;:]|\s[-–—]\s|[()]/

/** Their full stop ends no sentence. Folded, without it. */
const abbreviations: ReadonlySet<string> = new Set(
  "a.m p.m dr dra drs sr sra srta srs lic ing prof profa eng adv arq mr mrs ms st no nro num tel cel ext ref obs aprox min hs hrs hr seg ter qua qui sex sab dom lun mar mie jue vie mon tue tues wed thu thur thurs fri jan fev feb abr apr mai jun jul ago aug set sep sept out oct nov dez dec dic av r ud uds vd vds vc".split(
    " "
  )
)

/** Behind these a capital begins a sentence, unless it names a zone: "2 p.m. Pick any", "2 p.m. Eastern". */
const clockWords: ReadonlySet<string> = new Set(["a.m", "p.m", "hs", "hrs", "hr", "min"])

const beginsSentence = (word: string): boolean => /^[¿¡"(]?\p{Lu}\p{Ll}/u.test(word) && !isZoneWord(fold(word))

/** Replaces the full stop of an abbreviation while a text is split into sentences. */
const abbreviationDot = "\u2024"

/** The text with the full stops of abbreviations marked, where more of the same sentence follows. */
const withAbbreviations = (text: string): string =>
  text
    .split(/(\s+)/)
    .map((word, index, words) => {
      const next = words[index + 2]
      const bare = word.endsWith(".") ? fold(word.slice(0, -1)).replace(/^[^\p{L}]+/u, "") : undefined
      const isInside = next !== undefined && !words[index + 1]?.includes("\n")
      const isEnd = bare !== undefined && isInside && clockWords.has(bare) && beginsSentence(next)
      return bare !== undefined && isInside && !isEnd && abbreviations.has(bare)
        ? word.replaceAll(".", abbreviationDot)
        : word
    })
    .join("")

/** A clause of fewer words is part of its neighbour: "sim", "dia 10". */
const fewestWords = 2

/** A word without its accents, but for "é", which is no "e". */
const wordOf = (piece: string): string => (piece.normalize("NFC").toLowerCase() === "é" ? "é" : fold(piece))

const isDigit = (letter: string): boolean => letter >= "0" && letter <= "9"

/** The comma in "2,300 cats" does not separate clauses. */
const isInNumber = (sentence: string, at: number): boolean =>
  isDigit(sentence.charAt(at - 1)) && isDigit(sentence.charAt(at + 1))

const wordBehind = (sentence: string, at: number): string =>
  fold(
    sentence
      .slice(at)
      .trimStart()
      .split(/[\s,;:()]/, 1)[0] ?? ""
  )

/**
 * The positions at which a sentence may be split: at marks and before joining words, but never inside one of `whole`.
 */
const cutsIn = (sentence: string, whole: ReadonlyArray<Span>, language: Language): ReadonlyArray<number> => {
  const cuts: Array<number> = []
  const isInside = (at: number): boolean => whole.some(({ from, to }) => at > from && at < to)
  for (const { 0: piece, index } of sentence.matchAll(/[^\s,;:()]+|[,;:()]|\s[-–—]\s/g)) {
    if (index === 0 || isInside(index)) continue
    if (marks.test(piece)) {
      if (!isInNumber(sentence, index)) cuts.push(index)
      continue
    }
    const word = wordOf(piece)
    const isDegree = (): boolean => word === "so" && degrees.has(wordBehind(sentence, index + piece.length))
    if (joints[language].has(word) && !isDegree()) cuts.push(index)
    else if (conjunctions.has(word) && whole.some(({ to }) => to <= index) && whole.some(({ from }) => from >= index)) {
      // "Thursday I can't and Friday at ten works": each half has its own time.
      cuts.push(index)
    }
  }
  return cuts
}

const wordCount = (text: string): number => text.split(/\s+/).filter((word) => /[\p{L}\d]/u.test(word)).length

const isMark = (letter: string): boolean => " ,;:()–—-".includes(letter)

/** The clause without the marks around it; one by one, since a pattern would look at long runs again and again. */
const withoutMarks = (text: string): string => {
  let [from, to] = [0, text.length]
  while (from < to && isMark(text.charAt(from))) from++
  while (to > from && isMark(text.charAt(to - 1))) to--
  return text.slice(from, to)
}

/** A clause of more words than one breath, cut where a speaker takes one. Times stay whole. */
const breathsOf = (
  clause: string,
  at: number,
  whole: ReadonlyArray<Span>,
  language: Language
): ReadonlyArray<string> => {
  if (wordCount(clause) <= longestBreath) return [clause]
  const pieces: Array<string> = []
  let from = 0
  for (const { 0: word, index } of clause.matchAll(/\S+/g)) {
    const isInside = whole.some((span) => at + index > span.from && at + index < span.to)
    const isLongEnough = wordCount(clause.slice(from, index)) >= shortestBreath
    if (isInside || !isLongEnough || !breaths[language].has(wordOf(word))) continue
    pieces.push(clause.slice(from, index))
    from = index
  }
  return [...pieces, clause.slice(from)]
}

const clausesOf = (
  { isQuestion, text: sentence }: Clause,
  whole: ReadonlyArray<Span>,
  language: Language
): ReadonlyArray<Clause> => {
  const cuts = cutsIn(sentence, whole, language)
  const pieces = [0, ...cuts].flatMap((from, index) =>
    breathsOf(sentence.slice(from, cuts[index] ?? sentence.length), from, whole, language)
  )
  const clauses: Array<string> = []
  for (const piece of pieces) {
    const previous = clauses.at(-1)
    if (previous !== undefined && (wordCount(piece) < fewestWords || wordCount(previous) < fewestWords)) {
      clauses[clauses.length - 1] = previous + piece
    } else clauses.push(piece)
  }
  return clauses.map((text, index) => ({
    text: withoutMarks(text),
    isQuestion: isQuestion && index === clauses.length - 1,
    isContrast: contrasts.has(fold(withoutMarks(text).split(" ", 1)[0] ?? ""))
  }))
}

/** Small words that stand in names. */
const nameWords = new Set([
  "de",
  "da",
  "do",
  "das",
  "dos",
  "del",
  "la",
  "las",
  "los",
  "e",
  "y",
  "and",
  "&",
  "von",
  "van",
  "x"
])

const fewestNameWords = 2
const mostNameWords = 6

/** Whether a line is nothing but a person's name, with or without a title: a signature says nothing. */
const isName = (text: string): boolean => {
  const words = text.split(" ")
  return (
    words.length >= fewestNameWords &&
    words.length <= mostNameWords &&
    /^\p{Lu}/u.test(text) &&
    words.every((word) => nameWords.has(word) || /^\p{Lu}[\p{L}'’-]*[.,]?$/u.test(word)) &&
    // "SAIR DA LISTA" is a wish that is shouted.
    /\p{Ll}/u.test(text)
  )
}

/** The sentence that is cut after a mark of a list, in place of a line's end. */
const itemMark = "\u2023"

/** Marks of a list without numbers, at the beginning of a line. */
const bullets: ReadonlySet<string> = new Set(["-", "–", "—", "•", "*", "·"])

/** Lines that begin with a bullet, with the marks of items in place of the bullets. One such line is no list. */
const withBullets = (text: string): string => {
  const lines = text.split("\n")
  const isBulleted = (line: string): boolean => bullets.has(line.trimStart().split(/\s/, 1)[0] ?? "")
  if (lines.filter(isBulleted).length < 2) return text
  return lines.map((line) => (isBulleted(line) ? `${itemMark}${line.trimStart().slice(1)}` : line)).join("\n")
}

/** Matches a menu number as phone keyboards write it: "1️⃣". */
const keycap = /^(\d)\uFE0F?\u20E3$/u

const romanMarks = ["(i)", "(ii)", "(iii)", "(iv)", "(v)", "(vi)"]

/** The position in a list that a mark means: "2" and "b" are both the second. Undefined for other words. */
const placeInList = (word: string, next: string | undefined): number | undefined => {
  const roman = romanMarks.indexOf(word.toLowerCase())
  if (roman >= 0) return roman + 1
  const bare =
    keycap.exec(word)?.[1] ??
    /^\(?(\d{1,2}|[a-j])(?:[).ºª]|\)-)$/iu.exec(word)?.[1] ??
    (next === "-" || next === "–" ? /^(\d)$/.exec(word)?.[1] : undefined)
  if (bare === undefined) return undefined
  return /^\d/.test(bare) ? Number(bare) : bare.toLowerCase().charCodeAt(0) - 96
}

/** A list whose items have bare numbers needs so many of them, each with so many words. */
const fewestBareItems = 3
const fewestItemWords = 3

/** Places of the bare numbers that count a list: "1 is it in Spanish 2 can they sign on it 3 does it work offline". */
const bareItems = (words: ReadonlyArray<string>): ReadonlySet<number> => {
  const items: Array<number> = []
  for (const [index, word] of words.entries()) {
    const last = items.at(-1)
    const isFar = last === undefined || (index - last) / 2 > fewestItemWords
    if (word === String(items.length + 1) && isFar) items.push(index)
  }
  return new Set(items.length < fewestBareItems ? [] : items)
}

/** The text with each item of a list on its own line, behind a mark: people write "1) … 2) …" in one line. */
const withItems = (text: string): string => {
  const words = text.split(/(\s+)/)
  const bare = bareItems(words)
  const places = words.map((word, index) => (bare.has(index) ? Number(word) : placeInList(word, words[index + 2])))
  const items = new Set<number>()
  let [expected, run] = [1, new Array<number>()]
  for (const [index, place] of places.entries()) {
    if (place === undefined || (place !== expected && place !== 1)) continue
    if (place === 1) run = []
    run.push(index)
    expected = place + 1
    if (run.length > 1) for (const each of run) items.add(each)
  }
  if (items.size === 0) return text
  return words
    .map((word, index) => {
      if (items.has(index)) return `\n${itemMark}`
      // The dash behind the number of an item goes with it.
      return items.has(index - 2) && (word === "-" || word === "–") ? "" : word
    })
    .join("")
}

/**
 * The sentences of a text, each with its clauses. `timesIn` says where a sentence names times, which are never cut apart:
 * "terça, 1 de dezembro, às 10h" is one thing. Positions are those of the folded sentence.
 */
export const readSentences = (
  text: string,
  language: Language,
  timesIn: (folded: string) => ReadonlyArray<Span>
): ReadonlyArray<ReadSentence> =>
  sentencesOf(withItems(withBullets(withAbbreviations(text)))).flatMap((masked, index): ReadonlyArray<ReadSentence> => {
    const isItem = masked.text.startsWith(itemMark)
    const unmasked = masked.text.replaceAll(abbreviationDot, ".")
    const sentence = { ...masked, text: isItem ? unmasked.slice(itemMark.length).trim() : unmasked, isItem }
    if (sentence.text === "" || (index > 0 && !sentence.isQuestion && isName(sentence.text))) return []
    const folded = fold(sentence.text)
    // Folding keeps the length of ordinary text; where it does not, positions would be wrong.
    const whole = folded.length === sentence.text.length ? timesIn(folded) : []
    return [{ ...sentence, clauses: clausesOf(sentence, whole, language) }]
  })
