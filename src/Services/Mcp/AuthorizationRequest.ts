import { Either } from "effect"
import { isMadeFor, kindScopes } from "../Accounts/Tokens/TokenBounds.ts"
import { ownResource, resourceOf } from "./AuthorizationAddresses.ts"

/** A program's checked request for access to an account. */
export interface AuthorizationRequest {
  readonly redirectUri: string
  readonly state: string | undefined
  readonly challenge: string
  readonly resource: string
  /** At least one kind of tools, and the groups to which the program wants to be limited. */
  readonly kinds: ReadonlyArray<string>
  readonly groups: ReadonlyArray<string>
}

/** Defined by RFC 6749 and RFC 8707. */
export type RequestFault = "invalid_request" | "unsupported_response_type" | "invalid_target"

const single = [
  "client_id",
  "redirect_uri",
  "response_type",
  "state",
  "scope",
  "code_challenge",
  "code_challenge_method",
  "grant_type",
  "code",
  "code_verifier",
  "refresh_token"
]

/** Whether a parameter that must be unique is repeated. Different readers would take different values. */
export const hasRepeated = (query: URLSearchParams): boolean => single.some((name) => query.getAll(name).length > 1)

const challengeShape = /^[A-Za-z0-9_-]{43}$/

/** The requested scopes that exist. A program that names none of them requests all kinds of tools. */
export const askedScopes = (
  scope: string,
  groups: ReadonlyArray<string>
): { readonly kinds: ReadonlyArray<string>; readonly groups: ReadonlyArray<string> } => {
  const requestedNames = new Set(scope.split(" "))
  const kinds = kindScopes.filter((kind) => requestedNames.has(kind))
  return { kinds: kinds.length === 0 ? kindScopes : kinds, groups: groups.filter((group) => requestedNames.has(group)) }
}

/**
 * Limits a token to what its address offers. Otherwise a program with access to some groups could reach the others by
 * headers and resources.
 */
const heldToAddress = (
  requestedScopes: ReturnType<typeof askedScopes>,
  place: string,
  groups: ReadonlyArray<string>
): ReturnType<typeof askedScopes> => {
  const segments = place.toLowerCase().split("/")
  const named = segments[1] === "x" ? (segments[2] ?? "").split(",") : []
  const isWhole = named.includes("all") || named.includes("default")
  return {
    kinds: segments.at(-1) === "readonly" ? kindScopes.filter((kind) => kind === "read") : requestedScopes.kinds,
    groups:
      requestedScopes.groups.length > 0 || isWhole
        ? requestedScopes.groups
        : groups.filter((group) => named.includes(group))
  }
}

/** The part of the resource after `/mcp`. Other resources narrow nothing. */
const placeOf = (resource: string, mcp: string): string => (isMadeFor(mcp, resource) ? resource.slice(mcp.length) : "")

/** Parses the rest of the request, after the client and its redirect address are known. */
export const authorizationRequest = (
  query: URLSearchParams,
  baseUrl: string,
  groups: ReadonlyArray<string>
): Either.Either<AuthorizationRequest, RequestFault> => {
  if (query.get("response_type") !== "code") return Either.left("unsupported_response_type")
  const challenge = query.get("code_challenge") ?? ""
  if (query.get("code_challenge_method") !== "S256" || !challengeShape.test(challenge)) {
    return Either.left("invalid_request")
  }
  const resources = new Set(query.getAll("resource"))
  if (resources.size > 1) return Either.left("invalid_target")
  const [requestedResource = resourceOf(baseUrl)] = resources
  const resource = ownResource(baseUrl, requestedResource)
  if (resource === undefined) return Either.left("invalid_target")
  return Either.right({
    redirectUri: query.get("redirect_uri") ?? "",
    state: query.get("state") ?? undefined,
    challenge,
    resource,
    ...heldToAddress(
      askedScopes(query.get("scope") ?? "", groups),
      placeOf(resource, new URL(resourceOf(baseUrl)).href),
      groups
    )
  })
}

/**
 * The requested scopes that the owner selected. Never more than requested. Empty if the owner selected nothing in a
 * requested list.
 */
export const narrowed = (
  { groups, kinds }: Pick<AuthorizationRequest, "groups" | "kinds">,
  ticked: ReadonlySet<string>
): ReadonlyArray<string> | undefined => {
  const keptKinds = kinds.filter((kind) => ticked.has(kind))
  const keptGroups = groups.filter((group) => ticked.has(group))
  if (keptKinds.length === 0 || (groups.length > 0 && keptGroups.length === 0)) return undefined
  return [...keptKinds, ...keptGroups]
}

/** The redirect address with the answer added. Its own query stays. */
export const answerAddress = (
  redirectUri: string,
  issuer: string,
  state: string | undefined,
  answer: { readonly [name: string]: string }
): string => {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value)
  if (state !== undefined) url.searchParams.set("state", state)
  url.searchParams.set("iss", issuer)
  return url.href
}
