import { type HeaderValues, headerValue } from "../../Api/Mcp/Messages.ts"

export const path = "/mcp"

/** What follows `/mcp` in the address of a request that is ours. */
export const pathAfter = (url: string): string | undefined => {
  if (!url.startsWith(path)) return undefined
  const mark = url.indexOf("?")
  const rest = mark < 0 ? url.slice(path.length) : url.slice(path.length, mark)
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
 * Whether a browser's page, or a name that was made to point here, may not talk to us: the page has to be of this gateway
 * or of this machine, and a gateway that listens for this machine alone answers to this machine's names only.
 */
export const isForeign = (headers: HeaderValues, ownHost: string | undefined): boolean => {
  const origin = headerValue(headers, "origin")
  const originHost = origin === undefined ? undefined : (hostOf(origin) ?? "")
  if (originHost !== undefined && originHost !== ownHost && !loopbackName.test(originHost)) return true
  const isLocal = ownHost === undefined || loopbackName.test(ownHost)
  return isLocal && !loopbackName.test(headerValue(headers, "host") ?? "")
}
