import { readFileSync } from "node:fs"
import { Schema } from "effect"
import type { Language } from "../Language.ts"
import { featuresOf } from "./SentenceFeatures.ts"

/** Converts a label's score to a probability. Learned from sentences that the weights were not trained on. */
export const Calibration = Schema.Struct({ slope: Schema.Number, offset: Schema.Number })
export type Calibration = typeof Calibration.Type

/** The header before the weights in a model's file, as one line of JSON. Lists are in the order of `labels`. */
export const ModelHeader = Schema.Struct({
  /** A hash of the sentences and features of the training. */
  digest: Schema.String,
  labels: Schema.Array(Schema.String),
  /** Per label: the score without any feature. */
  bias: Schema.Array(Schema.Number),
  /** Per hidden unit: its value without any feature. */
  unitBias: Schema.Array(Schema.Number),
  /** Per hidden unit: the factor for the features' weights, which are stored as integers. */
  scale: Schema.Array(Schema.Number),
  /** Per hidden unit: its weight for each label. */
  outputs: Schema.Array(Schema.Array(Schema.Number)),
  calibration: Schema.Array(Calibration),
  likely: Schema.Array(Schema.Number),
  certain: Schema.Array(Schema.Number),
  /** The number of features with weights. */
  features: Schema.Int
})
export type ModelHeader = typeof ModelHeader.Type

/** Estimates how likely a sentence is to have each label. */
export interface SentenceClassifier {
  readonly labels: ReadonlyArray<string>
  /** Probabilities in the order of `labels`. A sentence may have several labels or none. */
  readonly probabilities: (sentence: string, language: Language) => Float64Array
  /** Per label: the probability from which a sentence is assumed to have it (the best F1). */
  readonly likely: Float64Array
  /**
   * Per label: the probability from which to act without asking, because wrong actions then cost less than the
   * questions they save. 1 if no probability is high enough.
   */
  readonly certain: Float64Array
}

/** The probability of a calibrated score. */
export const sigmoid = (score: number): number => 1 / (1 + Math.exp(-score))

const decodeHeader = Schema.decodeSync(Schema.parseJson(ModelHeader))

/** The header of a model's file, and the position of the weights. */
export const modelHeader = (file: Uint8Array): { readonly header: ModelHeader; readonly bytes: number } => {
  const end = file.indexOf(10)
  return { header: decodeHeader(new TextDecoder().decode(file.subarray(0, end))), bytes: end + 1 }
}

/**
 * Finds the rows of features that have one. An open-addressing hash table in one flat array needs a fifth of the memory
 * of a map.
 */
const rowTable = (features: Uint32Array): ((features: Uint32Array) => Uint32Array) => {
  const mask = 2 ** Math.ceil(Math.log2(features.length * 2 + 1)) - 1
  const table = new Uint32Array((mask + 1) * 2)
  for (let row = 0; row < features.length; row++) {
    const feature = features[row] ?? 0
    let place = feature & mask
    while (table[place * 2 + 1] !== 0) place = (place + 1) & mask
    table[place * 2] = feature
    // 0 marks an empty slot, so the row is stored plus one.
    table[place * 2 + 1] = row + 1
  }
  const rowOf = (feature: number): number => {
    for (let place = feature & mask; ; place = (place + 1) & mask) {
      const row = table[place * 2 + 1] ?? 0
      if (row === 0 || table[place * 2] === feature) return row - 1
    }
  }
  return (sought) => {
    const rows = new Uint32Array(sought.length)
    let count = 0
    for (let index = 0; index < sought.length; index++) {
      const row = rowOf(sought[index] ?? 0)
      if (row >= 0) rows[count++] = row
    }
    return rows.subarray(0, count)
  }
}

/** Weights per number. Adding four at a time saves time, because this sum is most of the work of reading a reply. */
const perWord = 4
/** Added to each weight, so that none is negative. */
const weightOffset = 128
/** Each 16-bit half of a number can hold the sum of this many 8-bit weights. */
const mostInLane = 256
const lanes = 0x00ff00ff

/** Flips the sign of each of four bytes, which adds `weightOffset` to each. */
const signs = 0x80808080

/**
 * Packs each row's weights, four per number, with the first in the lowest bits. The number of units must be a multiple
 * of four.
 */
const packed = (weights: ArrayBuffer): Int32Array => {
  const words = new Int32Array(weights)
  for (let index = 0; index < words.length; index++) words[index] = (words[index] ?? 0) ^ signs
  return words
}

/** Adds the two sums in each of `even` and `odd` to the four units of a number. */
const addLanes = (sums: Int32Array, word: number, even: number, odd: number): void => {
  const unit = word * perWord
  sums[unit] = (sums[unit] ?? 0) + (even & 0xffff)
  sums[unit + 1] = (sums[unit + 1] ?? 0) + (odd & 0xffff)
  sums[unit + 2] = (sums[unit + 2] ?? 0) + (even >>> 16)
  sums[unit + 3] = (sums[unit + 3] ?? 0) + (odd >>> 16)
}

