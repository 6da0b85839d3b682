import { ImageEngine } from "../../../Services/Media/ImageEngine.ts"
import { providerLayer } from "../../Platform/Outbound/ProviderLayer.ts"
import { makeImagesSandbox } from "../sandbox/ImagesSandbox.ts"
import { makeLiveImages } from "./LiveImages.ts"
import { loadImageSettings } from "./MediaSettings.ts"

/** The provider whose key is configured, or the sandbox without one. */
export const ImageEngineConfigured = providerLayer(ImageEngine, {
  settings: loadImageSettings,
  live: makeLiveImages,
  sandbox: makeImagesSandbox
})
