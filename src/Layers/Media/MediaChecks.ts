import { Effect, Option, Redacted } from "effect"
import { skipped, warning, worstOf } from "../../Services/Core/Outside/CheckResult.ts"
import type { Check } from "../Platform/Operators/Check.ts"
import { checkProgram } from "../Platform/Operators/ProgramCheck.ts"
import { checkCredentials } from "../Platform/Outbound/ProviderCheck.ts"
import { type ImageSettings, loadImageSettings, loadVideoSettings } from "./Providers/MediaSettings.ts"
import { findRenderer } from "./Rendering/Renderer.ts"

const checkImages = ({ apiKey, models, provider, url }: ImageSettings) => {
  const key = Redacted.value(apiKey)
  const headers: { readonly [name: string]: string } =
    provider === "gemini" ? { "x-goog-api-key": key } : { authorization: `Bearer ${key}` }
  return checkCredentials({
    name: "images",
    baseUrl: url,
    headers,
    request: { method: "GET", path: `/models/${encodeURIComponent(models.ImageEngineA)}` },
    setting: "IMAGES_API_KEY",
    subject: "IMAGES_MODEL_A"
  })
}

const imagesCheck = Effect.flatMap(loadImageSettings, (settings) =>
  Option.match(settings, {
    onNone: () => Effect.succeed(skipped("IMAGES_API_KEY is not set: images are drawn in the sandbox.")),
    onSome: checkImages
  })
)

const videosCheck = Effect.flatMap(loadVideoSettings, ({ gemini, replicate }) => {
  const checks = [
    ...Option.toArray(gemini).map(({ apiKey, models, url }) =>
      checkCredentials({
        name: "videos_gemini",
        baseUrl: url,
        headers: { "x-goog-api-key": Redacted.value(apiKey) },
        request: { method: "GET", path: `/models/${encodeURIComponent(models.VideoEnginePro)}` },
        setting: "VIDEOS_GEMINI_API_KEY",
        subject: "VIDEOS_MODEL_PRO"
      })
    ),
    ...Option.toArray(replicate).map(({ apiKey, url }) =>
      checkCredentials({
        name: "videos_replicate",
        baseUrl: url,
        headers: { authorization: `Bearer ${Redacted.value(apiKey)}` },
        request: { method: "GET", path: "/account" },
        setting: "VIDEOS_REPLICATE_API_TOKEN"
      })
    )
  ]
  return checks.length === 0
    ? Effect.succeed(skipped("No video provider has a key: videos are rendered by FFmpeg."))
    : Effect.map(Effect.all(checks), worstOf)
})

const ffmpegFix = "Install FFmpeg (apt-get install ffmpeg), or set VIDEOS_RENDERER_PATH to its folder."

const ffmpegCheck = Effect.gen(function* () {
  const { rendererPath } = yield* loadVideoSettings
  const renderer = yield* findRenderer(Option.getOrUndefined(rendererPath))
  return Option.isNone(renderer)
    ? warning("FFmpeg is not installed: tools for videos are refused.", ffmpegFix)
    : yield* checkProgram(renderer.value, ["-version"], ffmpegFix)
})

export const mediaChecks: ReadonlyArray<Check> = [
  { name: "images", run: imagesCheck },
  { name: "videos", run: videosCheck },
  { name: "ffmpeg", run: ffmpegCheck }
]
