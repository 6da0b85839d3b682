import { Effect, Option, type Scope, Stream } from "effect"
import { LeadFileError } from "../../../Services/LeadFiles/LeadFile.ts"

/** A file's bytes in pieces of bounded size, read on demand. `next` returns `undefined` at the end. */
export interface ByteSource<E> {
  /** The first bytes, at least 4 KiB unless the file is shorter. `next` returns them again. */
  readonly head: Buffer
  readonly next: Effect.Effect<Buffer | undefined, E | LeadFileError>
}

const headBytes = 4 * 1024

/** Small enough that parsing one piece does not block the event loop. */
export const pieceBytes = 32 * 1024

const tooLarge = (maximumBytes: number) =>
  new LeadFileError({
    reason: "file_too_large",
    message: `The file is larger than ${Math.floor(maximumBytes / (1024 * 1024))} MiB.`,
    detail: "Split the file and import its parts one after the other."
  })

const splitIntoPieces = (bytes: Uint8Array): ReadonlyArray<Buffer> => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Array.from({ length: Math.ceil(buffer.length / pieceBytes) }, (_, index) =>
    buffer.subarray(index * pieceBytes, (index + 1) * pieceBytes)
  )
}

/** Opens a file. Fails with `file_too_large` if its declared or actual size is over `maximumBytes`. */
export const openBytes = Effect.fnUntraced(function* <E>(
  bytes: Stream.Stream<Uint8Array, E>,
  sizeBytes: number,
  maximumBytes: number
): Effect.fn.Return<ByteSource<E>, E | LeadFileError, Scope.Scope> {
  if (sizeBytes > maximumBytes) return yield* tooLarge(maximumBytes)
  const pull = yield* Stream.toPull(bytes)
  let pendingPieces: Array<Buffer> = []
  let bytesRead = 0
  let total = 0

  const next: ByteSource<E>["next"] = Effect.suspend(() => {
    const piece = pendingPieces[bytesRead]
    if (piece !== undefined) {
      bytesRead++
      return Effect.succeed(piece)
    }
    return Effect.matchEffect(pull, {
      onFailure: Option.match({ onNone: () => Effect.succeed(undefined), onSome: Effect.fail }),
      onSuccess: (chunk) => {
        pendingPieces = Array.from(chunk).flatMap(splitIntoPieces)
        bytesRead = 0
        total += pendingPieces.reduce((sum, each) => sum + each.length, 0)
        return total > maximumBytes ? Effect.fail(tooLarge(maximumBytes)) : next
      }
    })
  })

  const head: Array<Buffer> = []
  for (let length = 0; length < headBytes; ) {
    const piece = yield* next
    if (piece === undefined) break
    head.push(piece)
    length += piece.length
  }
  const headBuffer = Buffer.concat(head)
  let isHeadReturned = headBuffer.length === 0
  return {
    head: headBuffer,
    next: Effect.suspend(() => {
      if (isHeadReturned) return next
      isHeadReturned = true
      return Effect.succeed(headBuffer)
    })
  }
})

/** Reads the remaining bytes of a file into one buffer. */
export const allBytes = Effect.fnUntraced(function* <E>(source: ByteSource<E>) {
  const pieces: Array<Buffer> = []
  for (let piece = yield* source.next; piece !== undefined; piece = yield* source.next) pieces.push(piece)
  const bytes = new ArrayBuffer(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let offset = 0
  for (const piece of pieces) {
    new Uint8Array(bytes, offset).set(piece)
    offset += piece.length
  }
  return bytes
})
