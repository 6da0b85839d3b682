import type { Effect } from "effect"
import type { LanguageModelFailed, PromptText } from "../../../Services/Models/LanguageModel.ts"

/** A request in the form that all providers share. */
export interface ModelRequest {
  readonly prompt: PromptText
  /** The JSON schema of an object, in the subset that the providers' strict modes accept. */
  readonly jsonSchema: { readonly [keyword: string]: unknown }
  /** Letters, digits and underscores, 64 at most. */
  readonly name: string
  /** The limit for the answer alone. Providers count thinking too, so an adapter adds tokens for it. */
  readonly maxOutputTokens: number
  /** The deadline in Unix milliseconds. */
  readonly deadline: number
}

export interface TokenCounts {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly model: string
}

export interface ModelAnswer {
  /** Parsed JSON, not yet checked against the schema. */
  readonly output: unknown
  readonly tokens: TokenCounts
}

/** The interface of a provider's adapter. */
export interface ModelProvider {
  readonly ask: (request: ModelRequest) => Effect.Effect<ModelAnswer, ModelCallFailed>
}

/** A failure, with the tokens that it still used. */
export interface ModelCallFailed {
  readonly failure: LanguageModelFailed
  readonly tokens: TokenCounts | undefined
  /** True if the model was still thinking at its limit, so that the same request with a higher limit may succeed. */
  readonly isCutOffThinking?: boolean
}

/** A rough count for servers that report none: four characters a token. */
export const estimatedTokens = (text: string): number => Math.ceil(text.length / 4)
