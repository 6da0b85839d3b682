import * as http from "node:http"
import * as https from "node:https"
import type { Duplex } from "node:stream"
import type { SecureContext } from "node:tls"
import { Effect, type Scope } from "effect"

/**
 * The longest time for which a connection is reused. It is limited so that the gateway follows a receiver that moves to
 * another address.
 */
const maximumAgeMillis = 120_000

const options: http.AgentOptions = {
  keepAlive: true,
  maxFreeSockets: 64,
  // Connections that were idle for this many milliseconds are closed.
  timeout: 20_000
}

/** Returns whether a connection is young enough to serve another request. */
type IsYoung = (connection: Duplex) => boolean

// `http.Agent` closes the connection if `keepSocketAlive` returns false, which its types leave out.
const isKept = (answer: unknown): boolean => answer !== false

class KeptHttp extends http.Agent {
  constructor(private readonly isYoung: IsYoung) {
    super(options)
  }
  override keepSocketAlive(connection: Duplex): boolean {
    return this.isYoung(connection) && isKept(super.keepSocketAlive(connection))
  }
}

class KeptHttps extends https.Agent {
  constructor(
    private readonly isYoung: IsYoung,
    secureContext: SecureContext | undefined
  ) {
    super({ ...options, secureContext })
  }
  override keepSocketAlive(connection: Duplex): boolean {
    return this.isYoung(connection) && isKept(super.keepSocketAlive(connection))
  }
}

/**
 * Makes the agents whose connections are reused by later requests, one per protocol. All connections close with the
 * scope.
 */
export const makeKeptConnections = (
  secureContext: SecureContext | undefined
): Effect.Effect<(isSecure: boolean) => http.Agent, never, Scope.Scope> =>
  Effect.gen(function* () {
    const clock = yield* Effect.clock
    const firstUsed = new WeakMap<Duplex, number>()
    const isYoung: IsYoung = (connection) => {
      const now = clock.unsafeCurrentTimeMillis()
      const since = firstUsed.get(connection) ?? now
      firstUsed.set(connection, since)
      return now - since < maximumAgeMillis
    }
    const plain = new KeptHttp(isYoung)
    const secure = new KeptHttps(isYoung, secureContext)
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        plain.destroy()
        secure.destroy()
      })
    )
    return (isSecure) => (isSecure ? secure : plain)
  })