/**
 * How many numbers of a row are added in one pass over the rows. The units must be a multiple of four times as many.
 */
const wordsPerPass = 4

/** Adds the weights of rows to the units' sums. At most `mostInLane` rows at a time, or a sum would overflow. */
const addRows = (sums: Int32Array, rows: Uint32Array, weights: Int32Array): void => {
  const words = sums.length / perWord
  for (let word = 0; word < words; word += wordsPerPass) {
    // The first and third weight of each number, and the second and fourth. A loop over the four would take twice the
    // time.
    let [even0, odd0, even1, odd1] = [0, 0, 0, 0]
    let [even2, odd2, even3, odd3] = [0, 0, 0, 0]
    for (let index = 0; index < rows.length; index++) {
      const at = (rows[index] ?? 0) * words + word
      const [four0, four1] = [weights[at] ?? 0, weights[at + 1] ?? 0]
      const [four2, four3] = [weights[at + 2] ?? 0, weights[at + 3] ?? 0]
      even0 = (even0 + (four0 & lanes)) | 0
      odd0 = (odd0 + ((four0 >>> 8) & lanes)) | 0
      even1 = (even1 + (four1 & lanes)) | 0
      odd1 = (odd1 + ((four1 >>> 8) & lanes)) | 0
      even2 = (even2 + (four2 & lanes)) | 0
      odd2 = (odd2 + ((four2 >>> 8) & lanes)) | 0
      even3 = (even3 + (four3 & lanes)) | 0
      odd3 = (odd3 + ((four3 >>> 8) & lanes)) | 0
    }
    addLanes(sums, word, even0, odd0)
    addLanes(sums, word + 1, even1, odd1)
    addLanes(sums, word + 2, even2, odd2)
    addLanes(sums, word + 3, even3, odd3)
  }
}

/** The values of the hidden units for the rows of a sentence's features. */
const unitsOf = (rows: Uint32Array, { scale, unitBias }: ModelHeader, weights: Int32Array): Float64Array => {
  const sums = new Int32Array(unitBias.length)
  for (let from = 0; from < rows.length; from += mostInLane) {
    addRows(sums, rows.subarray(from, from + mostInLane), weights)
  }
  // Long sentences have more features, so without this their values would all be larger.
  const norm = 1 / Math.sqrt(Math.max(1, rows.length))
  return Float64Array.from(unitBias, (bias, unit) =>
    Math.max(0, ((sums[unit] ?? 0) - weightOffset * rows.length) * (scale[unit] ?? 0) * norm + bias)
  )
}

/** Copies a part of a file, because an array of 32-bit numbers must be aligned in its buffer. */
const copyOf = (file: Uint8Array, from: number, to: number): ArrayBuffer =>
  new Uint8Array(file.subarray(from, to)).buffer

/**
 * Loads a classifier from its file: a header line, the features that have weights (32 bits each), and one signed byte
 * per feature and hidden unit.
 */
export const loadClassifier = (file: Uint8Array): SentenceClassifier => {
  const { bytes, header } = modelHeader(file)
  const { bias, calibration, certain, labels, likely, outputs, unitBias } = header
  const end = bytes + header.features * 4
  const rowsOf = rowTable(new Uint32Array(copyOf(file, bytes, end)))
  const size = unitBias.length
  const weights = packed(copyOf(file, end, end + header.features * size))
  const unitOutputs = Float64Array.from(outputs.flat())
  const slopes = Float64Array.from(calibration, ({ slope }) => slope)
  const offsets = Float64Array.from(calibration, ({ offset }) => offset)
  const startScores = Float64Array.from(bias)
  return {
    labels,
    probabilities: (sentence, language) => {
      const scores = startScores.slice()
      const units = unitsOf(rowsOf(featuresOf(sentence, language)), header, weights)
      // Plain loops, because this runs for each clause of each reply.
      for (let unit = 0; unit < units.length; unit++) {
        const value = units[unit] ?? 0
        if (value === 0) continue
        const from = unit * labels.length
        for (let label = 0; label < labels.length; label++) {
          scores[label] = (scores[label] ?? 0) + value * (unitOutputs[from + label] ?? 0)
        }
      }
      for (let label = 0; label < scores.length; label++) {
        scores[label] = sigmoid((scores[label] ?? 0) * (slopes[label] ?? 1) + (offsets[label] ?? 0))
      }
      return scores
    },
    likely: Float64Array.from(likely),
    certain: Float64Array.from(certain)
  }
}

/** Returns a function that loads the classifier's file on first use. */
export const lazyClassifier = (file: URL): (() => SentenceClassifier) => {
  let loaded: SentenceClassifier | undefined
  return () => {
    loaded ??= loadClassifier(readFileSync(file))
    return loaded
  }
}
