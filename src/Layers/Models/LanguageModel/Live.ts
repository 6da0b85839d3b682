import { Clock, Duration, Effect, Either, Option, Schema } from "effect"
import {
  type Generated,
  type GenerateRequest,
  LanguageModel,
  LanguageModelFailed,
  type Usage,
  withUsage
} from "../../../Services/Models/LanguageModel.ts"
import { OutboundHttp } from "../../../Services/Outbound/OutboundHttp.ts"
import { makeAnthropic } from "./Anthropic.ts"
import type { LanguageModelSettings } from "./LanguageModelSettings.ts"
import type { TokenCounts } from "./ModelProvider.ts"
import { makeOpenAiCompatible } from "./OpenAiCompatible.ts"
import { outputSchemaOf } from "./OutputSchema.ts"

const defaultRetryDelayMillis = 500

const nameOf = (purpose: string): string => purpose.replace(/[^a-zA-Z0-9_]/g, "_").slice(0, 64)

/** Prices are in dollars per million tokens, which is micro-dollars per token. */
const usageOf = (tokens: TokenCounts, { prices }: LanguageModelSettings): Usage => ({
  inputTokens: tokens.inputTokens,
  outputTokens: tokens.outputTokens,
  model: tokens.model,
  ...Option.match(prices, {
    onNone: () => ({}),
    onSome: ({ input, output }) => ({
      costMicroUsd: Math.ceil(tokens.inputTokens * input + tokens.outputTokens * output)
    })
  })
})

/** The provider that the settings name. `retryDelayMillis` is the wait before the first repetition. */
export const makeLanguageModel = (
  settings: LanguageModelSettings,
  retryDelayMillis = defaultRetryDelayMillis
): Effect.Effect<LanguageModel["Type"], never, OutboundHttp> =>
  Effect.gen(function* () {
    const http = yield* OutboundHttp
    const makeProvider = settings.provider === "anthropic" ? makeAnthropic : makeOpenAiCompatible
    const provider = yield* makeProvider(settings, http, retryDelayMillis)

    const generate = <A, I>(request: GenerateRequest<A, I>): Effect.Effect<Generated<A>, LanguageModelFailed> =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const { output, tokens } = yield* provider
          .ask({
            prompt: request.prompt,
            jsonSchema: outputSchemaOf(request.schema),
            name: nameOf(request.purpose),
            maxOutputTokens: request.maxOutputTokens,
            deadline: now + Duration.toMillis(request.timeout)
          })
          .pipe(
            Effect.mapError(({ failure, tokens }) =>
              tokens === undefined ? failure : withUsage(failure, usageOf(tokens, settings))
            )
          )
        const usage = usageOf(tokens, settings)
        yield* Effect.annotateCurrentSpan({
          "gen_ai.response.model": usage.model,
          "gen_ai.usage.input_tokens": usage.inputTokens,
          "gen_ai.usage.output_tokens": usage.outputTokens
        })
        const decoded = Schema.decodeUnknownEither(request.schema)(output)
        return Either.isRight(decoded)
          ? { value: decoded.right, usage }
          : yield* new LanguageModelFailed({ reason: "invalid_output", detail: "output_not_as_asked", usage })
      }).pipe(
        // The span contains neither prompts nor answers, because both contain texts of leads.
        Effect.withSpan("LanguageModel.generate", {
          kind: "client",
          captureStackTrace: false,
          attributes: { purpose: request.purpose, "gen_ai.request.model": settings.model }
        })
      )

    return LanguageModel.of({ mode: "live", generate })
  })
