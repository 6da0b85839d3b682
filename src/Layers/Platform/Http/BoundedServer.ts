import { createServer, type Server } from "node:http"
import { admitConnections } from "./ConnectionAdmission.ts"
import { answerMalformedRequests } from "./MalformedRequests.ts"
import { AnswerInTime } from "./Refusals.ts"

/** How long things may take, in milliseconds. */
export interface ConnectionTimes {
  /** From the connection, or the request before, to the last header. */
  readonly headers: number
  /** To the last byte of the body. */
  readonly request: number
  /** Between two requests on one connection. */
  readonly keepAlive: number
  /** Without a byte in either direction: whoever does not read an answer keeps it in memory. */
  readonly silence: number
  /** How often connections are looked over. */
  readonly check: number
}

export const usualTimes: ConnectionTimes = {
  headers: 30_000,
  request: 120_000,
  keepAlive: 65_000,
  silence: 130_000,
  check: 10_000
}

/** More than callers need, and fewer than a process has file handles for. */
const mostConnections = 10_000

/** A server that bounds how long a connection may take for anything, and answers what is malformed. */
export const boundedServer = (
  times: ConnectionTimes = usualTimes,
  isProxy: (address: string) => boolean = () => false
): Server => {
  const server = createServer({
    ServerResponse: AnswerInTime,
    headersTimeout: times.headers,
    requestTimeout: times.request,
    keepAliveTimeout: times.keepAlive,
    connectionsCheckingInterval: times.check,
    // Judged here, so that the answer has the gateway's shape.
    requireHostHeader: false
  })
  server.maxConnections = mostConnections
  // None is dropped: their size is bounded, and their number is refused.
  server.maxHeadersCount = 0
  // Without a listener of ours the socket is ended, whatever it was doing.
  server.setTimeout(times.silence)
  admitConnections(server, { isProxy })
  answerMalformedRequests(server)
  return server
}
