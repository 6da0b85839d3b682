import { Context, Effect } from "effect"

/** A map that adds one entry to `base` without copying it. The entry hides one with the same key. */
class MapWith<K, V> extends Map<K, V> {
  readonly #base: ReadonlyMap<K, V>
  readonly #key: K
  readonly #value: V
  /** All entries in one map, made when they are first needed. */
  #whole: Map<K, V> | undefined

  constructor(base: ReadonlyMap<K, V>, key: K, value: V) {
    super()
    this.#base = base
    this.#key = key
    this.#value = value
  }

  get #all(): Map<K, V> {
    if (this.#whole === undefined) {
      const base = this.#base
      this.#whole = new Map(base instanceof MapWith ? base.#all : base).set(this.#key, this.#value)
    }
    return this.#whole
  }
  override get size(): number {
    return this.#base.size + (this.#base.has(this.#key) ? 0 : 1)
  }
  override has(key: K): boolean {
    return key === this.#key || this.#base.has(key)
  }
  override get(key: K): V | undefined {
    return key === this.#key ? this.#value : this.#base.get(key)
  }
  override entries(): MapIterator<[K, V]> {
    return this.#all.entries()
  }
  override keys(): MapIterator<K> {
    return this.#all.keys()
  }
  override values(): MapIterator<V> {
    return this.#all.values()
  }
  override [Symbol.iterator](): MapIterator<[K, V]> {
    return this.#all.entries()
  }
  override forEach(f: (value: V, key: K, map: Map<K, V>) => void): void {
    this.#all.forEach(f)
  }
}

/**
 * Like `Context.add`, but does not copy all services. With hundreds of them, the copy takes a fifth of the time of a
 * short call.
 */
export const contextWith = <R, I, S>(
  context: Context.Context<R>,
  tag: Context.Tag<I, S>,
  service: NoInfer<S>
): Context.Context<R | I> => Context.unsafeMake(new MapWith<string, unknown>(context.unsafeMap, tag.key, service))

/** Like `Effect.provideService`, but does not copy the context. */
export const provideQuickly = <A, E, R, I, S>(
  effect: Effect.Effect<A, E, R>,
  tag: Context.Tag<I, S>,
  service: NoInfer<S>
): Effect.Effect<A, E, Exclude<R, I>> =>
  Effect.mapInputContext(effect, ({ unsafeMap }: Context.Context<Exclude<R, I>>) =>
    Context.unsafeMake<R>(new MapWith<string, unknown>(unsafeMap, tag.key, service))
  )
