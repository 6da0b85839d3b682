import { assert, it } from "@effect/vitest"
import { Array, Effect, identity, Schema } from "effect"
import { makeSimulatedClock } from "../../src/Layers/Simulated/SimulatedClock.ts"
import { makeSimulatedTaskQueue } from "../../src/Layers/Simulated/SimulatedTaskQueue.ts"
import { fromMillis } from "../../src/Services/Core/Timestamp.ts"
import * as Task from "../../src/Services/Jobs/Task.ts"

const start = Date.parse("2026-03-02T12:00:00Z")
const inMinutes = (minutes: number) => fromMillis(start + minutes * 60_000)
const say = Task.make("say", { payload: Schema.Struct({ word: Schema.String }) })

const makeQueue = () => {
  const queue = makeSimulatedTaskQueue(makeSimulatedClock(start))
  // A database that accepts everything.
  const unit = queue.bind({
    read: identity,
    readLagging: identity,
    write: identity,
    acrossAccounts: identity,
    perAccount: Array.of,
    isCluster: () => false
  })
  const words = () =>
    queue.waiting().map(({ payload }) => Schema.decodeUnknownSync(Schema.Struct({ word: Schema.String }))(payload).word)
  const enqueue = (word: string, options = {}) => queue.queue.enqueue(say, { word }, options)
  return { ...queue, unit, words, enqueue }
}

it.effect("tasks come out by time, then by priority, then as they were queued", () =>
  Effect.gen(function* () {
    const { enqueue, next, take, words } = makeQueue()
    yield* enqueue("late", { runAt: inMinutes(9) })
    yield* enqueue("second")
    yield* enqueue("third")
    yield* enqueue("first", { priority: -1 })
    assert.deepStrictEqual(words(), ["first", "second", "third", "late"])
    assert.strictEqual(next(), start)
    assert.strictEqual(take()?.name, "say")
    assert.deepStrictEqual(words(), ["second", "third", "late"])
  })
)

it.effect("a key is held by one waiting task, as each mode has it", () =>
  Effect.gen(function* () {
    const { enqueue, next, queue, words } = makeQueue()
    const key = { jobKey: "greeting" }
    yield* enqueue("one", { ...key, runAt: inMinutes(5) })
    yield* enqueue("two", { ...key, runAt: inMinutes(8), jobKeyMode: "preserve_run_at" })
    assert.deepStrictEqual([words(), next()], [["two"], start + 5 * 60_000])
    yield* enqueue("three", { ...key, runAt: inMinutes(3) })
    assert.deepStrictEqual([words(), next()], [["three"], start + 3 * 60_000])
    yield* enqueue("four", { ...key, jobKeyMode: "unsafe_dedupe" })
    assert.deepStrictEqual(words(), ["three"])
    yield* queue.remove("greeting")
    assert.deepStrictEqual(words(), [])
  })
)

it.effect("a task put back after a failure counts its attempts and yields its key to a newer one", () =>
  Effect.gen(function* () {
    const { requeue: again, enqueue, take, waiting } = makeQueue()
    yield* enqueue("old", { jobKey: "greeting" })
    const old = take()
    assert.isDefined(old)
    if (old === undefined) return
    yield* enqueue("new", { jobKey: "greeting", runAt: inMinutes(2) })
    again(old, start + 60_000)
    assert.deepStrictEqual(
      waiting().map(({ attempt, jobKey }) => ({ attempt, jobKey })),
      [
        { attempt: 2, jobKey: undefined },
        { attempt: 1, jobKey: "greeting" }
      ]
    )
  })
)

it.effect("what a failed transaction queued, replaced or removed is as it was before", () =>
  Effect.gen(function* () {
    const { enqueue, queue, unit, words } = makeQueue()
    yield* enqueue("kept", { jobKey: "kept", runAt: inMinutes(1) })
    yield* enqueue("removed", { jobKey: "removed", runAt: inMinutes(2) })
    const failing = unit.write(
      Effect.gen(function* () {
        yield* enqueue("lost")
        yield* enqueue("replacement", { jobKey: "kept" })
        yield* queue.remove("removed")
        return yield* Effect.fail("no" as const)
      })
    )
    assert.strictEqual(yield* Effect.flip(failing), "no")
    assert.deepStrictEqual(words(), ["kept", "removed"])

    // A failed inner transaction only undoes its own changes.
    yield* unit.write(
      Effect.gen(function* () {
        yield* enqueue("outer")
        yield* Effect.ignore(unit.write(Effect.zipRight(enqueue("inner"), Effect.fail("no" as const))))
      })
    )
    assert.deepStrictEqual(words(), ["outer", "kept", "removed"])
  })
)
