import { Effect, Option, Redacted, Schema, Stream } from "effect"
import { refused } from "../../../Errors.ts"
import type { ChatAppMediaFile, ChatAppPicture } from "../../../Services/ChatApp/ChatApp.ts"
import { parsedUrl } from "../../../Services/Core/Outside/ParsedUrl.ts"
import { fileTooLarge } from "../../../Services/Files/CustomerFiles.ts"
import { fetchFailure, unsuccessfulStatus } from "../../../Services/Outbound/FetchedUrl.ts"
import type { OutboundHttp } from "../../../Services/Outbound/OutboundHttp.ts"
import type { GraphApi } from "./GraphApi.ts"

const UploadSession = Schema.Struct({ id: Schema.NonEmptyString })
const UploadHandle = Schema.Struct({ h: Schema.NonEmptyString })
const MediaInfo = Schema.Struct({
  url: Schema.NonEmptyString,
  mime_type: Schema.optional(Schema.String),
  file_size: Schema.optional(Schema.Union(Schema.Number, Schema.NumberFromString))
})

const mediaGone = refused(
  "media_gone",
  "The provider does not have the file any more.",
  "Ask the lead to send it again."
)

/** The provider's hosts for files. No other host may receive its token. */
const fileHosts = /(?:^|\.)(?:facebook\.com|fbsbx\.com|fbcdn\.net|whatsapp\.net|whatsapp\.com)$/

/** Downloads files from the provider and uploads files to it. */
export const makeMedia = (options: {
  readonly graph: GraphApi
  readonly outbound: OutboundHttp["Type"]
  readonly appId: string
  readonly apiUrl: string
}) => {
  const { appId, apiUrl, graph, outbound } = options

  const isTrusted = (url: string): boolean => {
    const address = parsedUrl(url)
    if (address === undefined) return false
    const { hostname, origin, protocol } = address
    return origin === new URL(apiUrl).origin || (protocol === "https:" && fileHosts.test(hostname))
  }

  return {
    gone: mediaGone,

    /** Uploads a picture in two steps. Returns the handle that the profile needs. */
    uploadPicture: Effect.fnUntraced(function* (token: Redacted.Redacted, { bytes, mediaType }: ChatAppPicture) {
      const { id } = yield* graph.ask(UploadSession, {
        method: "POST",
        path: `/${encodeURIComponent(appId)}/uploads`,
        query: {
          file_length: bytes.length,
          file_type: mediaType,
          file_name: mediaType === "image/png" ? "picture.png" : "picture.jpg"
        },
        token
      })
      const { h } = yield* graph.ask(UploadHandle, {
        method: "POST",
        // The session's id contains a colon and a query that must not be encoded.
        path: `/${id}`,
        headers: { authorization: `OAuth ${Redacted.value(token)}`, file_offset: "0", "content-type": mediaType },
        body: bytes,
        timeout: "60 seconds"
      })
      return h
    }),

    open: Effect.fnUntraced(function* (token: Redacted.Redacted, mediaId: string, maximumBytes: number) {
      const answer = yield* graph
        .ask(Schema.Object, { method: "GET", path: `/${encodeURIComponent(mediaId)}`, token })
        .pipe(Effect.catchTag("LineRefused", () => Effect.fail(mediaGone)))
      const info = Option.getOrUndefined(Schema.decodeUnknownOption(MediaInfo)(answer))
      if (info === undefined || !isTrusted(info.url)) return yield* mediaGone
      if ((info.file_size ?? 0) > maximumBytes) return yield* fileTooLarge(maximumBytes)
      const tooLarge = fileTooLarge(maximumBytes)
      const response = yield* outbound
        .stream({
          method: "GET",
          url: info.url,
          headers: { authorization: `Bearer ${Redacted.value(token)}` },
          timeout: "2 minutes",
          maxResponseBytes: maximumBytes,
          allowNonPublic: new URL(info.url).origin === new URL(apiUrl).origin
        })
        .pipe(Effect.catchTag("OutboundFailure", (failure) => Effect.fail(fetchFailure(failure, tooLarge))))
      if (response.status === 404 || response.status === 410) return yield* mediaGone
      if (response.status !== 200) return yield* unsuccessfulStatus(response.status)
      const file: ChatAppMediaFile = {
        mediaType: info.mime_type,
        fileName: undefined,
        bytes: Stream.mapError(response.body, (failure) => fetchFailure(failure, tooLarge))
      }
      return file
    })
  }
}
