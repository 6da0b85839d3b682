import { assert, it } from "@effect/vitest"
import {
  failuresAfter,
  processesOf,
  quotaIn,
  restartDelayMillis,
  sessionsOfServer
} from "../../src/Services/Core/WorkerProcesses.ts"

it("auto is one process for each processor that the container may use", () => {
  for (const [workers, count, quota, expected] of [
    ["auto", 8, undefined, 8],
    ["auto", 8, 1.5, 2],
    ["auto", 2, 16, 2],
    ["auto", 1, 0.25, 1],
    [3, 8, 1, 3]
  ] as const) {
    assert.strictEqual(processesOf(workers, { count, quota }), expected, `${workers} of ${count}, limit ${quota}`)
  }
})

it("the limit of a container is read from its cgroup", () => {
  assert.strictEqual(quotaIn("30000 100000\n"), 0.3)
  assert.strictEqual(quotaIn("max 100000\n"), undefined)
  assert.strictEqual(quotaIn(""), undefined)
  assert.strictEqual(quotaIn("0 100000"), undefined)
})

it("a process that keeps ending is started later each time, up to half a minute", () => {
  assert.deepStrictEqual(
    [1, 2, 3, 4, 5, 6, 7, 8].map(restartDelayMillis),
    [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]
  )
  assert.strictEqual(failuresAfter(4, 1000), 5)
  assert.strictEqual(failuresAfter(4, 60_000), 1)
})

it("the embedded server has sessions for all processes and for programs such as backups", () => {
  assert.strictEqual(sessionsOfServer(1, 10), 100)
  assert.strictEqual(sessionsOfServer(4, 20), 4 * (53 + 39) + 20)
})
