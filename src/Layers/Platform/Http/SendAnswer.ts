import { randomUUID } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Answer } from "../../../Api.ts"
import { tellInTime } from "./Refusals.ts"
import { dropRest } from "./UnreadBody.ts"

const requestIdShape = /^[A-Za-z0-9._:-]{1,128}$/

/** The caller's own request id where it is usable, else a new one. */
export const requestIdOf = (request: IncomingMessage): string => {
  const given = request.headers["x-request-id"]
  return typeof given === "string" && requestIdShape.test(given) ? given : randomUUID()
}

/** How long a caller that was answered early may go on sending before the connection is closed on it, in milliseconds. */
const drainTime = 2_000

/**
 * Ends an answer whose request was not read. Closing while the caller still sends would reset the connection, and the
 * answer would be lost with it.
 */
export const endOnceDrained = (request: IncomingMessage, response: ServerResponse): void => {
  const end = () => response.end()
  const timer = setTimeout(end, drainTime)
  request.once("close", () => {
    clearTimeout(timer)
    end()
  })
  dropRest(request)
}

/** Bytes that are read and dropped rather than the connection closed: to take a new one costs more. */
const readToTheEnd = 1024 * 1024

/** Whether the rest of a request that was answered early comes to its end soon, so that the next one can follow it. */
const isShort = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) <= readToTheEnd

/** Sends `answer` with the headers every answer has. */
export const sendAnswer = (
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  options: { readonly requestId: string; readonly close: boolean }
): void => {
  if (response.headersSent || response.destroyed) return
  const isRead = request.complete
  const isClosed = options.close || !(isRead || isShort(request))
  response.writeHead(answer.status, {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(answer.body),
    "X-Request-Id": options.requestId,
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    ...answer.headers,
    ...(isClosed ? { Connection: "close" } : {})
  })
  if (isRead || !isClosed) {
    // As text it leaves in one write together with the head.
    response.end(answer.body)
    return
  }
  tellInTime(response, () => {
    response.write(answer.body)
    endOnceDrained(request, response)
  })
}
