import type { Language } from "../Language.ts"
import { featureBuckets, featuresOf } from "./SentenceFeatures.ts"

/** How a label's score becomes a probability, learnt from sentences that the weights were not trained on. */
export interface Calibration {
  readonly slope: number
  readonly offset: number
}

/** The header before the weights in a model's file, as one line of JSON. */
export interface ModelHeader {
  readonly labels: ReadonlyArray<string>
  /** Of each label: the score without any feature. */
  readonly bias: ReadonlyArray<number>
  /** Of each label: what its weights, stored as whole numbers, are multiplied with. */
  readonly scale: ReadonlyArray<number>
  readonly calibration: ReadonlyArray<Calibration>
  /** Buckets that have weights. */
  readonly buckets: number
}

/** Says how likely a sentence is to carry each label. */
export interface SentenceClassifier {
  readonly labels: ReadonlyArray<string>
  /** Probabilities in the order of `labels`; a sentence may have several labels, or none. */
  readonly probabilities: (sentence: string, language: Language) => Float64Array
}

const none = -1

/** The sentence's raw scores: a linear function of its features, per label. */
const scoresOf = (
  features: Uint32Array,
  { bias, scale }: Pick<ModelHeader, "bias" | "scale">,
  rowOf: (bucket: number) => number,
  weights: Int8Array
): Float64Array => {
  const count = bias.length
  const sums = new Float64Array(count)
  for (const bucket of features) {
    const row = rowOf(bucket)
    if (row === none) continue
    for (let label = 0; label < count; label++) sums[label] = (sums[label] ?? 0) + (weights[row * count + label] ?? 0)
  }
  // Long sentences have more features: without this their scores would all be larger.
  const norm = 1 / Math.sqrt(Math.max(1, features.length))
  return sums.map((sum, label) => sum * (scale[label] ?? 1) * norm + (bias[label] ?? 0))
}

/** The probability of a calibrated score. */
export const sigmoid = (score: number): number => 1 / (1 + Math.exp(-score))

/**
 * A classifier from its file: a header line, then the buckets that have weights (32 bits each), then one signed byte per
 * bucket and label.
 */
export const loadClassifier = (file: Uint8Array): SentenceClassifier => {
  const end = file.indexOf(10)
  const header = JSON.parse(new TextDecoder().decode(file.subarray(0, end))) as ModelHeader
  const { buckets, calibration, labels } = header
  const ids = new DataView(file.buffer, file.byteOffset + end + 1, buckets * 4)
  const rows = new Int32Array(featureBuckets).fill(none)
  for (let row = 0; row < buckets; row++) rows[ids.getUint32(row * 4, true)] = row
  const weights = new Int8Array(file.buffer, file.byteOffset + end + 1 + buckets * 4, buckets * labels.length)
  return {
    labels,
    probabilities: (sentence, language) =>
      scoresOf(featuresOf(sentence, language), header, (bucket) => rows[bucket] ?? none, weights).map((score, label) =>
        sigmoid(score * (calibration[label]?.slope ?? 1) + (calibration[label]?.offset ?? 0))
      )
  }
}
