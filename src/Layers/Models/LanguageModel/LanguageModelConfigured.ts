import { Effect, Layer, Option } from "effect"
import { LanguageModel } from "../../../Services/Models/LanguageModel.ts"
import { OutboundHttp } from "../../../Services/Outbound/OutboundHttp.ts"
import { watchedHttp } from "../../Platform/Outbound/WatchedHttp.ts"
import { loadLanguageModelSettings } from "./LanguageModelSettings.ts"
import { makeLanguageModel } from "./Live.ts"
import { sandboxLanguageModel } from "./Sandbox.ts"

/** The model that the environment names; the sandbox where it has no key for one. */
export const LanguageModelConfigured = Layer.effect(
  LanguageModel,
  Effect.flatMap(
    loadLanguageModelSettings,
    Option.match({
      onNone: () => Effect.succeed(sandboxLanguageModel),
      onSome: (settings) =>
        Effect.provideServiceEffect(makeLanguageModel(settings), OutboundHttp, watchedHttp("language_model"))
    })
  )
)
