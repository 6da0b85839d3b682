import { readFileSync, writeFileSync } from "node:fs"
import type { Language } from "../src/Services/Text/Language.ts"
import { shareOf } from "../src/Services/Text/PlainText.ts"
import { type Calibration, type ModelHeader, sigmoid } from "../src/Services/Text/Sentences/SentenceClassifier.ts"
import { featureBuckets, featuresOf } from "../src/Services/Text/Sentences/SentenceFeatures.ts"

/**
 * Trains the classifier of replies' sentences and writes its model: `npm run train:reader`. Prints precision and recall of
 * each act and language on the fifth of the sentences that no training saw; the model that is written has sentencesWith all.
 */

interface Example {
  readonly language: Language
  readonly labels: ReadonlySet<string>
  readonly features: Uint32Array
  /** 0 to 4, by the text itself: a sentence stays in its part when others are added. */
  readonly part: number
}

const files: ReadonlyArray<readonly [Language, string]> = [
  ["pt-BR", "pt"],
  ["en", "en"],
  ["es", "es"]
]

const parts = 5

const examples: ReadonlyArray<Example> = files.flatMap(([language, name]) =>
  readFileSync(new URL(`./sentences/${name}.tsv`, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line.includes("\t"))
    .map((line) => {
      const [labels = "", text = ""] = line.split("\t")
      return {
        language,
        labels: new Set(labels.split(" ")),
        features: featuresOf(text, language),
        part: Math.floor(shareOf(text) * parts)
      }
    })
)

const labels = [...new Set(examples.flatMap((example) => [...example.labels]))]
  .filter((label) => label !== "none")
  .sort()

/** Chosen by cross-validation; more passes or less decay change the figures in the third digit. */
const passes = 20
const rate = 0.5
const decay = 1e-4
/** Of a label's sentences there are few: each counts as two. */
const weightOfPresent = 2
/** A feature of a single sentence says nothing of others. */
const leastSentences = 2

interface Weights {
  readonly rowOf: Int32Array
  readonly weights: Float32Array
  readonly bias: Float64Array
}

const rowsOf = (set: ReadonlyArray<Example>): { readonly rowOf: Int32Array; readonly count: number } => {
  const sentencesWith = new Uint32Array(featureBuckets)
  for (const { features } of set)
    for (const bucket of features) sentencesWith[bucket] = (sentencesWith[bucket] ?? 0) + 1
  const rowOf = new Int32Array(featureBuckets).fill(-1)
  let count = 0
  sentencesWith.forEach((sentences, bucket) => {
    if (sentences >= leastSentences) rowOf[bucket] = count++
  })
  return { rowOf, count }
}

const score = ({ bias, rowOf, weights }: Weights, features: Uint32Array): Float64Array => {
  const sums = new Float64Array(labels.length)
  for (const bucket of features) {
    const row = rowOf[bucket] ?? -1
    if (row < 0) continue
    for (let label = 0; label < sums.length; label++) sums[label]! += weights[row * sums.length + label]!
  }
  const norm = 1 / Math.sqrt(features.length)
  return sums.map((sum, label) => sum * norm + bias[label]!)
}

/** Logistic regression, one label against the rest, by AdaGrad: the same data give the same weights. */
const train = (set: ReadonlyArray<Example>): Weights => {
  const { count, rowOf } = rowsOf(set)
  const size = labels.length
  const weights = new Float32Array(count * size)
  const squares = new Float32Array(count * size).fill(1e-6)
  const bias = new Float64Array(size).fill(-3)
  const model = { rowOf, weights, bias }
  const targets = set.map((example) => labels.map((label) => (example.labels.has(label) ? 1 : 0)))
  const order = set.map((_, index) => index)
  let seed = 7
  const random = (): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return seed / 2 ** 32
  }
  for (let pass = 0; pass < passes; pass++) {
    for (let index = order.length - 1; index > 0; index--) {
      const other = Math.floor(random() * (index + 1))
      ;[order[index], order[other]] = [order[other]!, order[index]!]
    }
    for (const index of order) {
      const { features } = set[index]!
      const target = targets[index]!
      const norm = 1 / Math.sqrt(features.length)
      const errors = score(model, features).map(
        (value, label) => (sigmoid(value) - target[label]!) * (target[label] === 1 ? weightOfPresent : 1)
      )
      errors.forEach((error, label) => {
        bias[label]! -= 0.02 * error
      })
      for (const bucket of features) {
        const row = rowOf[bucket] ?? -1
        if (row < 0) continue
        for (let label = 0; label < size; label++) {
          const place = row * size + label
          const slope = errors[label]! * norm + decay * weights[place]!
          if (Math.abs(slope) < 1e-4) continue
          squares[place]! += slope * slope
          weights[place]! -= (rate * slope) / Math.sqrt(squares[place]!)
        }
      }
    }
  }
  return model
}

