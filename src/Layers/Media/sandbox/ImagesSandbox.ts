import { Effect } from "effect"
import { ImageEngine } from "../../../Services/Media/ImageEngine.ts"
import { ImageRenderer } from "../Rendering/ImageRenderer.ts"

/** Designs pictures without a provider: posters, patterns and gradients of what the prompt names. */
export const makeImagesSandbox = Effect.map(ImageRenderer, (studio) =>
  ImageEngine.of({
    mode: "sandbox",
    make: ({ accountId, height, isTransparent, pictures, prompt, width }) =>
      Effect.map(
        studio.make(accountId, { kind: "poster", poster: { prompt, width, height, isTransparent, pictures } }),
        ([png]) => png ?? new Uint8Array()
      )
  })
)
