import type { SiteTracking } from "../../../Services/Websites/PublishedSites.ts"
import type { SiteTheme } from "../../../Services/Websites/Site.ts"
import { embedScriptDigest, pageDigests } from "../Design/Page.ts"

interface Sources {
  readonly script: ReadonlyArray<string>
  readonly image: ReadonlyArray<string>
  readonly connect: ReadonlyArray<string>
  readonly frame: ReadonlyArray<string>
}

/** The sources that the services' documentation requires, as narrow as they work with. */
const analytics: Sources = {
  script: ["https://www.googletagmanager.com"],
  image: ["https://www.googletagmanager.com", "https://*.google-analytics.com"],
  connect: ["https://www.googletagmanager.com", "https://*.google-analytics.com", "https://*.analytics.google.com"],
  frame: []
}
const ads: Sources = {
  script: [
    "https://www.googletagmanager.com",
    "https://www.googleadservices.com",
    "https://googleads.g.doubleclick.net"
  ],
  image: ["https://www.googleadservices.com", "https://googleads.g.doubleclick.net", "https://www.google.com"],
  connect: [
    "https://www.googletagmanager.com",
    "https://www.googleadservices.com",
    "https://googleads.g.doubleclick.net",
    "https://www.google.com"
  ],
  frame: ["https://www.googletagmanager.com", "https://td.doubleclick.net"]
}
const pixel: Sources = {
  script: ["https://connect.facebook.net"],
  image: ["https://www.facebook.com"],
  connect: ["https://www.facebook.com"],
  frame: []
}

/** The services that a site's tracking loads once a visitor allows it. */
const sourcesOf = (tracking: SiteTracking): ReadonlyArray<Sources> => [
  ...(tracking.analytics_measurement_id === null ? [] : [analytics]),
  ...(tracking.ads_conversion_id === null ? [] : [ads]),
  ...(tracking.pixel_id === null ? [] : [pixel])
]

const policies = new Map<string, string>()

/**
 * Returns the Content-Security-Policy of a page. It allows the page's own style and script by their digests, pictures
 * and fonts from the host that serves the page, and the addresses of the tracking services that the owner connected.
 */
export const pagePolicy = (theme: SiteTheme, tracking: SiteTracking, mode: "served" | "embed" = "served"): string => {
  const { script: ofPages, style } = pageDigests(theme)
  const script = mode === "embed" ? embedScriptDigest : ofPages
  // In a frame there is no consent bar, so no tracking is loaded.
  const services = mode === "embed" ? [] : sourcesOf(tracking)
  const key = `${style} ${mode} ${[tracking.analytics_measurement_id, tracking.ads_conversion_id, tracking.pixel_id].map((id) => (id === null ? 0 : 1)).join("")}`
  const known = policies.get(key)
  if (known !== undefined) return known
  const list = (...sources: ReadonlyArray<string>): string => [...new Set(sources)].join(" ")
  const frames = services.flatMap(({ frame }) => frame)
  const policy = [
    "default-src 'none'",
    `style-src ${style}`,
    `script-src ${list(mode === "embed" ? embedScriptDigest : script, ...services.flatMap((each) => each.script))}`,
    `img-src ${list("'self'", ...services.flatMap(({ image }) => image))}`,
    "font-src 'self'",
    `connect-src ${list("'self'", ...services.flatMap(({ connect }) => connect))}`,
    ...(frames.length === 0 ? [] : [`frame-src ${list(...frames)}`]),
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${mode === "embed" ? "*" : "'none'"}`
  ].join("; ")
  if (policies.size >= 500) policies.clear()
  policies.set(key, policy)
  return policy
}
