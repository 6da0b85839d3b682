import { assert, describe, it } from "@effect/vitest"
import { Chunk, Effect, Stream } from "effect"
import * as fc from "fast-check"
import { inChunksOf } from "../../../src/Layers/Platform/Postgres/ByteChunks.ts"

const chunked = (parts: ReadonlyArray<Uint8Array>, size: number) =>
  Effect.runSync(Effect.map(Stream.runCollect(inChunksOf(Stream.fromIterable(parts), size)), Chunk.toReadonlyArray))

describe("inChunksOf", () => {
  it("keeps every byte in order, in chunks of the size but for the last", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 50 })), fc.integer({ min: 1, max: 20 }), (parts, size) => {
        const chunks = chunked(parts, size)
        assert.deepStrictEqual(Buffer.concat(chunks), Buffer.concat(parts))
        for (const chunk of chunks.slice(0, -1)) assert.lengthOf(chunk, size)
        for (const chunk of chunks.slice(-1)) assert.isTrue(chunk.length > 0 && chunk.length <= size)
      })
    )
  })

  it("can be run again", () => {
    const stream = inChunksOf(Stream.make(Uint8Array.of(1, 2, 3)), 2)
    const lengths = Effect.map(Stream.runCollect(stream), (chunks) =>
      Chunk.toReadonlyArray(chunks).map((c) => c.length)
    )
    assert.deepStrictEqual(Effect.runSync(lengths), [2, 1])
    assert.deepStrictEqual(Effect.runSync(lengths), [2, 1])
  })
})
