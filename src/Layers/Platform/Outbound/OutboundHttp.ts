import * as http from "node:http"
import * as https from "node:https"
import type { LookupFunction } from "node:net"
import { createSecureContext, rootCertificates } from "node:tls"
import { Data, Duration, Effect, Layer, Option, Predicate, type Scope, Stream } from "effect"
import { type Refused, refused } from "../../../Errors.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { stopDryRun } from "../../../Services/Core/Calls/DryRun.ts"
import { parsedUrl } from "../../../Services/Core/Outside/ParsedUrl.ts"
import {
  OutboundFailure,
  type OutboundFailureReason,
  OutboundHttp,
  type OutboundRequest,
  type OutboundStreamedResponse
} from "../../../Services/Outbound/OutboundHttp.ts"
import type { Tenant } from "../Fairness/FairSemaphore.ts"
import { addressNotPublic, type Destination, destinationOf, redirectTarget } from "./Destination.ts"
import { boundInformationalAnswers } from "./InformationalAnswers.ts"
import { makeKeptConnections } from "./KeptConnections.ts"
import { lookupBy, type NameQuestion, type ResolveName } from "./NameResolver.ts"
import { OutboundPolicy } from "./OutboundPolicy.ts"

const defaultTimeout = Duration.seconds(30)
const defaultMaxResponseBytes = 10 * 1024 * 1024
const maximumRedirects = 5
const redirectStatuses = new Set([301, 302, 303, 307, 308])

/** True if the request follows redirects. Only requests without side effects do. */
const followsRedirects = ({ method, redirect }: OutboundRequest): boolean =>
  redirect === "same-host" && (method === "GET" || method === "HEAD")

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

/** The reason, passed through `node:net`, why no connection was made: the address is not allowed. */
class ForbiddenAddress extends Data.TaggedError("ForbiddenAddress") {}

/** A request that is running, including its redirects. */
interface PendingRequest {
  phase: "connecting" | "securing" | "sent"
  hasTimedOut: boolean
  sent: http.ClientRequest | undefined
}

const codeOf = (error: unknown): string =>
  Predicate.hasProperty(error, "code") && typeof error.code === "string" ? error.code : ""

const unresolved = new Set(["ENOTFOUND", "ENODATA", "EAI_NONAME"])

const reasonOf = (error: unknown, phase: PendingRequest["phase"]): OutboundFailureReason => {
  const code = codeOf(error)
  if (phase === "connecting" && unresolved.has(code)) return "host_not_found"
  if (phase === "securing" && code !== "ECONNRESET" && code !== "EPIPE") return "tls_failed"
  return phase === "sent" && code.startsWith("HPE_") ? "response_unreadable" : "connection_failed"
}

/**
 * Resolves the host and checks its addresses. It replaces the connection's own DNS look-up, because a second look-up
 * after the check could return another address. One forbidden address among several is enough to refuse.
 */
const checkedLookup = (destination: Destination, resolve: ResolveName, question: NameQuestion): LookupFunction =>
  lookupBy(resolve, question, (addresses) =>
    addresses.every(({ address }) => destination.mayConnectTo(address)) ? undefined : new ForbiddenAddress()
  )

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

/** Prepares a request that is aborted when the scope ends or the request's time limit is reached. */
const openRequest = (request: OutboundRequest): Effect.Effect<PendingRequest, never, Scope.Scope> =>
  Effect.gen(function* () {
    const pending: PendingRequest = { phase: "connecting", hasTimedOut: false, sent: undefined }
    yield* Effect.addFinalizer(() => Effect.sync(() => pending.sent?.destroy()))
    const timeOut = Effect.sync(() => {
      pending.hasTimedOut = true
      pending.sent?.destroy(new Error("timed out"))
    })
    // A caller that may not be interrupted would otherwise wait for the whole time limit after its answer.
    yield* Effect.forkScoped(Effect.interruptible(Effect.delay(timeOut, request.timeout ?? defaultTimeout)))
    return pending
  })

const failure = (pending: PendingRequest, reason: OutboundFailureReason) =>
  new OutboundFailure({
    reason: pending.hasTimedOut ? "timed_out" : reason,
    mayHaveArrived: pending.phase === "sent"
  })

