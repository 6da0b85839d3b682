import { hash } from "node:crypto"

/** The page policy: pages load and run only what this gateway serves, and create no scripts from text. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "media-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'"
].join("; ")

/** Features of the browser that the console does not use. */
const offFeatures = [
  "accelerometer",
  "autoplay",
  "camera",
  "display-capture",
  "encrypted-media",
  "fullscreen",
  "geolocation",
  "gyroscope",
  "magnetometer",
  "microphone",
  "midi",
  "payment",
  "picture-in-picture",
  "publickey-credentials-get",
  "screen-wake-lock",
  "usb",
  "xr-spatial-tracking"
]

const headersWith = (policy: string): Readonly<Record<string, string>> => ({
  "Content-Security-Policy": policy,
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "Permissions-Policy": offFeatures.map((feature) => `${feature}=()`).join(", "),
  "X-Frame-Options": "DENY"
})

export const pageHeaders = headersWith(pagePolicy)

const style =
  "body{margin:0;min-height:100vh;display:grid;place-content:center;gap:.5rem;padding:1rem;font:1rem/1.5 system-ui,sans-serif;color-scheme:light dark;text-align:center}h1{font-size:1.25rem;margin:0}p{margin:0;max-width:36rem}"

/** The headers of a page without scripts. The policy names its only style by its digest. */
export const plainPageHeaders = headersWith(
  `default-src 'none'; style-src 'sha256-${hash("sha256", style, "base64")}'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'`
)

/** Returns a page with a heading and a sentence. With `refreshSeconds` it reloads itself. */
export const plainPage = (heading: string, text: string, refreshSeconds?: number): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">${
    refreshSeconds === undefined ? "" : `<meta http-equiv="refresh" content="${refreshSeconds}">`
  }<title>${heading}</title><style>${style}</style><main role="status"><h1>${heading}</h1><p>${text}</p></main></html>`
