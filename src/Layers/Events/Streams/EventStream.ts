import type { ServerResponse } from "node:http"
import type { AccountEventView, EventType } from "../../../Services/Events/AccountEvents.ts"

/** Unread bytes after which a slow client is disconnected. It reconnects where it stopped. */
const mostUnread = 256 * 1024

/** The last event of a stream that the gateway ends, with the milliseconds after which the client may connect again. */
export const endOfStream = (reason: "token_ended" | "place_needed", retry?: number): string =>
  `event: end\n${retry === undefined ? "" : `retry: ${retry}\n`}data: ${JSON.stringify({ reason })}\n\n`

/** One open connection with server-sent events. */
export class EventStream {
  readonly #response: ServerResponse
  readonly #types: ReadonlySet<EventType>
  /** The last event that was sent or skipped. */
  #cursor: number
  #isQuiet = true

  constructor(response: ServerResponse, types: ReadonlySet<EventType>, cursor: number) {
    this.#response = response
    this.#types = types
    this.#cursor = cursor
  }

  get cursor(): number {
    return this.#cursor
  }

  get isOpen(): boolean {
    return !this.#response.destroyed && !this.#response.writableEnded
  }

  /** Sends the headers and the stream's start cursor, so that a client can reconnect before the first event. */
  open(headers: Readonly<Record<string, string>>): void {
    if (!this.isOpen) return
    this.#response.writeHead(200, {
      ...headers,
      "Content-Type": "text/event-stream; charset=utf-8",
      "Cache-Control": "no-store",
      "X-Accel-Buffering": "no"
    })
    this.#response.write(`: connected\nid: ${this.#cursor}\n\n`)
  }

  /** Sends an event, unless it was sent before or the client does not want its type. */
  send(event: AccountEventView): void {
    if (!this.isOpen || event.cursor <= this.#cursor) return
    this.#cursor = event.cursor
    if (this.#types.size > 0 && !this.#types.has(event.type)) return
    if (this.#response.writableLength > mostUnread) return void this.#response.destroy()
    this.#isQuiet = false
    this.#response.write(`id: ${event.cursor}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  }

  /** Skips events of other types. */
  passTo(cursor: number): void {
    this.#cursor = Math.max(this.#cursor, cursor)
  }

  /** Waits until the client has read what was sent, then calls `next`. If the client leaves, `next` is called too. */
  whenRead(next: () => void): void {
    if (!this.isOpen || !this.#response.writableNeedDrain) return next()
    const done = () => {
      this.#response.off("drain", done)
      this.#response.off("close", done)
      next()
    }
    this.#response.once("drain", done)
    this.#response.once("close", done)
  }

  /** Sends a comment, because proxies close a connection without data. */
  keepAlive(): void {
    if (this.#isQuiet && this.isOpen) this.#response.write(": keep-alive\n\n")
    this.#isQuiet = true
  }

  end(reason?: "token_ended"): void {
    if (!this.isOpen) return
    if (reason === undefined) this.#response.end()
    else this.#response.end(endOfStream(reason))
  }
}
