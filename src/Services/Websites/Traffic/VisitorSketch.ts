/**
 * How many different visitors there were, in at most 4 KiB whatever their number: the visitors themselves while they are
 * few, then a HyperLogLog of 4 096 registers (standard error 1.6 %). Sketches of the same day merge to the sketch of all.
 */
export type VisitorSketch = Uint8Array

const bytesPerHash = 6
/** From then on registers take no more room. */
const mostListed = 600

const precision = 12
const registers = 1 << precision
/** Bits behind those that choose the register. */
const rest = 8 * bytesPerHash - precision

const listKind = 1
const registerKind = 2

export const emptySketch: VisitorSketch = Uint8Array.of(listKind)

const hashAt = (bytes: Uint8Array, at: number): number => {
  let hash = 0
  for (let index = at; index < at + bytesPerHash; index++) hash = hash * 256 + (bytes[index] ?? 0)
  return hash
}

/** The first 48 bits of a visitor's hash, which is written in hexadecimal digits. */
const hashOf = (visitor: string): number => Number.parseInt(visitor.slice(0, 2 * bytesPerHash), 16)

const listOf = (sketch: VisitorSketch): ReadonlyArray<number> =>
  Array.from({ length: Math.floor((sketch.length - 1) / bytesPerHash) }, (_, index) =>
    hashAt(sketch, 1 + index * bytesPerHash)
  )

const raise = (into: Uint8Array, hash: number): void => {
  const place = 1 + Math.floor(hash / 2 ** rest)
  const behind = hash % 2 ** rest
  // The place of the highest bit that is set, counted from the left and from 1.
  const rank = behind === 0 ? rest + 1 : rest - Math.floor(Math.log2(behind))
  if (rank > (into[place] ?? 0)) into[place] = rank
}

const listed = (hashes: ReadonlySet<number>): VisitorSketch => {
  const sketch = new Uint8Array(1 + hashes.size * bytesPerHash)
  sketch[0] = listKind
  let at = 1
  for (const hash of [...hashes].sort((a, b) => a - b)) {
    for (let index = bytesPerHash - 1, left = hash; index >= 0; index--, left = Math.floor(left / 256)) {
      sketch[at + index] = left % 256
    }
    at += bytesPerHash
  }
  return sketch
}

const registered = (hashes: Iterable<number>): Uint8Array => {
  const sketch = new Uint8Array(1 + registers)
  sketch[0] = registerKind
  for (const hash of hashes) raise(sketch, hash)
  return sketch
}

/** The sketch with the visitors as well. */
export const withVisitors = (sketch: VisitorSketch, visitors: Iterable<string>): VisitorSketch => {
  if (sketch[0] === registerKind) {
    const all = Uint8Array.from(sketch)
    for (const visitor of visitors) raise(all, hashOf(visitor))
    return all
  }
  const hashes = new Set(listOf(sketch))
  for (const visitor of visitors) hashes.add(hashOf(visitor))
  return hashes.size > mostListed ? registered(hashes) : listed(hashes)
}

/** The sketch of the visitors of both. */
export const mergedSketch = (one: VisitorSketch, other: VisitorSketch): VisitorSketch => {
  if (one[0] !== registerKind && other[0] !== registerKind) {
    const hashes = new Set([...listOf(one), ...listOf(other)])
    return hashes.size > mostListed ? registered(hashes) : listed(hashes)
  }
  const [base, added] = one[0] === registerKind ? [one, other] : [other, one]
  const all = Uint8Array.from(base)
  if (added[0] === registerKind)
    for (let at = 1; at < all.length; at++) all[at] = Math.max(all[at] ?? 0, added[at] ?? 0)
  else for (const hash of listOf(added)) raise(all, hash)
  return all
}

const sigma = (share: number): number => {
  if (share === 1) return Number.POSITIVE_INFINITY
  let sum = share
  for (let x = share * share, factor = 1; ; x *= x, factor *= 2) {
    const next = sum + x * factor
    if (next === sum) return sum
    sum = next
  }
}

const tau = (share: number): number => {
  if (share === 0 || share === 1) return 0
  let sum = 1 - share
  for (let x = Math.sqrt(share), factor = 0.5; ; x = Math.sqrt(x), factor /= 2) {
    const next = sum - (1 - x) ** 2 * factor
    if (next === sum) return sum / 3
    sum = next
  }
}

/** How many they are: exactly while they are listed, else by Ertl's estimator (arXiv 1702.01284), which has no bias. */
export const visitorCount = (sketch: VisitorSketch): number => {
  if (sketch[0] !== registerKind) return Math.floor((sketch.length - 1) / bytesPerHash)
  const counts = new Array<number>(rest + 2).fill(0)
  for (let at = 1; at < sketch.length; at++) {
    const rank = sketch[at] ?? 0
    counts[rank] = (counts[rank] ?? 0) + 1
  }
  let sum = registers * tau(1 - (counts[rest + 1] ?? 0) / registers)
  for (let rank = rest; rank >= 1; rank--) sum = 0.5 * (sum + (counts[rank] ?? 0))
  sum += registers * sigma((counts[0] ?? 0) / registers)
  return Math.round(registers ** 2 / (2 * Math.LN2 * sum))
}
