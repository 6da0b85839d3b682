import type { IncomingMessage, Server } from "node:http"
import type { Socket } from "node:net"
import { Effect } from "effect"
import { finishWithin } from "../Finalizer.ts"

/** How long requests in flight may take to be answered once the gateway stops. */
const drainTime = "25 seconds"

/** How long a stopping server waits for the first byte of a connection, on which a request may be on its way. */
const firstByteTime = "1 second"

/**
 * Accepts no new connection, lets every request in flight be answered, then closes what is left. Node counts a connection
 * that has sent nothing as a request in flight. Browsers and pools of clients open such connections in advance.
 */
export const makeGracefulStop = (server: Server): Effect.Effect<void> => {
  const unused = new Set<Socket>()
  server.on("connection", (socket) => {
    unused.add(socket)
    socket.once("close", () => unused.delete(socket))
  })
  server.on("request", ({ socket }: IncomingMessage) => unused.delete(socket))
  // A paused socket waits to be read, so its request may have arrived.
  const closeUnused = Effect.sync(() => {
    for (const socket of unused) if (socket.bytesRead === 0 && !socket.isPaused()) socket.destroy()
  })
  const closed = Effect.async<void>((resume) => {
    server.close(() => resume(Effect.void))
    server.closeIdleConnections()
  })
  return closed.pipe(
    Effect.race(Effect.zipRight(Effect.delay(closeUnused, firstByteTime), Effect.never)),
    finishWithin(drainTime),
    Effect.zipRight(Effect.sync(() => server.closeAllConnections()))
  )
}
