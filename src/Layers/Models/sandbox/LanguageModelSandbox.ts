import { Effect } from "effect"
import { LanguageModel, sandboxUsage } from "../../../Services/Models/LanguageModel.ts"

/** Answers every request by rules. It sends nothing to an outside service, and costs nothing. */
export const sandboxLanguageModel: LanguageModel["Type"] = LanguageModel.of({
  mode: "sandbox",
  generate: ({ inSandbox, purpose }) =>
    Effect.map(inSandbox, (value) => ({ value, usage: sandboxUsage })).pipe(
      Effect.withSpan("LanguageModel.generate", {
        captureStackTrace: false,
        attributes: { purpose, "gen_ai.request.model": sandboxUsage.model }
      })
    )
})
