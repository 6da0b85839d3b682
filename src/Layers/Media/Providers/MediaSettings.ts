import { Config, type ConfigError, Effect, Option, type Redacted } from "effect"
import type { ImageModel, VideoModel } from "../../../Services/Media/Ids.ts"
import { given, httpUrl, secret } from "../../Platform/Environment.ts"

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

/** The image provider. Without a key there is none, and the sandbox makes images. */
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

/** A video provider, with its names of the engines. */
export interface VideoProviderSettings {
  readonly url: string
  readonly apiKey: Redacted.Redacted
  readonly models: { readonly [M in VideoModel]: string }
}

export interface VideoSettings {
  readonly gemini: Option.Option<VideoProviderSettings>
  readonly replicate: Option.Option<VideoProviderSettings>
  /** The path of ffmpeg. The usual folders are searched by default. */
  readonly rendererPath: Option.Option<string>
}

const videoConfig = Config.all({
  geminiKey: secret("VIDEOS_GEMINI_API_KEY"),
  geminiUrl: httpUrl("VIDEOS_GEMINI_URL"),
  replicateToken: secret("VIDEOS_REPLICATE_API_TOKEN"),
  replicateUrl: httpUrl("VIDEOS_REPLICATE_URL"),
  pro: given("VIDEOS_MODEL_PRO"),
  proFast: given("VIDEOS_MODEL_PRO_FAST"),
  alt: given("VIDEOS_MODEL_ALT"),
  rendererPath: given("VIDEOS_RENDERER_PATH")
})

/** The video providers. Without credentials for one, the sandbox renders videos. */
export const loadVideoSettings: Effect.Effect<VideoSettings, ConfigError.ConfigError> = Effect.map(
  videoConfig,
  ({ alt, geminiKey, geminiUrl, pro, proFast, rendererPath, replicateToken, replicateUrl }) => {
    const models = {
      VideoEnginePro: Option.getOrElse(pro, () => "veo-3.1-generate-preview"),
      VideoEngineProFast: Option.getOrElse(proFast, () => "veo-3.1-fast-generate-preview"),
      VideoEngineAlt: Option.getOrElse(alt, () => "bytedance/seedance-1-pro")
    }
    return {
      gemini: Option.map(geminiKey, (apiKey) => ({
        url: Option.getOrElse(geminiUrl, () => "https://generativelanguage.googleapis.com/v1beta"),
        apiKey,
        models
      })),
      replicate: Option.map(replicateToken, (apiKey) => ({
        url: Option.getOrElse(replicateUrl, () => "https://api.replicate.com/v1"),
        apiKey,
        models
      })),
      rendererPath
    }
  }
)
