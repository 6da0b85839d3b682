import { HttpServerRequest, type HttpServerResponse } from "@effect/platform"
import { Data, Effect, Option } from "effect"
import { refusal } from "../Platform/Http/Endpoint.ts"

/** The body was not taken; `response` says why. */
export class BodyRefused extends Data.TaggedError("BodyRefused")<{
  readonly response: HttpServerResponse.HttpServerResponse
}> {}

const tooLarge = (limit: number) =>
  new BodyRefused({
    response: refusal(413, "InvalidRequestBody", `The body is larger than ${limit} bytes.`, "Send less at once.")
  })

/** The body of the request as it came, at most `limit` bytes. */
export const readBody = (limit: number): Effect.Effect<Uint8Array, BodyRefused, HttpServerRequest.HttpServerRequest> =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    if (Number(request.headers["content-length"] ?? 0) > limit) return yield* tooLarge(limit)
    return new Uint8Array(yield* request.arrayBuffer)
  }).pipe(
    HttpServerRequest.withMaxBodySize(Option.some(limit)),
    Effect.catchTag("RequestError", () => tooLarge(limit))
  )
