import type { CaptureVariant } from "./CapturePages.ts"

/** Views and submissions of one opening. */
export interface VariantCount {
  readonly variant: string
  readonly count: number
}

const rateOf = (submissions: number, views: number): number | null =>
  views === 0 ? null : Math.min(1, Math.round((submissions / views) * 10_000) / 10_000)

const sumOf = (counts: ReadonlyArray<VariantCount>, variant?: string): number =>
  counts.reduce((sum, each) => (variant === undefined || each.variant === variant ? sum + each.count : sum), 0)

/** The figures of a page and of each of its openings, including openings that are no longer shown. */
export const captureFigures = (
  shown: ReadonlyArray<string>,
  views: ReadonlyArray<VariantCount>,
  submissions: ReadonlyArray<VariantCount>
) => {
  const figuresOf = (variant?: string) => {
    const [seen, sent] = [sumOf(views, variant), sumOf(submissions, variant)]
    return { views: seen, submissions: sent, conversion_rate: rateOf(sent, seen) }
  }
  const former = [...views, ...submissions].map(({ variant }) => variant).sort()
  const variants = [...new Set([...shown, ...former])].map(
    (variant): CaptureVariant => ({ variant, ...figuresOf(variant) })
  )
  return { ...figuresOf(), variants }
}
