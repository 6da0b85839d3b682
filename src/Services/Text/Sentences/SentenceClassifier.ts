import { Schema } from "effect"
import type { Language } from "../Language.ts"
import { featuresOf } from "./SentenceFeatures.ts"

/** How a label's score becomes a probability, learnt from sentences that the weights were not trained on. */
export const Calibration = Schema.Struct({ slope: Schema.Number, offset: Schema.Number })
export type Calibration = typeof Calibration.Type

/** The header before the weights in a model's file, as one line of JSON. Lists are in the order of `labels`. */
export const ModelHeader = Schema.Struct({
  /** Of the sentences and features that the model was trained on. */
  digest: Schema.String,
  labels: Schema.Array(Schema.String),
  /** Of each label: the score without any feature. */
  bias: Schema.Array(Schema.Number),
  /** Of each hidden unit: its value without any feature. */
  unitBias: Schema.Array(Schema.Number),
  /** Of each hidden unit: what the features' weights, stored as whole numbers, are multiplied with. */
  scale: Schema.Array(Schema.Number),
  /** Of each hidden unit: its weight for each label. */
  outputs: Schema.Array(Schema.Array(Schema.Number)),
  calibration: Schema.Array(Calibration),
  likely: Schema.Array(Schema.Number),
  certain: Schema.Array(Schema.Number),
  /** How many features have weights. */
  features: Schema.Int
})
export type ModelHeader = typeof ModelHeader.Type

/** Says how likely a sentence is to carry each label. */
export interface SentenceClassifier {
  readonly labels: ReadonlyArray<string>
  /** Probabilities in the order of `labels`; a sentence may have several labels, or none. */
  readonly probabilities: (sentence: string, language: Language) => Float64Array
  /** Of each label: from this probability on the sentence rather has it than not (the best F1). */
  readonly likely: Float64Array
  /**
   * Of each label: from this probability on the label may be acted on without a question, since a wrong act costs its
   * owner less than the questions that it saves. 1 where no probability is high enough.
   */
  readonly certain: Float64Array
}

/** The probability of a calibrated score. */
export const sigmoid = (score: number): number => 1 / (1 + Math.exp(-score))

const decodeHeader = Schema.decodeSync(Schema.parseJson(ModelHeader))

/** The header of a model's file, and where the weights begin. */
export const modelHeader = (file: Uint8Array): { readonly header: ModelHeader; readonly bytes: number } => {
  const end = file.indexOf(10)
  return { header: decodeHeader(new TextDecoder().decode(file.subarray(0, end))), bytes: end + 1 }
}

/** Rows by feature in two flat arrays: a map of tens of thousands of numbers would take five times the memory. */
const rowTable = (features: Uint32Array): ((feature: number) => number) => {
  const size = 2 ** Math.ceil(Math.log2(features.length * 2 + 1))
  const keys = new Uint32Array(size)
  const rows = new Int32Array(size).fill(-1)
  features.forEach((feature, row) => {
    let place = feature & (size - 1)
    while (rows[place] !== -1) place = (place + 1) & (size - 1)
    keys[place] = feature
    rows[place] = row
  })
  return (feature) => {
    for (let place = feature & (size - 1); ; place = (place + 1) & (size - 1)) {
      const row = rows[place] ?? -1
      if (row === -1 || keys[place] === feature) return row
    }
  }
}

/** The hidden units' values for a sentence's features. */
const unitsOf = (
  features: Uint32Array,
  { scale, unitBias }: ModelHeader,
  rowOf: (feature: number) => number,
  weights: Int8Array
): Float64Array => {
  const size = unitBias.length
  const sums = new Int32Array(size)
  let count = 0
  for (const feature of features) {
    const row = rowOf(feature)
    if (row < 0) continue
    count++
    const from = row * size
    for (let unit = 0; unit < size; unit++) sums[unit] = (sums[unit] ?? 0) + (weights[from + unit] ?? 0)
  }
  // Long sentences have more features: without this their units would all be larger.
  const norm = 1 / Math.sqrt(Math.max(1, count))
  const units = new Float64Array(size)
  for (let unit = 0; unit < size; unit++) {
    units[unit] = Math.max(0, (sums[unit] ?? 0) * (scale[unit] ?? 0) * norm + (unitBias[unit] ?? 0))
  }
  return units
}

/** A part of a file in a buffer of its size: numbers of 32 bits cannot begin anywhere in a larger one. */
const copyOf = (file: Uint8Array, from: number, to: number): ArrayBuffer =>
  new Uint8Array(file.subarray(from, to)).buffer

/**
 * A classifier from its file: a header line, then the features that have weights (32 bits each), then one signed byte per
 * feature and hidden unit.
 */
export const loadClassifier = (file: Uint8Array): SentenceClassifier => {
  const { bytes, header } = modelHeader(file)
  const { bias, calibration, certain, labels, likely, outputs, unitBias } = header
  const end = bytes + header.features * 4
  const rowOf = rowTable(new Uint32Array(copyOf(file, bytes, end)))
  const weights = new Int8Array(copyOf(file, end, end + header.features * unitBias.length))
  const unitOutputs = Float64Array.from(outputs.flat())
  const slopes = Float64Array.from(calibration, ({ slope }) => slope)
  const offsets = Float64Array.from(calibration, ({ offset }) => offset)
  const startScores = Float64Array.from(bias)
  return {
    labels,
    probabilities: (sentence, language) => {
      const scores = startScores.slice()
      const units = unitsOf(featuresOf(sentence, language), header, rowOf, weights)
      // Plain loops: this runs for each clause of each reply.
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
