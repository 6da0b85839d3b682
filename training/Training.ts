import { sigmoid } from "../src/Services/Text/Sentences/SentenceClassifier.ts"

/** A sentence to learn from: its features, and of each label whether the sentence has it. */
export interface Example {
  readonly features: Uint32Array
  readonly isPresent: Uint8Array
}

/**
 * A network of one hidden layer. Each feature has a row of weights, one for each hidden unit. What the rows of a
 * sentence's features add up to, where it is positive, gives the scores of the labels.
 */
export interface Network {
  readonly rowOf: ReadonlyMap<number, number>
  readonly units: number
  readonly labels: number
  /** A row for each feature. */
  readonly features: Float32Array
  readonly unitBias: Float32Array
  /** A row for each hidden unit. */
  readonly outputs: Float32Array
  readonly bias: Float32Array
}

/** The numbers of this file were chosen by cross-validation. */
const units = 64
const passes = 16
const rate = 0.05
/** How much of the rate is gone at the end. */
const slowing = 0.9
/** Shares of features and of hidden units that a step leaves out, so that no sentence is learnt by heart. */
const featuresLeftOut = 0.3
const unitsLeftOut = 0.3
/** Of a label's sentences there are few: each counts as two. */
const weightOfPresent = 2
/** What only a few sentences have says little of others, and makes the file large. */
const usualLeastSentences = 7
/** A label whose error is smaller than this is not corrected: most are, and the time goes into the others. */
const leastError = 0.01
const biasAtFirst = -3
const mostFeatures = 4096

type Random = () => number

