import { Effect } from "effect"
import { ServerAddress } from "../../src/Layers/Platform/Http/Server.ts"

export interface StreamEvent {
  readonly id: string | undefined
  readonly event: string
  readonly data: { readonly [name: string]: unknown }
}

/** Opens `/platform/v1/events` or the console's, until the scope ends. */
export const openEvents = (path: string, headers: Readonly<Record<string, string>>, base?: string) =>
  Effect.gen(function* () {
    const { host, port } = yield* ServerAddress
    return yield* eventsAt(base ?? `http://${host}:${port}`, path, { headers })
  })

/** Opens a stream of server-sent events. Those without data are left out. */
export const eventsAt = (base: string, path: string, init: RequestInit) =>
  Effect.gen(function* () {
    const abort = yield* Effect.acquireRelease(
      Effect.sync(() => new AbortController()),
      (controller) => Effect.sync(() => controller.abort())
    )
    const response = yield* Effect.promise(() => fetch(`${base}${path}`, { ...init, signal: abort.signal }))
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ""
    let firstId: string | undefined
    /** Undefined at the end of the stream. */
    const next = async (): Promise<StreamEvent | undefined> => {
      for (;;) {
        const end = text.indexOf("\n\n")
        if (end >= 0) {
          const block = text.slice(0, end)
          text = text.slice(end + 2)
          const id = /^id: (.*)$/m.exec(block)?.[1]
          firstId ??= id
          const data = /^data: (.*)$/m.exec(block)?.[1]
          if (data !== undefined) {
            const event = /^event: (.*)$/m.exec(block)?.[1] ?? ""
            return { id, event, data: JSON.parse(data) as StreamEvent["data"] }
          }
          continue
        }
        const piece = await reader?.read()
        if (piece === undefined || piece.done) return undefined
        text += piece.value
      }
    }
    return {
      status: response.status,
      headers: response.headers,
      next: Effect.promise(next),
      take: (count: number) => Effect.replicateEffect(Effect.promise(next), count),
      firstId: () => firstId
    }
  })
