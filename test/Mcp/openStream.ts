import { Effect } from "effect"
import { ServerAddress } from "../../src/Layers/Platform/Http/Server.ts"
import { eventsAt } from "../Console/eventStream.ts"

export interface StreamMessage {
  readonly method?: string
  readonly id?: string | number
  readonly params?: {
    readonly uri?: string
    readonly notifications?: unknown
    readonly _meta?: { readonly [name: string]: unknown }
  }
}

/** Opens a stream of messages, which ends with the scope. */
export const openStream = (path: string, init: RequestInit) =>
  Effect.gen(function* () {
    const { host, port } = yield* ServerAddress
    const { next, status } = yield* eventsAt(`http://${host}:${port}`, path, init)
    return { status, next: Effect.map(next, (event): StreamMessage | undefined => event?.data) }
  })
