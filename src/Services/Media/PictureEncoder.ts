import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { GenerationFailed } from "./Generation.ts"
import type { ImageSize } from "./Images.ts"

/**
 * Encodes pictures of any raster format again, in separate threads. Of an untrusted file, only the pixels remain. Fails
 * with `not_a_picture` or `picture_too_large`.
 */
export class PictureEncoder extends Context.Tag("PictureEncoder")<
  PictureEncoder,
  {
    /** As WebP, one file per size, cropped to it. */
    readonly webp: (
      accountId: AccountId,
      bytes: Uint8Array,
      sizes: ReadonlyArray<ImageSize>
    ) => Effect.Effect<ReadonlyArray<Uint8Array>, GenerationFailed | Transient>
    /** As PNG of the same size. */
    readonly png: (accountId: AccountId, bytes: Uint8Array) => Effect.Effect<Uint8Array, GenerationFailed | Transient>
    /** As JPEG with limited sides, for language models. */
    readonly jpeg: (
      accountId: AccountId,
      bytes: Uint8Array,
      longest: number
    ) => Effect.Effect<Uint8Array, GenerationFailed | Transient>
  }
>() {}
