import { Chunk, Effect, Stream } from "effect"
import { defaultLimits, type LeadFileLimits } from "../../src/Layers/LeadFiles/LeadFileReader/Limits.ts"
import { make } from "../../src/Layers/LeadFiles/LeadFileReader.ts"
import type { LeadFile } from "../../src/Services/LeadFiles/LeadFile.ts"

/** A file of these bytes, given in pieces of `pieceSize`. */
export const fileOf = (fileName: string, content: string | Uint8Array, pieceSize = 16 * 1024): LeadFile<never> => {
  const bytes = Buffer.from(content)
  return {
    fileName,
    sizeBytes: bytes.length,
    bytes: Stream.range(0, Math.max(0, Math.ceil(bytes.length / pieceSize) - 1)).pipe(
      Stream.map((index) => bytes.subarray(index * pieceSize, (index + 1) * pieceSize)),
      Stream.filter((piece) => piece.length > 0),
      Stream.rechunk(1)
    )
  }
}

/** The rows of a file, and the error it ended with, if any. */
export const readAll = <E>(file: LeadFile<E>, limits: Partial<LeadFileLimits> = {}) =>
  Effect.gen(function* () {
    const reader = yield* make({ ...defaultLimits, ...limits })
    return Chunk.toReadonlyArray(yield* Stream.runCollect(reader.read(file)))
  })

/** The error a file ends with, and how many rows came before it. */
export const refusalOf = <E>(file: LeadFile<E>, limits: Partial<LeadFileLimits> = {}) =>
  Effect.gen(function* () {
    const reader = yield* make({ ...defaultLimits, ...limits })
    let rowsBefore = 0
    const error = yield* reader.read(file).pipe(
      Stream.runForEachChunk((rows) =>
        Effect.sync(() => {
          rowsBefore += rows.length
        })
      ),
      Effect.flip
    )
    return { error, rowsBefore }
  })
