import { Effect, Either, Predicate, Stream } from "effect"
import { type Refused, refused, type Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import { fetchFailure, unsuccessfulStatus } from "../Outbound/FetchedUrl.ts"
import { type OutboundFailure, OutboundHttp } from "../Outbound/OutboundHttp.ts"
import { CustomerFiles, type CustomerFileView, fileTooLarge, UploadLimit } from "./CustomerFiles.ts"

/** Exactly one of the three sources is given. */
export interface Upload {
  readonly fileName: string
  readonly text: string | undefined
  readonly contentBase64: string | undefined
  readonly url: string | undefined
}

const notBase64 = refused(
  "content_not_base64",
  "content_base64 is not valid Base64.",
  "Send standard Base64 (RFC 4648 section 4) with its padding, and no line breaks, spaces or data: prefix."
)

const oneSource = "Send exactly one of text, content_base64 and url."
const noSource = refused("file_content_missing", "No content was given for the file.", oneSource)
const severalSources = refused("file_content_ambiguous", "The content was given in several ways.", oneSource)

/**
 * Decodes strictly: text that does not follow the encoding is refused. Encoding the bytes again for a comparison would
 * allocate as much as a large file. Instead, three checks find deviations: the number of decoded bytes, characters
 * outside the standard alphabet, and unused bits in the last digits.
 */
export const decodeBase64 = (text: string): Either.Either<Uint8Array, Refused> => {
  const bytes = Buffer.from(text, "base64")
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0
  const isWhole = text.length % 4 === 0 && bytes.length === (text.length / 4) * 3 - padding
  const isStandard = Buffer.byteLength(text) === text.length && !text.includes("-") && !text.includes("_")
  const isLastExact = bytes.toString("base64", Math.max(0, bytes.length - 3 + padding)) === text.slice(-4)
  return isWhole && isStandard && isLastExact ? Either.right(bytes) : Either.left(notBase64)
}

/** Stores a file from the given content, or from the response of a URL. */
export const uploadCustomerFile = (
  upload: Upload
): Effect.Effect<CustomerFileView, Refused | Transient, CustomerFiles | OutboundHttp | Caller> =>
  Effect.gen(function* () {
    const files = yield* CustomerFiles
    const maximumBytes = yield* UploadLimit
    const { contentBase64, fileName, text, url } = upload
    const sources = [text, contentBase64, url].filter(Predicate.isNotUndefined)
    if (sources.length === 0) return yield* noSource
    if (sources.length > 1) return yield* severalSources

    if (url !== undefined) {
      const outbound = yield* OutboundHttp
      const failed = (failure: OutboundFailure) => fetchFailure(failure, fileTooLarge(maximumBytes))
      const response = yield* outbound
        .stream({ method: "GET", url, redirect: "same-host", timeout: "60 seconds", maxResponseBytes: maximumBytes })
        .pipe(Effect.catchTag("OutboundFailure", (failure) => Effect.fail(failed(failure))))
      if (response.status !== 200) return yield* unsuccessfulStatus(response.status)
      return yield* files.write({ fileName, maximumBytes, bytes: Stream.mapError(response.body, failed) })
    }
    const bytes = text === undefined ? yield* decodeBase64(contentBase64 ?? "") : Buffer.from(text, "utf8")
    if (bytes.length > maximumBytes) return yield* fileTooLarge(maximumBytes)
    return yield* files.write({ fileName, maximumBytes, bytes: Stream.make(bytes) })
  }).pipe(Effect.scoped, Effect.withSpan("uploadCustomerFile", { captureStackTrace: false }))
