import { Effect, Either, Predicate, Stream } from "effect"
import { type Refused, refused, type Transient, transient } from "../Errors.ts"
import type { Caller } from "./Caller.ts"
import { CustomerFiles, type CustomerFileView, fileTooLarge, UploadLimit } from "./CustomerFiles.ts"
import { type OutboundFailure, OutboundHttp, outboundTransient } from "./OutboundHttp.ts"

/** Of the three sources exactly one is given. */
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

/** The bytes, if they are written as the encoding prescribes: nothing is skipped or guessed. */
const decodeBase64 = (text: string): Either.Either<Uint8Array, Refused> => {
  const bytes = Buffer.from(text, "base64")
  return bytes.toString("base64") === text ? Either.right(bytes) : Either.left(notBase64)
}

const fetchFailed =
  (maximumBytes: number) =>
  (failure: OutboundFailure): Refused | Transient => {
    switch (failure.reason) {
      case "response_too_large":
        return fileTooLarge(maximumBytes)
      case "host_not_found":
        return refused(
          "url_host_not_found",
          "The host that the URL names does not exist.",
          "Check the URL's host name."
        )
      case "tls_failed":
        return refused(
          "url_not_trusted",
          "No trusted connection to the URL's host could be made.",
          "The host needs a valid TLS certificate."
        )
      case "response_unreadable":
        return refused("url_unreadable", "The URL's host answered something unreadable.", "Upload the content itself.")
      case "connection_failed":
      case "timed_out":
        return outboundTransient(failure, "The URL's host")
    }
  }

const isPassing = (status: number): boolean => status >= 500 || status === 429 || status === 408

const unsuccessful = (status: number): Refused | Transient =>
  isPassing(status)
    ? transient("url_host_unavailable", `The URL's host answered with status ${status}.`, 5)
    : refused(
        "url_answered_error",
        `The URL's host answered with status ${status} instead of a file.`,
        "Check that the URL opens without signing in.",
        { status }
      )

/** Stores a file of the given content, or of what the URL answers. */
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
      const failed = fetchFailed(maximumBytes)
      const response = yield* outbound
        .stream({ method: "GET", url, redirect: "same-host", timeout: "60 seconds", maxResponseBytes: maximumBytes })
        .pipe(Effect.catchTag("OutboundFailure", (failure) => Effect.fail(failed(failure))))
      if (response.status !== 200) return yield* unsuccessful(response.status)
      return yield* files.write({ fileName, maximumBytes, bytes: Stream.mapError(response.body, failed) })
    }
    const bytes = text === undefined ? yield* decodeBase64(contentBase64 ?? "") : Buffer.from(text, "utf8")
    if (bytes.length > maximumBytes) return yield* fileTooLarge(maximumBytes)
    return yield* files.write({ fileName, maximumBytes, bytes: Stream.make(bytes) })
  }).pipe(Effect.scoped, Effect.withSpan("uploadCustomerFile", { captureStackTrace: false }))
