import { RequestRefused, type ToolDefect, type ToolError, toolErrorBody, Unauthorized } from "./Errors.ts"
import type { CallError } from "./Tools/Core/Catalog.ts"

/**
 * `/rest/v1` maps errors to statuses; `/api/v1` answers 200 whenever the call reached the tool. `/platform/v1` is like
 * `/rest/v1`, with the tools that manage the use of the API.
 */
export type Prefix = "/rest/v1" | "/api/v1" | "/platform/v1"

/** The prefixes of the product's tools. */
export const prefixes: ReadonlyArray<Prefix> = ["/rest/v1", "/api/v1"]

export const platformPrefix: Prefix = "/platform/v1"

/** The routes below the prefix that are no tools. */
export const revokeSecretPath = "/platform/v1/revoke"
export const eventStreamPath = "/platform/v1/events"

/** The answer to the caller, without the headers that every answer has. */
export interface Answer {
  readonly status: number
  readonly body: string
  readonly headers?: { readonly [name: string]: string }
  /** The code of a failure, for the log. */
  readonly reason?: string
}

/** A request for one of the four routes. `name` is the tool's, decoded. */
export type Route =
  | { readonly _tag: "ListTools" }
  | { readonly _tag: "DescribeTool"; readonly name: string }
  | { readonly _tag: "CallWithBody"; readonly name: string }
  | { readonly _tag: "CallWithQuery"; readonly name: string }

const readMethods = ["GET", "HEAD"]

const methodNotAllowed = (method: string, allow: ReadonlyArray<string>) =>
  new RequestRefused({
    status: 405,
    type: "MethodNotAllowed",
    error: "The route does not have this method.",
    detail: `Use ${allow.join(", ")} instead of ${method.slice(0, 20)}.`,
    allow: [...allow, "OPTIONS"].join(", ")
  })

const unknownRoute = (path: string) =>
  new RequestRefused({
    status: 404,
    type: "UnknownRoute",
    error: "There is no such route.",
    detail:
      path.length > 1 && path.endsWith("/")
        ? "Leave out the slash at the end of the path."
        : "The routes are GET /tools, GET and POST /tools/{tool_name} and GET /call/{tool_name}, under /rest/v1, /api/v1 and /platform/v1."
  })

