import type * as http from "node:http"
import type { Socket } from "node:net"

/**
 * The most informational answers of a request. Hosts send one or two before the final one. More than this is an attack.
 */
const most = 20

/** The error has a parser's code, so that it is reported like an answer that cannot be parsed. */
class TooManyHeads extends Error {
  readonly code = "HPE_TOO_MANY_HEADS"
}

/** Bytes that are parsed without a pause: a few hundred of the shortest heads. */
const slice = 8 * 1024

// The system delivers 64 KiB at once, which may contain thousands of heads.
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
 * Ends a request that gets too many informational answers (100, 103). They do not count as bytes of the answer, so a
 * host that sends nothing else would keep the event loop busy until the time limit.
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
