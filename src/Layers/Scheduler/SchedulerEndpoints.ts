import { HttpRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { AccessTokens } from "../../Services/Accounts/Tokens/AccessTokens.ts"
import type { SimulatedConsents } from "../../Services/Connections/OAuth.ts"
import type { SimulatedScheduler } from "../../Services/Scheduler/Scheduler.ts"
import { endpointBody } from "../Platform/Http/Bodies/RequestBody.ts"
import { type Endpoint, type RequestScope, refusal } from "../Platform/Http/Endpoint.ts"
import { refusedAnswer, transientAnswer } from "../Platform/Http/EndpointAnswers.ts"
import type { Settings } from "../Platform/Settings.ts"
import { BookingNotices } from "./BookingNotices.ts"
import type { SchedulerTransport } from "./CalendlyApi.ts"
import { noticePath } from "./SchedulerWork.ts"

import { schedulerSandboxEndpoints } from "./sandbox/CalendlySandboxEndpoints.ts"

const largestNotice = 256 * 1024

const unknownAddress = refusal(404, "UnknownRoute", "There is no such route.", "The subscription's address is another.")
const forged = refusal(401, "Unauthorized", "The signature is missing, wrong or too old.", "Sign with the app's key.")
const unreadable = refusal(400, "JsonException", "The body is not a notice.", "Send the notice as it was signed.")

/** The address for the scheduler's notices, and the sandbox's routes. */
export const schedulerEndpoints: Effect.Effect<
  ReadonlyArray<Endpoint<RequestScope>>,
  never,
  AccessTokens | BookingNotices | SchedulerTransport | Settings | SimulatedConsents | SimulatedScheduler | SqlClient
> = Effect.gen(function* () {
  const notices = yield* BookingNotices
  const sandboxEndpoints = yield* schedulerSandboxEndpoints

  const noticed = Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { key = "" } = yield* HttpRouter.params
    const signature = request.headers["calendly-webhook-signature"]
    if (signature === undefined) return forged
    const body = yield* endpointBody({ limit: largestNotice })
    switch (yield* notices.take(key, signature, body)) {
      case "taken":
        return HttpServerResponse.empty({ status: 200 })
      case "forged":
        return forged
      case "unreadable":
        return unreadable
      case "unknown_address":
        return unknownAddress
    }
  }).pipe(
    Effect.catchTags({
      RequestRefused: (refusal) => Effect.succeed(refusedAnswer(refusal)),
      Transient: (failure) => Effect.succeed(transientAnswer(failure))
    })
  )

  return [{ path: `${noticePath}/:key`, methods: { POST: noticed } }, ...sandboxEndpoints]
})
