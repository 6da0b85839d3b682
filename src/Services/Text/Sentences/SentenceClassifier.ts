import { Schema } from "effect"
import type { Language } from "../Language.ts"
import { featureBuckets, featuresOf } from "./SentenceFeatures.ts"

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
  /** Of each label: what its weights, stored as whole numbers, are multiplied with. */
  scale: Schema.Array(Schema.Number),
  calibration: Schema.Array(Calibration),
  likely: Schema.Array(Schema.Number),
  certain: Schema.Array(Schema.Number),
  /** Buckets that have weights. */
  buckets: Schema.Int
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

const decodeHeader = Schema.decodeSync(Schema.parseJson(ModelHeader))

/** The header of a model's file, and where the weights begin. */
export const modelHeader = (file: Uint8Array): { readonly header: ModelHeader; readonly bytes: number } => {
  const end = file.indexOf(10)
  return { header: decodeHeader(new TextDecoder().decode(file.subarray(0, end))), bytes: end + 1 }
}

/**
 * A classifier from its file: a header line, then the buckets that have weights (32 bits each), then one signed byte per
 * bucket and label.
 */
export const loadClassifier = (file: Uint8Array): SentenceClassifier => {
  const { bytes, header } = modelHeader(file)
  const { buckets, calibration, certain, labels, likely } = header
  const ids = new DataView(file.buffer, file.byteOffset + bytes, buckets * 4)
  const rows = new Int32Array(featureBuckets).fill(none)
  for (let row = 0; row < buckets; row++) rows[ids.getUint32(row * 4, true)] = row
  const weights = new Int8Array(file.buffer, file.byteOffset + bytes + buckets * 4, buckets * labels.length)
  return {
    labels,
    probabilities: (sentence, language) =>
      scoresOf(featuresOf(sentence, language), header, (bucket) => rows[bucket] ?? none, weights).map((score, label) =>
        sigmoid(score * (calibration[label]?.slope ?? 1) + (calibration[label]?.offset ?? 0))
      ),
    likely: Float64Array.from(likely),
    certain: Float64Array.from(certain)
  }
}
