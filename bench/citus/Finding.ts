import { figure } from "../support/Report.ts"

/** A row of the table: a figure of one Postgres and of one, two and four workers, if measured. */
export interface Finding {
  readonly what: string
  readonly figures: ReadonlyArray<number | undefined>
  /** The condition for every figure. A figure that does not meet it counts as missed. */
  readonly wanted?: { readonly said: string; readonly holds: (figure: number) => boolean }
}

export const atMost = (limit: number) => ({ said: `≤ ${limit}`, holds: (value: number) => value <= limit })
export const exactly = (number: number) => ({ said: `${number}`, holds: (value: number) => value === number })

export const isMissed = ({ figures, wanted }: Finding): boolean =>
  wanted !== undefined && figures.some((value) => value !== undefined && !wanted.holds(value))

export const cellsOf = (finding: Finding): ReadonlyArray<string> => [
  finding.what,
  ...finding.figures.map((value) => (value === undefined ? "" : figure(value))),
  `${finding.wanted?.said ?? ""}${isMissed(finding) ? " (missed)" : ""}`
]

/** A figure that only the cluster of four workers has. */
export const ofFour = (what: string, value: number, wanted?: Finding["wanted"]): Finding => ({
  what,
  figures: [undefined, undefined, undefined, value],
  ...(wanted === undefined ? {} : { wanted })
})
