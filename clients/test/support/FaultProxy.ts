import { once } from "node:events"
import * as http from "node:http"

/**
 * What happens to a request on its way. `cutBefore`: the connection breaks before the gateway gets it. `cutAfter`: the
 * gateway did it, and its answer is lost. `stall`: half of the answer arrives, and then nothing. `status`: a proxy or the
 * gateway answers so.
 */
export type Fault =
  | { readonly kind: "pass" | "cutBefore" | "cutAfter" | "stall" }
  | { readonly kind: "status"; readonly status: number; readonly retryAfter?: number }

interface Forwarded {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly body: Buffer
}

const bodyOf = async (stream: http.IncomingMessage): Promise<Buffer> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of stream) if (chunk instanceof Buffer) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const forward = async (target: string, incoming: http.IncomingMessage, body: Buffer): Promise<Forwarded> => {
  const request = http.request(`${target}${incoming.url ?? ""}`, {
    method: incoming.method ?? "GET",
    headers: { ...incoming.headers, host: new URL(target).host }
  })
  const answered = new Promise<http.IncomingMessage>((resolve, reject) => {
    request.once("response", resolve).once("error", reject)
  })
  request.end(body)
  const response = await answered
  return { status: response.statusCode ?? 0, headers: response.headers, body: await bodyOf(response) }
}

/** A proxy in front of the gateway that does to each request what `next` says. */
export const faultProxy = async (target: string, next: (request: http.IncomingMessage) => Fault) => {
  const requests: Array<{ readonly path: string; readonly key: string | undefined; readonly at: number }> = []
  const server = http.createServer((request, response) => {
    const key = request.headers["idempotency-key"]
    requests.push({ path: request.url ?? "", key: typeof key === "string" ? key : undefined, at: Date.now() })
    const fault = next(request)
    const handle = async () => {
      if (fault.kind === "cutBefore") return void request.socket.destroy()
      const body = await bodyOf(request)
      if (fault.kind === "status") {
        response.writeHead(fault.status, fault.retryAfter === undefined ? {} : { "Retry-After": `${fault.retryAfter}` })
        return void response.end("busy")
      }
      const answer = await forward(target, request, body)
      if (fault.kind === "cutAfter") return void request.socket.destroy()
      response.writeHead(answer.status, answer.headers)
      if (fault.kind === "stall") return void response.write(answer.body.subarray(0, answer.body.length / 2))
      response.end(answer.body)
    }
    handle().catch(() => request.socket.destroy())
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const port = address !== null && typeof address === "object" ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}
