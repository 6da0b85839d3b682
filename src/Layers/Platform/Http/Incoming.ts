import type { IncomingMessage, ServerResponse } from "node:http"
import { Option, Tracer } from "effect"
import { eventStreamPath, type Prefix, platformPrefix, revokeSecretPath } from "../../../Api.ts"

/** The parts of a request's address below one of the prefixes. */
export interface Target {
  /** The path before the prefix: empty, or the console's path, which has the same routes. */
  readonly base: string
  readonly prefix: Prefix
  /** The path after the prefix. */
  readonly path: string
  readonly query: string
}

/** A request for one of the tool routes. */
export interface Incoming {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly target: Target
  readonly requestId: string
}

/** True if the request's address is that of the route, with or without a query string. */
export const isAt = (url: string, route: string): boolean => url === route || url.startsWith(`${route}?`)

/** Splits the address of a request at its query string. */
export const partsOfAddress = (url: string): { readonly path: string; readonly query: string } => {
  const mark = url.indexOf("?")
  return mark < 0 ? { path: url, query: "" } : { path: url.slice(0, mark), query: url.slice(mark + 1) }
}

/**
 * Returns a function that splits the address of a request under one of the prefixes below `base`. It returns
 * `undefined` for all other addresses.
 */
export const targetBelow = (base: string, prefixes: ReadonlyArray<Prefix>): ((url: string) => Target | undefined) => {
  const places = prefixes.map((prefix) => ({ prefix, place: `${base}${prefix}` }))
  const others = [revokeSecretPath, eventStreamPath].map((route) => `${base}${route}`)
  return (url) => {
    for (const { place, prefix } of places) {
      if (!url.startsWith(place)) continue
      if (prefix === platformPrefix && others.some((route) => isAt(url, route))) return undefined
      const next = url.charAt(place.length)
      if (next !== "/" && next !== "" && next !== "?") continue
      const mark = url.indexOf("?", place.length)
      return mark < 0
        ? { base, prefix, path: url.slice(place.length), query: "" }
        : { base, prefix, path: url.slice(place.length, mark), query: url.slice(mark + 1) }
    }
    return undefined
  }
}

export const bearerToken = (request: IncomingMessage): string | undefined => {
  const header = request.headers.authorization
  return header !== undefined && /^bearer /i.test(header) ? header.slice(7).trim() : undefined
}

/**
 * Returns a header's value as one string. Node joins repeated headers by a comma, and has lists for a few names only.
 */
export const singleHeader = (value: string | ReadonlyArray<string> | undefined): string | undefined =>
  typeof value === "string" || value === undefined ? value : value.join(", ")

const traceparentShape = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/** Returns the span that a `traceparent` header names (W3C Trace Context), if it is well formed. */
export const spanNamed = (traceparent: unknown): Option.Option<Tracer.ExternalSpan> => {
  const match = typeof traceparent === "string" ? traceparentShape.exec(traceparent) : null
  const [, traceId, spanId, flags] = match ?? []
  return traceId === undefined || spanId === undefined || flags === undefined
    ? Option.none()
    : Option.some(Tracer.externalSpan({ traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }))
}

/** Returns the caller's span, which the request's spans continue. */
export const parentSpan = ({ headers }: IncomingMessage): Option.Option<Tracer.ExternalSpan> =>
  spanNamed(headers.traceparent)
