import type { PosterRequest } from "./Design/Poster.ts"

/** What the studio's threads are asked. */
export type StudioRequest =
  /** A stranger's picture, encoded anew as JPEG no side of which is longer than `longest`. */
  | { readonly kind: "reference"; readonly bytes: Uint8Array; readonly longest: number }
  /** A picture that a provider made, encoded anew as PNG and cut to its size. */
  | { readonly kind: "result"; readonly bytes: Uint8Array; readonly width: number; readonly height: number }
  | { readonly kind: "poster"; readonly poster: PosterRequest }

export type StudioReply =
  | { readonly kind: "made"; readonly files: ReadonlyArray<Uint8Array> }
  | { readonly kind: "unusable"; readonly reason: "not_a_picture" | "too_large" }