/** Platt scaling: the slope and offset that make scores of unseen sentences probabilities. */
const calibrate = (points: ReadonlyArray<readonly [score: number, isPresent: boolean]>): Calibration => {
  let [slope, offset] = [1, 0]
  for (let step = 0; step < 400; step++) {
    let [bySlope, byOffset] = [0, 0]
    for (const [value, isPresent] of points) {
      const error = sigmoid(slope * value + offset) - (isPresent ? 1 : 0)
      bySlope += error * value
      byOffset += error
    }
    slope -= (0.5 * bySlope) / points.length
    offset -= (0.5 * byOffset) / points.length
  }
  return { slope, offset }
}

const crossValidated = Array.from({ length: parts }, (_, part) => {
  const model = train(examples.filter((example) => example.part !== part))
  return examples
    .filter((example) => example.part === part)
    .map((example) => ({ example, scores: score(model, example.features) }))
}).flat()

const calibration = labels.map((label, index) =>
  calibrate(crossValidated.map(({ example, scores }) => [scores[index]!, example.labels.has(label)] as const))
)

interface Figures {
  readonly precision: number
  readonly recall: number
  readonly f1: number
  readonly count: number
}

const figures = (label: number, at: number, language?: Language): Figures => {
  let [right, wrong, missed] = [0, 0, 0]
  const { offset, slope } = calibration[label]!
  for (const { example, scores } of crossValidated) {
    if (language !== undefined && example.language !== language) continue
    const isSaid = sigmoid(scores[label]! * slope + offset) >= at
    const isThere = example.labels.has(labels[label]!)
    if (isSaid && isThere) right++
    else if (isSaid) wrong++
    else if (isThere) missed++
  }
  const precision = right / Math.max(1, right + wrong)
  const recall = right / Math.max(1, right + missed)
  return { precision, recall, f1: (2 * right) / Math.max(1, 2 * right + wrong + missed), count: right + missed }
}

const thresholds = labels.map((_, label) => {
  let best = 0.5
  for (let at = 0.1; at < 0.9; at += 0.05) if (figures(label, at).f1 > figures(label, best).f1) best = at
  return best
})

console.log(`${examples.length} sentences`)
let sum = 0
labels.forEach((label, index) => {
  const all = figures(index, thresholds[index]!)
  sum += all.f1
  const each = files.map(([language, name]) => `${name} ${figures(index, thresholds[index]!, language).f1.toFixed(2)}`)
  console.log(
    `${label.padEnd(18)} precision ${all.precision.toFixed(2)} recall ${all.recall.toFixed(2)} F1 ${all.f1.toFixed(2)} (${each.join(", ")}; ${all.count})`
  )
})
console.log(`mean F1 ${(sum / labels.length).toFixed(3)}`)

const whole = train(examples)
const size = labels.length
const buckets = [...whole.rowOf.entries()].filter(([, row]) => row >= 0).sort(([, a], [, b]) => a - b)
const scale = labels.map((_, label) => {
  let largest = 0
  for (let row = 0; row < buckets.length; row++)
    largest = Math.max(largest, Math.abs(whole.weights[row * size + label]!))
  return largest / 127
})
const header: ModelHeader = { labels, bias: [...whole.bias], scale, calibration, buckets: buckets.length }
const ids = Buffer.alloc(buckets.length * 4)
buckets.forEach(([bucket], row) => ids.writeUInt32LE(bucket, row * 4))
const bytes = Buffer.alloc(buckets.length * size)
for (let place = 0; place < bytes.length; place++) {
  bytes.writeInt8(Math.round(whole.weights[place]! / (scale[place % size]! || 1)), place)
}
const file = Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), ids, bytes])
writeFileSync(new URL("../src/Services/Replies/sentences.model", import.meta.url), file)
console.log(`${buckets.length} buckets, ${file.length} bytes`)
