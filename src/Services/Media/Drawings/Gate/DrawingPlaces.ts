import { fold } from "../../../Text/PlainText.ts"
import { amountsIn, type FoundAmount } from "../DrawingWords.ts"

/** A word of a prompt and its position. */
export interface Place {
  readonly word: string
  readonly from: number
  readonly to: number
}

const placesOf = (text: string): ReadonlyArray<Place> =>
  [...text.matchAll(/[\p{L}\p{M}\d]+/gu)].map(({ 0: word, index }) => ({
    word: fold(word),
    from: index,
    to: index + word.length
  }))

/** A part of a prompt, by positions in its text. */
export interface Run {
  readonly from: number
  readonly to: number
}

/** One thing that is drawn: a label, or a number. */
export type Drawn = string | number

/** The most attempts to place the parts of a drawing. A prompt with many equal words would otherwise take long. */
const mostAttempts = 4000

/** The words and numbers of a text with their positions. */
interface PlaceIndex {
  readonly text: string
  readonly places: ReadonlyArray<Place>
  /** The positions of each word in `places`. */
  readonly byWord: ReadonlyMap<string, ReadonlyArray<number>>
  readonly amounts: ReadonlyArray<FoundAmount>
}

const indexOf = (text: string): PlaceIndex => {
  const places = placesOf(text)
  const byWord = new Map<string, Array<number>>()
  for (const [at, { word }] of places.entries()) {
    const same = byWord.get(word)
    if (same === undefined) byWord.set(word, [at])
    else same.push(at)
  }
  return { text, places, byWord, amounts: amountsIn(text) }
}

/**
 * The words and numbers of a prompt, each of which can be drawn once. What is drawn takes its place, and what is left
 * at the end was not drawn.
 */
export class PromptPlaces {
  readonly #index: PlaceIndex
  /** For each character, whether something drawn has taken it. */
  readonly #taken: Uint8Array
  #attempts = 0

  private constructor(index: PlaceIndex, drawn: Uint8Array) {
    this.#index = index
    this.#taken = drawn
  }

  static of(text: string): PromptPlaces {
    return new PromptPlaces(indexOf(text), new Uint8Array(text.length))
  }

  get text(): string {
    return this.#index.text
  }

  get amounts(): ReadonlyArray<FoundAmount> {
    return this.#index.amounts
  }

  /** The positions where a label is written, in order. */
  runsOf(label: string, from = 0, isFree = true): ReadonlyArray<Run> {
    const words = placesOf(label).map(({ word }) => word)
    const { byWord, places } = this.#index
    return (byWord.get(words[0] ?? "") ?? []).flatMap((at) => {
      const [first, last] = [places[at], places[at + words.length - 1]]
      if (first === undefined || last === undefined || first.from < from) return []
      const run = { from: first.from, to: last.to }
      const isThere = words.every((word, step) => places[at + step]?.word === word)
      return isThere && (!isFree || this.isFree(run)) ? [run] : []
    })
  }

  isFree({ from, to }: Run): boolean {
    return !this.#taken.subarray(from, to).includes(1)
  }

  take({ from, to }: Run): void {
    this.#taken.fill(1, from, to)
  }

  /** Takes the first free position of a label. False if there is none. */
  takeLabel(label: string): boolean {
    if (placesOf(label).length === 0) return label === "" || this.text.includes(label)
    const [run] = this.runsOf(label)
    if (run === undefined) return false
    this.take(run)
    return true
  }

  /** Takes all positions of a label that are still free: the prompt refers to it again. */
  takeMentions(label: string): void {
    for (const run of this.runsOf(label)) this.take(run)
  }

  /** The numbers that nothing drawn has taken. */
  get freeAmounts(): ReadonlyArray<FoundAmount> {
    return this.amounts.filter((amount) => this.isFree(amount))
  }

  /** The words that nothing drawn has taken. */
  get left(): ReadonlyArray<Place> {
    return this.#index.places.filter(({ from }) => this.#taken[from] !== 1)
  }

  /** From the first to the last position that is taken. */
  get span(): Run {
    return { from: this.#taken.indexOf(1), to: this.#taken.lastIndexOf(1) + 1 }
  }

  copy(): PromptPlaces {
    return new PromptPlaces(this.#index, this.#taken.slice())
  }

  /**
   * The positions of a sequence of labels and numbers in the order of the text. A number is always the next one after
   * what precedes it, so that no number in between is skipped.
   */
  sequence(drawn: ReadonlyArray<Drawn>, from = 0, at = 0): ReadonlyArray<Run> | undefined {
    const next = drawn[at]
    if (next === undefined) return []
    if (++this.#attempts > mostAttempts) return undefined
    const candidates = typeof next === "number" ? this.#nextAmount(next, from) : this.runsOf(next, from)
    for (const run of candidates.slice(0, 40)) {
      const rest = this.sequence(drawn, run.to, at + 1)
      if (rest !== undefined) return [run, ...rest]
    }
    return undefined
  }

  #nextAmount(value: number, from: number): ReadonlyArray<Run> {
    const next = this.amounts.find((amount) => amount.from >= from && this.isFree(amount))
    return next !== undefined && isSameNumber(next.value, value) ? [next] : []
  }

  /** Takes a whole sequence, or nothing. */
  takeSequence(drawn: ReadonlyArray<Drawn>): boolean {
    const runs = this.sequence(drawn)
    for (const run of runs ?? []) this.take(run)
    return runs !== undefined
  }
}

export const isSameNumber = (one: number, other: number): boolean => Math.abs(one - other) < 1e-6
