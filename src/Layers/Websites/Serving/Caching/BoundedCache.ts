/** A cache that is limited by the sum of its entries' sizes. The least recently used entries are dropped first. */
export class BoundedCache<K, V> {
  readonly #kept = new Map<K, { readonly value: V; readonly size: number }>()
  readonly #most: number
  #size = 0

  constructor(most: number) {
    this.#most = most
  }

  get(key: K): V | undefined {
    const found = this.#kept.get(key)
    if (found === undefined) return undefined
    this.#kept.delete(key)
    this.#kept.set(key, found)
    return found.value
  }

  /** An entry that takes more than a quarter of the cache is not stored. */
  set(key: K, value: V, size: number): void {
    this.delete(key)
    if (size > this.#most / 4) return
    this.#kept.set(key, { value, size })
    this.#size += size
    for (const [oldest] of this.#kept) {
      if (this.#size <= this.#most) return
      this.delete(oldest)
    }
  }

  delete(key: K): void {
    const found = this.#kept.get(key)
    if (found === undefined) return
    this.#kept.delete(key)
    this.#size -= found.size
  }

  get size(): number {
    return this.#size
  }
}
