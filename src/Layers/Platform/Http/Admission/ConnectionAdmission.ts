import type { Server } from "node:http"
import type { Socket } from "node:net"
import { makeRecentTenants } from "../../Fairness/RecentTenants.ts"
import { drainRoundRobin, RoundRobinQueue } from "../../Fairness/RoundRobinQueue.ts"
import { clientShare, type TrustedProxies } from "../ClientAddress.ts"
import { type ConnectionArrivals, makeConnectionArrivals } from "./ConnectionArrivals.ts"
import { shareConnections } from "./ConnectionShares.ts"
import { makeWindowLimit } from "./WindowLimit.ts"

/** The most open connections of a server: more than callers need, and fewer than a process has file handles for. */
export const mostConnections = 10_000
/** Connections that the server starts to read in one turn of the event loop, so that a turn stays short. */
const startsPerLoopTurn = 8
/**
 * Connections of one address that are started per window while other addresses connect too. One core starts 270 in all.
 */
const startsPerWindow = 100
const windowMillis = 100
/** An address without a new connection for this long no longer limits the others. */
const absenceMillis = 5000

export interface ConnectionAdmissionOptions {
  /** Notified of each new connection, so that other work of the process pauses. */
  readonly arrivals: ConnectionArrivals["Type"]
  /** Notified of this server's new connections only. The server starts none while it still accepts some. */
  readonly accepted?: ConnectionArrivals["Type"]
  readonly now?: () => number
  /** A proxy connects for many clients, so its connections have no limit. */
  readonly isProxy?: TrustedProxies
  readonly places?: number
}

/** The start of the tenant's name for a proxy's connections. */
const proxyPrefix = "proxy "

const ignoreError = (): void => {}

/**
 * Accepted sockets stay paused and are read round-robin by client address, so one client that opens hundreds cannot
 * delay another. They do not stay in the system's queue, where fast reconnects would keep slow clients out.
 */
export const admitConnections = (server: Server, options: ConnectionAdmissionOptions): void => {
  const { accepted = makeConnectionArrivals(), arrivals, isProxy = () => false } = options
  const { now = () => performance.now(), places = mostConnections } = options
  const listeners = server.listeners("connection")
  server.removeAllListeners("connection")
  Object.assign(server, { pauseOnConnect: true })
  const waiting = new RoundRobinQueue<string, Socket>()
  const recent = makeRecentTenants<string>(now, absenceMillis)
  const limit = makeWindowLimit<string>(startsPerWindow, windowMillis, now)
  const schedule = drainRoundRobin(waiting, {
    perTurn: startsPerLoopTurn,
    givesWay: accepted.watch(),
    mayTake: (client) => client.startsWith(proxyPrefix) || limit.spend(client, 1) || recent.isAlone(client),
    recheckMillis: windowMillis,
    use: (socket) => {
      socket.off("error", ignoreError)
      if (socket.destroyed) return
      arrivals.record()
      for (const listener of listeners) Reflect.apply(listener, server, [socket])
      socket.resume()
    }
  })
  shareConnections(server, { isProxy, places })
  server.on("connection", (socket: Socket) => {
    const { remoteAddress = "" } = socket
    const client = isProxy(remoteAddress) ? proxyPrefix + remoteAddress : clientShare(remoteAddress)
    accepted.record()
    arrivals.record()
    socket.on("error", ignoreError)
    socket.once("close", () => waiting.remove(client, socket))
    recent.record(client)
    waiting.add(client, socket)
    schedule()
  })
}
