/** A range of codes of seven digits, both ends included. */
export interface CnaeRange {
  readonly first: number
  readonly last: number
}

const wholeClassification: CnaeRange = { first: 0, last: 9_999_999 }

/** A code of any level includes all subclasses that begin with it. */
const rangeOf = (code: string): CnaeRange => {
  const rest = 10 ** (7 - code.length)
  const first = Number(code) * rest
  return { first, last: first + rest - 1 }
}

const merged = (ranges: ReadonlyArray<CnaeRange>): ReadonlyArray<CnaeRange> => {
  const result: Array<CnaeRange> = []
  for (const range of ranges.toSorted((a, b) => a.first - b.first || b.last - a.last)) {
    const before = result.at(-1)
    if (before === undefined || range.first > before.last + 1) result.push(range)
    else if (range.last > before.last) result[result.length - 1] = { first: before.first, last: range.last }
  }
  return result
}

const without = (ranges: ReadonlyArray<CnaeRange>, hole: CnaeRange): ReadonlyArray<CnaeRange> =>
  ranges.flatMap((range) =>
    hole.last < range.first || hole.first > range.last
      ? [range]
      : [
          ...(range.first < hole.first ? [{ first: range.first, last: hole.first - 1 }] : []),
          ...(range.last > hole.last ? [{ first: hole.last + 1, last: range.last }] : [])
        ]
  )

/** The subclasses that the codes include, without those that other codes exclude. Without codes, all subclasses. */
export const cnaeRanges = (
  included: ReadonlyArray<string>,
  excluded: ReadonlyArray<string>
): ReadonlyArray<CnaeRange> =>
  excluded.map(rangeOf).reduce(without, included.length === 0 ? [wholeClassification] : merged(included.map(rangeOf)))

/** The number of subclass codes per division. A division is the first two of seven digits. */
export const divisionSize = 100_000

/** Splits ranges into whole divisions (ranges of two-digit codes) and the rest. */
export const byDivision = (
  ranges: ReadonlyArray<CnaeRange>
): { readonly divisions: ReadonlyArray<CnaeRange>; readonly rest: ReadonlyArray<CnaeRange> } => {
  const divisions: Array<CnaeRange> = []
  const rest: Array<CnaeRange> = []
  for (const range of ranges) {
    const first = Math.ceil(range.first / divisionSize)
    const last = Math.floor((range.last + 1) / divisionSize) - 1
    if (first > last) rest.push(range)
    else {
      divisions.push({ first, last })
      const before = { first: range.first, last: first * divisionSize - 1 }
      const behind = { first: (last + 1) * divisionSize, last: range.last }
      rest.push(...[before, behind].filter((part) => part.first <= part.last))
    }
  }
  return { divisions, rest }
}