/** The source of connections: the pool of reusable ones, or the look-up for a new one. */
interface Connections {
  readonly lookup: LookupFunction
  readonly agent: http.Agent | false
  readonly ca: ReadonlyArray<string> | undefined
}

/** Sends the request and waits for the head of the answer. */
const send = (
  pending: PendingRequest,
  { hostname, mayConnectTo, url }: Destination,
  request: OutboundRequest,
  { agent, ca, lookup }: Connections
): Effect.Effect<http.IncomingMessage, Refused | OutboundFailure> =>
  Effect.async((resume) => {
    const isSecure = url.protocol === "https:"
    const start = (): http.ClientRequest | undefined => {
      try {
        return (isSecure ? https : http).request({
          method: request.method,
          protocol: url.protocol,
          hostname,
          port: url.port === "" ? undefined : url.port,
          path: `${url.pathname}${url.search}`,
          headers: { "user-agent": "prospecting-gateway", "accept-encoding": "identity", ...request.headers },
          agent,
          lookup,
          ...(ca !== undefined && agent === false ? { ca: [...ca] } : {})
        })
      } catch {
        return undefined
      }
    }
    const sent = start()
    if (sent === undefined) return resume(Effect.fail(headerInvalid))
    pending.sent = sent
    pending.phase = "connecting"
    boundInformationalAnswers(sent)
    sent.on("error", (error) =>
      resume(
        Effect.fail(
          error instanceof ForbiddenAddress ? addressNotPublic : failure(pending, reasonOf(error, pending.phase))
        )
      )
    )
    sent.once("socket", (socket) => {
      // Checks the address that the socket is connected to against this request's rule, because the connection may have
      // been made for another request.
      const connected = (phase: PendingRequest["phase"]) => {
        if (!mayConnectTo(socket.remoteAddress ?? "")) socket.destroy(new ForbiddenAddress())
        else pending.phase = phase
      }
      if (sent.reusedSocket) return connected("sent")
      socket.once("connect", () => connected(isSecure ? "securing" : "sent"))
      socket.once("secureConnect", () => {
        pending.phase = "sent"
      })
    })
    sent.once("response", (response) => {
      // Without a listener, a broken connection whose body is not read would crash the process.
      response.on("error", () => {})
      resume(Effect.succeed(response))
    })
    // If a server switches to another protocol, Node reports neither an error nor an answer. Every request emits
    // `close`, so the failure comes from there.
    sent.once("close", () => resume(Effect.failSync(() => failure(pending, "response_unreadable"))))
    sent.end(request.body)
  })

const noBytes = new Uint8Array(0)
const ignoredBytes = 64 * 1024
const ignoredTime = Duration.seconds(1)

/**
 * Reads and drops the rest of an answer, so that its connection can be reused. Returns its first bytes. If the rest is
 * long or slow, the connection closes.
 */
const ignoreBody = (response: http.IncomingMessage, firstBytes: number): Effect.Effect<Uint8Array> =>
  Effect.suspend(() => {
    const beginning: Array<Uint8Array> = []
    let read = 0
    return Effect.async<void>((resume) => {
      response.on("data", (chunk: Uint8Array) => {
        if (read < firstBytes) beginning.push(chunk.subarray(0, firstBytes - read))
        read += chunk.length
        if (read > ignoredBytes) resume(Effect.void)
      })
      response.once("close", () => resume(Effect.void))
    }).pipe(
      Effect.timeoutOption(ignoredTime),
      Effect.map(() => Buffer.concat(beginning))
    )
  })

