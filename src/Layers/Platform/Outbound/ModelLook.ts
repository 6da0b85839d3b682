import { Effect, Redacted } from "effect"
import type { ModelAvailability } from "../../../Services/Core/Outside/ProviderModels.ts"
import { textAt } from "../AnswerPaths.ts"
import type { ProviderClient } from "./ProviderClient.ts"
import type { ProviderAnswer, ProviderFailure } from "./ProviderFailure.ts"

/**
 * True if a 404 answer is about the model. Compatible servers without this route also answer 404, but their text does
 * not mention a model.
 */
const speaksOfModel = ({ body }: ProviderAnswer): boolean =>
  /model/i.test(Buffer.from(body).subarray(0, 4000).toString("utf8"))

const availabilityOfRefusal = (failure: ProviderFailure): ModelAvailability => {
  const answer = failure.answer === undefined ? undefined : Redacted.value(failure.answer)
  const isGone = answer !== undefined && (answer.status === 404 || answer.status === 410) && speaksOfModel(answer)
  return isGone ? { status: "gone" } : undefined
}

/** Requests a model's own page. Its `shutdown_date` is the announced end of the model, if there is one. */
export const lookAtModel = <R>(
  client: ProviderClient<never, R>,
  path: string
): Effect.Effect<ModelAvailability, never, R> =>
  client.send({ method: "GET", path, timeout: "20 seconds", maxResponseBytes: 1024 * 1024 }).pipe(
    Effect.map(({ json }): ModelAvailability => {
      const date = textAt(json, "shutdown_date").slice(0, 10)
      if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return { status: "available" }
      return { status: "ending", shutdownDate: date }
    }),
    Effect.catchAll((failure) => Effect.succeed(availabilityOfRefusal(failure)))
  )
