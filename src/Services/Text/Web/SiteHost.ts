/** A site's name: one host-name label, without `--` at the position where a punycode label has it. */
const nameShape = /^[a-z0-9](?:[a-z0-9-]{1,61}[a-z0-9])$/

export const isSiteName = (name: string): boolean => nameShape.test(name) && name.slice(2, 4) !== "--"

/** Whether sites can have names under this domain. It must be in lower case. */
export const isSiteDomain = (domain: string): boolean =>
  domain.length <= 180 &&
  domain.includes(".") &&
  !/^[\d.]+$/.test(domain) &&
  domain.split(".").every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label))

/** The possible destinations of a Host header. */
export type SiteHost =
  /** Any other host, which is the gateway. */
  | { readonly _tag: "Gateway" }
  /** The site domain itself, or a name under it that is not available to sites. */
  | { readonly _tag: "Nobody" }
  | { readonly _tag: "Name"; readonly name: string }

const gateway: SiteHost = { _tag: "Gateway" }
const nobody: SiteHost = { _tag: "Nobody" }

/** The host in lower case, without its port and the final dot. */
const bareHost = (host: string): string => {
  const port = host.lastIndexOf(":")
  const name = (port >= 0 && host.indexOf("]", port) < 0 ? host.slice(0, port) : host).toLowerCase()
  return name.endsWith(".") ? name.slice(0, -1) : name
}

/** The site that a request is for, by its Host header. */
export const siteHostOf = (host: string, siteDomain: string): SiteHost => {
  const name = bareHost(host)
  if (name === siteDomain) return nobody
  if (!name.endsWith(siteDomain) || name.charCodeAt(name.length - siteDomain.length - 1) !== 46) return gateway
  // Only digits may follow the colon, so that "name.sites.example:@evil.test" is rejected.
  if (!/^[^:]*(?::\d{0,5})?$/.test(host)) return nobody
  const label = name.slice(0, name.length - siteDomain.length - 1)
  return isSiteName(label) ? { _tag: "Name", name: label } : nobody
}

const isUnderLocalhost = (host: string): boolean => host === "localhost" || host.endsWith(".localhost")

const contains = (outer: string, inner: string): boolean => inner === outer || inner.endsWith(`.${outer}`)

/**
 * Whether the gateway's host is outside the domain of the sites. Otherwise a site could set cookies for the gateway or
 * imitate it. Names under localhost are only used on this machine.
 */
export const isOnSeparateDomain = (baseUrl: string, siteDomain: string): boolean => {
  const host = bareHost(new URL(baseUrl).hostname)
  if (isUnderLocalhost(host) && isUnderLocalhost(siteDomain)) return host !== siteDomain
  return !contains(host, siteDomain) && !contains(siteDomain, host)
}

/** The address of a site without a trailing slash. It uses `https`, except for this machine's own names. */
export const siteOrigin = (
  { baseUrl, siteDomain }: { readonly baseUrl: string; readonly siteDomain: string },
  name: string
): string => {
  if (!isUnderLocalhost(siteDomain)) return `https://${name}.${siteDomain}`
  const { port, protocol } = new URL(baseUrl)
  return `${protocol}//${name}.${siteDomain}${port === "" ? "" : `:${port}`}`
}
