import { Option, Stream } from "effect"

/** Splits the bytes into chunks of exactly `size`. Only the last chunk may be shorter. */
export const inChunksOf = <E, R>(bytes: Stream.Stream<Uint8Array, E, R>, size: number): Stream.Stream<Buffer, E, R> =>
  Stream.suspend(() => {
    // The list is mutated, because the parts may be single bytes and copying the list for each would take quadratic
    // time.
    let parts: Array<Uint8Array> = []
    let pending = 0

    const add = (part: Uint8Array): ReadonlyArray<Buffer> => {
      parts.push(part)
      pending += part.length
      if (pending < size) return []
      const whole = Buffer.concat(parts)
      const count = Math.floor(whole.length / size)
      const rest = Buffer.from(whole.subarray(count * size))
      parts = rest.length === 0 ? [] : [rest]
      pending = rest.length
      return Array.from({ length: count }, (_, index) => whole.subarray(index * size, (index + 1) * size))
    }

    return bytes.pipe(
      Stream.map(Option.some),
      Stream.concat(Stream.succeed(Option.none<Uint8Array>())),
      Stream.map((part) => (Option.isSome(part) ? add(part.value) : pending === 0 ? [] : [Buffer.concat(parts)])),
      Stream.flattenIterables
    )
  })
