import { isMadeFor, kindScopes } from "../Accounts/Tokens/TokenBounds.ts"
import { parsedUrl } from "../Core/Outside/ParsedUrl.ts"

export const authorizePath = "/oauth/authorize"
export const tokenPath = "/oauth/token"
export const registerPath = "/oauth/register"
export const revokePath = "/oauth/revoke"
export const serverMetadataPath = "/.well-known/oauth-authorization-server"
export const resourceMetadataPath = "/.well-known/oauth-protected-resource"

/** The resource for which the authorization server's tokens are valid, if a program names no other. */
export const resourceOf = (baseUrl: string): string => `${baseUrl}/mcp`

/** Paths of other resources: the whole gateway, and the prefixes of its tools. */
export const furtherResources: ReadonlyArray<string> = ["", "/rest/v1", "/api/v1", "/platform/v1"]

/** A requested resource in its normalised form. Undefined if it is not one of this gateway's. */
export const ownResource = (baseUrl: string, requestedResource: string): string | undefined => {
  const url = requestedResource.length > 500 ? undefined : parsedUrl(requestedResource)
  if (url === undefined) return undefined
  const { hash, origin, pathname, search, username } = url
  if (search !== "" || hash !== "" || username !== "") return undefined
  const address = `${origin}${pathname.endsWith("/") ? pathname.slice(0, -1) : pathname}`
  const ownAddress = new URL(resourceOf(baseUrl)).href
  const isFurther = furtherResources.some((path) => new URL(`${baseUrl}${path}`).href.replace(/\/$/, "") === address)
  return isMadeFor(ownAddress, address) || isFurther ? address : undefined
}

/** The scopes for an address that only offers reads, and for any other. */
const scopesAt = (path: string): ReadonlyArray<string> => (path.endsWith("/readonly") ? ["read"] : kindScopes)

const quoted = (text: string): string => `"${text.replace(/["\\\r\n]/g, "")}"`

/** The challenge for a client without a valid token (RFC 6750, RFC 9728). `path` is the one that it called. */
export const challengeOf = (
  baseUrl: string,
  path: string,
  trouble?: { readonly error: "invalid_token" | "insufficient_scope"; readonly scopes?: ReadonlyArray<string> }
): string =>
  [
    `Bearer resource_metadata=${quoted(`${baseUrl}${resourceMetadataPath}${path}`)}`,
    `scope=${quoted((trouble?.scopes ?? scopesAt(path)).join(" "))}`,
    ...(trouble === undefined ? [] : [`error=${quoted(trouble.error)}`])
  ].join(", ")

/** RFC 8414. */
export const serverMetadata = (baseUrl: string, groups: ReadonlyArray<string>): object => ({
  issuer: baseUrl,
  authorization_endpoint: `${baseUrl}${authorizePath}`,
  token_endpoint: `${baseUrl}${tokenPath}`,
  registration_endpoint: `${baseUrl}${registerPath}`,
  revocation_endpoint: `${baseUrl}${revokePath}`,
  scopes_supported: [...kindScopes, ...groups],
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code", "refresh_token"],
  code_challenge_methods_supported: ["S256"],
  token_endpoint_auth_methods_supported: ["none"],
  revocation_endpoint_auth_methods_supported: ["none"],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
  service_documentation: `${baseUrl}/SKILL.md`
})

/** RFC 9728. `path` is the part after the host in the address that a person gave the client. */
export const resourceMetadata = (baseUrl: string, path: string, groups: ReadonlyArray<string>): object => ({
  resource: `${baseUrl}${path}`,
  authorization_servers: [baseUrl],
  scopes_supported: path.endsWith("/readonly") ? ["read", ...groups] : [...kindScopes, ...groups],
  bearer_methods_supported: ["header"],
  resource_name: "Prospecting gateway",
  resource_documentation: `${baseUrl}/SKILL.md`
})
