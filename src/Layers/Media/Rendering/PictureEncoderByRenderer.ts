import { Effect, Layer } from "effect"
import { PictureEncoder } from "../../../Services/Media/PictureEncoder.ts"
import { ImageRenderer } from "./ImageRenderer.ts"

/** Encodes in the rendering thread. */
export const PictureEncoderByRenderer = Layer.effect(
  PictureEncoder,
  Effect.map(ImageRenderer, (studio) => {
    const first = (files: ReadonlyArray<Uint8Array>) => files[0] ?? new Uint8Array()
    return PictureEncoder.of({
      webp: (accountId, bytes, sizes) => studio.make(accountId, { kind: "web", bytes, sizes }),
      png: (accountId, bytes) => Effect.map(studio.make(accountId, { kind: "shot", bytes }), first),
      jpeg: (accountId, bytes, longest) =>
        Effect.map(studio.make(accountId, { kind: "reference", bytes, longest }), first)
    })
  })
)
