import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Queue, TestClock } from "effect"
import { supervise } from "../../../src/Layers/Platform/Workers/Supervisor.ts"
import type { ProcessEnd, WorkerProcess } from "../../../src/Layers/Platform/Workers/WorkerProcess.ts"

interface FakeProcess {
  readonly slot: number
  readonly serial: number
  readonly end: (end: ProcessEnd) => void
  readonly isEnded: () => boolean
}

/** Processes that listen at once, unless their serial number is among those that fail. */
const makeProcesses = (failing: ReadonlySet<number> = new Set(), ignoresStop = false) => {
  const processes: Array<FakeProcess> = []
  const events: Array<string> = []
  const start = (slot: number) =>
    Effect.gen(function* () {
      const serial = processes.length
      const ready = yield* Deferred.make<void>()
      const ended = yield* Deferred.make<ProcessEnd>()
      let isEnded = false
      const end = (reason: ProcessEnd) => {
        isEnded = true
        Deferred.unsafeDone(ended, Effect.succeed(reason))
      }
      processes.push({ slot, serial, end, isEnded: () => isEnded })
      events.push(`start ${serial} in ${slot}`)
      if (failing.has(serial)) end({ code: 1, signal: null })
      else yield* Deferred.succeed(ready, undefined)
      const worker: WorkerProcess = {
        pid: serial,
        ready: Deferred.await(ready),
        ended: Deferred.await(ended),
        stop: Effect.sync(() => {
          events.push(`stop ${serial}`)
          if (!ignoresStop) end({ code: 0, signal: null })
        }),
        replace: Effect.sync(() => {
          events.push(`replace ${serial}`)
          if (!ignoresStop) end({ code: 0, signal: null })
        }),
        kill: Effect.sync(() => {
          events.push(`kill ${serial}`)
          end({ code: null, signal: "SIGKILL" })
        })
      }
      return worker
    })
  return { processes, events, start }
}

const settle = TestClock.adjust("1 millis")

it.effect("a process that ended is started again in its place, later each time", () =>
  Effect.gen(function* () {
    const { events, processes, start } = makeProcesses()
    const renewals = yield* Queue.unbounded<void>()
    const fiber = yield* Effect.fork(supervise({ count: 2, start, renewals, stopTime: "10 seconds" }))
    yield* settle
    assert.deepStrictEqual(events, ["start 0 in 0", "start 1 in 1"])
    processes[1]?.end({ code: null, signal: "SIGKILL" })
    yield* TestClock.adjust("499 millis")
    assert.lengthOf(processes, 2)
    yield* TestClock.adjust("1 millis")
    assert.strictEqual(events.at(-1), "start 2 in 1")
    processes[2]?.end({ code: 1, signal: null })
    yield* TestClock.adjust("999 millis")
    assert.lengthOf(processes, 3)
    yield* TestClock.adjust("2 millis")
    assert.strictEqual(events.at(-1), "start 3 in 1")
    yield* Fiber.interrupt(fiber)
    assert.sameMembers(events.slice(-2), ["stop 0", "stop 3"])
  })
)

it.effect("a renewal replaces one process after the other, and each new one listens first", () =>
  Effect.gen(function* () {
    const { events, start } = makeProcesses()
    const renewals = yield* Queue.unbounded<void>()
    const fiber = yield* Effect.fork(supervise({ count: 2, start, renewals, stopTime: "10 seconds" }))
    yield* settle
    yield* Queue.offer(renewals, undefined)
    yield* settle
    assert.deepStrictEqual(events.slice(2), ["start 2 in 0", "replace 0", "start 3 in 1", "replace 1"])
    yield* TestClock.adjust("1 minute")
    assert.lengthOf(events, 6, "those that were replaced are not started again")
    yield* Fiber.interrupt(fiber)
  })
)

it.effect("a new process that does not start leaves all others running", () =>
  Effect.gen(function* () {
    const { events, processes, start } = makeProcesses(new Set([2]))
    const renewals = yield* Queue.unbounded<void>()
    const fiber = yield* Effect.fork(supervise({ count: 2, start, renewals, stopTime: "10 seconds" }))
    yield* settle
    yield* Queue.offer(renewals, undefined)
    yield* TestClock.adjust("1 minute")
    assert.deepStrictEqual(events.slice(2), ["start 2 in 0", "kill 2"])
    assert.isFalse(processes[0]?.isEnded())
    yield* Fiber.interrupt(fiber)
  })
)

it.effect("a start fails if the first process ends before it listens, and no other is started", () =>
  Effect.gen(function* () {
    const { processes, start } = makeProcesses(new Set([0]))
    const renewals = yield* Queue.unbounded<void>()
    const error = yield* Effect.flip(supervise({ count: 3, start, renewals, stopTime: "10 seconds" }))
    assert.strictEqual(error._tag, "WorkerNotStarted")
    assert.lengthOf(processes, 1)
  })
)

it.effect("a process that does not end when asked is killed", () =>
  Effect.gen(function* () {
    const { events, start } = makeProcesses(new Set(), true)
    const renewals = yield* Queue.unbounded<void>()
    const fiber = yield* Effect.fork(supervise({ count: 1, start, renewals, stopTime: "10 seconds" }))
    yield* settle
    const stopping = yield* Effect.fork(Fiber.interrupt(fiber))
    yield* TestClock.adjust("9 seconds")
    assert.deepStrictEqual(events.slice(1), ["stop 0"])
    yield* TestClock.adjust("2 seconds")
    assert.deepStrictEqual(events.slice(1), ["stop 0", "kill 0"])
    yield* Fiber.join(stopping)
  })
)
