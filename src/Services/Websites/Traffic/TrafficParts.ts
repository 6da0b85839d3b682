/** What views are counted by. */
export const partKinds = ["page", "variant", "referrer", "source", "medium", "campaign", "device"] as const
export type PartKind = (typeof partKinds)[number]

/** Views by name. Names are texts of strangers: a map, since one may be called `constructor`. */
export type PartCounts = ReadonlyMap<string, number>
export type TrafficParts = ReadonlyMap<PartKind, PartCounts>

/** The views of all other names. */
export const otherName = "(other)"

/** How many names of a kind are counted separately per site and day. */
export const mostNames = 50

/** The names with the most views, and the rest as one: views are never lost. Of names with the same count the first in order stay. */
export const bounded = (counts: PartCounts, most = mostNames): PartCounts => {
  if (counts.size <= most) return counts
  const other = counts.get(otherName) ?? 0
  const names = [...counts].filter(([name]) => name !== otherName)
  names.sort(([a, viewsA], [b, viewsB]) => viewsB - viewsA || (a < b ? -1 : 1))
  const rest = names.slice(most - 1).reduce((sum, [, views]) => sum + views, other)
  return new Map([...names.slice(0, most - 1), [otherName, rest]])
}

const sumOf = (one: PartCounts, other: PartCounts): PartCounts => {
  const sum = new Map(one)
  for (const [name, views] of other) sum.set(name, (sum.get(name) ?? 0) + views)
  return bounded(sum)
}

const none: PartCounts = new Map()

/** The counts of both. */
export const mergedParts = (one: TrafficParts, other: TrafficParts): TrafficParts =>
  new Map(
    partKinds.flatMap((kind) => {
      const sum = sumOf(one.get(kind) ?? none, other.get(kind) ?? none)
      return sum.size === 0 ? [] : [[kind, sum]]
    })
  )

/** As they are kept: lists of names and counts by kind. */
export type StoredParts = { readonly [K in PartKind]?: ReadonlyArray<readonly [name: string, views: number]> }

export const storedParts = (parts: TrafficParts): StoredParts =>
  Object.fromEntries([...parts].map(([kind, counts]) => [kind, [...counts]]))

export const readParts = (stored: StoredParts): TrafficParts =>
  new Map(
    partKinds.flatMap((kind) => {
      const counts = stored[kind]
      return counts === undefined ? [] : [[kind, new Map(counts)]]
    })
  )
