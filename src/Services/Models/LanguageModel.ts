import { Context, Data, type Duration, type Effect, type Schema } from "effect"
import type { ServiceMode } from "../Core/Outside/IntegrationModes.ts"

/** A picture for the model, encoded by the gateway. */
export interface PromptImage {
  readonly mediaType: "image/jpeg" | "image/png"
  readonly bytes: Uint8Array
}

/** The prompt. Untrusted text may only appear in `user`, between delimiters. */
export interface PromptText {
  /** The model's role and its permanent rules. */
  readonly system: string
  /** This request and its material. */
  readonly user: string
  /** Pictures that precede `user`. A model without vision refuses the request. */
  readonly images?: ReadonlyArray<PromptImage>
}

export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
  /** The provider's name for the model. `sandbox` if rules produced the answer. */
  readonly model: string
  /** Millionths of a US dollar. Missing if no prices are configured. */
  readonly costMicroUsd?: number
}

/** The usage of a sandbox answer. */
export const sandboxUsage: Usage = { inputTokens: 0, outputTokens: 0, model: "sandbox", costMicroUsd: 0 }

export const addUsage = (one: Usage, other: Usage): Usage => ({
  inputTokens: one.inputTokens + other.inputTokens,
  outputTokens: one.outputTokens + other.outputTokens,
  model: other.model,
  ...(one.costMicroUsd === undefined || other.costMicroUsd === undefined
    ? {}
    : { costMicroUsd: one.costMicroUsd + other.costMicroUsd })
})

export type LanguageModelFailureReason = "timeout" | "unavailable" | "refused" | "invalid_output" | "rate_limited"

export type LanguageModelFailureDetail =
  | "timed_out"
  | "connection_failed"
  | "server_error"
  | "response_too_large"
  | "response_unreadable"
  | "address_refused"
  | "credentials_rejected"
  | "model_not_found"
  | "request_rejected"
  | "prompt_too_long"
  | "rate_limited"
  | "quota_exhausted"
  | "content_filtered"
  | "model_refused"
  | "output_truncated"
  | "output_not_json"
  | "output_not_as_asked"

/**
 * The model returned nothing usable. The error contains neither the prompt nor the provider's message, because that may
 * quote the prompt.
 */
export class LanguageModelFailed extends Data.TaggedError("LanguageModelFailed")<{
  readonly reason: LanguageModelFailureReason
  readonly detail: LanguageModelFailureDetail
  /** Set if the provider said when to retry. */
  readonly retryAfterSeconds?: number
  /** The usage that the failed attempt still cost. */
  readonly usage?: Usage
}> {}

/** Adds the usage of all attempts to the failure. */
export const withUsage = (failure: LanguageModelFailed, usage: Usage): LanguageModelFailed =>
  new LanguageModelFailed({
    reason: failure.reason,
    detail: failure.detail,
    ...(failure.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: failure.retryAfterSeconds }),
    usage
  })

const needsAnOperator: ReadonlySet<LanguageModelFailureDetail> = new Set([
  "address_refused",
  "credentials_rejected",
  "model_not_found",
  "request_rejected",
  "prompt_too_long",
  "quota_exhausted"
])

/** Whether the same request may succeed later without any change. */
export const isPassing = (failure: LanguageModelFailed): boolean =>
  (failure.reason === "timeout" || failure.reason === "unavailable" || failure.reason === "rate_limited") &&
  !needsAnOperator.has(failure.detail)

export interface GenerateRequest<A, I> {
  readonly prompt: PromptText
  /** A struct of required members. Optional values use `NullOr`. */
  readonly schema: Schema.Schema<A, I>
  readonly maxOutputTokens: number
  /** The limit for the whole call, including retries. */
  readonly timeout: Duration.DurationInput
  /** The purpose in snake_case. It names spans and the provider's output format. */
  readonly purpose: string
  /** Produces the value by rules, for the sandbox. */
  readonly inSandbox: Effect.Effect<A>
}

export interface Generated<A> {
  readonly value: A
  readonly usage: Usage
}

export class LanguageModel extends Context.Tag("LanguageModel")<
  LanguageModel,
  {
    readonly mode: ServiceMode
    readonly generate: <A, I>(request: GenerateRequest<A, I>) => Effect.Effect<Generated<A>, LanguageModelFailed>
  }
>() {}
