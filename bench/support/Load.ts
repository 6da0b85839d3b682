import { fork } from "node:child_process"
import * as os from "node:os"
import { Effect } from "effect"
import type { LoadOrder, LoadResult } from "./LoadWorker.ts"

/** Starts the process that makes the load, so that its work is on no server's account; `niceness` as for `nice`. */
export const startLoad = Effect.fnUntraced(function* (niceness: number = 0) {
  const worker = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const child = fork(new URL("./LoadWorker.ts", import.meta.url), { execArgv: ["--import", "tsx"] })
      if (child.pid !== undefined && niceness > 0) os.setPriority(child.pid, niceness)
      return child
    }),
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
