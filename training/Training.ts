import { sigmoid } from "../src/Services/Text/Sentences/SentenceClassifier.ts"
import { featureBuckets } from "../src/Services/Text/Sentences/SentenceFeatures.ts"

/** A sentence to learn from: the buckets of its features, and of each label whether the sentence has it. */
export interface Example {
  readonly features: Uint32Array
  readonly isPresent: Uint8Array
}

/** A linear model: a row of weights, one for each label, per bucket that is known. */
export interface Weights {
  readonly rowOf: Int32Array
  readonly rows: number
  readonly labels: number
  readonly weights: Float32Array
  readonly bias: Float64Array
}

/** Chosen by cross-validation; more passes or less decay change the figures in the third digit. */
const passes = 14
const rate = 0.5
const decay = 1e-4
/** Of a label's sentences there are few: each counts as two. */
const weightOfPresent = 2
/** A feature of a single sentence says nothing of others. */
const leastSentences = 2
/** A label whose error is smaller than this is not corrected: most are, and the time goes into the others. */
const leastError = 0.01
const biasAtFirst = -3
const biasRate = 0.02

const rowsOf = (examples: ReadonlyArray<Example>): { readonly rowOf: Int32Array; readonly rows: number } => {
  const counts = new Uint32Array(featureBuckets)
  for (const { features } of examples) for (const bucket of features) counts[bucket]! += 1
  const rowOf = new Int32Array(featureBuckets).fill(-1)
  let rows = 0
  for (let bucket = 0; bucket < featureBuckets; bucket++) if (counts[bucket]! >= leastSentences) rowOf[bucket] = rows++
  return { rowOf, rows }
}

/** Adds up a sentence's scores in `sums`. */
export const addScores = (model: Weights, features: Uint32Array, sums: Float64Array): void => {
  const { bias, labels, rowOf, weights } = model
  sums.fill(0)
  for (let index = 0; index < features.length; index++) {
    const row = rowOf[features[index]!]!
    if (row < 0) continue
    const from = row * labels
    for (let label = 0; label < labels; label++) sums[label]! += weights[from + label]!
  }
  const norm = 1 / Math.sqrt(Math.max(1, features.length))
  for (let label = 0; label < labels; label++) sums[label] = sums[label]! * norm + bias[label]!
}

/** The same numbers in each run. */
const generator = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const shuffle = (order: Uint32Array, random: () => number): void => {
  for (let index = order.length - 1; index > 0; index--) {
    const other = Math.floor(random() * (index + 1))
    const moved = order[index]!
    order[index] = order[other]!
    order[other] = moved
  }
}

interface Learner {
  readonly model: Weights
  readonly squares: Float32Array
  readonly sums: Float64Array
  readonly errors: Float64Array
  readonly wrong: Int32Array
}

/** One step of AdaGrad by one sentence, for the labels that the model gets wrong. */
const learn = ({ errors, model, squares, sums, wrong }: Learner, { features, isPresent }: Example): void => {
  const { bias, labels, rowOf, weights } = model
  addScores(model, features, sums)
  const norm = 1 / Math.sqrt(Math.max(1, features.length))
  let count = 0
  for (let label = 0; label < labels; label++) {
    const target = isPresent[label]!
    const error = (sigmoid(sums[label]!) - target) * (target === 1 ? weightOfPresent : 1)
    if (Math.abs(error) < leastError) continue
    bias[label]! -= biasRate * error
    errors[count] = error * norm
    wrong[count++] = label
  }
  if (count === 0) return
  for (let index = 0; index < features.length; index++) {
    const row = rowOf[features[index]!]!
    if (row < 0) continue
    for (let at = 0; at < count; at++) {
      const place = row * labels + wrong[at]!
      const slope = errors[at]! + decay * weights[place]!
      const square = squares[place]! + slope * slope
      squares[place] = square
      weights[place]! -= (rate * slope) / Math.sqrt(square)
    }
  }
}

/** Logistic regression, one label against the rest, by AdaGrad: the same sentences give the same weights. */
export const train = (examples: ReadonlyArray<Example>, labels: number): Weights => {
  const { rowOf, rows } = rowsOf(examples)
  const model: Weights = {
    rowOf,
    rows,
    labels,
    weights: new Float32Array(rows * labels),
    bias: new Float64Array(labels).fill(biasAtFirst)
  }
  const learner: Learner = {
    model,
    squares: new Float32Array(rows * labels).fill(1e-6),
    sums: new Float64Array(labels),
    errors: new Float64Array(labels),
    wrong: new Int32Array(labels)
  }
  const order = Uint32Array.from(examples, (_, index) => index)
  const random = generator(7)
  for (let pass = 0; pass < passes; pass++) {
    shuffle(order, random)
    for (const index of order) learn(learner, examples[index]!)
  }
  return model
}
