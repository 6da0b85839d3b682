import type { IncomingMessage } from "node:http"
import { connectionArrivals } from "../ConnectionArrivals.ts"
import { pieceSize } from "./BodyBudget.ts"
import { makeBodyReads } from "./BodyReads.ts"

/** Bytes of a body that is still to come, as its head tells; 0 where there is none or all of it is there. */
export const unreadBytes = ({ complete, headers }: IncomingMessage): number => {
  if (complete) return 0
  if (headers["transfer-encoding"] !== undefined) return Number.POSITIVE_INFINITY
  const length = Number(headers["content-length"] ?? 0)
  return Number.isFinite(length) ? length : 0
}

/** Without it the server would read the rest itself when the answer is written, as fast as it comes. */
export const leaveUnread = (request: IncomingMessage): void => {
  request.pause()
  request.read(0)
}

/**
 * What nobody wants is read in turns, those of one address after those of another, and at some 8 MB a second: each piece is
 * memory that has to be collected, and a caller that sends faster than that waits.
 */
const unwanted = makeBodyReads(connectionArrivals.watch(), 30)

/** Reads what is left of a body, and drops it. */
export const dropRest = (request: IncomingMessage): void => {
  request.removeAllListeners("data")
  if (request.complete || request.destroyed) {
    request.resume()
    return
  }
  const { end, next } = unwanted(request.socket.remoteAddress ?? "")
  const read = (): void => void request.resume()
  let ofPiece = 0
  request.pause()
  request.on("data", (chunk: Buffer) => {
    ofPiece += chunk.length
    if (ofPiece < pieceSize) return
    ofPiece = 0
    request.pause()
    next(read)
  })
  request.once("close", end)
  next(read)
}
