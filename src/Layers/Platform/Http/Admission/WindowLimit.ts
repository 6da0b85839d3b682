/**
 * A counter per key in windows of fixed length. `spend` returns false once the key has spent `most` in the current
 * window.
 */
export const makeWindowLimit = <Key>(most: number, windowMillis: number, now: () => number) => {
  const spent = new Map<Key, number>()
  let window = Math.floor(now() / windowMillis)
  return {
    spend: (key: Key, cost: number): boolean => {
      const current = Math.floor(now() / windowMillis)
      if (window !== current) spent.clear()
      window = current
      const before = spent.get(key) ?? 0
      if (before < most) spent.set(key, before + cost)
      return before < most
    }
  }
}