const decodeName = (segment: string): string => {
  if (!segment.includes("%")) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** Returns the methods of the route at `path`, the part after the prefix and without the query string. */
export const allowedMethods = (path: string): ReadonlyArray<string> | undefined => {
  if (path === "/tools" || isNamed(path, "/call/")) return readMethods
  return isNamed(path, "/tools/") ? [...readMethods, "POST"] : undefined
}

const isNamed = (path: string, base: string): boolean =>
  path.startsWith(base) && path.length > base.length && !path.includes("/", base.length)

/** Finds the route of a request under one of the prefixes. */
export const matchRoute = (method: string, path: string): Route | RequestRefused => {
  const allowed = allowedMethods(path)
  if (allowed === undefined) return unknownRoute(path)
  if (!allowed.includes(method)) return methodNotAllowed(method, allowed)
  if (path === "/tools") return { _tag: "ListTools" }
  if (path.startsWith("/call/")) return { _tag: "CallWithQuery", name: decodeName(path.slice(6)) }
  const name = decodeName(path.slice(7))
  return method === "POST" ? { _tag: "CallWithBody", name } : { _tag: "DescribeTool", name }
}

/** Returns the route of a path, with `{name}` in place of the tool. An unknown path gives `/*`. */
export const routeTemplate = (path: string): string =>
  path === "/tools" || path === "/reads" ? path : (/^\/(?:tools|call)\/(?=.)/.exec(path)?.[0].concat("{name}") ?? "/*")

/** GET was used to call a tool that changes something. */
export const notReadOnly = (name: string): RequestRefused =>
  new RequestRefused({
    status: 405,
    type: "NotReadOnly",
    error: `${name} changes data and cannot be called with GET.`,
    detail: `Use POST /tools/${name} with the parameters as a JSON object.`,
    allow: "POST"
  })

export const bodyTooLarge = (limit: number): RequestRefused =>
  new RequestRefused({
    status: 413,
    type: "InvalidRequestBody",
    error: "The body is too large.",
    detail: `Send at most ${limit} bytes.`
  })

export const encodedBody: RequestRefused = new RequestRefused({
  status: 415,
  type: "InvalidRequestBody",
  error: "The body is compressed.",
  detail: "Send it without Content-Encoding."
})

const statusOf: { readonly [Tag in ToolError["_tag"]]: number } = {
  NotFound: 404,
  Refused: 422,
  PlanRequired: 403,
  Transient: 503,
  Permanent: 500
}

/**
 * Returns the status of a refused request. Under `/api/v1`, a request that its headers kept from the tool has status
 * 400.
 */
const refusedStatus = ({ status }: RequestRefused, prefix: Prefix): number =>
  prefix === "/api/v1" && (status === 403 || status === 409 || status === 422) ? 400 : status

const refusedHeaders = ({ allow, retryAfterSeconds }: RequestRefused): { readonly [name: string]: string } => ({
  ...(allow === undefined ? {} : { Allow: allow }),
  ...(retryAfterSeconds === undefined ? {} : { "Retry-After": String(retryAfterSeconds) })
})

const refusedAnswer = (refusal: RequestRefused, prefix: Prefix): Answer => ({
  status: refusedStatus(refusal, prefix),
  body: JSON.stringify({ error: refusal.error, type: refusal.type, detail: refusal.detail }),
  headers: refusedHeaders(refusal),
  reason: refusal.type
})

const unauthorizedAnswer = (failure: Unauthorized, baseUrl: string, challenge: string): Answer => ({
  status: 401,
  body: JSON.stringify({
    error: failure.error,
    how_to_fix: failure.howToFix,
    documentation: `${baseUrl}/SKILL.md`
  }),
  headers: { "WWW-Authenticate": challenge },
  reason: "unauthorized"
})

/** Returns the answer to a defect. The caller learns only the request id. */
export const defectAnswer = (requestId: string): Answer => ({
  status: 500,
  body: JSON.stringify({
    error: "The platform failed on this call.",
    type: "Permanent",
    reason: "internal_error",
    detail: `Do not repeat the call. Report it with the request id ${requestId}.`
  }),
  reason: "internal_error"
})

const retryAfter = (error: ToolError): Pick<Answer, "headers"> =>
  error._tag === "Transient" ? { headers: { "Retry-After": String(error.retryAfterSeconds) } } : {}

const isToolError = (failure: CallError | Unauthorized): failure is ToolError => failure._tag in statusOf

/**
 * Returns the answer to a failed request. Under `/api/v1` a tool's own error has status 200. A failure before the tool
 * was reached, for example if the token could not be looked up, has status 500.
 */
export const failureAnswer = (options: {
  readonly prefix: Prefix
  readonly failure: ToolError | RequestRefused | ToolDefect | Unauthorized
  readonly reachedTool: boolean
  readonly requestId: string
  readonly baseUrl: string
  /** The `WWW-Authenticate` header for a caller without valid credentials. */
  readonly challenge?: string
}): Answer => {
  const { failure, prefix } = options
  if (failure instanceof RequestRefused) return refusedAnswer(failure, prefix)
  if (failure instanceof Unauthorized) {
    return unauthorizedAnswer(failure, options.baseUrl, options.challenge ?? "Bearer")
  }
  if (!isToolError(failure)) return defectAnswer(options.requestId)
  const body = JSON.stringify(toolErrorBody(failure))
  const { reason } = failure
  if (prefix === "/api/v1")
    return options.reachedTool ? { status: 200, body, reason } : { status: 500, body, reason, ...retryAfter(failure) }
  const isRateLimited = failure._tag === "Transient" && reason === "rate_limited"
  return { status: isRateLimited ? 429 : statusOf[failure._tag], body, reason, ...retryAfter(failure) }
}
