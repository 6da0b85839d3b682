import { randomUUID } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Answer } from "../../../../Api.ts"
import { PacedResponse } from "./PacedResponse.ts"

const requestIdShape = /^[A-Za-z0-9._:-]{1,128}$/

/** Returns the caller's own request id if it is valid, or else a new one. */
export const requestIdOf = (request: IncomingMessage): string => {
  const id = request.headers["x-request-id"]
  return typeof id === "string" && requestIdShape.test(id) ? id : randomUUID()
}

/** The server reads and drops up to this many bytes to keep a connection open, since accepting a new one costs more. */
const longestDroppedRest = 1024 * 1024

/** True if the unread rest of the request is so short that its connection stays open. */
const isShort = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) <= longestDroppedRest

/** Sends `answer` with the headers that every answer has. */
export const sendAnswer = (
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  options: { readonly requestId: string; readonly close: boolean }
): void => {
  if (response.headersSent || response.destroyed) return
  const isRead = request.complete
  const closes = options.close || !(isRead || isShort(request))
  response.writeHead(answer.status, {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(answer.body),
    "X-Request-Id": options.requestId,
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    ...answer.headers,
    ...(closes ? { Connection: "close" } : {})
  })
  if (closes && !isRead) endUnread(response, answer.body)
  // A body that is a string leaves in the same write as the head.
  else response.end(answer.body)
}

/** Ends an answer after which the connection closes, although the request's body was not read. */
export const endUnread = (response: ServerResponse, body: string | Uint8Array): void => {
  if (response instanceof PacedResponse) response.endAfterRest(body)
  else response.end(body)
}
