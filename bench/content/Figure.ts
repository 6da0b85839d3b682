import { percentile as percentileOfSorted } from "../support/Percentile.ts"

/** A result of the benchmark and its limit. */
export interface ContentFigure {
  readonly what: string
  readonly value: number
  readonly unit: string
  /** The highest or the lowest acceptable value. */
  readonly bound: { readonly most: number } | { readonly least: number }
}

export const isKept = ({ bound, value }: ContentFigure): boolean =>
  "most" in bound ? value <= bound.most : value >= bound.least

/** The value below which `share` of the values are. */
export const percentile = (values: ReadonlyArray<number>, share: number): number =>
  percentileOfSorted(
    values.toSorted((a, b) => a - b),
    share
  )
