import { writeFileSync } from "node:fs"
import type { AnswerFeatures } from "../src/Services/Knowledge/Answers/AnswerFeatures.ts"
import { type AnswerHeader, answerModelFile, pairNorm } from "../src/Services/Knowledge/Answers/AnswerModel.ts"
import { type AnswerExample, answerExamples, answerParts, answersDigest } from "./AnswerExamples.ts"

/** Trains the reader of answers and writes its model: `npm run train:answers`. */

/** In how many questions a pair must be part of the answer to have a weight. */
const leastQuestions = 4
const passes = 7
const rate = 0.5
const slowing = 0.9
const penalty = 0.001
const pairPenalty = 0.01
/** Pairs are many, so each of them moves slowly. */
const pairPace = 10 / 3
const pairStart = 100

const examples = answerExamples()
const featureNames = Object.keys(examples[0]?.features[0] ?? {})
const noneNames = Object.keys(examples[0]?.none ?? {})

interface PairWeight {
  weight: number
  squares: number
}

interface Weights {
  readonly values: Float64Array
  readonly squares: Float64Array
}

interface Learner {
  readonly features: Weights
  readonly none: Weights
  readonly pairs: ReadonlyMap<number, PairWeight>
}

/** An example with its features as lists, and with the weights of its pairs. */
interface Prepared {
  readonly example: AnswerExample
  readonly features: ReadonlyArray<Float64Array>
  readonly none: Float64Array
  readonly pairs: ReadonlyArray<ReadonlyArray<PairWeight>>
}

/** Repeatable random numbers, so that the same questions give the same model. */
const generator = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return state / 0x7fffffff
  }
}

const listOf = (features: AnswerFeatures): Float64Array => Float64Array.from(Object.values(features))

const preparedOf = (example: AnswerExample, pairs: Learner["pairs"]): Prepared => ({
  example,
  features: example.features.map(listOf),
  none: listOf(example.none),
  pairs: example.pairs.map((ofUnit) => [...ofUnit].flatMap((pair) => pairs.get(pair) ?? []))
})

const weighted = (features: Float64Array, { values }: Weights): number => {
  let sum = 0
  for (let at = 0; at < features.length; at++) sum += (features[at] ?? 0) * (values[at] ?? 0)
  return sum
}

/** The probability of each unit, and of no answer as the last one. */
const probabilitiesOf = (
  { example, features, none, pairs }: Prepared,
  learner: Learner,
  onlyJudged: boolean
): ReadonlyArray<number> => {
  const scores = features.map((ofUnit, index) => {
    if (onlyJudged && example.isJudged[index] !== true) return Number.NEGATIVE_INFINITY
    const weights = pairs[index] ?? []
    let sum = 0
    for (const { weight } of weights) sum += weight
    return weighted(ofUnit, learner.features) + sum * pairNorm(weights.length)
  })
  scores.push(weighted(none, learner.none))
  const highest = Math.max(...scores)
  const shares = scores.map((score) => Math.exp(score - highest))
  const total = shares.reduce((sum, share) => sum + share, 0)
  return shares.map((share) => share / total)
}

const correct = ({ squares, values }: Weights, slopes: Float64Array, rateNow: number): void => {
  for (let at = 0; at < slopes.length; at++) {
    const step = (slopes[at] ?? 0) + penalty * (values[at] ?? 0)
    squares[at] = (squares[at] ?? 1) + step * step
    values[at] = (values[at] ?? 0) - (rateNow * step) / Math.sqrt(squares[at] ?? 1)
  }
}

/** Errors below this teach nothing. */
const leastError = 1e-4

const learn = (prepared: Prepared, learner: Learner, rateNow: number): void => {
  const { example, features, none, pairs } = prepared
  const probabilities = probabilitiesOf(prepared, learner, true)
  const answering = example.isAnswer.reduce((sum, is, index) => sum + (is ? (probabilities[index] ?? 0) : 0), 0)
  const slopes = new Float64Array(learner.features.values.length)
  for (const [index, ofUnit] of features.entries()) {
    const probability = probabilities[index] ?? 0
    const error = probability - (example.isAnswer[index] === true ? probability / answering : 0)
    if (Math.abs(error) < leastError) continue
    for (let at = 0; at < slopes.length; at++) slopes[at] = (slopes[at] ?? 0) + error * (ofUnit[at] ?? 0)
    const weights = pairs[index] ?? []
    const norm = pairNorm(weights.length)
    for (const pair of weights) {
      const step = error * norm + pairPenalty * pair.weight * Math.abs(error)
      pair.squares += step * step * pairStart
      pair.weight -= (rateNow * step * pairPace) / Math.sqrt(pair.squares)
    }
  }
  correct(learner.features, slopes, rateNow)
  const error = (probabilities.at(-1) ?? 0) - (example.isAnswered ? 0 : 1)
  correct(
    learner.none,
    none.map((value) => error * value),
    rateNow
  )
}

const weightsOf = (length: number): Weights => ({
  values: new Float64Array(length),
  squares: new Float64Array(length).fill(1)
})

