import { ImageEngine } from "../../../Services/Media/ImageEngine.ts"
import { providerLayer } from "../../Platform/Outbound/ProviderLayer.ts"
import { makeImagesSandbox } from "../sandbox/ImagesSandbox.ts"
import { makeGeminiImages } from "./GeminiImages.ts"
import { loadImageSettings } from "./MediaSettings.ts"
import { makeOpenAiImages } from "./OpenAiImages.ts"

/** Provides the provider whose key is configured, or the sandbox without a key. */
export const ImageEngineConfigured = providerLayer(ImageEngine, {
  settings: loadImageSettings,
  live: (settings) => (settings.provider === "gemini" ? makeGeminiImages(settings) : makeOpenAiImages(settings)),
  sandbox: makeImagesSandbox
})
