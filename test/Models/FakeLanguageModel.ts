import { Effect, Either, Layer, Schema } from "effect"
import {
  type GenerateRequest,
  LanguageModel,
  LanguageModelFailed,
  type Usage
} from "../../src/Services/Models/LanguageModel.ts"
import type { ModelReading } from "../../src/Services/Replies/Readers/ModelActs.ts"

export const fakeUsage: Usage = { inputTokens: 100, outputTokens: 20, model: "fake-1", costMicroUsd: 7 }

/** A reading of a reply, as a model gives it, in which nothing was understood. */
export const plainReading: ModelReading = { language: null, acts: [] }

/** An act as a model reports it. */
export const modelAct = (
  kind: ModelReading["acts"][number]["kind"],
  quote: string,
  more: Partial<ModelReading["acts"][number]> = {}
): ModelReading["acts"][number] => ({
  kind,
  quote,
  certainty: 0.95,
  is_question: false,
  objection: null,
  date: null,
  time: null,
  contact_name: null,
  contact_email: null,
  contact_phone: null,
  ...more
})

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
