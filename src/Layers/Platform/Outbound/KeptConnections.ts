import * as http from "node:http"
import * as https from "node:https"
import type { Duplex } from "node:stream"
import type { SecureContext } from "node:tls"
import { Effect, type Scope } from "effect"

/** Bounded, so that the gateway follows a receiver that moves to another address. */
const maximumAgeMillis = 120_000

const options: http.AgentOptions = {
  keepAlive: true,
  maxFreeSockets: 64,
  // Closes connections that were idle for this long.
  timeout: 20_000
}

/** Whether a connection is young enough to serve another request. */
type IsYoung = (connection: Duplex) => boolean

// The library closes the connection if the answer is false, which its types leave out.
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

/** Connections that are reused by later requests, by protocol. All close with the scope. */
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
