import { Effect, Predicate } from "effect"
import { type Transient, transient } from "../../../Errors.ts"
import { GenerationFailed, outcomeUnknown } from "../../../Services/Media/Generation.ts"
import type { OutboundFailure, OutboundResponse } from "../../../Services/Outbound/OutboundHttp.ts"
import { jsonOf } from "../../Platform/AnswerPaths.ts"
import { retryAfterMillis } from "../../Platform/Outbound/RetryAfter.ts"

const failed = (code: string, detail: string) => new GenerationFailed({ code, detail })

export const contentRefused = failed("content_refused", "The provider refuses to make what the prompt asks for.")

export const unreadableAnswer = failed("answer_unreadable", "The provider answered something that cannot be read.")

/** A member of an answer by its path; undefined where it has none. */
export const member = (value: unknown, ...path: ReadonlyArray<string | number>): unknown =>
  path.reduce<unknown>((found, name) => (Predicate.hasProperty(found, name) ? found[name] : undefined), value)

export const textMember = (value: unknown, ...path: ReadonlyArray<string | number>): string | undefined => {
  const found = member(value, ...path)
  return typeof found === "string" ? found : undefined
}

/** What the provider says that is wrong, for programs only: it may quote the prompt. */
const errorWords = (json: unknown): string =>
  ["type", "code", "status", "message", "param"]
    .map((name) => textMember(json, "error", name) ?? textMember(json, name) ?? "")
    .concat(textMember(json, "detail") ?? "")
    .join(" ")
    .slice(0, 2000)
    .toLowerCase()

/**
 * What an answer that is no success means for an order. Nothing was ordered where the provider says that it did not
 * take it; a server error may have come after it did.
 */
export const orderRefused = (
  { body, headers, status }: OutboundResponse,
  now: number
): GenerationFailed | Transient => {
  const words = errorWords(jsonOf(body))
  if (status === 401 || status === 403) {
    return failed("credentials_rejected", "The provider does not take the gateway's credentials.")
  }
  if (status === 402 || /insufficient_quota|billing|credit balance|payment required/.test(words)) {
    return failed("quota_exhausted", "The gateway's quota at the provider is used up.")
  }
  if (status === 429) {
    const wait = retryAfterMillis(headers, now)
    return transient(
      "provider_busy",
      "The provider takes no more orders for the moment.",
      Math.ceil((wait ?? 20_000) / 1000)
    )
  }
  if (/content_policy|content_filter|moderation|safety|blocked|sensitive|nsfw/.test(words)) return contentRefused
  if (/transparen|background/.test(words)) {
    return failed("transparency_unsupported", "The engine makes no images with a transparent background.")
  }
  if (status === 404 || /model_not_found/.test(words)) {
    return failed("model_not_found", "The provider does not have the engine's model.")
  }
  if (status >= 500) return outcomeUnknown
  return failed("request_rejected", `The provider rejected the request (status ${status}).`)
}

/** No answer to an order: asked again only where it surely did not arrive. */
export const orderUnanswered = ({ mayHaveArrived }: OutboundFailure): GenerationFailed | Transient =>
  mayHaveArrived ? outcomeUnknown : transient("provider_unreachable", "The provider could not be reached.", 15)

export const addressRefused = Effect.fail(
  failed("address_refused", "The provider's address is not one that the gateway may use.")
)