/** The same numbers in each run. */
export const generator = (seed: number): Random => {
  let state = seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

const shuffle = (order: Uint32Array, random: Random): void => {
  for (let index = order.length - 1; index > 0; index--) {
    const other = Math.floor(random() * (index + 1))
    const moved = order[index]!
    order[index] = order[other]!
    order[other] = moved
  }
}

const rowsOf = (examples: ReadonlyArray<Example>, leastSentences: number): ReadonlyMap<number, number> => {
  const counts = new Map<number, number>()
  for (const { features } of examples)
    for (const feature of features) counts.set(feature, (counts.get(feature) ?? 0) + 1)
  const rowOf = new Map<number, number>()
  for (const [feature, count] of counts) if (count >= leastSentences) rowOf.set(feature, rowOf.size)
  return rowOf
}

/** What a step works with. Sums of squared slopes, as AdaGrad wants them, are next to what they belong to. */
interface Learner {
  readonly network: Network
  readonly random: Random
  readonly squaresOfRows: Float32Array
  readonly squaresOfUnits: Float32Array
  readonly squaresOfOutputs: Float32Array
  readonly squaresOfBias: Float32Array
  readonly rows: Int32Array
  readonly hidden: Float32Array
  readonly slopes: Float32Array
  readonly scores: Float32Array
  readonly errors: Float32Array
  readonly wrong: Int32Array
}

const least = 1e-4
const leastOfBias = 1e-2

const learnerOf = (rowOf: ReadonlyMap<number, number>, labels: number, random: Random): Learner => {
  const even = (length: number, width: number): Float32Array =>
    Float32Array.from({ length }, () => (random() - 0.5) * width)
  return {
    network: {
      rowOf,
      units,
      labels,
      features: even(rowOf.size * units, 0.6),
      unitBias: new Float32Array(units),
      outputs: even(units * labels, 2 / Math.sqrt(units)),
      bias: new Float32Array(labels).fill(biasAtFirst)
    },
    random,
    squaresOfRows: new Float32Array(rowOf.size).fill(least),
    squaresOfUnits: new Float32Array(units).fill(leastOfBias),
    squaresOfOutputs: new Float32Array(units * labels).fill(least),
    squaresOfBias: new Float32Array(labels).fill(leastOfBias),
    rows: new Int32Array(mostFeatures),
    hidden: new Float32Array(units),
    slopes: new Float32Array(units),
    scores: new Float32Array(labels),
    errors: new Float32Array(labels),
    wrong: new Int32Array(labels)
  }
}

/** Fills in the hidden units and the scores, with some of the features and units left out. */
const forward = ({ hidden, network, random, rows, scores }: Learner, count: number): void => {
  const { bias, features, labels, outputs, unitBias } = network
  const norm = 1 / Math.sqrt(count)
  hidden.fill(0)
  for (let at = 0; at < count; at++) {
    const from = rows[at]! * units
    for (let unit = 0; unit < units; unit++) hidden[unit]! += features[from + unit]!
  }
  scores.set(bias)
  for (let unit = 0; unit < units; unit++) {
    const value = hidden[unit]! * norm + unitBias[unit]!
    hidden[unit] = value > 0 && random() >= unitsLeftOut ? value / (1 - unitsLeftOut) : 0
    if (hidden[unit] === 0) continue
    const from = unit * labels
    for (let label = 0; label < labels; label++) scores[label]! += hidden[unit]! * outputs[from + label]!
  }
}

/** Lists the labels that the scores get wrong, and by how much. */
const findErrors = ({ errors, network, scores, wrong }: Learner, isPresent: Uint8Array): number => {
  let count = 0
  for (let label = 0; label < network.labels; label++) {
    const target = isPresent[label]!
    const error = (sigmoid(scores[label]!) - target) * (target === 1 ? weightOfPresent : 1)
    if (Math.abs(error) < leastError) continue
    errors[count] = error
    wrong[count++] = label
  }
  return count
}

/** Corrects the weights of the outputs, and finds how the hidden units should have been. */
const correctOutputs = (learner: Learner, wrongCount: number, rateNow: number): void => {
  const { errors, hidden, network, slopes, squaresOfBias, squaresOfOutputs, squaresOfUnits, wrong } = learner
  const { bias, labels, outputs, unitBias } = network
  for (let unit = 0; unit < units; unit++) {
    slopes[unit] = 0
    if (hidden[unit] === 0) continue
    let sum = 0
    for (let at = 0; at < wrongCount; at++) {
      const place = unit * labels + wrong[at]!
      sum += errors[at]! * outputs[place]!
      const slope = errors[at]! * hidden[unit]!
      squaresOfOutputs[place]! += slope * slope
      outputs[place]! -= (rateNow * slope) / Math.sqrt(squaresOfOutputs[place]!)
    }
    const slope = sum / (1 - unitsLeftOut)
    slopes[unit] = slope
    squaresOfUnits[unit]! += slope * slope
    unitBias[unit]! -= (rateNow * slope) / (10 * Math.sqrt(squaresOfUnits[unit]!))
  }
  for (let at = 0; at < wrongCount; at++) {
    const label = wrong[at]!
    squaresOfBias[label]! += errors[at]! * errors[at]!
    bias[label]! -= (rateNow * errors[at]!) / Math.sqrt(squaresOfBias[label]!)
  }
}

const correctFeatures = (learner: Learner, count: number, rateNow: number): void => {
  const { network, rows, slopes, squaresOfRows } = learner
  const { features } = network
  const norm = 1 / Math.sqrt(count)
  let squares = 0
  for (let unit = 0; unit < units; unit++) squares += slopes[unit]! * slopes[unit]!
  const meanSquare = (squares * norm * norm) / units
  for (let at = 0; at < count; at++) {
    const row = rows[at]!
    squaresOfRows[row]! += meanSquare
    const step = (rateNow * norm) / Math.sqrt(squaresOfRows[row]!)
    const from = row * units
    for (let unit = 0; unit < units; unit++) features[from + unit]! -= step * slopes[unit]!
  }
}

/**
 * Trains by AdaGrad: the same sentences give the same weights. Only features of `writtenExamples` have weights: what `joined`
 * sentences have beyond them comes from the places where they are joined.
 */
export const train = (
  writtenExamples: ReadonlyArray<Example>,
  joined: ReadonlyArray<Example>,
  labels: number,
  leastSentences: number = usualLeastSentences
): Network => {
  const random = generator(15_838)
  const examples = [...writtenExamples, ...joined]
  const learner = learnerOf(rowsOf(writtenExamples, leastSentences), labels, random)
  const { rowOf } = learner.network
  const rowsOfExamples = examples.map(({ features }) =>
    Int32Array.from(features, (feature) => rowOf.get(feature) ?? -1).filter((row) => row >= 0)
  )
  const order = Uint32Array.from(examples, (_, index) => index)
  for (let pass = 0; pass < passes; pass++) {
    shuffle(order, random)
    const rateNow = rate * (1 - (slowing * pass) / passes)
    for (const index of order) {
      let count = 0
      for (const row of rowsOfExamples[index]!) if (random() >= featuresLeftOut) learner.rows[count++] = row
      if (count === 0) continue
      forward(learner, count)
      const wrongCount = findErrors(learner, examples[index]!.isPresent)
      if (wrongCount === 0) continue
      correctOutputs(learner, wrongCount, rateNow)
      correctFeatures(learner, count, rateNow)
    }
  }
  return learner.network
}

/** The scores of a sentence's labels, without anything left out. */
export const scoresBy = (network: Network, sentence: Uint32Array): Float64Array => {
  const { bias, features, labels, outputs, rowOf, unitBias } = network
  const sums = new Float64Array(units)
  let count = 0
  for (const feature of sentence) {
    const row = rowOf.get(feature)
    if (row === undefined) continue
    count++
    for (let unit = 0; unit < units; unit++) sums[unit]! += features[row * units + unit]!
  }
  const norm = 1 / Math.sqrt(Math.max(1, count))
  const scores = Float64Array.from(bias)
  for (let unit = 0; unit < units; unit++) {
    const value = sums[unit]! * norm + unitBias[unit]!
    if (value <= 0) continue
    for (let label = 0; label < labels; label++) scores[label]! += value * outputs[unit * labels + label]!
  }
  return scores
}
