import * as fs from "node:fs"
import { isMainThread } from "node:worker_threads"

/**
 * Loaded into a gateway before its program: writes down each stop of its event loop in the file `LOOP_STOPS`, in
 * milliseconds by the clock and of the processor. On a machine that does other things too only the second is the
 * gateway's own doing.
 */

const file = process.env["LOOP_STOPS"]
/** Milliseconds between two looks. */
const pause = 10
/** What is shorter is no stop. */
const shortest = 5

/** Milliseconds of the processor that this thread has had; where the system does not tell, those of the process. */
const makeThreadTime = () => {
  try {
    const figures = fs.openSync(`/proc/self/task/${process.pid}/schedstat`, "r")
    const text = Buffer.alloc(64)
    return () => Number.parseInt(text.toString("latin1", 0, fs.readSync(figures, text, 0, text.length, 0)), 10) / 1e6
  } catch {
    return () => {
      const { system, user } = process.cpuUsage()
      return (system + user) / 1000
    }
  }
}

if (isMainThread && file !== undefined) {
  const threadTime = makeThreadTime()
  const stops = fs.openSync(file, "a")
  let at = performance.now()
  let used = threadTime()
  setInterval(() => {
    const now = performance.now()
    const usedNow = threadTime()
    const late = now - at - pause
    if (late >= shortest) fs.writeSync(stops, `${late.toFixed(1)} ${Math.min(late, usedNow - used).toFixed(1)}\n`)
    at = now
    used = usedNow
  }, pause).unref()
}
