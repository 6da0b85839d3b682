import { Effect } from "effect"
import { LanguageModel } from "../../../Services/Models/LanguageModel.ts"
import { OutboundHttp } from "../../../Services/Outbound/OutboundHttp.ts"
import { providerLayer } from "../../Platform/Outbound/ProviderLayer.ts"
import { watchedHttp } from "../../Platform/Outbound/WatchedHttp.ts"
import { sandboxLanguageModel } from "../sandbox/LanguageModelSandbox.ts"
import { loadLanguageModelSettings } from "./LanguageModelSettings.ts"
import { makeLanguageModel } from "./Live.ts"
import { watchModel } from "./WatchModel.ts"

/** Provides the configured model, or the sandbox if there is no key. */
export const LanguageModelConfigured = providerLayer(LanguageModel, {
  settings: loadLanguageModelSettings,
  live: (settings) =>
    Effect.provideServiceEffect(
      Effect.flatMap(makeLanguageModel(settings), (model) => watchModel(settings, model)),
      OutboundHttp,
      watchedHttp("language_model")
    ),
  sandbox: Effect.succeed(sandboxLanguageModel)
})
