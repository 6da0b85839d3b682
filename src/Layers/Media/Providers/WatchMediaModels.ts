import { Effect } from "effect"
import type { Transient } from "../../../Errors.ts"
import { type ModelAvailability, ProviderModels } from "../../../Services/Core/Outside/ProviderModels.ts"
import type { GenerationFailed } from "../../../Services/Media/Generation.ts"

/** Reports whether the provider still has the models, from each order and from requests for their pages. */
export const watchMediaModels = (
  service: "images" | "videos",
  models: ReadonlyArray<string>,
  lookAt: (model: string) => Effect.Effect<ModelAvailability>
) =>
  Effect.gen(function* () {
    const { watch } = yield* ProviderModels
    const reports = new Map(
      yield* Effect.forEach(new Set(models), (model) =>
        Effect.map(watch({ service, model, look: lookAt(model) }), (report) => [model, report] as const)
      )
    )
    return {
      report: <A>(model: string, order: Effect.Effect<A, GenerationFailed | Transient>) =>
        Effect.tapBoth(order, {
          onSuccess: () => reports.get(model)?.worked ?? Effect.void,
          onFailure: (failure) =>
            failure._tag === "GenerationFailed" && failure.code === "model_not_found"
              ? (reports.get(model)?.disappeared ?? Effect.void)
              : Effect.void
        })
    }
  })
