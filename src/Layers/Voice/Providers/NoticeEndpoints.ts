import { HttpRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { Voice } from "../../../Services/Voice/Voice.ts"
import { type Endpoint, type RequestScope, refusal } from "../../Platform/Http/Endpoint.ts"
import { VoiceCallCompletion } from "../Calls/CallCompletion.ts"
import { type NoticeReading, type NoticeRoute, VoiceNotices } from "./Notices.ts"
import { readBody } from "./RequestBytes.ts"

const accepted = HttpServerResponse.empty({ status: 204 })
const forgedRequest = refusal(
  401,
  "Forged",
  "The signature is missing, wrong or too old.",
  "Sign the body with the shared secret."
)
const unreadableRequest = refusal(
  400,
  "InvalidRequestBody",
  "The report cannot be read.",
  "Send it as the provider documents it."
)
const later = refusal(
  503,
  "Transient",
  "The report cannot be stored for the moment.",
  "Send it again in some seconds.",
  {
    "Retry-After": "5"
  }
)

/**
 * The routes for the provider's reports on calls. A new report advances its call. Repeated and late reports, and
 * reports about unknown calls, change nothing.
 */
export const voiceNoticeEndpoints: Effect.Effect<
  ReadonlyArray<Endpoint<RequestScope>>,
  never,
  Voice | VoiceNotices | VoiceCallCompletion | UnitOfWork
> = Effect.gen(function* () {
  const unit = yield* UnitOfWork
  const completion = yield* VoiceCallCompletion
  const { provider } = yield* Voice
  const { rows } = completion

  const apply = (notice: Extract<NoticeReading, { readonly _tag: "Notice" }>) =>
    unit.write(
      Effect.gen(function* () {
        const { providerCallId, reference } = notice
        const byReference = reference === undefined ? undefined : yield* rows.lockByReference(provider, reference)
        const row = byReference ?? (yield* rows.lockByProviderId(provider, providerCallId))
        if (row !== undefined) yield* completion.heard([{ row, call: notice }])
      })
    )

  const receive = (route: NoticeRoute) =>
    Effect.gen(function* () {
      const { headers } = yield* HttpServerRequest.HttpServerRequest
      const { params } = yield* HttpRouter.RouteContext
      if (headers[route.signatureHeader] === undefined) return forgedRequest
      const body = yield* readBody(route.bodyLimit)
      const reading = yield* route.read({ headers, body, reference: params["reference"] })
      switch (reading._tag) {
        case "Forged":
          return forgedRequest
        case "Unreadable":
          return unreadableRequest
        case "Ignored":
          return accepted
        case "Notice":
          return yield* Effect.as(apply(reading), accepted)
      }
    }).pipe(
      Effect.withSpan("Voice.notice", { captureStackTrace: false }),
      Effect.catchTags({
        BodyRefused: ({ response }) => Effect.succeed(response),
        Transient: () => Effect.succeed(later)
      })
    )

  const routes = yield* VoiceNotices
  return routes.map((route): Endpoint<RequestScope> => ({ path: route.path, methods: { POST: receive(route) } }))
})
