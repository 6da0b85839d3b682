import type { Readable, Writable } from "node:stream"
import { Predicate } from "effect"

/** An event or an answer of the browser. */
interface Message {
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: unknown
  readonly sessionId?: unknown
  readonly result?: unknown
  readonly error?: unknown
}

/** The browser has ended, or refused a command. */
export class DevToolsFailed extends Error {}

export type Listener = (method: string, params: { readonly [name: string]: unknown }) => void

/** The longest message in bytes. A picture of the largest viewport fits. No page may make the gateway hold more. */
const longestMessage = 96 * 1024 * 1024

/**
 * A client of Chromium's protocol over a pair of pipes, so that nothing listens on the network. The domains that report
 * every request and every line of a page's console stay disabled, since a page decides how many there are.
 */
export class DevTools {
  readonly #input: Writable
  readonly #waiting = new Map<
    number,
    {
      readonly resolve: (result: { readonly [name: string]: unknown }) => void
      readonly reject: (error: Error) => void
    }
  >()
  readonly #listeners = new Map<string, Listener>()
  readonly #tooLong: () => void
  #next = 0
  #parts: Array<Buffer> = []
  #length = 0
  #isClosed = false

  /** Calls `tooLong` if a message is longer than any expected answer. */
  constructor(input: Writable, output: Readable, tooLong: () => void) {
    this.#input = input
    this.#tooLong = tooLong
    input.on("error", () => this.close())
    output.on("error", () => this.close())
    output.on("close", () => this.close())
    output.on("data", (bytes: Buffer) => this.#take(bytes))
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Sends a command to the browser, or to the target of a session. */
  send(
    method: string,
    params: { readonly [name: string]: unknown } = {},
    sessionId?: string
  ): Promise<{ readonly [name: string]: unknown }> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(new DevToolsFailed("closed"))
      const id = ++this.#next
      this.#waiting.set(id, { resolve, reject })
      this.#input.write(
        `${JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) })}\0`
      )
    })
  }

  /** Listens to the events of a session, until `forget`. */
  listen(sessionId: string, listener: Listener): void {
    this.#listeners.set(sessionId, listener)
  }

  forget(sessionId: string): void {
    this.#listeners.delete(sessionId)
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#parts = []
    for (const { reject } of this.#waiting.values()) reject(new DevToolsFailed("closed"))
    this.#waiting.clear()
    this.#listeners.clear()
  }

  #take(bytes: Buffer): void {
    let rest = bytes
    for (let end = rest.indexOf(0); end >= 0 && !this.#isClosed; end = rest.indexOf(0)) {
      this.#parts.push(rest.subarray(0, end))
      const message = Buffer.concat(this.#parts)
      this.#parts = []
      this.#length = 0
      rest = rest.subarray(end + 1)
      this.#handle(message)
    }
    this.#length += rest.length
    this.#parts.push(rest)
    if (this.#length <= longestMessage || this.#isClosed) return
    this.close()
    this.#tooLong()
  }

  #handle(bytes: Buffer): void {
    const parsed: unknown = JSON.parse(bytes.toString("utf8"))
    if (!Predicate.isRecord(parsed)) return
    const { error, id, method, params, result, sessionId }: Message = parsed
    if (typeof id === "number") {
      const waiting = this.#waiting.get(id)
      this.#waiting.delete(id)
      if (error !== undefined) waiting?.reject(new DevToolsFailed("refused"))
      else waiting?.resolve(Predicate.isRecord(result) ? result : {})
      return
    }
    if (typeof method !== "string" || typeof sessionId !== "string") return
    this.#listeners.get(sessionId)?.(method, Predicate.isRecord(params) ? params : {})
  }
}
