import { Either, Schema } from "effect"
import { parsedUrl } from "../Core/Outside/ParsedUrl.ts"
import { clip, tidyText } from "../Text/PlainText.ts"
import { withoutControlCharacters, withoutUnseen } from "../Text/SingleLine.ts"
import { isKnownRedirect } from "./KnownClients.ts"

/** A program that requests a token, and the known facts about it. */
export interface OAuthClient {
  readonly id: string
  /** The name that it gives itself, unverified. */
  readonly name: string
  readonly redirectUris: ReadonlyArray<string>
  /** The host that published its metadata. Undefined for a program that registered itself. */
  readonly host: string | undefined
}

const longestUri = 500
const mostUris = 20
const longestName = 100

const loopbackHosts = new Set(["localhost", "127.0.0.1", "[::1]"])

/** Other characters that a URL allows would have a meaning in the header that names the host to browsers. */
const plainHost = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/

/**
 * Whether a code may be sent to this address: over TLS, to a program on the person's machine, or to a private scheme.
 */
export const isRedirectUri = (uri: string): boolean => {
  const url = parsedUrl(uri)
  if (url === undefined || uri.length > longestUri || uri.includes("#")) return false
  if (url.username !== "" || url.password !== "") return false
  if (url.protocol === "https:") return plainHost.test(url.hostname)
  if (url.protocol === "http:") return loopbackHosts.has(url.hostname)
  // A scheme with a dot is a reversed domain name (RFC 8252, 7.1). Other schemes have no owner or belong to the
  // browser.
  return isKnownRedirect(uri) || (url.protocol.includes(".") && /^[a-z][a-z0-9+.-]*:\/\/?[^\s]/i.test(uri))
}

/** The port of a local program is only known once it runs (RFC 8252, 7.3). */
const withoutLoopbackPort = (uri: string): string => {
  const url = parsedUrl(uri)
  if (url === undefined || url.protocol !== "http:" || !loopbackHosts.has(url.hostname)) return uri
  url.port = ""
  return url.href
}

/** Whether this address is one of the client's. */
export const mayRedirectTo = ({ redirectUris }: OAuthClient, uri: string): boolean =>
  isRedirectUri(uri) &&
  redirectUris.some((registeredUri) => withoutLoopbackPort(registeredUri) === withoutLoopbackPort(uri))

const Metadata = Schema.Struct({
  client_name: Schema.optional(Schema.String),
  redirect_uris: Schema.Array(Schema.String).pipe(Schema.minItems(1), Schema.maxItems(mostUris)),
  token_endpoint_auth_method: Schema.optional(Schema.String)
})
export type ClientMetadata = typeof Metadata.Type

const decode = Schema.decodeUnknownEither(Metadata)

/** Why a client's metadata is refused, as RFC 7591 names it. */
export type MetadataFault = "invalid_redirect_uri" | "invalid_client_metadata"

/** Checks the metadata that a client provides. */
export const clientMetadata = (value: unknown): Either.Either<ClientMetadata, MetadataFault> =>
  Either.mapLeft(decode(value), (): MetadataFault => "invalid_client_metadata").pipe(
    Either.filterOrLeft(
      ({ redirect_uris }) => redirect_uris.every(isRedirectUri),
      (): MetadataFault => "invalid_redirect_uri"
    )
  )

/** A claimed name in a form that pages can show: one line without hidden characters or changes of direction. */
export const shownName = (name: string | undefined, otherwise: string): string => {
  const line = clip(withoutUnseen(withoutControlCharacters(tidyText(name ?? ""))).trim(), longestName)
  return line === "" ? otherwise : line
}

/** The URL of a client's metadata document, if its id is one: https with a path and no credentials. */
export const documentUrl = (clientId: string): URL | undefined => {
  const url = clientId.length <= longestUri && clientId.startsWith("https://") ? parsedUrl(clientId) : undefined
  return url === undefined || url.pathname === "/" || url.username !== "" || url.password !== "" || url.hash !== ""
    ? undefined
    : url
}

/** The client of a metadata document, which must name the URL where it was found. */
export const clientOfDocument = (clientId: string, document: unknown): Either.Either<OAuthClient, MetadataFault> => {
  const metadata =
    typeof document === "object" && document !== null && "client_id" in document ? document.client_id : undefined
  if (metadata !== clientId) return Either.left("invalid_client_metadata")
  return Either.flatMap(
    clientMetadata(document),
    ({ client_name, redirect_uris, token_endpoint_auth_method = "none" }) => {
      // A secret in a public document would not be secret, and keys are not supported.
      if (token_endpoint_auth_method !== "none") return Either.left<MetadataFault>("invalid_client_metadata")
      const { host } = new URL(clientId)
      return Either.right({ id: clientId, name: shownName(client_name, host), redirectUris: redirect_uris, host })
    }
  )
}
