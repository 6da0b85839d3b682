import { fold, sentencesOf } from "../Text/PlainText.ts"

/** A part of a sentence that says one thing. */
export interface Clause {
  readonly text: string
  readonly isQuestion: boolean
}

/** A sentence with its clauses: at least one, which is then the whole sentence. */
export interface ReadSentence extends Clause {
  readonly clauses: ReadonlyArray<Clause>
}

/** Words that begin a new clause: what follows may say the opposite of what came before. */
const joints = new Set(
  "mas porem so entretanto contudo porque pois but however though although because so only instead except pero sino aunque porque solo".split(
    " "
  )
)

/** Conjunctions that begin a clause if enough words follow. */
const conjunctions = new Set(["e", "and", "y", "ou", "or", "o"])

const marks = /[,;:]|\s[-–—]\s|[()]/

/** Their full stop ends no sentence. Folded, without it. */
const abbreviations: ReadonlySet<string> = new Set(
  "a.m p.m am pm dr dra drs sr sra srta srs lic ing prof profa eng adv arq mr mrs ms st no nro num tel cel ext ref obs aprox min hs hrs hr seg ter qua qui sex sab dom lun mar mie jue vie mon tue tues wed thu thur thurs fri jan fev feb abr apr mai jun jul ago aug set sep sept out oct nov dez dec dic av r ud uds vd vds vc".split(
    " "
  )
)

/** Stands for the full stop of an abbreviation while a text is cut into sentences. */
const abbreviationDot = "\u2024"

/** The text with the full stops of abbreviations marked, where more of the same sentence follows. */
const withAbbreviations = (text: string): string =>
  text
    .split(/(\s+)/)
    .map((word, index, words) => {
      const next = words[index + 2]
      const bare = word.endsWith(".") ? fold(word.slice(0, -1)).replace(/^[^\p{L}]+/u, "") : undefined
      const isInside = next !== undefined && !words[index + 1]?.includes("\n")
      return bare !== undefined && isInside && abbreviations.has(bare) ? word.replaceAll(".", abbreviationDot) : word
    })
    .join("")

/** A clause of fewer words is part of its neighbour: "sim", "dia 10". */
const fewestWords = 2

interface Span {
  readonly from: number
  readonly to: number
}

/** Where a sentence may be cut: at marks and before joints, but never inside one of `whole`. */
const cutsIn = (sentence: string, whole: ReadonlyArray<Span>): ReadonlyArray<number> => {
  const cuts: Array<number> = []
  const isInside = (at: number): boolean => whole.some(({ from, to }) => at > from && at < to)
  for (const { 0: piece, index } of sentence.matchAll(/[^\s,;:()]+|[,;:()]|\s[-–—]\s/g)) {
    if (index === 0 || isInside(index)) continue
    if (marks.test(piece)) {
      cuts.push(index)
      continue
    }
    const word = fold(piece)
    if (joints.has(word)) cuts.push(index)
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

const clausesOf = (sentence: string, isQuestion: boolean, whole: ReadonlyArray<Span>): ReadonlyArray<Clause> => {
  const cuts = cutsIn(sentence, whole)
  const pieces = [0, ...cuts].map((from, index) => sentence.slice(from, cuts[index] ?? sentence.length))
  const clauses: Array<string> = []
  for (const piece of pieces) {
    const previous = clauses.at(-1)
    if (previous !== undefined && (wordCount(piece) < fewestWords || wordCount(previous) < fewestWords)) {
      clauses[clauses.length - 1] = previous + piece
    } else clauses.push(piece)
  }
  return clauses.map((text, index) => ({
    text: withoutMarks(text),
    isQuestion: isQuestion && index === clauses.length - 1
  }))
}

/**
 * The sentences of a text, each with its clauses. `timesIn` says where a sentence names times, which are never cut apart:
 * "terça, 1 de dezembro, às 10h" is one thing. Positions are those of the folded sentence.
 */
export const readSentences = (
  text: string,
  timesIn: (folded: string) => ReadonlyArray<Span>
): ReadonlyArray<ReadSentence> =>
  sentencesOf(withAbbreviations(text)).map((masked) => {
    const sentence = { ...masked, text: masked.text.replaceAll(abbreviationDot, ".") }
    const folded = fold(sentence.text)
    // Folding keeps the length of ordinary text; where it does not, positions would be wrong.
    const whole = folded.length === sentence.text.length ? timesIn(folded) : []
    return { ...sentence, clauses: clausesOf(sentence.text, sentence.isQuestion, whole) }
  })
