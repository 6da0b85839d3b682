import type { DrawingModel } from "../../../Services/Media/Drawings/DrawingModel.ts"
import type { Storyboard } from "../../../Services/Media/Storyboard.ts"
import type { PosterRequest } from "../Design/Posters/Poster.ts"

/** A job of the rendering threads. */
export type RenderRequest =
  /** An untrusted picture, re-encoded as JPEG with sides of at most `longest` pixels. */
  | { readonly kind: "reference"; readonly bytes: Uint8Array; readonly longest: number }
  /** A provider's picture, re-encoded as PNG and cropped to its size. */
  | { readonly kind: "result"; readonly bytes: Uint8Array; readonly width: number; readonly height: number }
  /** A picture as WebP, cropped to each of these sizes. */
  | {
      readonly kind: "web"
      readonly bytes: Uint8Array
      readonly sizes: ReadonlyArray<{ readonly width: number; readonly height: number }>
    }
  /** A screenshot, re-encoded as PNG. */
  | { readonly kind: "shot"; readonly bytes: Uint8Array }
  | { readonly kind: "poster"; readonly poster: PosterRequest }
  /** Renders a drawing as PNG and as SVG. */
  | {
      readonly kind: "drawing"
      readonly model: DrawingModel
      readonly caption: string
      readonly picture: Uint8Array | undefined
    }
  /** Renders the frames of a video: each scene's backdrop and caption in turn, as PNG. */
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
