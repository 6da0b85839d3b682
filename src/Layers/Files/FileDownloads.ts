import { HttpRouter, HttpServerResponse } from "@effect/platform"
import { Effect, Option, Schema } from "effect"
import { CustomerFiles } from "../../Services/Files/CustomerFiles.ts"
import { type Endpoint, refusal } from "../Platform/Http/Endpoint.ts"

const noSuchFile = refusal(
  404,
  "UnknownRoute",
  "There is no such file.",
  "It may have been removed; ask who sent the address."
)

const unavailable = refusal(503, "Transient", "The file cannot be read for the moment.", "Try again in some seconds.", {
  "Retry-After": "2"
})

/** The name for whoever reads only ASCII, and the real one (RFC 6266). */
const disposition = (fileName: string): string => {
  const ascii = fileName.replace(/[^\x20-\x7e]|["\\%]/g, "_")
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(fileName).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)}`
}

/**
 * `GET /files/{key}/{name}`: a customer file for whoever knows its unguessable key. Browsers save it and never run it,
 * since it may be a page that somebody uploaded.
 */
export const fileDownloads: Effect.Effect<Endpoint<HttpRouter.RouteContext>, never, CustomerFiles> = Effect.map(
  CustomerFiles,
  (files) => ({
    path: "/files/:key/:name",
    methods: {
      GET: HttpRouter.schemaPathParams(Schema.Struct({ key: Schema.String.pipe(Schema.maxLength(100)) })).pipe(
        Effect.flatMap(({ key }) => files.findByDownloadKey(key)),
        Effect.map(
          Option.match({
            onNone: () => noSuchFile,
            onSome: ({ bytes, file }) =>
              HttpServerResponse.stream(bytes, {
                contentType: file.media_type,
                contentLength: file.size_bytes,
                headers: {
                  "Content-Disposition": disposition(file.file_name),
                  "Content-Security-Policy": "sandbox; default-src 'none'",
                  "X-Content-Type-Options": "nosniff",
                  "Cache-Control": "private, no-store",
                  "Referrer-Policy": "no-referrer"
                }
              })
          })
        ),
        Effect.catchTags({ ParseError: () => Effect.succeed(noSuchFile), Transient: () => Effect.succeed(unavailable) })
      )
    }
  })
)
