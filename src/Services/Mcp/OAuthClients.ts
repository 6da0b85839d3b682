import { Either, Schema } from "effect"
import { parsedUrl } from "../Core/ParsedUrl.ts"
import { clip, tidyText } from "../Text/PlainText.ts"
import { withoutControlCharacters } from "../Text/SingleLine.ts"
import { isKnownRedirect } from "./KnownClients.ts"

/** A program that asks for a token, as far as anybody knows it. */
export interface OAuthClient {
  readonly id: string
  /** What it calls itself: nobody checked it. */
  readonly name: string
  readonly redirectUris: ReadonlyArray<string>
  /** The host that vouches for it; undefined where it only registered itself. */
  readonly host: string | undefined
}

const longestUri = 500
const mostUris = 20
const longestName = 100

const loopbackHosts = new Set(["localhost", "127.0.0.1", "[::1]"])

/** Other letters that an address may hold would mean something in the header that names it to browsers. */
const plainHost = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/

/** Whether a code may be sent there: over TLS, to a program on the person's own machine, or to one by its private scheme. */
export const isRedirectUri = (uri: string): boolean => {
  const url = parsedUrl(uri)
  if (url === undefined || uri.length > longestUri || uri.includes("#")) return false
  if (url.username !== "" || url.password !== "") return false
  if (url.protocol === "https:") return plainHost.test(url.hostname)
  if (url.protocol === "http:") return loopbackHosts.has(url.hostname)
  // A scheme with a dot is a name that its owner reversed (RFC 8252, 7.1). Others belong to no one, or to the browser.
  return isKnownRedirect(uri) || (url.protocol.includes(".") && /^[a-z][a-z0-9+.-]*:\/\/?[^\s]/i.test(uri))
}

/** Of a program on the person's machine the port is not known before it runs (RFC 8252, 7.3). */
const withoutLoopbackPort = (uri: string): string => {
  const url = parsedUrl(uri)
  if (url === undefined || url.protocol !== "http:" || !loopbackHosts.has(url.hostname)) return uri
  url.port = ""
  return url.href
}

/** Whether the client may be answered there. */
export const mayRedirectTo = ({ redirectUris }: OAuthClient, uri: string): boolean =>
  isRedirectUri(uri) && redirectUris.some((known) => withoutLoopbackPort(known) === withoutLoopbackPort(uri))

const Metadata = Schema.Struct({
  client_name: Schema.optional(Schema.String),
  redirect_uris: Schema.Array(Schema.String).pipe(Schema.minItems(1), Schema.maxItems(mostUris)),
  token_endpoint_auth_method: Schema.optional(Schema.String)
})
export type ClientMetadata = typeof Metadata.Type

const decode = Schema.decodeUnknownEither(Metadata)

/** Why metadata of a client is not taken, as RFC 7591 names it. */
export type MetadataFault = "invalid_redirect_uri" | "invalid_client_metadata"

/** What a client says of itself, checked. */
export const clientMetadata = (value: unknown): Either.Either<ClientMetadata, MetadataFault> =>
  Either.mapLeft(decode(value), (): MetadataFault => "invalid_client_metadata").pipe(
    Either.filterOrLeft(
      ({ redirect_uris }) => redirect_uris.every(isRedirectUri),
      (): MetadataFault => "invalid_redirect_uri"
    )
  )

/** A claimed name as a page may show it: one line that hides nothing and turns no letters around. */
export const shownName = (name: string | undefined, otherwise: string): string => {
  const line = clip(withoutControlCharacters(tidyText(name ?? "")).trim(), longestName)
  return line === "" ? otherwise : line
}

/** The address of a client's metadata document, if the id is one: https, with a path, nothing hidden in it. */
export const documentUrl = (clientId: string): URL | undefined => {
  const url = clientId.length <= longestUri && clientId.startsWith("https://") ? parsedUrl(clientId) : undefined
  return url === undefined || url.pathname === "/" || url.username !== "" || url.password !== "" || url.hash !== ""
    ? undefined
    : url
}

/** The client that a metadata document tells of: it has to be about the very address it lies at. */
export const clientOfDocument = (clientId: string, document: unknown): Either.Either<OAuthClient, MetadataFault> => {
  const said =
    typeof document === "object" && document !== null && "client_id" in document ? document.client_id : undefined
  if (said !== clientId) return Either.left("invalid_client_metadata")
  return Either.flatMap(
    clientMetadata(document),
    ({ client_name, redirect_uris, token_endpoint_auth_method = "none" }) => {
      // A secret in a public document is none; keys are not asked for.
      if (token_endpoint_auth_method !== "none") return Either.left<MetadataFault>("invalid_client_metadata")
      const { host } = new URL(clientId)
      return Either.right({ id: clientId, name: shownName(client_name, host), redirectUris: redirect_uris, host })
    }
  )
}
