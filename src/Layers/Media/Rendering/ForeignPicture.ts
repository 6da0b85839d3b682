import sharp, { type Sharp } from "sharp"
import { sniffMediaType } from "../../../Services/Files/MediaType.ts"

/** The accepted formats. SVG is excluded, and so are formats whose decoders get little security review. */
const formats: { readonly [mediaType: string]: string } = {
  "image/png": "png",
  "image/jpeg": "jpeg",
  "image/webp": "webp",
  "image/gif": "gif"
}

const mostPixels = 40_000_000

/** Reads an untrusted picture. Its bytes determine the format, and its size is checked before it is decoded. */
export const pictureOf = async (bytes: Uint8Array): Promise<Sharp | "not_a_picture" | "too_large"> => {
  const format = formats[sniffMediaType(bytes, "")]
  if (format === undefined) return "not_a_picture"
  try {
    const picture = sharp(bytes, { limitInputPixels: false, failOn: "error", pages: 1 })
    const { format: found, height = 0, width = 0 } = await picture.metadata()
    if (found !== format) return "not_a_picture"
    if (width * height > mostPixels) return "too_large"
    return sharp(bytes, { limitInputPixels: mostPixels, failOn: "error", pages: 1 }).timeout({ seconds: 20 })
  } catch {
    return "not_a_picture"
  }
}

type Wanted =
  | { readonly kind: "reference"; readonly longest: number }
  | { readonly kind: "result" | "web"; readonly width: number; readonly height: number }
  | { readonly kind: "shot" }

/** Re-encodes the picture, so that only its pixels remain. A picture whose data is cut off is refused. */
export const encodeAgain = async (picture: Sharp, wanted: Wanted): Promise<Uint8Array | "not_a_picture"> => {
  const upright = picture.rotate().toColourspace("srgb")
  const sized = (): Sharp => {
    switch (wanted.kind) {
      case "reference":
        return upright
          .resize(wanted.longest, wanted.longest, { fit: "inside", withoutEnlargement: true })
          .flatten({ background: "#ffffff" })
          .jpeg({ quality: 86 })
      case "result":
        return upright.resize(wanted.width, wanted.height, { fit: "cover" }).png({ compressionLevel: 7 })
      case "web":
        return upright
          .resize(wanted.width, wanted.height, { fit: "cover" })
          .flatten({ background: "#ffffff" })
          .webp({ quality: 76, effort: 3 })
      case "shot":
        return upright.png({ compressionLevel: 7 })
    }
  }
  return await sized()
    .toBuffer()
    .catch(() => "not_a_picture" as const)
}
