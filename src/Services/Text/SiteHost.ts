/** A site's name: one label of a host name, without `--` in the place where a coded label has it. */
const nameShape = /^[a-z0-9](?:[a-z0-9-]{1,61}[a-z0-9])$/

export const isSiteName = (name: string): boolean => nameShape.test(name) && name.slice(2, 4) !== "--"

/** A domain that names fit in front of; in lower case. */
export const isSiteDomain = (domain: string): boolean =>
  domain.length <= 180 &&
  domain.includes(".") &&
  !/^[\d.]+$/.test(domain) &&
  domain.split(".").every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label))

/** What a Host header means for the sites. */
export type SiteHost =
  /** Another host: the gateway's own. */
  | { readonly _tag: "Gateway" }
  /** The site domain itself or a name under it that no site can have. */
  | { readonly _tag: "Nobody" }
  | { readonly _tag: "Name"; readonly name: string }

const gateway: SiteHost = { _tag: "Gateway" }
const nobody: SiteHost = { _tag: "Nobody" }

/** The host without its port and without the dot of the root, in lower case. */
const bareHost = (host: string): string => {
  const port = host.lastIndexOf(":")
  const name = (port >= 0 && host.indexOf("]", port) < 0 ? host.slice(0, port) : host).toLowerCase()
  return name.endsWith(".") ? name.slice(0, -1) : name
}

/** Whom a request with the Host header is for, by the name alone. */
export const siteHostOf = (host: string, siteDomain: string): SiteHost => {
  const name = bareHost(host)
  if (name === siteDomain) return nobody
  if (!name.endsWith(siteDomain) || name.charCodeAt(name.length - siteDomain.length - 1) !== 46) return gateway
  // "name.sites.example:@evil.test" is written into nothing: behind the colon there are digits alone.
  if (!/^[^:]*(?::\d{0,5})?$/.test(host)) return nobody
  const label = name.slice(0, name.length - siteDomain.length - 1)
  return isSiteName(label) ? { _tag: "Name", name: label } : nobody
}

const isUnderLocalhost = (host: string): boolean => host === "localhost" || host.endsWith(".localhost")

const contains = (outer: string, inner: string): boolean => inner === outer || inner.endsWith(`.${outer}`)

/**
 * Whether the gateway's own host and the domain of the sites are apart, so that no site can set a cookie for the gateway
 * or pass as it. Names under localhost are of this machine alone.
 */
export const isApart = (baseUrl: string, siteDomain: string): boolean => {
  const host = bareHost(new URL(baseUrl).hostname)
  if (isUnderLocalhost(host) && isUnderLocalhost(siteDomain)) return host !== siteDomain
  return !contains(host, siteDomain) && !contains(siteDomain, host)
}

/** How addresses of sites are written, without a slash at the end: `https`, but for this machine's own names. */
export const siteOrigin = (
  { baseUrl, siteDomain }: { readonly baseUrl: string; readonly siteDomain: string },
  name: string
): string => {
  if (!isUnderLocalhost(siteDomain)) return `https://${name}.${siteDomain}`
  const { port, protocol } = new URL(baseUrl)
  return `${protocol}//${name}.${siteDomain}${port === "" ? "" : `:${port}`}`
}
