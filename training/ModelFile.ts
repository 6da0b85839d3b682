import type { ModelHeader } from "../src/Services/Text/Sentences/SentenceClassifier.ts"
import type { Network } from "./Training.ts"

/** Features that are kept: those of the largest weights. The others change next to nothing and make the file large. */
const featuresKept = 48_000

const sizeOf = ({ features, units }: Network, row: number): number => {
  let squares = 0
  for (let place = row * units; place < (row + 1) * units; place++) squares += features[place]! * features[place]!
  return squares
}

/** The features that are worth keeping, with their rows, in the order of the features. */
const keptRows = (network: Network): ReadonlyArray<readonly [feature: number, row: number]> =>
  [...network.rowOf]
    .map(([feature, row]) => ({ feature, row, size: sizeOf(network, row) }))
    .sort((a, b) => b.size - a.size || a.feature - b.feature)
    .slice(0, featuresKept)
    .sort((a, b) => a.feature - b.feature)
    .map(({ feature, row }) => [feature, row] as const)

const largestByte = 127
const digits = 5

const rounded = (values: Iterable<number>): ReadonlyArray<number> =>
  Array.from(values, (value) => Number(value.toPrecision(digits)))

/** The model's file: see `loadClassifier`. */
export const modelFileOf = (
  network: Network,
  rest: Pick<ModelHeader, "digest" | "labels" | "calibration" | "likely" | "certain">
): Buffer => {
  const { bias, features, labels, outputs, unitBias, units } = network
  const rows = keptRows(network)
  const scale = Array.from({ length: units }, (_, unit) => {
    let largest = 0
    for (const [, row] of rows) largest = Math.max(largest, Math.abs(features[row * units + unit]!))
    return largest / largestByte || 1
  })
  const header: ModelHeader = {
    ...rest,
    bias: rounded(bias),
    unitBias: rounded(unitBias),
    scale: rounded(scale),
    outputs: Array.from({ length: units }, (_, unit) => rounded(outputs.slice(unit * labels, (unit + 1) * labels))),
    features: rows.length
  }
  const ids = Buffer.alloc(rows.length * 4)
  const bytes = Buffer.alloc(rows.length * units)
  rows.forEach(([feature, row], index) => {
    ids.writeUInt32LE(feature, index * 4)
    for (let unit = 0; unit < units; unit++)
      bytes.writeInt8(Math.round(features[row * units + unit]! / scale[unit]!), index * units + unit)
  })
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), ids, bytes])
}
