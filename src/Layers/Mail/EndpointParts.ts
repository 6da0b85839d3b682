import { HttpServerRequest, type HttpServerResponse } from "@effect/platform"
import { NodeHttpServerRequest } from "@effect/platform-node"
import { Effect } from "effect"
import type { RequestRefused, Transient } from "../../Errors.ts"
import { refusal } from "../Platform/Http/Endpoint.ts"
import { readBody } from "../Platform/Http/RequestBody.ts"

/** The bytes of the body, at most `limit` of them. */
export const rawBody = (limit: number): Effect.Effect<Buffer, RequestRefused, HttpServerRequest.HttpServerRequest> =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
    readBody(NodeHttpServerRequest.toIncomingMessage(request), limit)
  )

export const refusedAnswer = ({ detail, error, status, type }: RequestRefused): HttpServerResponse.HttpServerResponse =>
  // What was not read of the body would be taken for the next request.
  refusal(status, type, error, detail, { Connection: "close" })

export const transientAnswer = ({
  detail,
  error,
  retryAfterSeconds
}: Transient): HttpServerResponse.HttpServerResponse =>
  refusal(503, "Transient", error, detail, { "Retry-After": String(retryAfterSeconds) })

export const noSuchRoute = refusal(404, "UnknownRoute", "There is no such route.", "See /SKILL.md and /openapi.json.")

/** What a caller may see of answers with personal data: nothing is kept on the way. */
export const privateHeaders = { "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" }
