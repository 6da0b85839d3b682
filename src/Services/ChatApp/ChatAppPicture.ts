import { Chunk, Effect, Either, Stream } from "effect"
import { type NotFound, type Refused, refused, type Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import { CustomerFiles } from "../Files/CustomerFiles.ts"
import type { CustomerFileId } from "../Files/Ids.ts"
import { fetchFailure, unsuccessfulStatus } from "../Outbound/FetchedUrl.ts"
import { OutboundHttp } from "../Outbound/OutboundHttp.ts"
import type { ChatAppPicture } from "./ChatApp.ts"

const smallestSide = 192
/** Bytes. Larger pictures are refused. */
const largestSize = 5 * 1024 * 1024

const help = `Use a square JPG or PNG of at least ${smallestSide}x${smallestSide} pixels and under 5 MB.`
const tooLarge = refused("picture_too_large", "The picture is 5 MB or larger.", help, { maximum_bytes: largestSize })
const notAPicture = refused("picture_format_not_accepted", "The file is neither a JPG nor a PNG.", help, {
  accepted_values: ["image/jpeg", "image/png"]
})

interface Size {
  readonly width: number
  readonly height: number
}

const pngSignature = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex")

const pngSize = (bytes: Buffer): Size | undefined =>
  bytes.length >= 33 && bytes.subarray(0, 16).equals(pngSignature)
    ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
    : undefined

/** Segments that contain a frame's size (SOF0 to SOF15). Three markers in this range have other meanings. */
const isFrameHeader = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

/** Walks the segments up to the first frame. */
const jpegSize = (bytes: Buffer): Size | undefined => {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined
  let at = 2
  while (at + 9 <= bytes.length) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (isFrameHeader(marker)) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    const isBare = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)
    if (marker === 0xd9 || marker === 0xda) return undefined
    at += isBare ? 2 : 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}

/** Checks the bytes instead of the file name or the declared type. */
export const checkPicture = (content: Uint8Array): Either.Either<ChatAppPicture, Refused> => {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  if (bytes.length >= largestSize) return Either.left(tooLarge)
  const png = pngSize(bytes)
  const size = png ?? jpegSize(bytes)
  if (size === undefined) return Either.left(notAPicture)
  const { height, width } = size
  if (width !== height) {
    return Either.left(
      refused("picture_not_square", `The picture is ${width}x${height} pixels, which is not square.`, help, {
        width,
        height
      })
    )
  }
  if (width < smallestSide) {
    return Either.left(
      refused("picture_too_small", `The picture is ${width}x${height} pixels, which is too small.`, help, {
        width,
        height
      })
    )
  }
  return Either.right({ bytes: content, mediaType: png === undefined ? "image/jpeg" : "image/png" })
}

const oneSource = refused(
  "one_source_required",
  "Give either customer_file_id or image_url.",
  "Send the id of an uploaded picture, or the public https address of one: one of the two."
)

const ofFile = (id: CustomerFileId) =>
  Effect.gen(function* () {
    const files = yield* CustomerFiles
    const file = yield* files.get(id)
    if (file.size_bytes >= largestSize) return yield* tooLarge
    const chunks = yield* Stream.runCollect(files.read(id))
    return Buffer.concat(Chunk.toReadonlyArray(chunks))
  })

const ofUrl = (url: string) =>
  Effect.gen(function* () {
    const outbound = yield* OutboundHttp
    const response = yield* outbound
      .request({ method: "GET", url, redirect: "same-host", maxResponseBytes: largestSize })
      .pipe(Effect.catchTag("OutboundFailure", (failure) => Effect.fail(fetchFailure(failure, tooLarge))))
    return response.status === 200 ? response.body : yield* unsuccessfulStatus(response.status)
  })

/** Reads the picture from one of the two sources and checks it. Call it outside transactions. */
export const readPicture = (source: {
  readonly imageUrl: string | undefined
  readonly customerFileId: CustomerFileId | undefined
}): Effect.Effect<ChatAppPicture, NotFound | Refused | Transient, CustomerFiles | OutboundHttp | Caller> =>
  Effect.gen(function* () {
    const { customerFileId, imageUrl } = source
    if ((customerFileId === undefined) === (imageUrl === undefined)) return yield* oneSource
    const bytes = customerFileId === undefined ? yield* ofUrl(imageUrl ?? "") : yield* ofFile(customerFileId)
    return yield* checkPicture(bytes)
  })
