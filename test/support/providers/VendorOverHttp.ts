import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http"
import { type AddressInfo, createServer, type Server, type Socket } from "node:net"
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { refused } from "../../../src/Errors.ts"
import { OutboundHttpNode } from "../../../src/Layers/Platform/Outbound/OutboundHttp.ts"
import { OutboundPolicy } from "../../../src/Layers/Platform/Outbound/OutboundPolicy.ts"
import { AccountId } from "../../../src/Services/Accounts/Ids.ts"
import type { OAuthConnection } from "../../../src/Services/Connections/OAuth.ts"
import { Caller } from "../../../src/Services/Core/Calls/Caller.ts"
import {
  OutboundHttp,
  type OutboundRequest,
  type OutboundResponse
} from "../../../src/Services/Outbound/OutboundHttp.ts"
import { RateLimits } from "../../../src/Services/Outbound/RateLimits.ts"

/**
 * What comes of a request: an answer, half of one, a connection that breaks when the request was read, or silence then;
 * or, before anything of it was sent, nobody who listens, or silence from somebody who does.
 */
export type Reply =
  | OutboundResponse
  | { readonly halfOf: OutboundResponse }
  | "breaks"
  | "silent"
  | "unreachable"
  | "silent_before"

export const json = (
  status: number,
  body: unknown,
  headers: { readonly [name: string]: string } = {}
): OutboundResponse => ({
  status,
  headers: { "content-type": "application/json; charset=UTF-8", ...headers },
  body: Buffer.from(JSON.stringify(body))
})

export const html: OutboundResponse = {
  status: 200,
  headers: { "content-type": "text/html" },
  body: Buffer.from("<html>moved</html>")
}

/** A request as it came, with the address that it was meant for. */
export interface Received {
  readonly method: string
  readonly url: string
  readonly headers: { readonly [name: string]: string | ReadonlyArray<string> | undefined }
  readonly body: string
}

export const receivedJson = (request: Received | undefined): unknown =>
  request === undefined || request.body === "" ? undefined : JSON.parse(request.body)

interface Story {
  readonly origin: string
  readonly replies: Array<Reply>
  readonly sent: Array<Received>
  heard: () => void
}

const listening = (server: Server) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const sockets = new Set<Socket>()
      server.on("connection", (socket) => sockets.add(socket.once("close", () => sockets.delete(socket))))
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      return { port: (server.address() as AddressInfo).port, sockets }
    }),
    ({ sockets }) =>
      Effect.promise(async () => {
        for (const socket of sockets) socket.destroy()
        await new Promise((resolve) => server.close(resolve))
      })
  )

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const parts: Array<Buffer> = []
  for await (const part of request) if (Buffer.isBuffer(part)) parts.push(part)
  return Buffer.concat(parts).toString("utf8")
}

const say = (response: ServerResponse, reply: Reply): void => {
  if (reply === "breaks") {
    response.socket?.destroy()
  } else if (typeof reply === "object" && "halfOf" in reply) {
    const { body, headers, status } = reply.halfOf
    response.writeHead(status, { ...headers, "content-length": body.length })
    response.write(body.subarray(0, body.length / 2), () => response.socket?.destroy())
  } else if (typeof reply === "object") {
    response.writeHead(reply.status, { ...reply.headers }).end(reply.body)
  }
}

/** Time that is up when something has happened: whoever waits for an answer does so no longer than that. */
const upAfter = (happened: Promise<void>) =>
  Effect.map(
    Effect.clock,
    (clock): Clock.Clock => ({
      [Clock.ClockTypeId]: Clock.ClockTypeId,
      sleep: () => Effect.promise(() => happened),
      currentTimeMillis: clock.currentTimeMillis,
      currentTimeNanos: clock.currentTimeNanos,
      unsafeCurrentTimeMillis: () => clock.unsafeCurrentTimeMillis(),
      unsafeCurrentTimeNanos: () => clock.unsafeCurrentTimeNanos()
    })
  )

