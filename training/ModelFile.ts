import type { ModelHeader } from "../src/Services/Text/Sentences/SentenceClassifier.ts"
import type { Weights } from "./Training.ts"

/** Rows that are kept: those whose weights are largest. The others change next to nothing and make the file large. */
const rowsKept = 80_000

const largestOf = ({ labels, weights }: Weights, row: number): number => {
  let largest = 0
  for (let place = row * labels; place < (row + 1) * labels; place++)
    largest = Math.max(largest, Math.abs(weights[place]!))
  return largest
}

/** The buckets that are worth keeping, in their order. */
const keptBuckets = (model: Weights): ReadonlyArray<number> => {
  const all = [...model.rowOf.entries()].filter(([, row]) => row >= 0)
  return all
    .map(([bucket, row]) => ({ bucket, size: largestOf(model, row) }))
    .sort((a, b) => b.size - a.size || a.bucket - b.bucket)
    .slice(0, rowsKept)
    .map(({ bucket }) => bucket)
    .sort((a, b) => a - b)
}

const largestByte = 127

/** The model's file: see `loadClassifier`. */
export const modelFileOf = (model: Weights, rest: Omit<ModelHeader, "bias" | "scale" | "buckets">): Buffer => {
  const { bias, labels, rowOf, weights } = model
  const buckets = keptBuckets(model)
  const scale = Array.from({ length: labels }, (_, label) => {
    let largest = 0
    for (const bucket of buckets) largest = Math.max(largest, Math.abs(weights[rowOf[bucket]! * labels + label]!))
    return largest / largestByte || 1
  })
  const header: ModelHeader = { ...rest, bias: [...bias], scale, buckets: buckets.length }
  const ids = Buffer.alloc(buckets.length * 4)
  const bytes = Buffer.alloc(buckets.length * labels)
  buckets.forEach((bucket, row) => {
    ids.writeUInt32LE(bucket, row * 4)
    for (let label = 0; label < labels; label++) {
      bytes.writeInt8(Math.round(weights[rowOf[bucket]! * labels + label]! / scale[label]!), row * labels + label)
    }
  })
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), ids, bytes])
}
