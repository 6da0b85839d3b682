import { ConfigProvider, Duration, Effect, Layer, Option, Schema } from "effect"
import { Operations } from "../../../src/Layers/App.ts"
import { App } from "../../../src/Layers/Gateway.ts"
import { TouchLoopTiming } from "../../../src/Layers/Outreach/ClaimTouches.ts"
import { DatabaseLocation } from "../../../src/Layers/Platform/Postgres/Database.ts"
import { Accounts } from "../../../src/Services/Accounts/Accounts.ts"
import { AccessTokens } from "../../../src/Services/Accounts/Tokens/AccessTokens.ts"
import { Caller } from "../../../src/Services/Core/Calls/Caller.ts"
import type { MovableClock } from "../MovableClock.ts"
import { freePort, temporaryDirectory } from "./GatewayProcess.ts"

/** The whole gateway, as `serve` starts it, with an account and a way to call its tools over HTTP. */
export interface RunningGateway {
  readonly baseUrl: string
  readonly ownerEmail: string
  /** Calls a tool and decodes its answer with the schema. Any failure is a defect. */
  readonly call: <A, I>(tool: string, answer: Schema.Schema<A, I>, args?: object) => Effect.Effect<A>
  /** Calls a tool that must refuse. Returns the `reason`. */
  readonly refusal: (tool: string, args: object) => Effect.Effect<string>
}

const Refusal = Schema.Struct({ type: Schema.Literal("Refused"), reason: Schema.String })

const ownerEmail = "owner@ondas.example"

/** Created as an operator does, so that the gateway finds it at its first start. */
const ownerToken = Effect.gen(function* () {
  const accounts = yield* Accounts
  const tokens = yield* AccessTokens
  const accountId = yield* accounts.create({
    name: "Ondas Software",
    email: ownerEmail,
    phone: undefined,
    business: "Ondas Software",
    sender: "Helena Prado",
    plan: "paid"
  })
  const caller = Caller.forTask(accountId, "paid", "test")
  const createdToken = tokens.generate({ label: "Owner", expiresAt: Option.none() })
  return (yield* Effect.provideService(createdToken, Caller, caller)).token
})

/**
 * Starts the gateway on the test file's database and a free port, with all of its background work, on the clock.
 * `environment` contains its other settings. It stops with the scope.
 */
export const runGateway = ({ clock }: MovableClock, environment: { readonly [name: string]: string }) =>
  Effect.gen(function* () {
    const { database, host, port, user } = (yield* DatabaseLocation).connection
    const listenPort = yield* freePort
    const settings = new Map([
      ["PORT", `${listenPort}`],
      ["DATA_DIR", yield* temporaryDirectory],
      ["DATABASE_URL", `postgres://${user}@/${database}?host=${host}&port=${port}`],
      ["LOG_LEVEL", "OFF"],
      ["TRACE_SAMPLE_RATIO", "0"],
      ...Object.entries(environment)
    ])
    const underSettings = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      effect.pipe(Effect.withConfigProvider(ConfigProvider.fromMap(settings)), Effect.withClock(clock), Effect.orDie)

    const token = yield* underSettings(Effect.provide(ownerToken, Operations))
    yield* underSettings(
      Layer.build(Layer.provide(App, Layer.succeed(TouchLoopTiming, { pause: Duration.millis(100) })))
    )

    const baseUrl = `http://127.0.0.1:${listenPort}`
    const ask = (tool: string, args: object) =>
      Effect.promise(async () => {
        const response = await fetch(`${baseUrl}/rest/v1/tools/${tool}`, {
          method: "POST",
          headers: { Authorization: `Bearer ${token}` },
          body: JSON.stringify(args)
        })
        return { status: response.status, text: await response.text() }
      })
    const gateway: RunningGateway = {
      baseUrl,
      ownerEmail,
      call: (tool, answer, args = {}) =>
        Effect.gen(function* () {
          const { status, text } = yield* ask(tool, args)
          if (status !== 200) return yield* Effect.dieMessage(`${tool}: ${status} ${text}`)
          return yield* Effect.orDie(
            Schema.decodeUnknown(Schema.parseJson(answer), { onExcessProperty: "error" })(text)
          )
        }),
      refusal: (tool, args) =>
        Effect.gen(function* () {
          const { status, text } = yield* ask(tool, args)
          if (status !== 422) return yield* Effect.dieMessage(`${tool}: ${status} ${text}`)
          return (yield* Effect.orDie(Schema.decodeUnknown(Schema.parseJson(Refusal))(text))).reason
        })
    }
    return gateway
  })
