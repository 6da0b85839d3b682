import type { ModelHeader } from "../src/Services/Text/Sentences/SentenceClassifier.ts"
import type { Network } from "./Training.ts"

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
  const rows = [...network.rowOf].sort(([a], [b]) => a - b)
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
