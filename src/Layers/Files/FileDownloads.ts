import { HttpRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Option, Schema } from "effect"
import { byteRange } from "../../Services/Files/ByteRange.ts"
import { CustomerFiles, type DownloadableFile, GeneratedFiles } from "../../Services/Files/CustomerFiles.ts"
import { type Endpoint, type RequestScope, refusal } from "../Platform/Http/Endpoint.ts"

const noSuchFile = refusal(
  404,
  "UnknownRoute",
  "There is no such file.",
  "It may have been removed; ask who sent the address."
)

const unavailable = refusal(503, "Transient", "The file cannot be read for the moment.", "Try again in some seconds.", {
  "Retry-After": "2"
})

/** The name in ASCII for old clients, and the real one (RFC 6266). */
const disposition = (kind: "attachment" | "inline", fileName: string): string => {
  const ascii = fileName.replace(/[^\x20-\x7e]|["\\%]/g, "_")
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(fileName).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)}`
}

const headersOfAll = { "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer" }

/** Uploaded files may be HTML pages, so browsers must save them and not run them. */
const saved = ({ bytes, file }: DownloadableFile) =>
  HttpServerResponse.stream(bytes, {
    contentType: file.media_type,
    contentLength: file.size_bytes,
    headers: {
      ...headersOfAll,
      "Content-Disposition": disposition("attachment", file.file_name),
      "Content-Security-Policy": "sandbox; default-src 'none'",
      "Cache-Control": "private, no-store"
    }
  })

const namesTag = (header: string | undefined, etag: string): boolean =>
  header !== undefined && header.split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag)

/** Pictures and videos that the gateway made are shown in the browser. Videos are read by ranges. */
const inBrowser = (
  { bytes, file, part }: DownloadableFile,
  requestHeaders: { readonly [name: string]: string | undefined }
) => {
  const etag = `"${file.sha256.slice(0, 32)}"`
  const headers = {
    ...headersOfAll,
    ETag: etag,
    "Accept-Ranges": "bytes",
    // Browsers must revalidate the file each time, since the owner may remove it.
    "Cache-Control": "private, no-cache",
    "Content-Disposition": disposition("inline", file.file_name),
    // The policy allows what browsers need to show a picture or video as a page.
    "Content-Security-Policy": "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'",
    "Cross-Origin-Resource-Policy": "cross-origin"
  }
  if (namesTag(requestHeaders["if-none-match"], etag)) return HttpServerResponse.empty({ status: 304, headers })
  const ifRange = requestHeaders["if-range"]
  const isSame = ifRange === undefined || ifRange.trim() === etag
  const range = byteRange(isSame ? requestHeaders["range"] : undefined, file.size_bytes)
  switch (range._tag) {
    case "Whole":
      return HttpServerResponse.stream(bytes, {
        contentType: file.media_type,
        contentLength: file.size_bytes,
        headers
      })
    case "Unsatisfiable":
      return HttpServerResponse.empty({
        status: 416,
        headers: { ...headers, "Content-Range": `bytes */${file.size_bytes}` }
      })
    case "Part":
      return HttpServerResponse.stream(part(range.first, range.last), {
        status: 206,
        contentType: file.media_type,
        contentLength: range.last - range.first + 1,
        headers: { ...headers, "Content-Range": `bytes ${range.first}-${range.last}/${file.size_bytes}` }
      })
  }
}

/** The only media type of files that are generated from the account's data. */
const madeType = "application/pdf"

/** `GET /files/{key}/{name}`: a customer file, by its unguessable key. */
export const fileDownloads: Effect.Effect<Endpoint<RequestScope>, never, CustomerFiles> = Effect.map(
  Effect.zip(CustomerFiles, GeneratedFiles),
  ([files, { refresh }]) => ({
    path: "/files/:key/:name",
    methods: {
      GET: HttpRouter.schemaPathParams(Schema.Struct({ key: Schema.String.pipe(Schema.maxLength(100)) })).pipe(
        Effect.flatMap(({ key }) =>
          Effect.gen(function* () {
            const download = yield* files.findByDownloadKey(key)
            if (Option.isNone(download) || download.value.file.media_type !== madeType) return download
            const { accountId, file } = download.value
            const isOther = yield* refresh(accountId, file.customer_file_id)
            return isOther ? yield* files.findByDownloadKey(key) : download
          })
        ),
        Effect.zip(HttpServerRequest.HttpServerRequest),
        Effect.map(([found, { headers }]) =>
          Option.match(found, {
            onNone: () => noSuchFile,
            onSome: (downloadable) => (downloadable.isOwnMedia ? inBrowser(downloadable, headers) : saved(downloadable))
          })
        ),
        Effect.catchTags({ ParseError: () => Effect.succeed(noSuchFile), Transient: () => Effect.succeed(unavailable) })
      )
    }
  })
)
