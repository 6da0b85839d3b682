import { isMadeFor, kindScopes } from "../Accounts/TokenBounds.ts"
import { parsedUrl } from "../Core/ParsedUrl.ts"

export const authorizePath = "/oauth/authorize"
export const tokenPath = "/oauth/token"
export const registerPath = "/oauth/register"
export const revokePath = "/oauth/revoke"
export const serverMetadataPath = "/.well-known/oauth-authorization-server"
export const resourceMetadataPath = "/.well-known/oauth-protected-resource"

/** Where tokens of the authorization server are good for. */
export const resourceOf = (baseUrl: string): string => `${baseUrl}/mcp`

/** The resource that a client asks for, as it is written here; undefined where it is none of this gateway's. */
export const ownResource = (baseUrl: string, asked: string): string | undefined => {
  const url = asked.length > 500 ? undefined : parsedUrl(asked)
  if (url === undefined) return undefined
  const { hash, origin, pathname, search, username } = url
  if (search !== "" || hash !== "" || username !== "") return undefined
  const address = `${origin}${pathname.endsWith("/") ? pathname.slice(0, -1) : pathname}`
  const own = new URL(resourceOf(baseUrl)).href
  return isMadeFor(own, address) ? address : undefined
}

/** The scopes of an address that lists what only reads, and of any other. */
const scopesAt = (path: string): ReadonlyArray<string> => (path.endsWith("/readonly") ? ["read"] : kindScopes)

const quoted = (text: string): string => `"${text.replace(/["\\\r\n]/g, "")}"`

/** What a client without a token that holds is told (RFC 6750, RFC 9728). `path` is where it called. */
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

/** RFC 9728. `path` is the one after the host that a person gave the client. */
export const resourceMetadata = (baseUrl: string, path: string, groups: ReadonlyArray<string>): object => ({
  resource: `${baseUrl}${path}`,
  authorization_servers: [baseUrl],
  scopes_supported: path.endsWith("/readonly") ? ["read", ...groups] : [...kindScopes, ...groups],
  bearer_methods_supported: ["header"],
  resource_name: "Prospecting gateway",
  resource_documentation: `${baseUrl}/SKILL.md`
})
