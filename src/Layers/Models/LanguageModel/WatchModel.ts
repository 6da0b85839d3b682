import { Effect } from "effect"
import { ProviderModels } from "../../../Services/Core/Outside/ProviderModels.ts"
import { LanguageModel } from "../../../Services/Models/LanguageModel.ts"
import { OutboundHttp } from "../../../Services/Outbound/OutboundHttp.ts"
import { lookAtModel } from "../../Platform/Outbound/ModelLook.ts"
import { makeProviderClient } from "../../Platform/Outbound/ProviderClient.ts"
import type { LanguageModelSettings } from "./LanguageModelSettings.ts"
import { credentialHeaders } from "./ModelClient.ts"

/** Reports whether the provider still has the model, from each call and from requests for the model's page. */
export const watchModel = (settings: LanguageModelSettings, languageModel: LanguageModel["Type"]) =>
  Effect.gen(function* () {
    const http = yield* OutboundHttp
    const { watch } = yield* ProviderModels
    const client = makeProviderClient({
      name: "language_model",
      baseUrl: settings.url,
      transport: http.request,
      isOperators: true,
      headers: credentialHeaders(settings)
    })
    const report = yield* watch({
      service: "language_model",
      model: settings.model,
      look: lookAtModel(client, `/models/${encodeURIComponent(settings.model)}`)
    })
    return LanguageModel.of({
      ...languageModel,
      generate: (request) =>
        Effect.tapBoth(languageModel.generate(request), {
          onSuccess: () => report.worked,
          onFailure: ({ detail }) => (detail === "model_not_found" ? report.disappeared : Effect.void)
        })
    })
  })
