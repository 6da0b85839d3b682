import * as http from "node:http"
import * as https from "node:https"
import type { LookupFunction } from "node:net"
import { Data, Duration, Effect, Layer, Predicate, Scope, Stream } from "effect"
import { type Refused, refused } from "../../Errors.ts"
import {
  OutboundFailure,
  type OutboundFailureReason,
  OutboundHttp,
  type OutboundRequest,
  type OutboundStreamedResponse
} from "../../Services/OutboundHttp.ts"
import { addressNotPublic, type Destination, destinationOf, redirectTarget } from "./Destination.ts"
import { OutboundPolicy } from "./OutboundPolicy.ts"

const defaultTimeout = Duration.seconds(30)
const defaultMaxResponseBytes = 10 * 1024 * 1024
const maximumRedirects = 5
const redirectStatuses = new Set([301, 302, 303, 307, 308])

const headerInvalid = refused(
  "header_invalid",
  "A header of the request has a character that headers cannot have.",
  "Remove line breaks and control characters from the credentials or names that were given."
)
const tooManyRedirects = refused(
  "too_many_redirects",
  "The URL redirects again and again.",
  "Give the address that the redirects lead to."
)

/** Passes through `node:net` as the reason why a connection was not made. */
class ForbiddenAddress extends Data.TaggedError("ForbiddenAddress") {}

/** How far an exchange has come. */
type Phase = "connecting" | "securing" | "sent"

const codeOf = (error: unknown): string =>
  Predicate.hasProperty(error, "code") && typeof error.code === "string" ? error.code : ""

const unresolved = new Set(["ENOTFOUND", "ENODATA", "EAI_NONAME"])

const reasonOf = (error: unknown, phase: Phase): OutboundFailureReason => {
  const code = codeOf(error)
  if (phase === "connecting" && unresolved.has(code)) return "host_not_found"
  if (phase === "securing" && code !== "ECONNRESET" && code !== "EPIPE") return "tls_failed"
  return phase === "sent" && code.startsWith("HPE_") ? "response_unreadable" : "connection_failed"
}

/**
 * The look-up of a connection, in the place of the one that would follow the check: no second look-up can answer with
 * another address. One forbidden address among several is enough to refuse.
 */
const checkedLookup =
  (destination: Destination, resolve: OutboundPolicy["Type"]["resolve"]): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses
        if (first === undefined) callback(Object.assign(new Error("no address"), { code: "ENOTFOUND" }), "")
        else if (!addresses.every(({ address }) => destination.mayConnectTo(address))) {
          callback(new ForbiddenAddress(), "")
        } else if (options.all === true) callback(null, [...addresses])
        else callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, "")
    )
  }

const joinedHeaders = (headers: http.IncomingHttpHeaders): { readonly [name: string]: string } =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === "string" ? value : value.join(", ")]]
    )
  )

const isEncoded = (response: http.IncomingMessage): boolean => {
  const encoding = response.headers["content-encoding"]
  return encoding !== undefined && encoding !== "" && encoding !== "identity"
}

