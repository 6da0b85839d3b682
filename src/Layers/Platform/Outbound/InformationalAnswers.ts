import type * as http from "node:http"
import type { Socket } from "node:net"

/** Hosts send one or two informational answers before the real one. More than this is an attack. */
const most = 20

/** Reported like an answer that cannot be parsed. */
class TooManyHeads extends Error {
  readonly code = "HPE_TOO_MANY_HEADS"
}

/** Bytes that are parsed at a stretch: some hundreds of the shortest heads. */
const slice = 8 * 1024

// The system hands on 64 KiB at once, in which there may be thousands of heads.
const inSlices = (socket: Socket): void => {
  const push = socket.push.bind(socket)
  socket.push = (chunk: unknown, encoding) => {
    if (!Buffer.isBuffer(chunk) || chunk.length <= slice) return push(chunk, encoding)
    let goesOn = true
    for (let at = 0; at < chunk.length && !socket.destroyed; at += slice) {
      goesOn = push(chunk.subarray(at, at + slice), encoding)
    }
    return goesOn
  }
}

/**
 * Ends a request that is answered by one informational head after the other (100, 103): nothing limits their number,
 * they are none of the bytes of an answer, and a host that sends nothing else would keep the event loop busy until the
 * time is up.
 */
export const boundInformationalAnswers = (sent: http.ClientRequest): void => {
  let count = 0
  sent.on("information", () => {
    if (++count > most) sent.destroy(new TooManyHeads("too many informational answers"))
  })
  sent.once("socket", (socket) => {
    if (!sent.reusedSocket) inSlices(socket)
  })
}
