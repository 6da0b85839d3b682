import { Clock, type Duration, Effect, Redacted } from "effect"
import { type Transient, transient } from "../../../Errors.ts"
import { LineRefused } from "../../../Services/ChatApp/ChatApp.ts"
import { type OutboundFailure, type OutboundHttp, outboundTransient } from "../../../Services/Outbound/OutboundHttp.ts"
import { jsonOf } from "../../Platform/AnswerPaths.ts"
import { retryAfterSeconds } from "../../Platform/Outbound/RetryAfter.ts"
import { failureOf, graphErrorOf } from "./GraphErrors.ts"

export interface GraphRequest {
  readonly method: "GET" | "POST"
  /** Relative to the API's address, without a leading slash. */
  readonly path: string
  readonly query?: { readonly [name: string]: string }
  readonly token: Redacted.Redacted
  readonly json?: unknown
  readonly timeout?: Duration.DurationInput
}

export interface GraphAnswer {
  readonly status: number
  /** The parsed body; undefined if it is not JSON. */
  readonly json: unknown
  /** Seconds. */
  readonly retryAfter: number | undefined
}

const service = "The messaging app's provider"
const maxResponseBytes = 1024 * 1024

const broken = transient("provider_answer_unreadable", `${service} answered something unreadable.`, 30)

/** The refusal of a request about a line. It leaves out the provider's text, which names its brand. */
const refusalOf = ({ json, retryAfter, status }: GraphAnswer): LineRefused | Transient => {
  const error = graphErrorOf(json)
  if (status === 429 || status >= 500 || error?.isTransient === true) {
    return transient(
      "provider_unavailable",
      `${service} is not available for the moment.`,
      Math.min(retryAfter ?? 30, 300)
    )
  }
  if (error === undefined) return broken
  const { reason } = failureOf(error.code)
  return new LineRefused({ reason: `${service} refused this (${reason.replaceAll("_", " ")}, code ${error.code}).` })
}

/** The provider's HTTP API at the configured address. */
export const makeGraphApi = (outbound: OutboundHttp["Type"], apiUrl: string) => {
  const address = (path: string, query: { readonly [name: string]: string } = {}) => {
    const search = new URLSearchParams(query).toString()
    return `${apiUrl}/${path}${search === "" ? "" : `?${search}`}`
  }

  const providerRequest = (request: GraphRequest): Effect.Effect<GraphAnswer, OutboundFailure> =>
    Effect.gen(function* () {
      const body = request.json === undefined ? undefined : JSON.stringify(request.json)
      const response = yield* outbound
        .request({
          method: request.method,
          url: address(request.path, request.query),
          headers: {
            authorization: `Bearer ${Redacted.value(request.token)}`,
            ...(body === undefined ? {} : { "content-type": "application/json" })
          },
          ...(body === undefined ? {} : { body }),
          timeout: request.timeout ?? "20 seconds",
          maxResponseBytes,
          allowNonPublic: true
        })
        // The operator configured the address, so a refusal of it is not the account's fault.
        .pipe(Effect.catchTag("Refused", Effect.die))
      const now = yield* Clock.currentTimeMillis
      return {
        status: response.status,
        json: jsonOf(response.body),
        retryAfter: retryAfterSeconds(response.headers, now)
      }
    })

  /** For requests other than sending, which can be repeated or looked up after a failure. */
  const call = (request: GraphRequest): Effect.Effect<unknown, LineRefused | Transient> =>
    providerRequest(request).pipe(
      Effect.mapError((failure) => outboundTransient(failure, service)),
      Effect.flatMap((answer) =>
        answer.status >= 200 && answer.status < 300
          ? answer.json === undefined
            ? Effect.fail(broken)
            : Effect.succeed(answer.json)
          : Effect.fail(refusalOf(answer))
      )
    )

  return { address, providerRequest, call, refusalOf, broken }
}
export type GraphApi = ReturnType<typeof makeGraphApi>
