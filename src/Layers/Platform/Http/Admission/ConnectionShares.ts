import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { unreadBytes } from "../Bodies/UnreadBody.ts"
import { clientAddress, clientShare, type TrustedProxies } from "../ClientAddress.ts"

/** When this share of the places is used, each new connection closes an older one. */
const crowdedPart = 0.9
/**
 * Connections of proxies are closed only if no more than this many places are free. A health check then still finds
 * one.
 */
const reservedPlaces = 16

export interface ConnectionShareOptions {
  /** The most connections that the server has open. */
  readonly places: number
  readonly isProxy: TrustedProxies
}

/** Milliseconds between two searches for clients that do not read their answers. */
const searchEvery = 100

/** The key under which the idle connections of all proxies are counted. */
const proxies = Symbol("proxies")

/**
 * Closes connections when places run out. The client with the most waiting connections loses the oldest of them, so a
 * flood from one address displaces itself. A connection waits if the client has yet to send a request or read an
 * answer. Connections whose request is being answered stay open.
 */
export const shareConnections = (server: Server, { isProxy, places }: ConnectionShareOptions): void => {
  /** The connections that wait for their client, oldest first. */
  const waiting = new Map<string | symbol, Set<Socket>>()
  const shareOf = new WeakMap<Socket, string | symbol>()
  /** The connections whose request is being answered. */
  const answering = new Map<Socket, IncomingMessage>()
  let open = 0
  let searchedAt = Number.NEGATIVE_INFINITY

  const leave = (socket: Socket): void => {
    const share = shareOf.get(socket)
    if (share === undefined) return
    shareOf.delete(socket)
    const sockets = waiting.get(share)
    sockets?.delete(socket)
    if (sockets?.size === 0) waiting.delete(share)
  }
  const enter = (socket: Socket, share: string | symbol): void => {
    if (socket.destroyed || shareOf.get(socket) === share) return
    leave(socket)
    shareOf.set(socket, share)
    waiting.set(share, (waiting.get(share) ?? new Set()).add(socket))
  }
  const ownShare = ({ remoteAddress = "" }: Socket): string | symbol =>
    isProxy(remoteAddress) ? proxies : clientShare(remoteAddress)
  const requestShare = (request: IncomingMessage): string => clientShare(clientAddress(request, isProxy))
  /** A connection whose answer the client does not read counts as waiting for the client. */
  const findUnread = (): void => {
    if (performance.now() - searchedAt < searchEvery) return
    searchedAt = performance.now()
    for (const [socket, request] of answering) if (socket.writableNeedDrain) enter(socket, requestShare(request))
  }
  const closeOldest = (): void => {
    findUnread()
    let largest: Set<Socket> | undefined
    for (const [share, sockets] of waiting)
      if (share !== proxies && sockets.size > (largest?.size ?? 0)) largest = sockets
    if (open > places - reservedPlaces) largest ??= waiting.get(proxies)
    for (const oldest of largest ?? []) {
      leave(oldest)
      oldest.destroy()
      return
    }
  }

  server.maxConnections = places
  server.on("connection", (socket: Socket) => {
    open++
    socket.once("close", () => {
      open--
      leave(socket)
      answering.delete(socket)
    })
    enter(socket, ownShare(socket))
    if (open > crowdedPart * places) closeOldest()
  })
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    if (unreadBytes(request) > 0) {
      enter(socket, requestShare(request))
      request.once("end", () => leave(socket))
    } else leave(socket)
    answering.set(socket, request)
    response.once("close", () => {
      answering.delete(socket)
      enter(socket, ownShare(socket))
    })
  })
}
