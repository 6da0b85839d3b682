import { Effect, Option, Redacted } from "effect"
import { skipped } from "../../Services/Core/Outside/CheckResult.ts"
import type { Check } from "../Platform/Operators/Check.ts"
import { checkCredentials } from "../Platform/Outbound/ProviderCheck.ts"
import { loadEmbeddingsSettings } from "./Embeddings/Live.ts"
import { loadLanguageModelSettings } from "./LanguageModel/LanguageModelSettings.ts"
import { credentialHeaders } from "./LanguageModel/ModelClient.ts"

const languageModelCheck = Effect.flatMap(loadLanguageModelSettings, (settings) =>
  Option.match(settings, {
    onNone: () => Effect.succeed(skipped("LANGUAGE_MODEL_API_KEY is not set: rules write messages and read replies.")),
    onSome: (model) =>
      checkCredentials({
        name: "language_model",
        baseUrl: model.url,
        headers: credentialHeaders(model),
        request: { method: "GET", path: `/models/${encodeURIComponent(model.model)}` },
        setting: "LANGUAGE_MODEL_API_KEY",
        subject: "LANGUAGE_MODEL"
      })
  })
)

/** Not every server of embeddings lists its models, so this asks for the embedding of one word. */
const embeddingsCheck = Effect.flatMap(loadEmbeddingsSettings, (settings) =>
  Option.match(settings, {
    onNone: () => Effect.succeed(skipped("EMBEDDINGS_URL and EMBEDDINGS_API_KEY are not set: search is by words.")),
    onSome: ({ apiKey, model, url }) =>
      checkCredentials({
        name: "embeddings",
        baseUrl: url,
        headers: Option.isSome(apiKey) ? { authorization: `Bearer ${Redacted.value(apiKey.value)}` } : {},
        request: { method: "POST", path: "/embeddings", json: { model, input: ["check"] }, isRead: true },
        setting: "EMBEDDINGS_API_KEY",
        subject: "EMBEDDINGS_MODEL"
      })
  })
)

export const modelChecks: ReadonlyArray<Check> = [
  { name: "language_model", run: languageModelCheck },
  { name: "embeddings", run: embeddingsCheck }
]
