import { readFileSync } from "node:fs"
import { Schema } from "effect"
import {
  type AnswerFeatures,
  type Corpus,
  featuresOf,
  noneFeatures,
  type PreparedQuestion,
  pairsOf
} from "./AnswerFeatures.ts"

const Weights = Schema.Record({ key: Schema.String, value: Schema.Number })

const Header = Schema.Struct({
  /** A hash of the questions and features of the training. */
  digest: Schema.String,
  features: Weights,
  none: Weights,
  /** The factor of the pairs' weights, which are stored as signed bytes. */
  scale: Schema.Number,
  pairs: Schema.Int,
  /** The probability from which an answer is sent. */
  certain: Schema.Number,
  /** The probability from which an answer is suggested to the owner. */
  likely: Schema.Number
})
export type AnswerHeader = typeof Header.Type

export interface AnswerModel extends AnswerHeader {
  readonly pairWeights: ReadonlyMap<number, number>
}

/** Written by `npm run train:answers`: a line of JSON, the pairs (32 bits each), and a signed byte for each pair. */
export const answerModelFile = new URL("./answers.model", import.meta.url)

const decodeHeader = Schema.decodeSync(Schema.parseJson(Header))

export const decodeAnswerModel = (file: Uint8Array): AnswerModel => {
  const end = file.indexOf(10)
  const header = decodeHeader(new TextDecoder().decode(file.subarray(0, end)))
  const view = new DataView(file.buffer, file.byteOffset + end + 1)
  const pairWeights = new Map<number, number>()
  for (let index = 0; index < header.pairs; index++) {
    const weight = view.getInt8(header.pairs * 4 + index) * header.scale
    pairWeights.set(view.getUint32(index * 4, true), weight)
  }
  return { ...header, pairWeights }
}

let loaded: AnswerModel | undefined

/** The trained model, read at its first use. */
export const answerModel = (): AnswerModel => {
  loaded ??= decodeAnswerModel(readFileSync(answerModelFile))
  return loaded
}

const weighted = (features: AnswerFeatures, weights: AnswerFeatures): number =>
  Object.entries(features).reduce((sum, [name, value]) => sum + value * (weights[name] ?? 0), 0)

/** Statements with many pairs must not win by their number. */
const pairNorm = (count: number): number => 1 / Math.sqrt(10 + count)

const pairScore = (pairs: ReadonlySet<number>, weights: ReadonlyMap<number, number>): number => {
  let [sum, count] = [0, 0]
  for (const pair of pairs) {
    const weight = weights.get(pair)
    if (weight === undefined) continue
    sum += weight
    count++
  }
  return sum * pairNorm(count)
}

export interface JudgedUnits {
  /** For each unit of the corpus, the probability that it is the answer. Together with that of no answer, they are 1. */
  readonly probabilities: ReadonlyArray<number>
  readonly features: ReadonlyArray<AnswerFeatures>
}

/** The probability of each unit of a corpus that it answers the question. */
export const judgeUnits = (
  question: PreparedQuestion,
  corpus: Corpus,
  message: string,
  model: AnswerModel
): JudgedUnits => {
  const features = corpus.units.map((unit) => featuresOf(question, unit, corpus))
  const scores = corpus.units.map(
    (unit, index) =>
      weighted(features[index] ?? {}, model.features) + pairScore(pairsOf(question, unit), model.pairWeights)
  )
  const none = weighted(noneFeatures(question, features, message), model.none)
  const highest = scores.reduce((best, score) => Math.max(best, score), none)
  const shares = scores.map((score) => Math.exp(score - highest))
  const total = shares.reduce((sum, share) => sum + share, Math.exp(none - highest))
  return { probabilities: shares.map((share) => share / total), features }
}

export { pairNorm }
