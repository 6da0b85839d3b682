import type { CallOptions, Client } from "./client.ts"
import { GatewayError } from "./errors.ts"
import { type ListAccountEventsAnswer, listAccountEvents } from "./generated/tools.ts"
import { backoffMillis, sleep } from "./pauses.ts"

export type AccountEvent = ListAccountEventsAnswer["events"][number]
export type EventType = AccountEvent["type"]

export interface EventFeedOptions extends Pick<CallOptions, "signal"> {
  /** Only events after this cursor; by default all from the beginning. */
  readonly since?: number
  /** By default all types. */
  readonly types?: ReadonlyArray<EventType>
  /** The pause after a read that found no more events. By default 2 000. */
  readonly intervalMillis?: number
}

/** Events in their order, until the signal is aborted or the loop is left. */
export interface EventFeed extends AsyncIterable<AccountEvent> {
  /**
   * The place after the last event that the loop has handled. Store it, and pass it as `since`: no event is missed and
   * none comes twice.
   */
  readonly cursor: number
}

const isPassing = (error: unknown): boolean =>
  error instanceof GatewayError && (error.type === "NoAnswer" || error.type === "Transient" || error.status >= 502)

const largestPage = 200

class Feed implements EventFeed {
  cursor: number
  readonly #client: Client
  readonly #options: EventFeedOptions

  constructor(client: Client, options: EventFeedOptions) {
    this.#client = client
    this.#options = options
    this.cursor = options.since ?? 0
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<AccountEvent, void> {
    const { intervalMillis = 2_000, signal } = this.#options
    while (signal?.aborted !== true) {
      const page = await this.#read().catch((error: unknown) => {
        if (signal?.aborted === true) return undefined
        throw error
      })
      if (page === undefined) return
      for (const event of page.events) {
        yield event
        this.cursor = event.cursor
      }
      // Past events of other types too.
      this.cursor = page.next_cursor
      if (!page.has_more) await sleep(intervalMillis, signal).catch(() => undefined)
    }
  }

  /** The next events. A gateway that is away does not end the feed. */
  async #read(): Promise<ListAccountEventsAnswer> {
    const { signal, types } = this.#options
    const args = {
      since_cursor: this.cursor,
      limit: largestPage,
      ...(types === undefined ? {} : { event_types: types.join(",") })
    }
    for (let attempt = 0; ; attempt++) {
      try {
        return await listAccountEvents(this.#client, args, signal === undefined ? {} : { signal })
      } catch (error) {
        if (!isPassing(error)) throw error
        await sleep(1_000 + backoffMillis(attempt, undefined), signal)
      }
    }
  }
}

/** The account's events. The feed survives broken connections and a gateway that restarts. */
export const eventFeed = (client: Client, options: EventFeedOptions = {}): EventFeed => new Feed(client, options)
