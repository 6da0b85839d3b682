/** What a part of the benchmark found, beside what it is to be. */
export interface ContentFigure {
  readonly what: string
  readonly value: number
  readonly unit: string
  /** The most that it may be, or the least. */
  readonly bound: { readonly most: number } | { readonly least: number }
}

export const isKept = ({ bound, value }: ContentFigure): boolean =>
  "most" in bound ? value <= bound.most : value >= bound.least

/** The value below which `share` of them lie. */
export const percentile = (values: ReadonlyArray<number>, share: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}
