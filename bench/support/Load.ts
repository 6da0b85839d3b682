import { fork } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import { Effect } from "effect"
import type { LoadOrder, LoadResult } from "./LoadWorker.ts"

/** A value below 0 is the superuser's to give, and not every system has all of it. */
const tryToGive = (give: () => void): void => {
  try {
    give()
  } catch {
    // Then it has what all have.
  }
}

/**
 * As for `nice`. Linux weighs sessions first and then the processes of one session, where it groups them
 * (`sched_autogroup_enabled`): each session of the database is one, so that a process needs one of its own too.
 */
const setNiceness = (pid: number, niceness: number): void => {
  tryToGive(() => os.setPriority(pid, niceness))
  tryToGive(() => fs.writeFileSync(`/proc/${pid}/autogroup`, String(niceness)))
}

/**
 * Starts the process that makes the load, so that its work is on no server's account. With a niceness, as for `nice`, it
 * has a session of its own.
 */
export const startLoad = Effect.fnUntraced(function* (niceness?: number) {
  const worker = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const isApart = niceness !== undefined
      const child = fork(new URL("./LoadWorker.ts", import.meta.url), {
        execArgv: ["--import", "tsx"],
        detached: isApart
      })
      if (child.pid !== undefined && isApart) setNiceness(child.pid, niceness)
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
