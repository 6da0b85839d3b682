import type { HttpServerResponse } from "@effect/platform"
import type { RequestRefused, Transient } from "../../../Errors.ts"
import { refusal } from "./Endpoint.ts"

export const refusedAnswer = ({ detail, error, status, type }: RequestRefused): HttpServerResponse.HttpServerResponse =>
  // Without closing the connection, the unread rest of the body would be read as the next request.
  refusal(status, type, error, detail, { Connection: "close" })

export const transientAnswer = ({
  detail,
  error,
  retryAfterSeconds
}: Transient): HttpServerResponse.HttpServerResponse =>
  refusal(503, "Transient", error, detail, { "Retry-After": String(retryAfterSeconds) })

export const noSuchRoute = refusal(404, "UnknownRoute", "There is no such route.", "See /SKILL.md and /openapi.json.")

/** Headers of answers with personal data: no one may cache them. */
export const privateHeaders = { "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" }
