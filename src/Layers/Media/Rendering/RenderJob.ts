import type { DrawingModel } from "../../../Services/Media/DrawingModel.ts"
import type { Storyboard } from "../../../Services/Media/Storyboard.ts"
import type { PosterRequest } from "../Design/Posters/Poster.ts"

/** What the studio's threads are asked. */
export type RenderRequest =
  /** A stranger's picture, encoded anew as JPEG no side of which is longer than `longest`. */
  | { readonly kind: "reference"; readonly bytes: Uint8Array; readonly longest: number }
  /** A picture that a provider made, encoded anew as PNG and cut to its size. */
  | { readonly kind: "result"; readonly bytes: Uint8Array; readonly width: number; readonly height: number }
  /** A picture as WebP, cut to each of these sizes. */
  | {
      readonly kind: "web"
      readonly bytes: Uint8Array
      readonly sizes: ReadonlyArray<{ readonly width: number; readonly height: number }>
    }
  /** A picture of a screen, encoded anew as PNG. */
  | { readonly kind: "shot"; readonly bytes: Uint8Array }
  | { readonly kind: "poster"; readonly poster: PosterRequest }
  /** As PNG and as SVG. */
  | {
      readonly kind: "drawing"
      readonly model: DrawingModel
      readonly caption: string
      readonly picture: Uint8Array | undefined
    }
  /** Each scene's backdrop and caption in turn, as PNG. */
  | {
      readonly kind: "frames"
      readonly storyboard: Storyboard
      readonly width: number
      readonly height: number
      readonly pictures: ReadonlyArray<Uint8Array | undefined>
    }

export type RenderReply =
  | { readonly kind: "made"; readonly files: ReadonlyArray<Uint8Array> }
  | { readonly kind: "unusable"; readonly reason: "not_a_picture" | "too_large" }
