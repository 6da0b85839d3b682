import { Either } from "effect"
import { kindScopes } from "../Accounts/TokenBounds.ts"
import { ownResource, resourceOf } from "./AuthorizationAddresses.ts"

/** What a program asks an owner for, checked. */
export interface AuthorizationRequest {
  readonly redirectUri: string
  readonly state: string | undefined
  readonly challenge: string
  readonly resource: string
  /** Of the kinds of tools at least one; of the groups those that it wants to be held to. */
  readonly kinds: ReadonlyArray<string>
  readonly groups: ReadonlyArray<string>
}

/** As RFC 6749 and RFC 8707 name it. */
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

/** Whether a parameter that may stand once stands twice: one reader would take the first, another the last. */
export const hasRepeated = (query: URLSearchParams): boolean => single.some((name) => query.getAll(name).length > 1)

const challengeShape = /^[A-Za-z0-9_-]{43}$/

/** Scopes that mean something here; a program that names none of them asks for every kind of tool. */
export const askedScopes = (
  scope: string,
  groups: ReadonlyArray<string>
): { readonly kinds: ReadonlyArray<string>; readonly groups: ReadonlyArray<string> } => {
  const asked = new Set(scope.split(" "))
  const kinds = kindScopes.filter((kind) => asked.has(kind))
  return { kinds: kinds.length === 0 ? kindScopes : kinds, groups: groups.filter((group) => asked.has(group)) }
}

/**
 * What a token made for an address may do there: without this, whoever was let in for some groups would reach the others
 * by headers and resources.
 */
const heldToAddress = (
  asked: ReturnType<typeof askedScopes>,
  place: string,
  groups: ReadonlyArray<string>
): ReturnType<typeof askedScopes> => {
  const segments = place.toLowerCase().split("/")
  const named = segments[1] === "x" ? (segments[2] ?? "").split(",") : []
  const isWhole = named.includes("all") || named.includes("default")
  return {
    kinds: segments.at(-1) === "readonly" ? kindScopes.filter((kind) => kind === "read") : asked.kinds,
    groups: asked.groups.length > 0 || isWhole ? asked.groups : groups.filter((group) => named.includes(group))
  }
}

/** Reads what comes after the client and where to answer it are known. */
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
  const [asked = resourceOf(baseUrl)] = resources
  const resource = ownResource(baseUrl, asked)
  if (resource === undefined) return Either.left("invalid_target")
  return Either.right({
    redirectUri: query.get("redirect_uri") ?? "",
    state: query.get("state") ?? undefined,
    challenge,
    resource,
    ...heldToAddress(
      askedScopes(query.get("scope") ?? "", groups),
      resource.slice(new URL(resourceOf(baseUrl)).href.length),
      groups
    )
  })
}

/** What was ticked of what was asked for: never more, and none where a list that was asked for has nothing ticked. */
export const narrowed = (
  { groups, kinds }: Pick<AuthorizationRequest, "groups" | "kinds">,
  ticked: ReadonlySet<string>
): ReadonlyArray<string> | undefined => {
  const keptKinds = kinds.filter((kind) => ticked.has(kind))
  const keptGroups = groups.filter((group) => ticked.has(group))
  if (keptKinds.length === 0 || (groups.length > 0 && keptGroups.length === 0)) return undefined
  return [...keptKinds, ...keptGroups]
}

/** Where the browser goes with the answer; the address' own query stays. */
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
