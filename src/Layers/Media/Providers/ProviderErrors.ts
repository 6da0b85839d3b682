import { Redacted } from "effect"
import { type Transient, transient } from "../../../Errors.ts"
import { GenerationFailed, outcomeUnknown } from "../../../Services/Media/Generation.ts"
import { textAt } from "../../Platform/AnswerPaths.ts"
import type { ProviderAnswer, ProviderFailure } from "../../Platform/Outbound/ProviderFailure.ts"

const failed = (code: string, detail: string) => new GenerationFailed({ code, detail })

export const contentRefused = failed("content_refused", "The provider refuses to make what the prompt asks for.")

export const unreadableAnswer = failed("answer_unreadable", "The provider answered something that cannot be read.")

export const durationUnsupported = failed("duration_unsupported", "The engine makes no videos of this length.")

const addressRefused = failed("address_refused", "The provider's address is not one that the gateway may use.")

const defaultBusySeconds = 20
const unreachableSeconds = 15

/** Returns the provider's answer, if there was one. */
export const answerOf = ({ answer }: ProviderFailure): ProviderAnswer | undefined =>
  answer === undefined ? undefined : Redacted.value(answer)

/** The provider's error message, for matching only: it may quote the prompt. */
const errorMessage = (json: unknown): string =>
  ["type", "code", "status", "message", "param"]
    .map((name) => textAt(json, "error", name) || textAt(json, name))
    .concat(textAt(json, "detail"))
    .join(" ")
    .slice(0, 2000)
    .toLowerCase()

/** An order that the provider answered with an error. A server error may follow an order that it accepted. */
const refusedOrder = ({ json, retryAfterMillis, status }: ProviderAnswer): GenerationFailed | Transient => {
  const message = errorMessage(json)
  if (status === 401 || status === 403) {
    return failed("credentials_rejected", "The provider does not accept the gateway's credentials.")
  }
  if (status === 402 || /insufficient_quota|billing|credit balance|payment required/.test(message)) {
    return failed("quota_exhausted", "The gateway's quota at the provider is used up.")
  }
  if (status === 429) {
    const seconds = retryAfterMillis === undefined ? defaultBusySeconds : Math.ceil(retryAfterMillis / 1000)
    return transient("provider_busy", "The provider takes no more orders for the moment.", seconds)
  }
  if (/content_policy|content_filter|moderation|safety|blocked|sensitive|nsfw/.test(message)) return contentRefused
  if (/transparen|background/.test(message)) {
    return failed("transparency_unsupported", "The engine makes no images with a transparent background.")
  }
  if (status === 400 && /duration/.test(message)) return durationUnsupported
  if (status === 404 || /model_not_found/.test(message)) {
    return failed("model_not_found", "The provider does not have the engine's model.")
  }
  if (status >= 500) return outcomeUnknown
  return failed("request_rejected", `The provider rejected the request (status ${status}).`)
}

/** Interprets a failed call without an answer. Undefined if the provider answered. */
export const addressFailure = ({ answer, kind }: ProviderFailure): GenerationFailed | undefined =>
  answer === undefined && kind === "rejected" ? addressRefused : undefined

/** Interprets a failed order. Only an order that certainly did not arrive may be placed again. */
export const orderFailure = (failure: ProviderFailure): GenerationFailed | Transient => {
  const answer = answerOf(failure)
  if (answer !== undefined) return failure.code === "answer_unreadable" ? unreadableAnswer : refusedOrder(answer)
  if (failure.kind === "maybe_sent") return outcomeUnknown
  return (
    addressFailure(failure) ??
    transient("provider_unreachable", "The provider could not be reached.", unreachableSeconds)
  )
}
