import * as net from "node:net"
import { setTimeout } from "node:timers/promises"

/** Milliseconds between two groups of new connections, and the size of a group: four thousand per second. */
const pause = 10
const lot = 40

const half = "POST /rest/v1/tools/whoami HTTP/1.1\r\nHost: gateway.test\r\nX-Half: "

interface HalfSent {
  /** Milliseconds until the system accepted each connection. */
  readonly times: ReadonlyArray<number>
  /** The number of connections that the server closed. */
  readonly closed: number
}

/**
 * Opens connections that begin a request and never finish it, up to `most` at a time, and replaces each that is closed.
 */
export const sendHalfRequests = async (url: string, most: number, seconds: number): Promise<HalfSent> => {
  const { hostname, port } = new URL(url)
  const open = new Set<net.Socket>()
  const times: Array<number> = []
  let closed = 0
  const connect = (): void => {
    const began = performance.now()
    const socket = net.connect({ host: hostname, port: Number(port) })
    open.add(socket)
    socket.once("connect", () => {
      times.push(performance.now() - began)
      socket.write(half)
    })
    socket.on("error", () => {})
    // Without a reader, a socket does not notice that the other side has closed it.
    socket.resume()
    socket.once("close", () => {
      if (open.delete(socket)) closed++
    })
  }
  const end = performance.now() + 1000 * seconds
  while (performance.now() < end) {
    for (let count = 0; count < lot && open.size < most; count++) connect()
    await setTimeout(pause)
  }
  const left = [...open]
  open.clear()
  await Promise.all(
    left.map(
      (socket) =>
        new Promise((resolve) => {
          socket.once("close", resolve).destroy()
        })
    )
  )
  return { times, closed }
}
