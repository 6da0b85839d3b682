import { createHash, timingSafeEqual } from "node:crypto"
import { type HttpRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Clock, Effect, Option, Redacted } from "effect"
import { IntegrationModes } from "../../../Services/Core/Outside/IntegrationModes.ts"
import { OutsideHealth } from "../../../Services/Core/Outside/OutsideHealth.ts"
import { ProviderModels } from "../../../Services/Core/Outside/ProviderModels.ts"
import { serverVersion } from "../../../Services/Core/Outside/ServerVersion.ts"
import { vendors } from "../../../Services/Outbound/Vendors/AllVendors.ts"
import { endingVersions } from "../../../Services/Outbound/Vendors/Vendor.ts"
import { Metrics } from "../Metrics.ts"
import { DatabasePools } from "../Postgres/Database.ts"
import { Settings } from "../Settings.ts"
import { isReplaced } from "../Workers/WorkerProcess.ts"
import { bearerToken, type Mount, refusal } from "./Endpoint.ts"

const noSuchRoute = refusal(
  404,
  "UnknownRoute",
  "There is no such route.",
  "The figures are on the address that the operator keeps for them."
)

const noToken = refusal(
  401,
  "Unauthorized",
  "The figures are for the operator.",
  "Send the header Authorization: Bearer <OPERATIONS_TOKEN>.",
  { "WWW-Authenticate": "Bearer" }
)

const digest = (text: string): Buffer => createHash("sha256").update(text).digest()

/**
 * The pages about the gateway's state (health, metrics). If the operator has a separate address for them, the public
 * address reports only whether the gateway is ready.
 */
export const makeOperationsPages = (address: "public" | "operations", isDraining: () => boolean, mount: Mount) =>
  Effect.gen(function* () {
    const { operations, operationsToken } = yield* Settings
    const { quick } = yield* DatabasePools
    const metrics = yield* Metrics
    const isElsewhere = address === "public" && operations !== undefined
    const expected = Option.map(operationsToken, (token) => digest(Redacted.value(token)))

    const isOperator = Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => {
      if (Option.isNone(expected)) return true
      const token = bearerToken(headers)
      return token !== undefined && timingSafeEqual(digest(token), expected.value)
    })

    const readiness = Effect.gen(function* () {
      const services = yield* IntegrationModes
      const connections = yield* (yield* OutsideHealth).states
      const models = yield* (yield* ProviderModels).states
      // Uses a database session that calls never take, so that a busy gateway is not reported as down.
      const isDatabaseUp = yield* Effect.tryPromise(() => quick.query("select 1")).pipe(
        Effect.timeout("2 seconds"),
        Effect.as(true),
        Effect.orElseSucceed(() => false)
      )
      const isLeaving = isDraining() && !(address === "public" && isReplaced())
      const isReady = isDatabaseUp && !isLeaving
      const status = isReady ? "ready" : isLeaving ? "stopping" : "not_ready"
      const showsDetails = !isElsewhere && (yield* isOperator)
      return HttpServerResponse.unsafeJson(
        showsDetails
          ? {
              status,
              server_version: serverVersion,
              database: isDatabaseUp ? "up" : "down",
              services,
              connections,
              ending_vendor_versions: endingVersions(vendors, yield* Clock.currentTimeMillis),
              models
            }
          : { status, server_version: serverVersion },
        isReady ? { status: 200 } : { status: 503, headers: { "Retry-After": "2" } }
      )
    })

    const figures = isElsewhere
      ? Effect.succeed(noSuchRoute)
      : Effect.if(isOperator, {
          onTrue: () =>
            Effect.map(metrics.render, (page) => HttpServerResponse.text(page, { contentType: metrics.contentType })),
          onFalse: () => Effect.succeed(noToken)
        })

    return <E, R>(router: HttpRouter.HttpRouter<E, R>) =>
      router.pipe(
        mount({
          path: "/health/live",
          isPolled: true,
          methods: { GET: HttpServerResponse.unsafeJson({ status: "live", server_version: serverVersion }) }
        }),
        mount({ path: "/health/ready", isPolled: true, methods: { GET: readiness } }),
        mount({ path: "/metrics", isPolled: true, methods: { GET: figures } })
      )
  })
