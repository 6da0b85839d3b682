import { randomUUID } from "node:crypto"
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Answer } from "../../../Api.ts"
import { requestIdOf, sendAnswer } from "./Answers/SendAnswer.ts"

/** The most headers of a request. No client sends as many. Beyond 2,000 Node would drop headers silently. */
export const mostHeaders = 200

const refusal = (status: number, error: string, detail: string): Answer => ({
  status,
  body: JSON.stringify({ error, type: "InvalidRequestBody", detail })
})

const tooManyHeaders = refusal(
  431,
  "The request has too many headers.",
  `Send at most ${mostHeaders}; arguments belong in the query string or in the body.`
)
const noHost = refusal(
  400,
  "The request does not say which host it is for.",
  "Send one Host header, as HTTP/1.1 requires it."
)
const twoHosts = refusal(400, "The request is for two hosts.", "Send one Host header.")
const badExpectation = refusal(
  417,
  "The request expects what the platform does not know.",
  "Leave the Expect header out, or send Expect: 100-continue."
)
const badAddress = refusal(
  400,
  "The address has bytes that no address of the platform has.",
  "Percent-encode it as UTF-8, without NUL."
)

const hostCount = (rawHeaders: ReadonlyArray<string>): number => {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name !== undefined && name.length === 4 && name.toLowerCase() === "host") hosts++
  }
  return hosts
}

const malformedHead = ({ httpVersion, rawHeaders }: IncomingMessage): Answer | undefined => {
  if (rawHeaders.length > 2 * mostHeaders) return tooManyHeaders
  const hosts = hostCount(rawHeaders)
  if (hosts > 1) return twoHosts
  return hosts === 0 && httpVersion === "1.1" ? noHost : undefined
}

const isDecodable = (url: string): boolean => {
  if (!url.includes("%")) return true
  try {
    return !decodeURIComponent(url.replaceAll("+", " ")).includes("\u0000")
  } catch {
    return false
  }
}

const refuse = (request: IncomingMessage, response: ServerResponse, answer: Answer): void =>
  sendAnswer(request, response, answer, { requestId: requestIdOf(request), close: true })

/** Refuses a request whose head is ambiguous. Returns whether it did. */
export const refusedForItsHead = (request: IncomingMessage, response: ServerResponse): boolean => {
  const answer = malformedHead(request)
  if (answer !== undefined) refuse(request, response, answer)
  return answer !== undefined
}

/** Refuses a page whose address cannot be decoded. Returns whether it did. */
export const refusedForItsAddress = (request: IncomingMessage, response: ServerResponse): boolean => {
  const isRefused = !isDecodable(request.url ?? "")
  if (isRefused) refuse(request, response, badAddress)
  return isRefused
}

const statusLine = (code: string | undefined): readonly [status: string, error: string, detail: string] => {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return [
        "431 Request Header Fields Too Large",
        "The request's headers are too large.",
        "Send at most 16 KiB of headers; long arguments belong in a POST body."
      ]
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return ["408 Request Timeout", "The request did not arrive in time.", "Send it whole, and repeat the call."]
    default:
      return ["400 Bad Request", "The request is not valid HTTP/1.1.", "Check the request line and the headers."]
  }
}

/** A connection that was refused closes after this time, even if the client does not close it. */
const timeToReadMillis = 2000

/** Answers requests that `node:http` cannot parse, in the shape that all errors of the gateway have. */
export const answerMalformedRequests = (server: Server): void => {
  /** The response in progress on each connection. */
  const answering = new WeakMap<object, ServerResponse>()
  server.on("request", (request, response) => answering.set(request.socket, response))
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) =>
    refuse(request, response, badExpectation)
  )
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    const current = answering.get(socket)
    // A second answer on this connection would end up in the middle of the answer in progress.
    if (current !== undefined && !current.writableFinished && (current.headersSent || current.req.complete)) {
      current.once("close", () => socket.destroy())
      return
    }
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy()
      return
    }
    const [status, message, detail] = statusLine(error.code)
    const body = JSON.stringify({ error: message, type: "InvalidRequestBody", detail })
    socket.end(
      [
        `HTTP/1.1 ${status}`,
        "Content-Type: application/json; charset=utf-8",
        "X-Content-Type-Options: nosniff",
        `Content-Length: ${Buffer.byteLength(body)}`,
        `X-Request-Id: ${randomUUID()}`,
        "Connection: close",
        "",
        body
      ].join("\r\n")
    )
    // A client that sends nothing would keep its side open. One that still sends gets time to read the answer.
    if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") socket.destroySoon()
    else setTimeout(() => socket.destroy(), timeToReadMillis).unref()
  })
}
