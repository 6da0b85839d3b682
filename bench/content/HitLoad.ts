import { connect, type Socket } from "node:net"
import { percentile } from "./Figure.ts"

/**
 * Page views of many visitors per second over persistent connections. Requests are raw bytes, so that sending them
 * costs little.
 */

export interface HitLoad {
  readonly port: number
  readonly host: string
  readonly perSecond: number
  readonly seconds: number
  readonly connections: number
}

export interface HitResult {
  readonly answered: number
  readonly perSecond: number
  readonly p99: number
  readonly refused: number
}

/** One view of the `n`th visitor, each from a different network. */
const requestOf = (n: number, host: string): string => {
  const body = `path=%2F&query=%3Futm_source%3Ds${n % 300}&referrer=https%3A%2F%2Fh${n % 1000}.example%2F&variant=a`
  return `POST /_/hit HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0\r\nContent-Type: application/x-www-form-urlencoded\r\nX-Forwarded-For: 100.${(n >> 16) & 127}.${(n >> 8) & 255}.${n & 255}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

const opened = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => resolve(socket))
    socket.setNoDelay(true)
    socket.once("error", reject)
  })

export const sendHits = async ({ connections, host, perSecond, port, seconds }: HitLoad): Promise<HitResult> => {
  const sockets = await Promise.all(Array.from({ length: connections }, () => opened(port)))
  const times: Array<number> = []
  const free = [...sockets]
  const sentAt = new Map<Socket, number>()
  let [visitor, refused, due, granted] = [0, 0, 0, 0]
  const sendDue = (): void => {
    while (due > 0) {
      const socket = free.pop()
      if (socket === undefined) return
      due--
      sentAt.set(socket, performance.now())
      socket.write(requestOf(++visitor, host), "latin1")
    }
  }
  for (const socket of sockets) {
    socket.on("data", (bytes) => {
      const since = sentAt.get(socket)
      if (since === undefined) return
      sentAt.delete(socket)
      times.push(performance.now() - since)
      if (bytes.toString("latin1", 9, 12) !== "204") refused++
      free.push(socket)
      sendDue()
    })
  }
  const started = performance.now()
  await new Promise<void>((resolve) => {
    const ticks = setInterval(() => {
      const elapsed = Math.min(seconds, (performance.now() - started) / 1000)
      const dueViews = Math.floor(elapsed * perSecond)
      // Views that could not be sent in time remain due, because visitors do not give up.
      due += dueViews - granted
      granted = dueViews
      sendDue()
      if (elapsed < seconds) return
      clearInterval(ticks)
      resolve()
    }, 5)
  })
  const elapsed = (performance.now() - started) / 1000
  for (const socket of sockets) socket.destroy()
  return { answered: times.length, perSecond: times.length / elapsed, p99: percentile(times, 0.99), refused }
}
