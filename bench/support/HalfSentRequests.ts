import * as net from "node:net"
import { setTimeout } from "node:timers/promises"

/** Milliseconds between two lots of new connections, and how many are one lot: four thousand a second. */
const pause = 10
const lot = 40

const half = "POST /rest/v1/tools/whoami HTTP/1.1\r\nHost: gateway.test\r\nX-Half: "

interface HalfSent {
  /** Milliseconds until each connection was accepted by the system. */
  readonly times: ReadonlyArray<number>
  /** How many the server closed. */
  readonly closed: number
}

/** Opens connections that begin a request and never end it, as many as may be open, again for each that is closed. */
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
    // Without a reader, a socket does not notice that the other side closed it.
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
