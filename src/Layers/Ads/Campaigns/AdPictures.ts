import { Chunk, Effect, Stream } from "effect"
import { type Transient, transient } from "../../../Errors.ts"
import type { AutomatedAssets } from "../../../Services/Ads/AutomatedAssets.ts"
import type { Caller } from "../../../Services/Core/Calls/Caller.ts"
import type { CustomerFiles } from "../../../Services/Files/CustomerFiles.ts"
import type { CustomerFileId } from "../../../Services/Files/Ids.ts"

/** Picture sizes that the platform recommends. */
const shapes = {
  logo: { width: 1200, height: 1200 },
  square: { width: 1200, height: 1200 },
  landscape: { width: 1200, height: 628 }
} as const

/** Larger pictures are not decoded. */
const mostPixels = 40_000_000

const unreadable = transient("picture_unreadable", "A picture of the campaign could not be read.", 3600)

const cut = (bytes: Uint8Array, size: { readonly width: number; readonly height: number }) =>
  Effect.tryPromise({
    // The native library is loaded on first use, because only automated campaigns need it.
    try: async () => {
      const { default: sharp } = await import("sharp")
      return await sharp(bytes, { limitInputPixels: mostPixels })
        .resize({ ...size, fit: "cover", position: "attention" })
        .flatten({ background: "#ffffff" })
        .jpeg({ quality: 85 })
        .toBuffer()
    },
    catch: () => unreadable
  })

/** The campaign's pictures in the platform's shapes, as Base64. */
export const adPictures = (
  files: CustomerFiles["Type"],
  assets: AutomatedAssets
): Effect.Effect<{ readonly [P in keyof typeof shapes]: string }, Transient, Caller> => {
  const pictureOf = (fileId: CustomerFileId, shape: keyof typeof shapes) =>
    Stream.runCollect(files.read(fileId)).pipe(
      Effect.catchTag("NotFound", () => unreadable),
      Effect.flatMap((parts) => cut(Buffer.concat(Chunk.toReadonlyArray(parts)), shapes[shape])),
      Effect.map((bytes) => bytes.toString("base64"))
    )
  return Effect.all({
    logo: pictureOf(assets.logo, "logo"),
    square: pictureOf(assets.square, "square"),
    landscape: pictureOf(assets.landscape, "landscape")
  })
}
