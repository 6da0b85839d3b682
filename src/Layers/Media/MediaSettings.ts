import { Config, type ConfigError, Effect, Option, type Redacted } from "effect"
import type { ImageModel } from "../../Services/Media/Ids.ts"
import { given, httpUrl, secret } from "../Platform/Environment.ts"

export interface ImageSettings {
  /** With the version and without a slash at its end. */
  readonly url: string
  readonly apiKey: Redacted.Redacted
  /** As the provider names them. */
  readonly models: { readonly [M in ImageModel]: string }
}

const imageConfig = Config.all({
  url: httpUrl("IMAGES_URL"),
  apiKey: secret("IMAGES_API_KEY"),
  engineA: given("IMAGES_MODEL_A"),
  engineB: given("IMAGES_MODEL_B")
})

/** Where images are made; none without a key, so that the sandbox makes them. */
export const loadImageSettings: Effect.Effect<Option.Option<ImageSettings>, ConfigError.ConfigError> = Effect.map(
  imageConfig,
  ({ apiKey, engineA, engineB, url }) => {
    const first = Option.getOrElse(engineA, () => "gpt-image-1")
    return Option.map(apiKey, (key) => ({
      url: Option.getOrElse(url, () => "https://api.openai.com/v1"),
      apiKey: key,
      models: { ImageEngineA: first, ImageEngineB: Option.getOrElse(engineB, () => "dall-e-3") }
    }))
  }
)
