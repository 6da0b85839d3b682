import { appendFileSync, readFileSync } from "node:fs"
import { afterAll, beforeAll, expect } from "vitest"

/**
 * Writes each test file's cost to the file `COST_LOG` as a line of JSON: elapsed seconds, and processor seconds of the
 * test process and of the child processes that have ended. Databases are not included.
 */
const log = process.env["COST_LOG"]

/** The system counts in hundredths of a second. The fields follow the program's name. */
const childrenSeconds = (): number => {
  const stat = readFileSync("/proc/self/stat", "utf8")
  const [, , , , , , , , , , , , , user = "0", system = "0"] = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return (Number(user) + Number(system)) / 100
}

const ownSeconds = (): number => {
  const { system, user } = process.cpuUsage()
  return (user + system) / 1e6
}

if (log !== undefined) {
  const began = { clock: performance.now(), own: ownSeconds(), children: childrenSeconds() }
  let loaded = began.own
  beforeAll(() => {
    loaded = ownSeconds()
  })
  afterAll(() => {
    const cost = {
      file: expect.getState().testPath?.replace(/^.*\/test\//, "test/"),
      clock: (performance.now() - began.clock) / 1000,
      own: ownSeconds() - began.own,
      loading: loaded - began.own,
      children: childrenSeconds() - began.children
    }
    appendFileSync(
      log,
      `${JSON.stringify(cost, (_, value: unknown) => (typeof value === "number" ? Number(value.toFixed(2)) : value))}\n`
    )
  })
}
