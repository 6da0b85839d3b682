import { Effect, Redacted, Schema } from "effect"
import { type Transient, transient } from "../../../Errors.ts"
import { LineRefused } from "../../../Services/ChatApp/ChatApp.ts"
import { type OutboundHttp, outboundTransient } from "../../../Services/Outbound/OutboundHttp.ts"
import { makeProviderClient } from "../../Platform/Outbound/ProviderClient.ts"
import type { ProviderFailure } from "../../Platform/Outbound/ProviderFailure.ts"
import type { ProviderRequest } from "../../Platform/Outbound/ProviderRequest.ts"
import { failureOf, graphErrorOf } from "./GraphErrors.ts"

const service = "The messaging app's provider"
const maxResponseBytes = 1024 * 1024

const broken = transient("provider_answer_unreadable", `${service} answered something unreadable.`, 30)

/** Converts the failure of a request about a line. The provider's text is left out, because it names the brand. */
const lineFailure = ({ answer, code, retryAfterSeconds }: ProviderFailure): LineRefused | Transient => {
  if (answer === undefined) return outboundTransient({ reason: code }, service)
  const { json, status } = Redacted.value(answer)
  const error = graphErrorOf(json)
  if (status === 429 || status >= 500 || error?.isTransient === true) {
    return transient(
      "provider_unavailable",
      `${service} is not available for the moment.`,
      Math.min(retryAfterSeconds ?? 30, 300)
    )
  }
  if (error === undefined) return broken
  const { reason } = failureOf(error.code)
  return new LineRefused({ reason: `${service} refused this (${reason.replaceAll("_", " ")}, code ${error.code}).` })
}

/** The provider's HTTP API at the configured address. */
export const makeGraphApi = (outbound: OutboundHttp["Type"], apiUrl: string) => {
  const client = makeProviderClient({
    name: "chatapp",
    baseUrl: apiUrl,
    transport: outbound.request,
    isOperators: true,
    maxResponseBytes
  })

  /** The operator configured the address, so it is a defect if the gateway refuses to call it. */
  const send = (request: ProviderRequest) =>
    Effect.catchIf(client.send(request), ({ answer, kind }) => kind === "rejected" && answer === undefined, Effect.die)

  /** For requests other than sending, which can be repeated or looked up after a failure. */
  const ask = <A, I>(shape: Schema.Schema<A, I>, request: ProviderRequest): Effect.Effect<A, LineRefused | Transient> =>
    send(request).pipe(
      Effect.mapError((failure) => lineFailure(failure)),
      Effect.flatMap(({ json }) => Effect.mapError(Schema.decodeUnknown(shape)(json), () => broken))
    )

  return { send, ask, broken }
}
export type GraphApi = ReturnType<typeof makeGraphApi>
