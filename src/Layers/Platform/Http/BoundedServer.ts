import { createServer, type Server } from "node:http"
import { admitConnections, mostConnections } from "./Admission/ConnectionAdmission.ts"
import { type ConnectionArrivals, makeConnectionArrivals } from "./Admission/ConnectionArrivals.ts"
import type { Refusals } from "./Admission/Refusals.ts"
import { pacedResponses } from "./Answers/PacedResponse.ts"
import type { TrustedProxies } from "./ClientAddress.ts"
import { answerMalformedRequests } from "./MalformedRequests.ts"

/** Time limits of a connection in milliseconds. */
export interface ConnectionTimes {
  /** From the connection, or from the previous request, to the last header. */
  readonly headers: number
  /** From the connection, or from the previous request, to the last byte of the body. */
  readonly request: number
  /** Between two requests on one connection. */
  readonly keepAlive: number
  /** The longest time without a byte in either direction. A client that does not read its answer keeps it in memory. */
  readonly silence: number
  /** How often the server looks for connections past their limits. */
  readonly check: number
}

export const usualTimes: ConnectionTimes = {
  headers: 30_000,
  request: 120_000,
  keepAlive: 65_000,
  silence: 130_000,
  check: 10_000
}

export interface BoundedServerOptions {
  readonly times?: ConnectionTimes
  readonly isProxy?: TrustedProxies
  readonly places?: number
  /** Notified of new connections, so that other work of the process pauses. */
  readonly arrivals?: ConnectionArrivals["Type"]
  /** Decides when refused callers get their answer. By default it uses the clock of the process. */
  readonly refusals?: Refusals
}

/** Makes a server that limits the time of every phase of a connection, and answers malformed requests. */
export const boundedServer = ({
  arrivals = makeConnectionArrivals(),
  isProxy = () => false,
  places = mostConnections,
  refusals,
  times = usualTimes
}: BoundedServerOptions = {}): Server => {
  const server = createServer({
    ServerResponse: pacedResponses(arrivals, isProxy, refusals),
    headersTimeout: times.headers,
    requestTimeout: times.request,
    keepAliveTimeout: times.keepAlive,
    connectionsCheckingInterval: times.check,
    // MalformedRequests.ts checks the header, so that the answer has the gateway's shape.
    requireHostHeader: false
  })
  // Node would drop surplus headers silently. Their size is limited, and MalformedRequests.ts refuses too many.
  server.maxHeadersCount = 0
  // Without a listener for the time-out, Node closes a silent socket, whatever it is doing.
  server.setTimeout(times.silence)
  admitConnections(server, { isProxy, arrivals, places })
  answerMalformedRequests(server)
  return server
}
