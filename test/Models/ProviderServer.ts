import * as http from "node:http"
import { Effect } from "effect"

export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: http.IncomingHttpHeaders
  readonly body: unknown
}

export type Responder = (response: http.ServerResponse, received: Received) => void

/** Answers with JSON, or with a text as it is. */
export const answer =
  (status: number, body: unknown, headers: { readonly [name: string]: string } = {}): Responder =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers })
    response.end(typeof body === "string" ? body : JSON.stringify(body))
  }

export const neverAnswers: Responder = () => {}

/** Sends the head and a part of the body, and then nothing more. */
export const stalls: Responder = (response) => {
  response.writeHead(200, { "content-type": "application/json" })
  response.write('{"choices": [')
}

export const hangsUp: Responder = (response) => {
  response.destroy()
}

/** A provider on a local port: the n-th request is answered by the n-th responder, further ones by the last. */
export const providerServer = (responders: ReadonlyArray<Responder>) =>
  Effect.acquireRelease(
    Effect.async<{ readonly url: string; readonly received: Array<Received>; readonly server: http.Server }>(
      (resume) => {
        const received: Array<Received> = []
        const server = http.createServer((request, response) => {
          const chunks: Array<Buffer> = []
          request.on("data", (chunk: Buffer) => chunks.push(chunk))
          request.on("end", () => {
            const entry: Received = {
              method: request.method ?? "",
              path: request.url ?? "",
              headers: request.headers,
              body: chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString("utf8"))
            }
            const responder = responders[Math.min(received.length, responders.length - 1)]
            received.push(entry)
            responder?.(response, entry)
          })
        })
        server.listen(0, "127.0.0.1", () => {
          const address = server.address()
          const port = typeof address === "object" && address !== null ? address.port : 0
          resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, received, server }))
        })
      }
    ),
    ({ server }) =>
      Effect.async<void>((resume) => {
        server.closeAllConnections()
        server.close(() => resume(Effect.void))
      })
  )
