interface Point {
  readonly score: number
  readonly weight: number
  readonly missing: string | null
}

/** Sorts points: missing ones first, and of these the ones that improve the result most. */
export const missingFirst = <One extends Point>(points: ReadonlyArray<One>): ReadonlyArray<One> => {
  const gain = ({ missing, score, weight }: Point): number => (missing === null ? 0 : weight * (1 - score))
  return points.toSorted((one, other) => gain(other) - gain(one))
}

/** A file's name as a title: without its ending, and with spaces. */
export const titleOfFile = (name: string): string =>
  name
    .replace(/\.[^.]+$/, "")
    .replaceAll(/[_-]+/g, " ")
    .trim()
    .slice(0, 200) || name.slice(0, 200)

/** Returns the part of a data address after its comma. */
export const base64Of = (dataAddress: string): string => dataAddress.slice(dataAddress.indexOf(",") + 1)
