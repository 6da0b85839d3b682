import type { Server } from "node:http"
import type { Socket } from "node:net"
import { type ConnectionArrivals, connectionArrivals, makeConnectionArrivals } from "../ConnectionArrivals.ts"
import { makeRecentTenants } from "../RecentTenants.ts"
import { drainRoundRobin, RoundRobinQueue } from "../RoundRobinQueue.ts"

/** So many connections begin to be read in one turn of the event loop. */
const begunInTurn = 8

/** Milliseconds. */
const window = 100
/** Of one address so many begin in that time, while another address comes too. */
const begunInWindow = 100
/** Another one is there until it did not come for so long. */
const absence = 5000

const ignore = (): void => {}

type Address = string | undefined

/** Counts what each address began of late. */
const makePace = (now: () => number) => {
  const { came, isShared } = makeRecentTenants<Address>(now, absence)
  const begun = new Map<Address, number>()
  let inWindow = 0
  return {
    came,
    /** Whether more than one address comes. */
    isShared,
    mayBegin: (address: Address): boolean => {
      const current = Math.floor(now() / window)
      if (inWindow !== current) {
        inWindow = current
        begun.clear()
      }
      const before = begun.get(address) ?? 0
      if (before >= begunInWindow && isShared()) return false
      begun.set(address, before + 1)
      return true
    }
  }
}

export interface ConnectionAdmissionOptions {
  readonly taken?: ConnectionArrivals
  readonly now?: () => number
  /** Whose connections are those of many, and never wait for others. */
  readonly isProxy?: (address: string) => boolean
}

/**
 * Connections are taken first and read then, those of one address after those of another: who opens hundreds at once does
 * not hold up the one that somebody else opens. Until its turn nothing of a connection is read.
 *
 * An address that opens very many in a second while another comes too waits with the rest of them: before they are taken
 * all stand in one queue of the system's, behind whoever is quickest to connect anew, and one who waits here does not.
 */
export const admitConnections = (
  server: Server,
  {
    isProxy = () => false,
    now = () => performance.now(),
    taken = makeConnectionArrivals()
  }: ConnectionAdmissionOptions = {}
): void => {
  const listeners = server.listeners("connection")
  server.removeAllListeners("connection")
  Object.assign(server, { pauseOnConnect: true })
  const waiting = new RoundRobinQueue<Address, Socket>()
  const held = new Map<Address, Array<Socket>>()
  const pace = makePace(now)
  const begin = (socket: Socket): void => {
    socket.off("error", ignore)
    if (socket.destroyed) return
    // Others wait here as they do to be taken, and other work gives way to both.
    connectionArrivals.took()
    for (const listener of listeners) Reflect.apply(listener, server, [socket])
    socket.resume()
  }
  const release = (): void => {
    const most = pace.isShared() ? begunInWindow : Number.POSITIVE_INFINITY
    for (const [address, sockets] of held) {
      for (const socket of sockets.splice(0, most)) waiting.add(address, socket)
      if (sockets.length === 0) held.delete(address)
    }
    if (held.size > 0) setTimeout(release, window).unref()
    schedule()
  }
  const hold = (address: Address, socket: Socket): void => {
    if (held.size === 0) setTimeout(release, window).unref()
    const others = held.get(address)
    if (others === undefined) held.set(address, [socket])
    else others.push(socket)
  }
  const schedule = drainRoundRobin(waiting, {
    inTurn: begunInTurn,
    givesWay: taken.watch(),
    use: (socket) => {
      const { remoteAddress: address } = socket
      if (address === undefined || isProxy(address) || pace.mayBegin(address)) begin(socket)
      else hold(address, socket)
    }
  })
  server.on("connection", (socket: Socket) => {
    taken.took()
    connectionArrivals.took()
    socket.on("error", ignore)
    const { remoteAddress: address } = socket
    pace.came(address)
    if (held.has(address)) {
      hold(address, socket)
      return
    }
    waiting.add(address, socket)
    schedule()
  })
}
