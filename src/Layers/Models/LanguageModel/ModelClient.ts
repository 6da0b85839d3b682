import { Clock, Effect, Predicate, Random, Redacted } from "effect"
import { LanguageModelFailed } from "../../../Services/Models/LanguageModel.ts"
import type { OutboundHttp } from "../../../Services/Outbound/OutboundHttp.ts"
import { makeProviderClient } from "../../Platform/Outbound/ProviderClient.ts"
import type { ProviderAnswer, ProviderFailure } from "../../Platform/Outbound/ProviderFailure.ts"
import type { LanguageModelSettings } from "./LanguageModelSettings.ts"

const anthropicVersion = "2023-06-01"

/** Returns the headers in which each provider expects the key. */
export const credentialHeaders = ({ apiKey, provider }: LanguageModelSettings): { readonly [name: string]: string } =>
  provider === "anthropic"
    ? { "x-api-key": Redacted.value(apiKey), "anthropic-version": anthropicVersion }
    : { authorization: `Bearer ${Redacted.value(apiKey)}` }

/** A success, or a refusal that repeating does not change. */
export type FinalAnswer = Pick<ProviderAnswer, "status" | "json">

export interface ModelClientOptions {
  readonly http: OutboundHttp["Type"]
  readonly baseUrl: string
  readonly headers: { readonly [name: string]: string }
  readonly path: string
  /** The delay before the first retry. It doubles with each further one, and jitter is added. */
  readonly retryDelayMillis: number
  /** True if a 429 answer with this body means that the account's credit, not its rate, is exhausted. */
  readonly isQuotaExhausted: (json: unknown) => boolean
}

export interface ModelCall {
  readonly body: unknown
  /** The deadline in Unix milliseconds. */
  readonly deadline: number
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

/** Converts the failure of a call that got no answer. */
const unansweredFailure = ({ code, kind }: ProviderFailure): LanguageModelFailed => {
  if (kind === "rejected") return failed("unavailable", "address_refused")
  switch (code) {
    case "timed_out":
      return timedOut
    case "response_too_large":
    case "response_unreadable":
      return failed("unavailable", code)
    default:
      return failed("unavailable", "connection_failed")
  }
}

const passingStatuses: ReadonlySet<number> = new Set([408, 409, 425, 429])

/** Returns the failure if a retry may succeed. Undefined if the answer is final. */
const passingFailure = (
  { json, status }: ProviderAnswer,
  { retryAfterSeconds }: ProviderFailure,
  isQuotaExhausted: ModelClientOptions["isQuotaExhausted"]
): LanguageModelFailed | undefined => {
  if (!passingStatuses.has(status) && status < 500) return undefined
  if (status !== 429) return failed("unavailable", "server_error", retryAfterSeconds)
  return isQuotaExhausted(json) ? undefined : failed("rate_limited", "rate_limited", retryAfterSeconds)
}

/**
 * Posts JSON to a language model. Retries on 429, 5xx and broken connections while the deadline and `Retry-After` leave
 * time: asking a model twice changes nothing.
 */
export const makeModelClient = ({
  baseUrl,
  headers,
  http,
  isQuotaExhausted,
  path,
  retryDelayMillis
}: ModelClientOptions): ((call: ModelCall) => Effect.Effect<FinalAnswer, LanguageModelFailed>) => {
  const client = makeProviderClient({
    name: "language_model",
    baseUrl,
    transport: http.request,
    // The model may run on a private network.
    isOperators: true,
    headers,
    maxResponseBytes
  })

  const attempt = (call: ModelCall, number: number): Effect.Effect<FinalAnswer, LanguageModelFailed> =>
    Effect.gen(function* () {
      const timeout = call.deadline - (yield* Clock.currentTimeMillis)
      if (timeout <= 0) return yield* timedOut
      return yield* client
        .send({ method: "POST", path, json: call.body, isRead: true, expects: "any", timeout })
        .pipe(Effect.catchAll((failure) => finalAnswerOrRetry(call, number, failure)))
    })

  const finalAnswerOrRetry = (
    call: ModelCall,
    number: number,
    failure: ProviderFailure
  ): Effect.Effect<FinalAnswer, LanguageModelFailed> => {
    if (failure.answer === undefined) {
      const unanswered = unansweredFailure(failure)
      return unanswered.detail === "connection_failed" ? retry(call, number, unanswered, undefined) : unanswered
    }
    const answer = Redacted.value(failure.answer)
    const passing = passingFailure(answer, failure, isQuotaExhausted)
    return passing === undefined ? Effect.succeed(answer) : retry(call, number, passing, failure.retryAfterMillis)
  }

  const retry = (
    call: ModelCall,
    number: number,
    failure: LanguageModelFailed,
    retryAfterMillis: number | undefined
  ): Effect.Effect<FinalAnswer, LanguageModelFailed> =>
    Effect.gen(function* () {
      const jitter = yield* Random.nextRange(0.75, 1.25)
      const wait = retryAfterMillis ?? retryDelayMillis * 2 ** (number - 1) * jitter
      const now = yield* Clock.currentTimeMillis
      if (number >= maximumAttempts || now + wait >= call.deadline) return yield* failure
      yield* Effect.sleep(wait)
      return yield* attempt(call, number + 1)
    })

  return (call) => attempt(call, 1)
}

/**
 * The error of a provider's answer in small letters: `{"error": {"type", "code", "param", "message"}}`, or parts of it.
 */
export const errorWords = (json: unknown): string => {
  const error = Predicate.hasProperty(json, "error") ? json.error : json
  const word = (name: string): string =>
    Predicate.hasProperty(error, name) && typeof error[name] === "string" ? error[name] : ""
  return (typeof error === "string" ? error : [word("type"), word("code"), word("param"), word("message")].join(" "))
    .slice(0, 2000)
    .toLowerCase()
}

/** Interprets a refusing status in the way that is common to all providers. */
export const refusedStatus = ({ json, status }: FinalAnswer): LanguageModelFailed => {
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
