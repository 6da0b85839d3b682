import { Effect, Option, type Scope, Stream } from "effect"
import { LeadFileError } from "../../../Services/LeadFiles/LeadFile.ts"

/** A file's bytes in pieces of bounded size, read only as they are asked for; `next` gives `undefined` at the end. */
export interface ByteSource<E> {
  /** The first bytes, at least 4 KiB unless the file is shorter; `next` gives them again. */
  readonly head: Buffer
  readonly next: Effect.Effect<Buffer | undefined, E | LeadFileError>
}

const headBytes = 4 * 1024

/** Small enough that parsing one does not hold up the event loop, whatever is in it. */
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

/** Opens a file; fails with `file_too_large` once it has given more than `maximumBytes`, or says that it will. */
export const openBytes = Effect.fnUntraced(function* <E>(
  bytes: Stream.Stream<Uint8Array, E>,
  sizeBytes: number,
  maximumBytes: number
): Effect.fn.Return<ByteSource<E>, E | LeadFileError, Scope.Scope> {
  if (sizeBytes > maximumBytes) return yield* tooLarge(maximumBytes)
  const pull = yield* Stream.toPull(bytes)
  let waiting: Array<Buffer> = []
  let given = 0
  let total = 0

  const next: ByteSource<E>["next"] = Effect.suspend(() => {
    const piece = waiting[given]
    if (piece !== undefined) {
      given++
      return Effect.succeed(piece)
    }
    return Effect.matchEffect(pull, {
      onFailure: Option.match({ onNone: () => Effect.succeed(undefined), onSome: Effect.fail }),
      onSuccess: (chunk) => {
        waiting = Array.from(chunk).flatMap(splitIntoPieces)
        given = 0
        total += waiting.reduce((sum, each) => sum + each.length, 0)
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
  let headGiven = headBuffer.length === 0
  return {
    head: headBuffer,
    next: Effect.suspend(() => {
      if (headGiven) return next
      headGiven = true
      return Effect.succeed(headBuffer)
    })
  }
})

/** All that is left of a file, in one piece of memory. */
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
