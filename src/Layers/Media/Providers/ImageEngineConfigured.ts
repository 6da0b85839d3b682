import { Effect, Layer, Option } from "effect"
import { ImageEngine } from "../../../Services/Media/ImageEngine.ts"
import { makeImagesSandbox } from "../sandbox/ImagesSandbox.ts"
import { makeLiveImages } from "./LiveImages.ts"
import { loadImageSettings } from "./MediaSettings.ts"

/** The provider that the settings have a key for; the sandbox where they have none. */
export const ImageEngineConfigured = Layer.effect(
  ImageEngine,
  Effect.gen(function* () {
    const settings = yield* loadImageSettings
    return Option.isSome(settings) ? yield* makeLiveImages(settings.value) : yield* makeImagesSandbox
  })
)
