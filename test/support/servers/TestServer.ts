import { NodeContext } from "@effect/platform-node"
import { Effect, Layer, Logger, LogLevel, Option } from "effect"
import { AccessTokensPostgres } from "../../../src/Layers/Accounts/Tokens/AccessTokensPostgres.ts"
import { Domain, gatewayAccesses, gatewayLanes, rooms } from "../../../src/Layers/App.ts"
import { hostLane } from "../../../src/Layers/Gateway.ts"
import { EventLoopLive } from "../../../src/Layers/Platform/Fairness/BackgroundScheduler.ts"
import { type ServedTools, ServerAddress, serverLayer } from "../../../src/Layers/Platform/Http/Server.ts"
import { metricsLayer } from "../../../src/Layers/Platform/Metrics.ts"
import { Settings, type SettingsShape } from "../../../src/Layers/Platform/Settings.ts"
import { TestGatewaysLive } from "../../../src/Layers/TestGateways/TestGateways.ts"
import type { Plan } from "../../../src/Services/Accounts/Ids.ts"
import { AccessTokens } from "../../../src/Services/Accounts/Tokens/AccessTokens.ts"
import type { Caller } from "../../../src/Services/Core/Calls/Caller.ts"
import { JobEngine } from "../../../src/Services/Jobs/JobEngine.ts"
import { AllTools } from "../../../src/Tools/AllTools.ts"
import type { Catalog } from "../../../src/Tools/Core/Catalog.ts"
import { PlatformTools } from "../../../src/Tools/PlatformTools.ts"
import { FewKeyPairs } from "../processes/FewKeyPairs.ts"
import { as, makeAccount } from "../TestAccount.ts"
import { TestDatabase } from "../TestDatabase.ts"

export const testSettings: SettingsShape = {
  host: "127.0.0.1",
  workers: 1,
  port: 0,
  operations: undefined,
  operationsToken: Option.none(),
  baseUrl: "http://gateway.test",
  dataDir: ".data",
  databaseUrl: Option.none(),
  replicaUrl: Option.none(),
  replicaLag: 5,
  poolSize: 5,
  jobConcurrency: 2,
  stopDelay: 0,
  bodyLimit: 64 * 1024,
  bodyBufferLimit: 4 * 1024 * 1024,
  uploadLimit: 1024 * 1024,
  rateLimits: { perToken: undefined, perAccount: undefined },
  accountStorageLimit: 64 * 1024 * 1024,
  mailDomain: "mail.example.com",
  siteDomain: "sites.test",
  trustedProxies: () => false,
  outboundAllowLoopback: false,
  logLevel: LogLevel.None,
  otlpEndpoint: Option.none(),
  traceSampleRatio: 0
}

/** These tests run no background work. The engine has separate tests. */
const IdleEngine = Layer.succeed(JobEngine, {
  isWorking: Effect.succeed(true),
  jobCounts: Effect.succeed({
    jobs: { queued: 1, running: 0, finished: 0, failed: 0, cancelled: 0 },
    tasks: { ready: 2, scheduled: 0, running: 0, failed: 0 },
    oldestDueSeconds: 3
  })
})

type PlatformServices = typeof PlatformTools extends Catalog<infer R> ? Exclude<R, Caller> : never

/** A server of `catalog` on a free port, over the test file's database. */
export const testServer = <R>(catalog: Catalog<R | Caller>, settings: Partial<SettingsShape> = {}) => {
  const tools: ServedTools<R | PlatformServices | Caller> = { product: catalog, platform: PlatformTools }
  return serverLayer(tools, rooms.endpoints, gatewayLanes(tools), hostLane, gatewayAccesses).pipe(
    Layer.provide(TestGatewaysLive),
    Layer.provide(metricsLayer(rooms.figures)),
    Layer.provide(IdleEngine),
    Layer.provide(EventLoopLive),
    Layer.provideMerge(AccessTokensPostgres),
    Layer.provideMerge(Layer.provide(Domain, FewKeyPairs)),
    Layer.provideMerge(TestDatabase),
    Layer.provideMerge(Layer.succeed(Settings, { ...testSettings, ...settings })),
    Layer.provide(Logger.minimumLogLevel(LogLevel.None)),
    Layer.provideMerge(NodeContext.layer)
  )
}

/** The whole gateway without its background work. */
export const testGateway = (settings: Partial<SettingsShape> = {}) => testServer(AllTools, settings)

/** Makes an account with a token. */
export const makeTokenHolder = (plan: Plan = "paid") =>
  Effect.gen(function* () {
    const tokens = yield* AccessTokens
    const caller = yield* makeAccount(plan)
    const { token } = yield* as(caller)(tokens.generate({ label: "test", expiresAt: Option.none() }))
    return { caller, token }
  })

export interface HttpAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed body; undefined if it is not JSON. */
  readonly json: unknown
}

/** Sends a request to the server under test. `path` begins with a slash. */
export const send = (
  path: string,
  options: {
    readonly method?: string
    readonly token?: string
    readonly body?: string | Uint8Array
    readonly headers?: Readonly<Record<string, string>>
  } = {}
) =>
  Effect.gen(function* () {
    const { host, port } = yield* ServerAddress
    return yield* Effect.promise(async (): Promise<HttpAnswer> => {
      const response = await fetch(`http://${host}:${port}${path}`, {
        method: options.method ?? "GET",
        headers: {
          ...(options.token === undefined ? {} : { Authorization: `Bearer ${options.token}` }),
          ...options.headers
        },
        ...(options.body === undefined ? {} : { body: options.body }),
        redirect: "manual"
      })
      const text = await response.text()
      return { status: response.status, headers: response.headers, text, json: jsonOf(text) }
    })
  })

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
