import type { HttpServerResponse } from "@effect/platform"
import { Data, Effect } from "effect"
import { endpointBody } from "../../Platform/Http/Bodies/RequestBody.ts"
import { type RequestScope, refusal } from "../../Platform/Http/Endpoint.ts"

/** The body was refused. `response` contains the reason. */
export class BodyRefused extends Data.TaggedError("BodyRefused")<{
  readonly response: HttpServerResponse.HttpServerResponse
}> {}

/** The unchanged body of the request, at most `limit` bytes. */
export const readBody = (limit: number): Effect.Effect<Uint8Array, BodyRefused, RequestScope> =>
  endpointBody({ limit }).pipe(
    Effect.catchTags({
      RequestRefused: ({ detail, error, status, type }) =>
        new BodyRefused({ response: refusal(status, type, error, detail, { Connection: "close" }) }),
      Transient: ({ detail, error }) =>
        new BodyRefused({ response: refusal(503, "Transient", error, detail, { "Retry-After": "2" }) })
    })
  )
