import { Context, Data, type Duration, type Effect, type Schema } from "effect"
import type { ServiceMode } from "../Core/IntegrationModes.ts"

/** A picture that a model looks at, encoded by the gateway. */
export interface PromptImage {
  readonly mediaType: "image/jpeg" | "image/png"
  readonly bytes: Uint8Array
}

/** What a model is told. Text from outside stands in `user` alone, and there only between delimiters. */
export interface PromptText {
  /** Who it is and what always holds. */
  readonly system: string
  /** What is wanted this time, with the material for it. */
  readonly user: string
  /** What it looks at before it reads `user`. A model that sees nothing refuses the request. */
  readonly images?: ReadonlyArray<PromptImage>
}

export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
  /** As the provider names it; `sandbox` where rules did the work. */
  readonly model: string
  /** Millionths of a US dollar; absent where no prices are configured. */
  readonly costMicroUsd?: number
}

/** What an answer in sandbox costs. */
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

/** The model gave nothing usable. Says nothing of the prompt or of the provider's words, which may quote it. */
export class LanguageModelFailed extends Data.TaggedError("LanguageModelFailed")<{
  readonly reason: LanguageModelFailureReason
  readonly detail: LanguageModelFailureDetail
  /** Where the provider said when to come back. */
  readonly retryAfterSeconds?: number
  /** What was used up nonetheless. */
  readonly usage?: Usage
}> {}

/** The failure, with what all attempts together used up. */
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

/** Whether the same request may succeed later without anybody changing anything. */
export const isPassing = (failure: LanguageModelFailed): boolean =>
  (failure.reason === "timeout" || failure.reason === "unavailable" || failure.reason === "rate_limited") &&
  !needsAnOperator.has(failure.detail)

export interface GenerateRequest<A, I> {
  readonly prompt: PromptText
  /** A struct of required members; what may be missing is `NullOr`. */
  readonly schema: Schema.Schema<A, I>
  readonly maxOutputTokens: number
  /** For the whole call, repetitions included. */
  readonly timeout: Duration.DurationInput
  /** What it is for, in snake_case: for spans, and as the name that the provider gives the output. */
  readonly purpose: string
  /** The same value made by rules: what the sandbox answers. */
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