/** Returns the answer. Its body is a stream, limited to the bytes that the request allows. */
const answerOf = (
  pending: PendingRequest,
  request: OutboundRequest,
  response: http.IncomingMessage
): Effect.Effect<OutboundStreamedResponse, OutboundFailure> => {
  if (request.responseBody !== undefined) {
    const head = { status: response.statusCode ?? 0, headers: joinedHeaders(response.headers), body: Stream.empty }
    const firstBytes = request.responseBody === "ignored" ? 0 : request.responseBody.firstBytes
    return firstBytes > 0 || request.keepConnection === true
      ? Effect.map(ignoreBody(response, firstBytes), (bytes) => ({ ...head, body: Stream.make(bytes) }))
      : Effect.succeed(head)
  }
  const maximum = request.maxResponseBytes ?? defaultMaxResponseBytes
  const announced = request.method === "HEAD" ? 0 : Number(response.headers["content-length"] ?? 0)
  if (announced > maximum) return Effect.fail(failure(pending, "response_too_large"))
  if (isEncoded(response) && request.mayBeEncoded !== true) return Effect.fail(failure(pending, "response_unreadable"))
  const bytes = Stream.fromAsyncIterable<Uint8Array, OutboundFailure>(response, () =>
    failure(pending, "connection_failed")
  )
  // If a body lasts until its connection closes, ending it here would look like its regular end.
  const whole = Stream.concat(
    bytes,
    Stream.suspend(() => (pending.hasTimedOut ? Stream.fail(failure(pending, "timed_out")) : Stream.empty))
  )
  const body = Stream.mapAccumEffect(whole, 0, (before, chunk) => {
    const read = before + chunk.length
    return read > maximum ? failure(pending, "response_too_large") : Effect.succeed([read, chunk] as const)
  })
  return Effect.succeed({ status: response.statusCode ?? 0, headers: joinedHeaders(response.headers), body })
}

const make = Effect.gen(function* () {
  const { allowLoopback, certificateAuthorities, resolve } = yield* OutboundPolicy
  const ca = certificateAuthorities === undefined ? undefined : [...rootCertificates, ...certificateAuthorities]
  const keptConnections = yield* makeKeptConnections(ca === undefined ? undefined : createSecureContext({ ca }))

  const sendOnConnection = (
    pending: PendingRequest,
    destination: Destination,
    request: OutboundRequest,
    party: Tenant
  ): Effect.Effect<http.IncomingMessage, Refused | OutboundFailure> => {
    const lookup = checkedLookup(destination, resolve, { party, isOperators: request.allowNonPublic === true })
    const onNewConnection = send(pending, destination, request, { lookup, ca, agent: false })
    if (request.keepConnection !== true) return onNewConnection
    const agent = keptConnections(destination.url.protocol === "https:")
    return Effect.catchTag(send(pending, destination, request, { lookup, ca, agent }), "OutboundFailure", (error) =>
      pending.sent?.reusedSocket === true && error.reason === "connection_failed" ? onNewConnection : Effect.fail(error)
    )
  }

  const follow = (
    pending: PendingRequest,
    request: OutboundRequest,
    url: string,
    redirectsLeft: number,
    party: Tenant
  ): Effect.Effect<http.IncomingMessage, Refused | OutboundFailure> =>
    Effect.gen(function* () {
      const destination = yield* destinationOf(url, request, allowLoopback)
      const { hostname, port, protocol } = destination.url
      yield* Effect.annotateCurrentSpan({
        "server.address": hostname,
        "server.port": Number(port || (protocol === "https:" ? 443 : 80))
      })
      const response = yield* sendOnConnection(pending, destination, request, party)
      const { location } = response.headers
      const isRedirect = redirectStatuses.has(response.statusCode ?? 0) && location !== undefined
      if (!isRedirect || !followsRedirects(request)) return response
      pending.sent?.destroy()
      if (redirectsLeft === 0) return yield* tooManyRedirects
      if (pending.hasTimedOut) return yield* failure(pending, "timed_out")
      return yield* follow(pending, request, yield* redirectTarget(destination.url, location), redirectsLeft - 1, party)
    })

  const stream = (request: OutboundRequest) =>
    Effect.gen(function* () {
      if (request.isRead !== true && request.method !== "GET" && request.method !== "HEAD") {
        yield* stopDryRun(parsedUrl(request.url)?.hostname ?? "a provider")
      }
      const pending = yield* openRequest(request)
      const caller = yield* Effect.serviceOption(Caller)
      const party = request.account ?? Option.getOrUndefined(caller)?.accountId
      const response = yield* follow(pending, request, request.url, maximumRedirects, party)
      return yield* answerOf(pending, request, response)
    }).pipe(
      Effect.tap(({ status }) => Effect.annotateCurrentSpan("http.response.status_code", status)),
      // Path and query are left out, because both can contain keys.
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
          request.responseBody === "ignored"
            ? Effect.succeed({ ...response, body: noBytes })
            : Effect.map(Stream.runCollect(response.body), (chunks) => ({
                ...response,
                body: Buffer.concat([...chunks])
              }))
        )
      )
  })
})

export const OutboundHttpNode = Layer.scoped(OutboundHttp, make)