/** Vendors' interfaces over HTTP, with whatever befalls a connection. */
export class VendorOverHttp extends Context.Tag("VendorOverHttp")<
  VendorOverHttp,
  {
    /**
     * Replies that come one after another, the last one again and again, to whoever asks `origin`; what was received,
     * and what became of the connection's tokens and limits on the way.
     */
    readonly over: (
      origin: string,
      service: string,
      ...replies: ReadonlyArray<Reply>
    ) => {
      readonly request: OutboundHttp["Type"]["request"]
      readonly sent: ReadonlyArray<Received>
      readonly seen: ReadonlyArray<string>
      readonly limits: RateLimits["Type"]
      readonly connection: OAuthConnection
    }
  }
>() {
  static readonly layer = Layer.scoped(
    VendorOverHttp,
    Effect.gen(function* () {
      const http = yield* OutboundHttp
      const stories = new Map<string, Story>()
      const answering = createHttpServer((request, response) => {
        void bodyOf(request).then((body) => {
          const [, name = "", path = ""] = /^\/(\d+)(\/.*)$/.exec(request.url ?? "") ?? []
          const story = stories.get(name)
          if (story === undefined) return response.writeHead(500).end()
          const { headers, method = "" } = request
          story.sent.push({ method, url: `${story.origin}${path}`, headers, body })
          story.heard()
          const reply = story.replies.length > 1 ? story.replies.shift() : story.replies[0]
          return say(response, reply ?? "breaks")
        })
      })
      const { port } = yield* listening(answering)
      // A handshake that nobody takes part in.
      let shakesHands = () => {}
      const { port: mute } = yield* listening(
        createServer((socket) => socket.on("error", () => {}).once("data", () => shakesHands()))
      )
      // Nobody listens there any more.
      const { port: closed } = yield* Effect.scoped(listening(createServer()))

      const over = (origin: string, service: string, ...replies: ReadonlyArray<Reply>) => {
        const story: Story = { origin, replies: [...replies], sent: [], heard: () => {} }
        const name = `${stories.size + 1}`
        stories.set(name, story)
        const seen: Array<string> = []
        const request = (outbound: OutboundRequest) => {
          const [next] = story.replies
          const path = outbound.url.slice(origin.length)
          const url =
            next === "silent_before"
              ? `https://127.0.0.1:${mute}${path}`
              : `http://127.0.0.1:${next === "unreachable" ? closed : port}/${name}${path}`
          const sent = http.request({ ...outbound, url, allowNonPublic: true })
          if (next !== "silent" && next !== "silent_before") return sent
          const heard = new Promise<void>((resolve) => {
            if (next === "silent") story.heard = resolve
            else shakesHands = resolve
          })
          return Effect.flatMap(upAfter(heard), (clock) => Effect.withClock(sent, clock))
        }
        const limits = RateLimits.of({
          take: () => Effect.succeed(0),
          takeMany: ({ costs }) => Effect.succeed({ granted: costs.length, seconds: 0, limit: undefined }),
          left: () => Effect.succeed(Number.POSITIVE_INFINITY),
          correct: (_, bucket, told) => Effect.sync(() => void seen.push(`${bucket} ${JSON.stringify(told)}`)),
          blockedFor: () => Effect.succeed(0)
        })
        const connection: OAuthConnection = {
          connectionUrl: Effect.succeed(""),
          accessToken: Effect.sync(() => Redacted.make(seen.includes("rejected") ? "second" : "first")),
          reject: () => Effect.sync(() => void seen.push("rejected")),
          loseAccess: (reason) =>
            Effect.sync(() => {
              seen.push(`lost: ${reason}`)
              return refused(`${service}_needs_reconnect`, "Lost.", "Connect.")
            }),
          disconnect: Effect.succeed({ changed: false, atService: "nothing_to_do" })
        }
        return { request, sent: story.sent, seen, limits, connection }
      }
      return VendorOverHttp.of({ over })
    })
  ).pipe(
    Layer.provide(OutboundHttpNode),
    Layer.provide(
      Layer.effect(
        OutboundPolicy,
        Effect.map(OutboundPolicy, (policy) => ({ ...policy, allowLoopback: true }))
      )
    )
  )
}

/** As an account of no database. */
export const asContractor = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.provideService(effect, Caller, Caller.forTask(AccountId.make(1), "paid", "contract"))
