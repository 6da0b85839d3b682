import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http"
import { endUnread } from "../../Platform/Http/Answers/SendAnswer.ts"
import type { SiteAnswer } from "./SiteRoute.ts"

/** Headers of every answer from a site's host. */
export const commonHeaders = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "strict-origin-when-cross-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()",
  // Browsers ignore it if the page was loaded over http.
  "Strict-Transport-Security": "max-age=31536000"
} as const

/** Sends the answer, or only its head for HEAD. The rest of the request's body is read only for a short time. */
export const sendSiteAnswer = (
  request: IncomingMessage,
  response: ServerResponse,
  { body, headers, status }: SiteAnswer,
  close: boolean
): void => {
  if (response.headersSent || response.destroyed) return
  const isUnread = !request.complete
  const all: OutgoingHttpHeaders = { ...commonHeaders, ...headers }
  if (status !== 304 && status !== 204) all["Content-Length"] = Buffer.byteLength(body)
  if (close || isUnread) all["Connection"] = "close"
  response.writeHead(status, all)
  const sentBody = request.method === "HEAD" || status === 304 || status === 204 ? "" : body
  if (isUnread) endUnread(response, sentBody)
  else response.end(sentBody)
}
