import { Effect, Layer, Option } from "effect"
import { VideoEngine } from "../../../Services/Media/VideoEngine.ts"
import { Renderer } from "../Rendering/Renderer.ts"
import { makeGeminiVideos } from "./GeminiVideos.ts"
import { loadVideoSettings } from "./MediaSettings.ts"
import { makeReplicateVideos } from "./ReplicateVideos.ts"

/** Provides the providers whose credentials are configured, or the machine's renderer without any. */
export const VideoEngineConfigured = Layer.effect(
  VideoEngine,
  Effect.gen(function* () {
    const { gemini, replicate } = yield* loadVideoSettings
    const { isThere } = yield* Renderer
    const ofPro = Option.isSome(gemini) ? yield* makeGeminiVideos(gemini.value) : undefined
    const ofAlt = Option.isSome(replicate) ? yield* makeReplicateVideos(replicate.value) : undefined
    const isLive = ofPro !== undefined || ofAlt !== undefined
    return VideoEngine.of({
      mode: isLive ? "live" : isThere ? "sandbox" : "unavailable",
      providerOf: (model) => (model === "VideoEngineAlt" ? ofAlt : ofPro)
    })
  })
)

/** Provides the renderer with the program at the configured path. */
export const RendererConfigured = Layer.unwrapEffect(
  Effect.map(loadVideoSettings, ({ rendererPath }) => Renderer.layerAt(Option.getOrUndefined(rendererPath)))
)
