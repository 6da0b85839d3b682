import { Config, type ConfigError, Effect, Option, type Redacted } from "effect"
import type { ImageModel, VideoModel } from "../../../Services/Media/Ids.ts"
import { given, httpUrl, secret } from "../../Platform/Environment.ts"

export interface ImageSettings {
  readonly provider: "openai" | "gemini"
  /** The base URL with the version, without a trailing slash. */
  readonly url: string
  readonly apiKey: Redacted.Redacted
  /** The models' names at the provider. */
  readonly models: { readonly [M in ImageModel]: string }
}

const geminiUrl = "https://generativelanguage.googleapis.com/v1beta"
const imageUrls = { openai: "https://api.openai.com/v1", gemini: geminiUrl } as const

/** Current models of the providers in November 2026: the one with more detail, and the faster one. */
const imageModels = {
  openai: { ImageEngineA: "gpt-image-2.6-sunburst", ImageEngineB: "gpt-image-2.6-flare" },
  gemini: { ImageEngineA: "gemini-3-pro-image", ImageEngineB: "gemini-3.1-flash-image" }
} as const

const imageConfig = Config.all({
  provider: Config.literal("openai", "gemini")("IMAGES_PROVIDER").pipe(Config.withDefault("openai" as const)),
  url: httpUrl("IMAGES_URL"),
  apiKey: secret("IMAGES_API_KEY"),
  engineA: given("IMAGES_MODEL_A"),
  engineB: given("IMAGES_MODEL_B")
})

/** The image provider. Without a key there is none, and the sandbox makes images. */
export const loadImageSettings: Effect.Effect<Option.Option<ImageSettings>, ConfigError.ConfigError> = Effect.map(
  imageConfig,
  ({ apiKey, engineA, engineB, provider, url }) =>
    Option.map(apiKey, (key) => ({
      provider,
      url: Option.getOrElse(url, () => imageUrls[provider]),
      apiKey: key,
      models: {
        ImageEngineA: Option.getOrElse(engineA, () => imageModels[provider].ImageEngineA),
        ImageEngineB: Option.getOrElse(engineB, () => imageModels[provider].ImageEngineB)
      }
    }))
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

/** Google's replacement for its earlier video models. */
const defaultVideoModel = "gemini-omni-1.1-flash"

const videoConfig = Config.all({
  geminiKey: secret("VIDEOS_GEMINI_API_KEY"),
  url: httpUrl("VIDEOS_GEMINI_URL"),
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
  ({ alt, geminiKey, pro, proFast, rendererPath, replicateToken, replicateUrl, url }) => {
    const models = {
      VideoEnginePro: Option.getOrElse(pro, () => defaultVideoModel),
      VideoEngineProFast: Option.getOrElse(proFast, () => defaultVideoModel),
      VideoEngineAlt: Option.getOrElse(alt, () => "bytedance/seedance-1-pro")
    }
    return {
      gemini: Option.map(geminiKey, (apiKey) => ({
        url: Option.getOrElse(url, () => geminiUrl),
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
