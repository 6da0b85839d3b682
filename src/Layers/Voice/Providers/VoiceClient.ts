import { Effect, Option, type Schema } from "effect"
import { type Transient, transient } from "../../../Errors.ts"
import type { OutboundHttp } from "../../../Services/Outbound/OutboundHttp.ts"
import { CallMaybePlaced, CallNotPlaced } from "../../../Services/Voice/Voice.ts"
import { makeProviderClient } from "../../Platform/Outbound/ProviderClient.ts"
import type { ProviderFailure } from "../../Platform/Outbound/ProviderFailure.ts"
import type { ProviderRequest } from "../../Platform/Outbound/ProviderRequest.ts"

const service = "The voice provider"
const defaultRetrySeconds = 30

const retrySeconds = ({ retryAfterSeconds }: ProviderFailure): number =>
  Math.max(1, retryAfterSeconds ?? defaultRetrySeconds)

/** Reasons for these statuses. They are permanent, because the same order would be refused again. */
const refusals: { readonly [code: string]: string } = {
  status_401: "provider_unauthorized",
  status_402: "provider_payment_required",
  status_403: "provider_forbidden"
}

const orderFailure = (failure: ProviderFailure): CallNotPlaced | CallMaybePlaced => {
  const { answer, code, kind } = failure
  if (kind === "maybe_sent") return new CallMaybePlaced({ reason: code })
  if (kind === "rate_limited") {
    return new CallNotPlaced({ reason: "provider_rate_limited", retryAfterSeconds: retrySeconds(failure) })
  }
  if (answer !== undefined) return new CallNotPlaced({ reason: refusals[code] ?? "provider_refused" })
  return kind === "rejected"
    ? new CallNotPlaced({ reason: code })
    : new CallNotPlaced({ reason: `provider_${code}`, retryAfterSeconds: defaultRetrySeconds })
}

const readingFailure = (failure: ProviderFailure): Transient => {
  const { answer, code, kind } = failure
  if (code === "answer_unreadable") {
    return transient("voice_provider_unreadable", `${service} answered what cannot be read.`, 60)
  }
  if (answer !== undefined) {
    return transient(`voice_provider_${code}`, `${service} answered with an error.`, retrySeconds(failure))
  }
  return kind === "rejected"
    ? transient(`voice_provider_${code}`, `${service} could not be asked.`, 60)
    : transient(`voice_provider_${code}`, `${service} did not answer.`, 10)
}

/** A client of the provider at the address that the operator configured. */
export const makeVoiceClient = (
  http: OutboundHttp["Type"],
  options: { readonly name: string; readonly baseUrl: string; readonly headers: { readonly [name: string]: string } }
) => {
  const client = makeProviderClient({
    ...options,
    transport: http.request,
    isOperators: true,
    // An order that was answered with a redirect or an error of the provider may have been carried out.
    judge: ({ status }, usual, { method }) =>
      method === "POST" && ((status >= 300 && status < 400) || status === 503) ? { kind: "maybe_sent" } : usual
  })

  return {
    /**
     * Orders a call. It was certainly not made only if the provider refused it or the request was never sent. After an
     * error on the provider's side or a broken connection, the outcome is unknown.
     */
    order: <A, I>(
      shape: Schema.Schema<A, I>,
      request: ProviderRequest
    ): Effect.Effect<A, CallNotPlaced | CallMaybePlaced> => Effect.mapError(client.ask(shape, request), orderFailure),

    /** Reads from the provider. None if the provider does not know the resource. */
    read: <A, I>(shape: Schema.Schema<A, I>, path: string, query: ProviderRequest["query"] = {}) =>
      client.ask(shape, { method: "GET", path, query }).pipe(
        Effect.asSome,
        Effect.catchIf(
          ({ code }) => code === "status_404",
          () => Effect.succeed(Option.none<A>())
        ),
        Effect.mapError(readingFailure)
      )
  }
}
