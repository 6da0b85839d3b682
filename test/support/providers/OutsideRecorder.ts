import { createSocket } from "node:dgram"
import diagnostics from "node:diagnostics_channel"
import type { IncomingMessage, RequestListener } from "node:http"
import { Socket } from "node:net"
import { Context, Effect, Layer, Predicate, Runtime } from "effect"
import { inject } from "vitest"
import type { OutboundRequest, OutboundResponse } from "../../../src/Services/Outbound/OutboundHttp.ts"
import { localHttpServer } from "../servers/LocalHttpServer.ts"
import { localHttpsServer } from "../servers/LocalHttpsServer.ts"
import { localMailbox } from "./LocalMailbox.ts"
import { localSmtpServer } from "./LocalSmtpServer.ts"

/*
 * Records what leaves the process, at the lowest place that all of it passes: sockets. HTTP, mail, SQL and `fetch` connect
 * by `Socket.prototype.connect`, also those that no adapter knows of. Connections to other machines are led to local
 * servers, which record each request and answer as the vendors do. DNS uses no sockets of Node, so it has another server.
 * Programs that are started are listed.
 */

/** A request or connection that reached a service outside. */
export interface Contact {
  /** The name of the machine that the process wanted to reach, or `smtp`, `imap` or `dns`. */
  readonly host: string
  readonly request: string
  /** Whether it may change something there. By this file's own rules, not by what the adapter says. */
  readonly isChange: boolean
}

/** Answers as a vendor; undefined leaves it to a general answer. */
export type Vendor = (request: OutboundRequest) => Effect.Effect<OutboundResponse> | undefined

/** What vendors have under POST that reads, or gives a token for it. */
const readsByPost: ReadonlyArray<RegExp> = [
  /^oauth2\.googleapis\.com\/token$/,
  /^auth\.calendly\.com\/oauth\/token$/,
  /^googleads\.googleapis\.com\/.*(?:googleAds:search|googleAds:searchStream|:generateKeywordHistoricalMetrics)$/,
  /^www\.googleapis\.com\/calendar\/v3\/freeBusy$/,
  /^api\.openai\.com\/v1\/(?:chat\/completions|embeddings)$/,
  /^api\.apollo\.io\/.*search$/
]

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const

const isChange = (method: string, host: string, path: string): boolean =>
  method !== "GET" && method !== "HEAD" && !readsByPost.some((read) => read.test(`${host}${path}`))

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const isLocal = (host: string): boolean => host === "localhost" || host === "::1" || host.startsWith("127.")

interface Target {
  readonly host: string
  readonly port: number
}

/** Where `Socket.connect` is asked to go; undefined for sockets of the file system. */
const targetOf = (args: ReadonlyArray<unknown>): Target | undefined => {
  const first: unknown = Array.isArray(args[0]) ? args[0][0] : args[0]
  if (Predicate.isNumber(first)) return { host: Predicate.isString(args[1]) ? args[1] : "localhost", port: first }
  if (!Predicate.hasProperty(first, "port")) return undefined
  const host = Predicate.hasProperty(first, "host") && Predicate.isString(first.host) ? first.host : "localhost"
  return { host, port: Number(first.port) }
}

/** The same arguments with another target. The address needs no look-up. */
const redirected = (args: ReadonlyArray<unknown>, port: number): ReadonlyArray<unknown> => {
  const [first, ...rest] = args
  if (Predicate.isNumber(first)) return [port, "127.0.0.1", ...rest.slice(1)]
  if (Array.isArray(first)) {
    // Node marks arguments that are already in order, by a symbol on the array.
    const [options, ...others] = first as ReadonlyArray<unknown>
    const list = [{ ...Object(options), host: "127.0.0.1", port, lookup: undefined }, ...others]
    for (const symbol of Object.getOwnPropertySymbols(first)) Reflect.set(list, symbol, Reflect.get(first, symbol))
    return [list, ...rest]
  }
  return [{ ...Object(first), host: "127.0.0.1", port, lookup: undefined }, ...rest]
}

type OnConnect = (args: ReadonlyArray<unknown>) => ReadonlyArray<unknown>

/** Asks `onConnect` before each connection of the process, until the scope ends. */
const watchSockets = (onConnect: OnConnect) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const original = Object.getOwnPropertyDescriptor(Socket.prototype, "connect") ?? {}
      const method: unknown = original.value
      if (!Predicate.isFunction(method)) throw new Error("Sockets have no method to connect")
      const connect = new Proxy(method, {
        apply: (target, socket: unknown, args: ReadonlyArray<unknown>): unknown =>
          Reflect.apply(target, socket, [...onConnect(args)])
      })
      Object.defineProperty(Socket.prototype, "connect", { ...original, value: connect })
      return original
    }),
    (original) => Effect.sync(() => void Object.defineProperty(Socket.prototype, "connect", original))
  )

