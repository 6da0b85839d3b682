import { Effect } from "effect"
import { ServerAddress } from "../../src/Layers/Platform/Http/Server.ts"

export interface StreamMessage {
  readonly method?: string
  readonly id?: string | number
  readonly params?: {
    readonly uri?: string
    readonly notifications?: unknown
    readonly _meta?: { readonly [name: string]: unknown }
  }
}

/** Opens a stream of events, which ends with the scope. */
export const openStream = (path: string, init: RequestInit) =>
  Effect.gen(function* () {
    const { host, port } = yield* ServerAddress
    const abort = yield* Effect.acquireRelease(
      Effect.sync(() => new AbortController()),
      (controller) => Effect.sync(() => controller.abort())
    )
    const response = yield* Effect.promise(() =>
      fetch(`http://${host}:${port}${path}`, { ...init, signal: abort.signal })
    )
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ""
    const next = async (): Promise<StreamMessage | undefined> => {
      for (;;) {
        const end = text.indexOf("\n\n")
        if (end >= 0) {
          const event = text.slice(0, end)
          text = text.slice(end + 2)
          const data = /^data: (.*)$/m.exec(event)?.[1]
          if (data !== undefined) return JSON.parse(data) as StreamMessage
          continue
        }
        const piece = await reader?.read()
        if (piece === undefined || piece.done) return undefined
        text += piece.value
      }
    }
    return { status: response.status, next: Effect.promise(next) }
  })
