import { Effect, Option } from "effect"
import { type Refused, refused, type Transient } from "../../Errors.ts"
import { cleanFileName } from "../Files/FileName.ts"
import { fetchFailure, unsuccessfulStatus } from "../Outbound/FetchedUrl.ts"
import { OutboundHttp, type OutboundResponse } from "../Outbound/OutboundHttp.ts"
import type { ChatAppMediaKind } from "./ChatApp.ts"

/** A file at a public address that can be sent on the messaging app. */
export interface CheckedAttachment {
  readonly url: string
  readonly kind: ChatAppMediaKind
  readonly fileName: string | undefined
}

const office = "application/vnd.openxmlformats-officedocument"

const typesOf: { readonly [K in ChatAppMediaKind]: ReadonlyArray<string> } = {
  image: ["image/jpeg", "image/png"],
  video: ["video/mp4", "video/3gpp"],
  audio: ["audio/aac", "audio/amr", "audio/mpeg", "audio/mp4", "audio/ogg"],
  document: [
    "application/pdf",
    "text/plain",
    "application/msword",
    "application/vnd.ms-excel",
    "application/vnd.ms-powerpoint",
    `${office}.wordprocessingml.document`,
    `${office}.spreadsheetml.sheet`,
    `${office}.presentationml.presentation`
  ]
}

const megabyte = 1024 * 1024
const largest: { readonly [K in ChatAppMediaKind]: number } = {
  image: 5 * megabyte,
  video: 16 * megabyte,
  audio: 16 * megabyte,
  document: 100 * megabyte
}

const kinds = ["image", "video", "audio", "document"] as const

const kindOf = (mediaType: string): ChatAppMediaKind | undefined =>
  kinds.find((kind) => typesOf[kind].includes(mediaType))

const tooLarge = (kind: ChatAppMediaKind): Refused =>
  refused(
    "attachment_too_large",
    `The file at attachment_url is too large for the messaging app.`,
    `A file of kind ${kind} may have ${largest[kind]} bytes.`,
    { maximum_bytes: largest[kind] }
  )

const notSupported = refused(
  "attachment_type_not_supported",
  "The messaging app does not carry files of the type that attachment_url answers.",
  "Link to a picture, a video, a sound or a document; the host must name its type.",
  { accepted_values: kinds.flatMap((kind) => typesOf[kind]) }
)

const nameIn = (url: string): string | undefined => {
  const last = new URL(url).pathname.split("/").at(-1) ?? ""
  try {
    return Option.getOrUndefined(cleanFileName(decodeURIComponent(last)))
  } catch {
    return undefined
  }
}

const read = (url: string, { headers, status }: OutboundResponse) => {
  if (status !== 200) return Effect.fail(unsuccessfulStatus(status))
  const kind = kindOf((headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "")
  if (kind === undefined) return Effect.fail(notSupported)
  if (Number(headers["content-length"] ?? 0) > largest[kind]) return Effect.fail(tooLarge(kind))
  return Effect.succeed({ url, kind, fileName: nameIn(url) })
}

/** Some hosts do not support HEAD, or require a signature for it. */
const hasNoHead = (status: number): boolean => status === 403 || status === 405 || status === 501

/**
 * Checks a file by its URL without downloading it: it must be at a public https address, and of a type and size that
 * the messaging app accepts. Call it outside transactions.
 */
export const checkAttachment = (url: string): Effect.Effect<CheckedAttachment, Refused | Transient, OutboundHttp> =>
  Effect.gen(function* () {
    const outbound = yield* OutboundHttp
    const look = (method: "HEAD" | "GET") =>
      outbound
        .request({ method, url, redirect: "same-host", timeout: "15 seconds", responseBody: "ignored" })
        .pipe(Effect.catchTag("OutboundFailure", (failure) => Effect.fail(fetchFailure(failure, notSupported))))
    const head = yield* look("HEAD")
    return yield* read(url, hasNoHead(head.status) ? yield* look("GET") : head)
  })