const train = (examples: ReadonlyArray<AnswerExample>): Learner => {
  const counts = new Map<number, number>()
  for (const { isAnswer, pairs } of examples) {
    for (const pair of new Set(pairs.flatMap((ofUnit, index) => (isAnswer[index] === true ? [...ofUnit] : [])))) {
      counts.set(pair, (counts.get(pair) ?? 0) + 1)
    }
  }
  const learner: Learner = {
    features: weightsOf(featureNames.length),
    none: weightsOf(noneNames.length),
    pairs: new Map(
      [...counts].flatMap(([pair, count]) => (count >= leastQuestions ? [[pair, { weight: 0, squares: 1 }]] : []))
    )
  }
  const random = generator(7)
  const order = examples.map((example) => preparedOf(example, learner.pairs))
  for (let pass = 0; pass < passes; pass++) {
    for (let last = order.length - 1; last > 0; last--) {
      const other = Math.floor(random() * (last + 1))
      const [one, two] = [order[last], order[other]]
      if (one !== undefined && two !== undefined) [order[last], order[other]] = [two, one]
    }
    for (const prepared of order) learn(prepared, learner, rate * (1 - (slowing * pass) / passes))
  }
  return learner
}

/** The best answer to a question that the model had not seen. */
interface Outcome {
  readonly source: AnswerExample["source"]
  readonly probability: number
  readonly isDoubtful: boolean
  readonly isRight: boolean
  readonly isAnswered: boolean
}

const outcomeOf = (example: AnswerExample, learner: Learner): Outcome => {
  const probabilities = probabilitiesOf(preparedOf(example, learner.pairs), learner, false)
  const answers = new Map<string, { sum: number; best: number }>()
  for (const [index, text] of example.texts.entries()) {
    const probability = probabilities[index] ?? 0
    const same = answers.get(text)
    if (same === undefined) answers.set(text, { sum: probability, best: index })
    else {
      same.sum += probability
      if (probability > (probabilities[same.best] ?? 0)) same.best = index
    }
  }
  const [first = { sum: 0, best: 0 }] = [...answers.values()].toSorted((a, b) => b.sum - a.sum)
  return {
    source: example.source,
    // It is unknown whether a unit without a judgement is right.
    probability: example.isJudged[first.best] === true ? first.sum : 0,
    isDoubtful: example.isDoubtful[first.best] ?? true,
    isRight: example.isAnswer[first.best] ?? false,
    isAnswered: example.isAnswered
  }
}

const outcomes = Array.from({ length: answerParts }, (_, part) => {
  const learner = train(examples.filter((example) => example.part !== part))
  return examples.filter((example) => example.part === part).map((example) => outcomeOf(example, learner))
}).flat()

const shareRight = (all: ReadonlyArray<Outcome>): number =>
  all.length === 0 ? 1 : all.filter(({ isRight }) => isRight).length / all.length

const certainOutcomes = (source: Outcome["source"], from: number): ReadonlyArray<Outcome> =>
  outcomes.filter((one) => one.source === source && !one.isDoubtful && one.probability >= from)
const likelyOutcomes = (from: number): ReadonlyArray<Outcome> =>
  outcomes.filter((one) => one.source === "business" && one.probability >= from)

/** The lowest probability, in hundredths, from which on all hold. */
const lowest = (holds: (from: number) => boolean): number => {
  let from = 99
  while (from > 1 && holds((from - 1) / 100)) from--
  return from / 100
}

/**
 * Questions about whole businesses decide. Half of the pairs are questions that a passage nearly answers, which is far more
 * than in mail. Of them, at most 15 in 100 may be wrong.
 */
const certain = lowest(
  (from) => shareRight(certainOutcomes("business", from)) >= 0.98 && shareRight(certainOutcomes("pairs", from)) >= 0.85
)
const likely = lowest((from) => shareRight(likelyOutcomes(from)) >= 0.8)

for (const source of ["business", "pairs"] as const) {
  const all = outcomes.filter((one) => one.source === source)
  const answered = all.filter(({ isAnswered }) => isAnswered).length
  console.log(`${source}: ${answered} with an answer, ${all.length - answered} without`)
  for (const from of [0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, certain]) {
    const sent = certainOutcomes(source, from)
    const right = sent.filter(({ isRight }) => isRight).length
    const invented = sent.filter(({ isAnswered }) => !isAnswered).length
    console.log(`  from ${from}: ${right} right, ${sent.length - right - invented} wrong, ${invented} invented`)
  }
}
const suggested = likelyOutcomes(likely)
console.log(
  `certain ${certain}, likely ${likely}: ${suggested.length} suggested, ${shareRight(suggested).toFixed(2)} right`
)

const learner = train(examples)
const digits = 4
const rounded = (names: ReadonlyArray<string>, { values }: Weights) =>
  Object.fromEntries(names.map((name, at) => [name, Number((values[at] ?? 0).toPrecision(digits))]))
const largestByte = 127
const pairs = [...learner.pairs].sort(([a], [b]) => a - b)
const scale = pairs.reduce((most, [, { weight }]) => Math.max(most, Math.abs(weight)), 0) / largestByte
const storedPairs = pairs.filter(([, { weight }]) => Math.round(weight / scale) !== 0)
const header: AnswerHeader = {
  digest: answersDigest(),
  features: rounded(featureNames, learner.features),
  none: rounded(noneNames, learner.none),
  scale,
  pairs: storedPairs.length,
  certain,
  likely
}
const hashes = Buffer.alloc(storedPairs.length * 4)
const bytes = Buffer.alloc(storedPairs.length)
for (const [index, [pair, { weight }]] of storedPairs.entries()) {
  hashes.writeUInt32LE(pair, index * 4)
  bytes.writeInt8(Math.round(weight / scale), index)
}
const file = Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), hashes, bytes])
writeFileSync(answerModelFile, file)
console.log(
  `${storedPairs.length} pairs, ${file.length} bytes, ${(process.cpuUsage().user / 1e6).toFixed(0)} s of processor`
)
