import { fork } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import { Effect } from "effect"
import type { LoadOrder, LoadResult } from "./LoadWorker.ts"

/** Only the superuser can set a value below 0, and not every system supports all of these. */
const tryToGive = (give: () => void): void => {
  try {
    give()
  } catch {
    // The process then keeps the default.
  }
}

/**
 * Sets a niceness, as `nice` does. With `sched_autogroup_enabled`, Linux weighs sessions first and then the processes
 * within each. Each database session is one, so the process needs a separate session too.
 */
const setNiceness = (pid: number, niceness: number): void => {
  tryToGive(() => os.setPriority(pid, niceness))
  tryToGive(() => fs.writeFileSync(`/proc/${pid}/autogroup`, String(niceness)))
}

/**
 * Starts the process that generates the load, so that its work does not count for a server. With a niceness, it gets a
 * separate session.
 */
export const startLoad = Effect.fnUntraced(function* (niceness?: number) {
  const worker = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const isOnSeparateDomain = niceness !== undefined
      const child = fork(new URL("./LoadWorker.ts", import.meta.url), {
        execArgv: ["--import", "tsx"],
        detached: isOnSeparateDomain
      })
      if (child.pid !== undefined && isOnSeparateDomain) setNiceness(child.pid, niceness)
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
