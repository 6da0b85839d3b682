import { Effect, Layer } from "effect"
import { LanguageModel } from "../../Services/Models/LanguageModel.ts"
import * as Room from "../Platform/Room.ts"
import { EmbeddingsConfigured, loadEmbeddingsSettings } from "./Embeddings/Live.ts"
import { LanguageModelConfigured } from "./LanguageModel/LanguageModelConfigured.ts"
import { loadLanguageModelSettings } from "./LanguageModel/LanguageModelSettings.ts"
import { LanguageUsagePostgres } from "./LanguageUsagePostgres.ts"
import { modelsMigration } from "./Migrations.ts"
import { modelChecks } from "./ModelChecks.ts"
import { ModelOutagesPostgres } from "./ModelOutagesPostgres.ts"

/** The room of the language model, the embeddings, and their usage. */
export const ModelsRoom = Room.make({
  migrations: [modelsMigration],
  layer: Layer.mergeAll(LanguageModelConfigured, EmbeddingsConfigured, LanguageUsagePostgres, ModelOutagesPostgres),
  modes: Effect.map(LanguageModel, ({ mode }) => ({ language_model: mode })),
  settings: [loadLanguageModelSettings, loadEmbeddingsSettings],
  checks: modelChecks
})