/** The local servers have no certificates of the vendors' names. */
const trustAll = Effect.acquireRelease(
  Effect.sync(() => {
    const before = process.env["NODE_TLS_REJECT_UNAUTHORIZED"]
    process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0"
    return before
  }),
  (before) =>
    Effect.sync(() => {
      if (before === undefined) delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"]
      else process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = before
    })
)

/** The programs that the process starts, until the scope ends. */
const watchPrograms = Effect.gen(function* () {
  const programs: Array<string> = []
  const listener = (message: unknown): void => {
    const child = Predicate.hasProperty(message, "process") ? message.process : undefined
    // The file is known once the constructor has returned.
    queueMicrotask(() => {
      if (Predicate.hasProperty(child, "spawnfile")) programs.push(String(child.spawnfile))
    })
  }
  yield* Effect.acquireRelease(
    Effect.sync(() => diagnostics.subscribe("child_process", listener)),
    () => Effect.sync(() => diagnostics.unsubscribe("child_process", listener))
  )
  return programs
})

/** A name server that knows no name. */
const nameServer = (onQuestion: () => void) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const server = createSocket("udp4")
        server.on("message", (question, { address, port }) => {
          onQuestion()
          const answer = Buffer.from(question)
          answer.writeUInt16BE(0x8183, 2)
          server.send(answer, port, address)
        })
        await new Promise<void>((resolve) => server.bind(0, "127.0.0.1", resolve))
        return server
      }),
      (server) => Effect.promise(() => new Promise<void>((resolve) => server.close(() => resolve())))
    ),
    (server) => server.address().port
  )

const generalAnswer: OutboundResponse = {
  status: 200,
  headers: { "content-type": "application/json" },
  body: Buffer.from("{}")
}

const make = Effect.gen(function* () {
  const runtime = yield* Effect.runtime<never>()
  const contacts: Array<Contact> = []
  const programs = yield* watchPrograms
  const { port: database, workerPorts } = inject("postgres")
  const inside = new Set([database, ...workerPorts])
  let vendor: Vendor = () => undefined

  const listener: RequestListener = (incoming, response) => {
    void bodyOf(incoming).then(async (body) => {
      const { headers, url = "" } = incoming
      const method = methods.find((each) => each === incoming.method) ?? "POST"
      const host = (headers.host ?? "").replace(/:\d+$/, "")
      const path = url.replace(/\?.*$/, "")
      contacts.push({ host, request: `${method} ${path}`, isChange: isChange(method, host, path) })
      const request: OutboundRequest = {
        method,
        url: `https://${host}${url}`,
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
        ...(body.length === 0 ? {} : { body: body.toString("utf8") })
      }
      const answer = await Runtime.runPromise(runtime)(vendor(request) ?? Effect.succeed(generalAnswer))
      response.writeHead(answer.status, { ...answer.headers }).end(answer.body)
    })
  }
  const secure = yield* localHttpsServer(listener)
  const plain = yield* localHttpServer(listener)
  const smtp = yield* localSmtpServer()
  smtp.behave({
    onMessage: ({ to }) => {
      contacts.push({ host: "smtp", request: `message to ${to.join(", ")}`, isChange: true })
      return undefined
    }
  })
  const { port: smtpPort } = smtp
  const { port: imapPort } = yield* localMailbox
  const dnsPort = yield* nameServer(() => contacts.push({ host: "dns", request: "question", isChange: false }))
  const mailServers = new Map([
    [smtpPort, "smtp"],
    [imapPort, "imap"]
  ])
  yield* trustAll
  yield* watchSockets((args) => {
    const target = targetOf(args)
    if (target === undefined) return args
    const { host, port } = target
    if (isLocal(host)) {
      const name = mailServers.get(port)
      // A mail server is also asked whether it is up. What is sent by it is recorded there.
      if (name !== undefined) contacts.push({ host: name, request: "connection", isChange: false })
      else if (!inside.has(port)) contacts.push({ host: `${host}:${port}`, request: "connection", isChange: true })
      return args
    }
    contacts.push({ host, request: `connection to port ${port}`, isChange: port !== 443 && port !== 80 })
    return redirected(args, port === 443 ? secure.port : plain.port)
  })

  return OutsideRecorder.of({
    contacts,
    programs,
    ports: { smtp: smtpPort, imap: imapPort, dns: dnsPort },
    answerAs: (answers) => {
      vendor = answers
    },
    isInside: (port) => void inside.add(port)
  })
})

/** Everything that leaves the process is recorded here, and leads to local servers. */
export class OutsideRecorder extends Context.Tag("OutsideRecorder")<
  OutsideRecorder,
  {
    /** In the order in which they came, from the beginning. */
    readonly contacts: ReadonlyArray<Contact>
    /** The programs that were started. */
    readonly programs: ReadonlyArray<string>
    /** Servers of this machine that the settings name. */
    readonly ports: { readonly smtp: number; readonly imap: number; readonly dns: number }
    readonly answerAs: (vendor: Vendor) => void
    /** A port of this machine that is not outside, such as the gateway's own. */
    readonly isInside: (port: number) => void
  }
>() {
  static readonly layer = Layer.scoped(OutsideRecorder, make)
}
