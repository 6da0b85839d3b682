import * as fs from "node:fs/promises"
import * as os from "node:os"
import { Effect, Option } from "effect"
import { percentile } from "./Percentile.ts"

/** The median of the values. */
export const median = (values: ReadonlyArray<number>): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

export const percentile95 = (values: ReadonlyArray<number>): number =>
  percentile(
    values.toSorted((a, b) => a - b),
    0.95
  )

/** `1 234`, `12.3` or `0.123`: at least three digits, with narrow spaces between thousands. */
export const figure = (value: number): string => {
  if (!Number.isFinite(value)) return "–"
  if (Math.abs(value) >= 100) return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, " ")
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2)
}

/** A Markdown table whose first column is text, followed by numbers. */
export const table = (heads: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [heads, heads.map((_, column) => (column === 0 ? "---" : "---:")), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n")

/** The conditions that the figures depend on, apart from the code. */
export const conditions = (): string => {
  const cpu = os.cpus()[0]?.model ?? "unknown processor"
  const load = os.loadavg().map(figure).join(", ")
  return `Node ${process.version}, ${os.availableParallelism()} × ${cpu}, ${Math.round(os.totalmem() / 2 ** 30)} GB; load ${load}`
}

/** Adds lines of JSON to the file of the settings, if there is one. */
export const writeResults = (file: Option.Option<string>, results: ReadonlyArray<object>) =>
  Option.match(file, {
    onNone: () => Effect.void,
    onSome: (name) =>
      Effect.promise(() => fs.appendFile(name, results.map((result) => `${JSON.stringify(result)}\n`).join("")))
  })
