import * as fs from "node:fs"
import { isMainThread } from "node:worker_threads"

/**
 * Loaded into a gateway before its program. Writes each pause of its event loop to the file `LOOP_STOPS`, in elapsed
 * and in processor milliseconds. On a busy machine, only the second is caused by the gateway.
 */

const file = process.env["LOOP_STOPS"]
/** Milliseconds between two checks. */
const pause = 10
/** Shorter pauses are ignored. */
const shortest = 5

/** Processor milliseconds of this thread, or of the process if the system does not report the thread's. */
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
