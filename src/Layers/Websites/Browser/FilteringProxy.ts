import * as http from "node:http"
import * as net from "node:net"
import { Effect, Either, type Scope } from "effect"
import type { Refused } from "../../../Errors.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { parsedUrl } from "../../../Services/Core/Outside/ParsedUrl.ts"
import { addressNotPublic, type Destination, destinationOf } from "../../Platform/Outbound/Destination.ts"
import { lookupBy, type ResolveName } from "../../Platform/Outbound/NameResolver.ts"

export interface FilteringProxyOptions {
  readonly accountId: AccountId
  readonly allowLoopback: boolean
  readonly resolve: ResolveName
  /** Returns the address of the listener on this machine if the host is one of the gateway's own sites. */
  readonly ownSite: (host: string) => { readonly host: string; readonly port: number } | undefined
}

export interface FilteringProxy {
  readonly port: number
  /** Returns why the last connection to a host was refused; undefined if it was not. */
  readonly refusalOf: (host: string) => Refused | undefined
}

/** Limits for one page with everything that it loads. */
const mostBytes = 80 * 1024 * 1024
const mostConnections = 192
const idleTime = 15_000

class Forbidden extends Error {}

// Headers that are for a single connection (RFC 9110). All others are passed on.
const hopHeaders = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade"
])

const endToEnd = (raw: ReadonlyArray<string>): Array<string> => {
  const kept: Array<string> = []
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name = "", value = ""] = [raw[at], raw[at + 1]]
    if (!hopHeaders.has(name.toLowerCase())) kept.push(name, value)
  }
  return kept
}

/** Connects to addresses that are allowed, and refuses the host of any other one. */
const makeConnections = (
  { accountId, resolve }: Pick<FilteringProxyOptions, "accountId" | "resolve">,
  refuse: (host: string, refusal: Refused) => void
) => {
  /** Returns the host and port to connect to, with the check of the resolved addresses. */
  const connectionTo = (destination: Destination, port: number) => {
    return {
      host: destination.hostname,
      port,
      lookup: lookupBy(resolve, { party: accountId }, (addresses) => {
        if (addresses.every(({ address }) => destination.mayConnectTo(address))) return undefined
        refuse(destination.url.hostname, addressNotPublic)
        return new Forbidden()
      })
    }
  }

  /** Checks the address of the connection itself, in addition to the one that was looked up. */
  const checkedPeer = (destination: Destination, socket: net.Socket): void => {
    socket.once("connect", () => {
      if (!destination.mayConnectTo(socket.remoteAddress ?? "")) {
        refuse(destination.url.hostname, addressNotPublic)
        socket.destroy()
      }
    })
  }

  return { checkedPeer, connectionTo }
}

/** Listens on a free port of the loopback interface until the scope ends. */
const listen = (server: http.Server, open: ReadonlySet<net.Socket>): Effect.Effect<number, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.async<number>((resume) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0))
      })
    }),
    () =>
      Effect.async<void>((resume) => {
        for (const socket of open) socket.destroy()
        server.closeAllConnections()
        server.close(() => resume(Effect.void))
      })
  )

/**
 * Makes a proxy, which is the browser's only connection to the network, for one page. It resolves names itself and
 * connects to the address that it checked, so a name that resolves differently the next time does no harm. Addresses
 * that are not public are refused at every step.
 */
export const makeFilteringProxy = ({
  accountId,
  allowLoopback,
  ownSite,
  resolve
}: FilteringProxyOptions): Effect.Effect<FilteringProxy, never, Scope.Scope> =>
  Effect.gen(function* () {
    const open = new Set<net.Socket>()
    const refusals = new Map<string, Refused>()
    let bytes = 0

    const refuse = (host: string, refusal: Refused): void => {
      if (refusals.size < 200) refusals.set(host.toLowerCase(), refusal)
    }

    const { checkedPeer, connectionTo } = makeConnections({ accountId, resolve }, refuse)

    const counted = (socket: net.Socket): void => {
      open.add(socket)
      socket.setTimeout(idleTime, () => socket.destroy())
      socket.on("error", () => socket.destroy())
      socket.on("close", () => open.delete(socket))
      if (open.size > mostConnections || bytes > mostBytes) socket.destroy()
    }

    const count = (chunk: Buffer): void => {
      bytes += chunk.length
      if (bytes > mostBytes) for (const each of open) each.destroy()
    }

    /** Returns the gateway's own site for the URL. It is used only without TLS, which the listener does not support. */
    const ownOf = (text: string) => {
      const url = parsedUrl(text)
      return url === undefined ? undefined : ownSite(url.hostname)
    }
    const refuseAddress = (text: string, refused: Refused): void => {
      const url = parsedUrl(text)
      if (url !== undefined) refuse(url.hostname, refused)
    }

    const server = http.createServer((request, response) => {
      const text = request.url ?? ""
      const checked = /^http:\/\//i.test(text)
        ? destinationOf(text, { allowHttp: true }, allowLoopback || ownOf(text) !== undefined)
        : undefined
      if (checked === undefined || Either.isLeft(checked)) {
        if (checked !== undefined) refuseAddress(text, checked.left)
        response.writeHead(403, { connection: "close" }).end()
        return
      }
      const destination = checked.right
      const { url } = destination
      const own = ownOf(text)
      const forwarded = http.request({
        ...(own ?? connectionTo(destination, Number(url.port || 80))),
        method: request.method,
        path: `${url.pathname}${url.search}`,
        headers: endToEnd(request.rawHeaders),
        agent: false,
        setHost: false
      })
      forwarded.on("socket", (socket) => {
        counted(socket)
        if (own === undefined) checkedPeer(destination, socket)
      })
      forwarded.on("error", () => {
        if (response.headersSent) response.destroy()
        else response.writeHead(refusals.has(url.hostname) ? 403 : 502, { connection: "close" }).end()
      })
      forwarded.on("response", (answer) => {
        answer.on("error", () => response.destroy())
        answer.on("data", count)
        response.writeHead(answer.statusCode ?? 502, endToEnd(answer.rawHeaders))
        answer.pipe(response)
      })
      response.on("close", () => forwarded.destroy())
      request.on("error", () => forwarded.destroy())
      request.pipe(forwarded)
    })

    server.on("connect", (request: http.IncomingMessage, client: net.Socket, head: Buffer) => {
      counted(client)
      const text = `https://${request.url ?? ""}`
      const checked = destinationOf(text, {}, allowLoopback)
      if (Either.isLeft(checked) || checked.right.url.pathname !== "/") {
        if (Either.isLeft(checked)) refuseAddress(text, checked.left)
        client.end("HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n")
        return
      }
      const destination = checked.right
      const upstream = net.connect(connectionTo(destination, Number(destination.url.port || 443)))
      counted(upstream)
      checkedPeer(destination, upstream)
      upstream.once("error", () => {
        if (client.writable) client.end("HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\n\r\n")
      })
      upstream.once("connect", () => {
        if (upstream.destroyed) return
        client.write("HTTP/1.1 200 Connection Established\r\n\r\n")
        if (head.length > 0) upstream.write(head)
        upstream.on("data", count).pipe(client)
        client.on("data", count).pipe(upstream)
      })
      client.once("close", () => upstream.destroy())
      upstream.once("close", () => client.destroy())
    })
    // Upgrades are refused, because only tunnels need them.
    server.on("upgrade", (_: http.IncomingMessage, socket: net.Socket) => socket.destroy())
    server.on("clientError", (_, socket) => socket.destroy())

    const port = yield* listen(server, open)
    return { port, refusalOf: (host) => refusals.get(host.toLowerCase()) }
  })
