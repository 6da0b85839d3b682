import { figure } from "../support/Report.ts"

/** A row of the table: a figure of one Postgres and of one, two and four workers, as far as it has them. */
export interface Finding {
  readonly what: string
  readonly figures: ReadonlyArray<number | undefined>
  /** What every figure has to be; one that is not is missed. */
  readonly wanted?: { readonly said: string; readonly holds: (figure: number) => boolean }
}

export const atMost = (limit: number) => ({ said: `≤ ${limit}`, holds: (found: number) => found <= limit })
export const exactly = (number: number) => ({ said: `${number}`, holds: (found: number) => found === number })

export const isMissed = ({ figures, wanted }: Finding): boolean =>
  wanted !== undefined && figures.some((found) => found !== undefined && !wanted.holds(found))

export const cellsOf = (finding: Finding): ReadonlyArray<string> => [
  finding.what,
  ...finding.figures.map((found) => (found === undefined ? "" : figure(found))),
  `${finding.wanted?.said ?? ""}${isMissed(finding) ? " (missed)" : ""}`
]

/** Of what only the cluster of four workers has. */
export const ofFour = (what: string, found: number, wanted?: Finding["wanted"]): Finding => ({
  what,
  figures: [undefined, undefined, undefined, found],
  ...(wanted === undefined ? {} : { wanted })
})
