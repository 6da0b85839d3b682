import type { IncomingMessage } from "node:http"
import { type BodyReading, pieceBytes } from "./BodyReads.ts"

/** Returns how many bytes of the body are still to come, according to the headers. */
export const unreadBytes = ({ complete, headers }: IncomingMessage): number => {
  if (complete) return 0
  if (headers["transfer-encoding"] !== undefined) return Number.POSITIVE_INFINITY
  const length = Number(headers["content-length"] ?? 0)
  return Number.isFinite(length) ? length : 0
}

/** Pauses the request, so that Node does not read its rest at full speed once the answer is written. */
export const leaveUnread = (request: IncomingMessage): void => {
  request.pause()
  request.read(0)
}

/** Reads the rest of a body at a limited pace, and drops it. */
export const dropRest = (request: IncomingMessage, readingOf: (address: string) => BodyReading): void => {
  request.removeAllListeners("data")
  if (request.complete || request.destroyed) {
    request.resume()
    return
  }
  const { end, next } = readingOf(request.socket.remoteAddress ?? "")
  const read = (): void => void request.resume()
  let bytesOfPiece = 0
  request.pause()
  request.on("data", (chunk: Buffer) => {
    bytesOfPiece += chunk.length
    if (bytesOfPiece < pieceBytes) return
    bytesOfPiece = 0
    request.pause()
    next(read)
  })
  request.once("close", end)
  next(read)
}
