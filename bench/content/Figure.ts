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
export const percentile = (values: ReadonlyArray<number>, share: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}
