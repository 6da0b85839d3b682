import { Effect, Either, Layer, Schema } from "effect"
import {
  type GenerateRequest,
  LanguageModel,
  LanguageModelFailed,
  type Usage
} from "../../src/Services/Models/LanguageModel.ts"

export const fakeUsage: Usage = { inputTokens: 100, outputTokens: 20, model: "fake-1", costMicroUsd: 7 }

/** What a model answers of a reply that fits no class and says nothing else. */
export const plainReading = {
  class: "other",
  confidence: 0.9,
  language: null,
  refusal_reason: null,
  question: null,
  return_date: null,
  contact_name: null,
  contact_email: null,
  contact_phone: null,
  meeting_date: null,
  meeting_time: null,
  meeting_text: null,
  meeting_change: null
}

/** A live model that gives the prepared answers in turn, and keeps what it was asked. */
export const fakeModel = (answers: ReadonlyArray<unknown>) => {
  const asked: Array<Pick<GenerateRequest<unknown, unknown>, "prompt" | "purpose">> = []
  const layer = Layer.succeed(
    LanguageModel,
    LanguageModel.of({
      mode: "live",
      generate: ({ prompt, purpose, schema }) =>
        Effect.suspend(() => {
          const answer = answers[asked.length]
          asked.push({ prompt, purpose })
          if (answer instanceof LanguageModelFailed) return Effect.fail(answer)
          const decoded = Schema.decodeUnknownEither(schema)(answer)
          return Either.isRight(decoded)
            ? Effect.succeed({ value: decoded.right, usage: fakeUsage })
            : Effect.fail(
                new LanguageModelFailed({ reason: "invalid_output", detail: "output_not_as_asked", usage: fakeUsage })
              )
        })
    })
  )
  return { asked, layer }
}

/** The word of the fence in a prompt. */
export const delimiterWordIn = (text: string): string => /<<<DATA ([0-9a-f]{32}) /.exec(text)?.[1] ?? ""
