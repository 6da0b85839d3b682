import { fork } from "node:child_process"
import { Effect } from "effect"
import type { LoadOrder, LoadResult } from "./LoadWorker.ts"

/** Starts the process that makes the load, so that its work is on no server's account. */
export const startLoad = Effect.gen(function* () {
  const worker = yield* Effect.acquireRelease(
    Effect.sync(() => fork(new URL("./LoadWorker.ts", import.meta.url), { execArgv: ["--import", "tsx"] })),
    (child) => Effect.sync(() => child.kill())
  )
  return (order: LoadOrder): Effect.Effect<LoadResult> =>
    Effect.async((resume) => {
      const ended = () => resume(Effect.dieMessage("The load generator ended."))
      worker.once("exit", ended)
      worker.once("message", (result: LoadResult) => {
        worker.off("exit", ended)
        resume(Effect.succeed(result))
      })
      worker.send(order)
    })
})