/** One request and its answer's head. The connection is the request's own, and ends with the scope. */
const exchange = (
  destination: Destination,
  request: OutboundRequest,
  resolve: OutboundPolicy["Type"]["resolve"]
): Effect.Effect<OutboundStreamedResponse, Refused | OutboundFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const { hostname, url } = destination
    const isSecure = url.protocol === "https:"
    const maxResponseBytes = request.maxResponseBytes ?? defaultMaxResponseBytes
    let phase: Phase = "connecting"
    let hasTimedOut = false
    let sent: http.ClientRequest | undefined

    const fail = (reason: OutboundFailureReason) =>
      new OutboundFailure({ reason: hasTimedOut ? "timed_out" : reason, mayHaveArrived: phase === "sent" })

    yield* Effect.addFinalizer(() => Effect.sync(() => sent?.destroy()))
    yield* Effect.forkScoped(
      Effect.delay(
        Effect.sync(() => {
          hasTimedOut = true
          sent?.destroy(new Error("timed out"))
        }),
        request.timeout ?? defaultTimeout
      )
    )

    const response = yield* Effect.async<http.IncomingMessage, Refused | OutboundFailure>((resume) => {
      try {
        sent = (isSecure ? https : http).request({
          method: request.method,
          protocol: url.protocol,
          hostname,
          port: url.port === "" ? undefined : url.port,
          path: `${url.pathname}${url.search}`,
          headers: { "user-agent": "prospecting-gateway", "accept-encoding": "identity", ...request.headers },
          // No connection is shared, so that each is checked under the rule of the request that made it.
          agent: false,
          lookup: checkedLookup(destination, resolve)
        })
      } catch {
        return resume(Effect.fail(headerInvalid))
      }
      sent.on("error", (error) =>
        resume(Effect.fail(error instanceof ForbiddenAddress ? addressNotPublic : fail(reasonOf(error, phase))))
      )
      sent.once("socket", (socket) => {
        socket.once("connect", () => {
          // What counts is whom the socket reached, whatever was looked up.
          if (!destination.mayConnectTo(socket.remoteAddress ?? "")) socket.destroy(new ForbiddenAddress())
          else phase = isSecure ? "securing" : "sent"
        })
        socket.once("secureConnect", () => {
          phase = "sent"
        })
      })
      sent.once("response", (response) => {
        // A body nobody reads any more must not bring the process down when its connection breaks.
        response.on("error", () => {})
        resume(Effect.succeed(response))
      })
      sent.end(request.body)
    })

    const announced = Number(response.headers["content-length"] ?? 0)
    if (request.method !== "HEAD" && announced > maxResponseBytes) return yield* fail("response_too_large")
    if (isEncoded(response)) return yield* fail("response_unreadable")

    const body = Stream.fromAsyncIterable<Uint8Array, OutboundFailure>(response, () => fail("connection_failed")).pipe(
      Stream.mapAccumEffect(0, (before, bytes) => {
        const read = before + bytes.length
        return read > maxResponseBytes ? fail("response_too_large") : Effect.succeed([read, bytes] as const)
      })
    )
    return { status: response.statusCode ?? 0, headers: joinedHeaders(response.headers), body }
  })

const make = Effect.gen(function* () {
  const { allowLoopback, resolve } = yield* OutboundPolicy

  const follow = (
    text: string,
    request: OutboundRequest,
    redirectsLeft: number
  ): Effect.Effect<OutboundStreamedResponse, Refused | OutboundFailure, Scope.Scope> =>
    Effect.gen(function* () {
      const destination = yield* destinationOf(text, request, allowLoopback)
      yield* Effect.annotateCurrentSpan({
        "server.address": destination.hostname,
        "server.port": destination.url.port || (destination.url.protocol === "https:" ? "443" : "80")
      })
      const hop = yield* Scope.fork(yield* Effect.scope, sequentialClose)
      const response = yield* Scope.extend(exchange(destination, request, resolve), hop)
      const location = response.headers.location
      const isFollowed =
        request.redirect === "same-host" &&
        (request.method === "GET" || request.method === "HEAD") &&
        redirectStatuses.has(response.status) &&
        location !== undefined
      if (!isFollowed) return response
      if (redirectsLeft === 0) return yield* tooManyRedirects
      return yield* follow(yield* redirectTarget(destination.url, location), request, redirectsLeft - 1)
    })

  const stream = (request: OutboundRequest) =>
    follow(request.url, request, maximumRedirects).pipe(
      Effect.tap(({ status }) => Effect.annotateCurrentSpan("http.response.status_code", status)),
      // Neither path nor query: keys stand in both.
      Effect.withSpan(`outbound ${request.method}`, {
        kind: "client",
        captureStackTrace: false,
        attributes: { "http.request.method": request.method }
      })
    )

  return OutboundHttp.of({
    stream,
    request: (request) =>
      Effect.scoped(
        Effect.flatMap(stream(request), (response) =>
          Effect.map(Stream.runCollect(response.body), (chunks) => ({ ...response, body: Buffer.concat([...chunks]) }))
        )
      )
  })
})

export const OutboundHttpNode = Layer.effect(OutboundHttp, make)
