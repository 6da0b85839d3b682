import { Effect, Layer } from "effect"
import { LanguageModel } from "../../../Services/Models/LanguageModel.ts"
import { SiteWriter } from "../../../Services/Websites/Writing/SiteWriter.ts"
import { siteWriterByModel } from "./SiteWriterByModel.ts"
import { siteWriterByRulesReviewed } from "./SiteWriterByRules.ts"

/** Writes with a model if one is configured, or else by rules. */
export const SiteWriterConfigured = Layer.effect(
  SiteWriter,
  Effect.gen(function* () {
    const model = yield* LanguageModel
    return model.mode === "live" ? yield* siteWriterByModel : yield* siteWriterByRulesReviewed
  })
)
