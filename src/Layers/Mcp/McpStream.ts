import type { ServerResponse } from "node:http"
import type { Reply } from "../../Api/Mcp/Engine.ts"

/** The answer to one message: plain JSON, or a stream of events once something is sent before the result. */
export class McpStream {
  readonly #response: ServerResponse
  readonly #headers: Readonly<Record<string, string>>
  /** True if the client accepts a stream. Otherwise it only gets the result. */
  readonly canStream: boolean
  #isStreaming = false

  constructor(response: ServerResponse, headers: Readonly<Record<string, string>>, accept: string) {
    this.#response = response
    this.#headers = headers
    this.canStream = accept.includes("text/event-stream") || accept.includes("*/*")
  }

  get isOpen(): boolean {
    return !this.#response.destroyed && !this.#response.writableEnded
  }

  /** Starts the stream. */
  open(): void {
    if (this.#isStreaming || !this.isOpen) return
    this.#isStreaming = true
    this.#response.writeHead(200, {
      ...this.#headers,
      "Content-Type": "text/event-stream",
      "Cache-Control": "no-store",
      "X-Accel-Buffering": "no"
    })
    this.#response.flushHeaders()
  }

  /** Sends a message before the result. */
  send(message: string): void {
    if (!this.canStream || !this.isOpen) return
    this.open()
    this.#response.write(`event: message\ndata: ${message}\n\n`)
  }

  /** Sends a line that keeps proxies from closing an idle stream. */
  keepAlive(): void {
    if (this.#isStreaming && this.isOpen) this.#response.write(": keep-alive\n\n")
  }

  end({ body, status }: Reply, headers: Readonly<Record<string, string>> = {}): void {
    if (!this.isOpen) return
    if (this.#isStreaming) {
      this.#response.end(`event: message\ndata: ${body}\n\n`)
      return
    }
    this.#response.writeHead(status, {
      ...this.#headers,
      ...headers,
      "Content-Type": "application/json; charset=utf-8",
      "Content-Length": Buffer.byteLength(body),
      "Cache-Control": "no-store"
    })
    this.#response.end(body)
  }

  /** Sends an answer without a body. */
  empty(status: number, headers: Readonly<Record<string, string>> = {}): void {
    if (this.isOpen) this.#response.writeHead(status, { ...this.#headers, ...headers }).end()
  }
}
