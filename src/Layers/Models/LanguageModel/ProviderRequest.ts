import { Clock, Effect, Predicate, Random } from "effect"
import { LanguageModelFailed } from "../../../Services/Models/LanguageModel.ts"
import type { OutboundFailure, OutboundHttp, OutboundResponse } from "../../../Services/Outbound/OutboundHttp.ts"
import { jsonOf } from "../../Platform/AnswerPaths.ts"
import { retryAfterMillis } from "../../Platform/Outbound/RetryAfter.ts"

/** An answer that is worth reading: success, or a refusal that repeating does not change. */
export interface HttpAnswer {
  readonly status: number
  /** Parsed; undefined where the body is no JSON. */
  readonly json: unknown
}

export interface ProviderRequestOptions {
  readonly http: OutboundHttp["Type"]
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  readonly body: unknown
  /** Unix milliseconds. */
  readonly deadline: number
  /** Before the first repetition, doubled for each further one; jitter is added. */
  readonly retryDelayMillis: number
  /** Whether a 429 with this body says that money, not time, is missing. */
  readonly isQuotaExhausted: (json: unknown) => boolean
}

const maximumAttempts = 3
const maxResponseBytes = 2 * 1024 * 1024

const failed = (
  reason: LanguageModelFailed["reason"],
  detail: LanguageModelFailed["detail"],
  retryAfterSeconds?: number
): LanguageModelFailed =>
  new LanguageModelFailed({ reason, detail, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) })

const timedOut = failed("timeout", "timed_out")

const isPassingStatus = (status: number): boolean =>
  status === 408 || status === 409 || status === 425 || status === 429 || status >= 500

const failureOf = (failure: OutboundFailure): LanguageModelFailed => {
  switch (failure.reason) {
    case "timed_out":
      return timedOut
    case "response_too_large":
      return failed("unavailable", "response_too_large")
    case "response_unreadable":
      return failed("unavailable", "response_unreadable")
    case "host_not_found":
    case "connection_failed":
    case "tls_failed":
      return failed("unavailable", "connection_failed")
  }
}

type Outcome =
  | { readonly _tag: "Done"; readonly answered: HttpAnswer }
  | { readonly _tag: "Again"; readonly failure: LanguageModelFailed; readonly waitMillis: number | undefined }

const outcomeOf = (response: OutboundResponse, options: ProviderRequestOptions, now: number): Outcome => {
  const json = jsonOf(response.body)
  if (!isPassingStatus(response.status)) return { _tag: "Done", answered: { status: response.status, json } }
  const waitMillis = retryAfterMillis(response.headers, now)
  const seconds = waitMillis === undefined ? undefined : Math.ceil(waitMillis / 1000)
  if (response.status !== 429)
    return { _tag: "Again", failure: failed("unavailable", "server_error", seconds), waitMillis }
  return options.isQuotaExhausted(json)
    ? { _tag: "Done", answered: { status: 429, json } }
    : { _tag: "Again", failure: failed("rate_limited", "rate_limited", seconds), waitMillis }
}

/**
 * Posts JSON to a provider. Repeats on 429, 5xx and broken connections, as long as the deadline and the provider's
 * `Retry-After` leave time: asking a model twice does nothing twice. Bounded in time and size.
 */
export const providerRequest = (options: ProviderRequestOptions): Effect.Effect<HttpAnswer, LanguageModelFailed> => {
  const body = JSON.stringify(options.body)

  const attempt = (number: number): Effect.Effect<HttpAnswer, LanguageModelFailed> =>
    Effect.gen(function* () {
      const before = yield* Clock.currentTimeMillis
      if (before >= options.deadline) return yield* timedOut
      const outcome = yield* options.http
        .request({
          method: "POST",
          url: options.url,
          headers: { "content-type": "application/json", accept: "application/json", ...options.headers },
          body,
          timeout: options.deadline - before,
          maxResponseBytes,
          // The operator chose the address: a model may run on the next machine.
          allowNonPublic: true
        })
        .pipe(
          Effect.flatMap((response) => Effect.map(Clock.currentTimeMillis, (now) => outcomeOf(response, options, now))),
          Effect.catchTags({
            Refused: () => Effect.fail(failed("unavailable", "address_refused")),
            OutboundFailure: (failure) => {
              const problem = failureOf(failure)
              return problem.detail === "connection_failed"
                ? Effect.succeed<Outcome>({ _tag: "Again", failure: problem, waitMillis: undefined })
                : Effect.fail(problem)
            }
          })
        )
      if (outcome._tag === "Done") return outcome.answered
      const jitter = yield* Random.nextRange(0.75, 1.25)
      const wait = outcome.waitMillis ?? options.retryDelayMillis * 2 ** (number - 1) * jitter
      const after = yield* Clock.currentTimeMillis
      if (number >= maximumAttempts || after + wait >= options.deadline) return yield* outcome.failure
      yield* Effect.sleep(wait)
      return yield* attempt(number + 1)
    })

  return attempt(1)
}

/** What the error of a provider's answer says of itself: `{"error": {"type", "code", "param", "message"}}`, or parts of it. */
export const errorWords = (json: unknown): string => {
  const error = Predicate.hasProperty(json, "error") ? json.error : json
  const word = (name: string): string =>
    Predicate.hasProperty(error, name) && typeof error[name] === "string" ? error[name] : ""
  return (typeof error === "string" ? error : [word("type"), word("code"), word("param"), word("message")].join(" "))
    .slice(0, 2000)
    .toLowerCase()
}

/** The failure that a refusing status stands for, apart from what only one provider says. */
export const refusedStatus = ({ json, status }: HttpAnswer): LanguageModelFailed => {
  const words = errorWords(json)
  if (status === 401 || status === 403) return failed("unavailable", "credentials_rejected")
  if (status === 402 || status === 429 || /insufficient_quota|credit balance is too low|billing_error/.test(words)) {
    return failed("rate_limited", "quota_exhausted")
  }
  if (/content_filter|content_policy|content management policy/.test(words))
    return failed("refused", "content_filtered")
  if (
    status === 413 ||
    /context_length_exceeded|context length|maximum context|prompt is too long|too many tokens/.test(words)
  ) {
    return failed("unavailable", "prompt_too_long")
  }
  if (status === 404 || /model_not_found|no such model|model .{0,80}(?:does not exist|not found)/.test(words)) {
    return failed("unavailable", "model_not_found")
  }
  return failed("unavailable", "request_rejected")
}

export const unreadable: LanguageModelFailed = failed("unavailable", "response_unreadable")
