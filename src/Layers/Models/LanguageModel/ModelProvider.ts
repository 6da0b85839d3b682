import type { Effect } from "effect"
import type { LanguageModelFailed, PromptText } from "../../../Services/Models/LanguageModel.ts"

/** A request, as every provider is asked it. */
export interface ModelRequest {
  readonly prompt: PromptText
  /** Of an object, in the subset that the providers' strict modes take. */
  readonly jsonSchema: { readonly [keyword: string]: unknown }
  /** Letters, digits and underscores, 64 at most. */
  readonly name: string
  /** For the answer alone. Providers count thinking too, so an adapter adds room for it. */
  readonly maxOutputTokens: number
  /** Unix milliseconds. */
  readonly deadline: number
}

export interface TokenCounts {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly model: string
}

export interface ModelAnswer {
  /** Parsed JSON, not yet held against the schema. */
  readonly output: unknown
  readonly tokens: TokenCounts
}

/** What a provider's API is to the rest. */
export interface ModelProvider {
  readonly ask: (request: ModelRequest) => Effect.Effect<ModelAnswer, ModelCallFailed>
}

/** A failure, with the tokens that it used up nonetheless. */
export interface ModelCallFailed {
  readonly failure: LanguageModelFailed
  readonly tokens: TokenCounts | undefined
  /** The model was still thinking at its limit, so that the same request with more room may succeed. */
  readonly isCutOffThinking?: boolean
}

/** A rough count for servers that report none: four characters a token. */
export const estimatedTokens = (text: string): number => Math.ceil(text.length / 4)
