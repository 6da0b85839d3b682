import type { Server } from "node:http"
import type { Socket } from "node:net"
import { arrivals, makeArrivals } from "../Arrivals.ts"
import { Rounds } from "../Rounds.ts"

/** So many connections begin to be read in one turn of the event loop. */
const begunInTurn = 8

const ignore = (): void => {}

/**
 * Connections are taken first and read then, those of one address after those of another: who opens hundreds at once does
 * not hold up the one that somebody else opens. Until its turn nothing of a connection is read.
 */
export const readConnectionsInTurn = (server: Server, taken = makeArrivals()): void => {
  const listeners = server.listeners("connection")
  server.removeAllListeners("connection")
  Object.assign(server, { pauseOnConnect: true })
  const waiting = new Rounds<string | undefined, Socket>()
  const givesWay = taken.watch()
  const begin = (socket: Socket): void => {
    socket.off("error", ignore)
    if (socket.destroyed) return
    // Others wait here as they do to be taken, and other work gives way to both.
    arrivals.took()
    for (const listener of listeners) Reflect.apply(listener, server, [socket])
    socket.resume()
  }
  let isScheduled = false
  const run = (): void => {
    if (!givesWay()) {
      for (let begun = 0; begun < begunInTurn; begun++) {
        const socket = waiting.take()
        if (socket === undefined) break
        begin(socket)
      }
    }
    isScheduled = !waiting.isEmpty
    if (isScheduled) setImmediate(run)
  }
  server.on("connection", (socket: Socket) => {
    taken.took()
    arrivals.took()
    socket.on("error", ignore)
    waiting.add(socket.remoteAddress, socket)
    if (isScheduled) return
    isScheduled = true
    setImmediate(run)
  })
}
