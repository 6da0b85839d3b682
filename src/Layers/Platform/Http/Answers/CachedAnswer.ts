import { createHash } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"

type Encoding = "br" | "gzip" | "identity"

interface Form {
  readonly body: Buffer
  readonly etag: string
  readonly headers: Readonly<Record<string, string>>
  /** The headers of an answer with status 304 (not modified). */
  readonly unchanged: Readonly<Record<string, string>>
}

/** An answer that is the same for all callers, in each encoding, ready to be sent. */
export interface CachedAnswer {
  readonly forms: { readonly identity: Form; readonly gzip?: Form; readonly br?: Form }
  /** The memory that the answer takes, in bytes. */
  readonly size: number
}

const withBrotli = promisify(brotliCompress)
const withGzip = promisify(gzip)

const formOf = (
  body: Buffer,
  encoding: Encoding,
  digest: string,
  headers: Readonly<Record<string, string>>,
  varies: boolean
): Form => {
  const etag = `"${digest}${encoding === "identity" ? "" : `-${encoding}`}"`
  const base = { ...headers, ETag: etag, ...(varies ? { Vary: "Accept-Encoding" } : {}) }
  return {
    body,
    etag,
    headers: {
      ...base,
      ...(encoding === "identity" ? {} : { "Content-Encoding": encoding }),
      "Content-Length": String(body.length)
    },
    unchanged: base
  }
}

const digestOf = (body: Buffer): string => createHash("sha256").update(body).digest("base64url").slice(0, 22)

/** Makes an answer of bytes that are compressed already, such as an image. */
export const cachedBytes = (bytes: Uint8Array, headers: Readonly<Record<string, string>>): CachedAnswer => {
  const body = Buffer.from(bytes)
  return { forms: { identity: formOf(body, "identity", digestOf(body), headers, false) }, size: body.length + 1000 }
}

/** Makes an answer of a text whose compressed forms exist already. */
export const cachedForms = (
  { br, gz, identity }: { readonly identity: Buffer; readonly gz: Buffer; readonly br: Buffer },
  headers: Readonly<Record<string, string>>
): CachedAnswer => {
  const digest = digestOf(identity)
  return {
    forms: {
      identity: formOf(identity, "identity", digest, headers, true),
      gzip: formOf(gz, "gzip", digest, headers, true),
      br: formOf(br, "br", digest, headers, true)
    },
    size: identity.length + gz.length + br.length + 3000
  }
}

/** Makes an answer of a text, which is compressed in worker threads. */
export const cachedText = (text: string, headers: Readonly<Record<string, string>>): Effect.Effect<CachedAnswer> =>
  Effect.promise(async () => {
    const body = Buffer.from(text)
    const [br, gz] = await Promise.all([
      withBrotli(body, {
        params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: body.length }
      }),
      withGzip(body, { level: 9 })
    ])
    return cachedForms({ identity: body, gz, br }, headers)
  })

const accepts = (header: string, encoding: string): boolean => {
  const at = header.indexOf(encoding)
  return (
    at >= 0 &&
    !/^[a-z-]*\s*;\s*q=0(?:\.0*)?(?:\s*,|\s*$)/.test(header.slice(at + encoding.length, at + encoding.length + 40))
  )
}

const formFor = ({ forms }: CachedAnswer, header: string | undefined): Form => {
  if (header !== undefined) {
    const text = header.slice(0, 500).toLowerCase()
    if (forms.br !== undefined && accepts(text, "br")) return forms.br
    if (forms.gzip !== undefined && accepts(text, "gzip")) return forms.gzip
  }
  return forms.identity
}

const hasIt = (header: string | undefined, { etag }: Form): boolean =>
  header !== undefined &&
  (header === etag ||
    header === "*" ||
    header
      .slice(0, 2000)
      .split(",")
      .some((one) => one.trim().replace(/^W\//, "") === etag))

/** Sends the answer in an encoding that the client accepts, or 304 if the client has it. Returns the status. */
export const sendCached = (
  request: IncomingMessage,
  response: ServerResponse,
  cached: CachedAnswer,
  status: number,
  close: boolean
): void => {
  if (response.headersSent || response.destroyed) return
  const { headers } = request
  const form = formFor(cached, headers["accept-encoding"])
  if (close) response.setHeader("Connection", "close")
  if (status === 200 && hasIt(headers["if-none-match"], form)) {
    response.writeHead(304, form.unchanged)
    response.end()
    return
  }
  response.writeHead(status, form.headers)
  if (request.method === "HEAD") response.end()
  else response.end(form.body)
}

/** Like `sendCached`, for a route of the platform's router. */
export const cachedPage = (
  cached: CachedAnswer
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest> =>
  Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => {
    const form = formFor(cached, headers["accept-encoding"])
    return hasIt(headers["if-none-match"], form)
      ? HttpServerResponse.empty({ status: 304, headers: form.unchanged })
      : HttpServerResponse.uint8Array(form.body, { headers: form.headers })
  })
