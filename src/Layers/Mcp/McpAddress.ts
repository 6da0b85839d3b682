import { type HeaderValues, headerValue } from "../../Api/Mcp/Messages.ts"
import { partsOfAddress } from "../Platform/Http/Incoming.ts"

export const path = "/mcp"

/** Returns the part of a request's path after `/mcp`. Undefined for other paths. */
export const pathAfter = (url: string): string | undefined => {
  if (!url.startsWith(path)) return undefined
  const { path: rest } = partsOfAddress(url.slice(path.length))
  return rest === "" || rest.startsWith("/") ? rest : undefined
}

const loopbackName = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i

export const hostOf = (url: string): string | undefined => {
  try {
    return new URL(url).host.toLowerCase()
  } catch {
    return undefined
  }
}

/**
 * True if a request may come from a foreign web page, or through a DNS name that was made to point here. Pages must
 * belong to this gateway or this machine. A gateway that only listens on this machine only accepts this machine's
 * names.
 */
export const isForeign = (headers: HeaderValues, ownHost: string | undefined): boolean => {
  const origin = headerValue(headers, "origin")
  const originHost = origin === undefined ? undefined : (hostOf(origin) ?? "")
  if (originHost !== undefined && originHost !== ownHost && !loopbackName.test(originHost)) return true
  const isLocal = ownHost === undefined || loopbackName.test(ownHost)
  return isLocal && !loopbackName.test(headerValue(headers, "host") ?? "")
}
