import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { Timestamp } from "../../src/Services/Core/Timestamp.ts"
import * as Task from "../../src/Services/Jobs/Task.ts"
import { TaskQueue } from "../../src/Services/Jobs/TaskQueue.ts"
import { Queue, tasksNamed } from "./support.ts"

const payload = Schema.Struct({ n: Schema.Int })
const later = Timestamp.make("2100-01-01T00:00:00Z")

layer(Queue, { excludeTestServices: true })("TaskQueue", (it) => {
  it.effect("a task is queued by the commit of its transaction, and not by a rollback", () =>
    Effect.gen(function* () {
      const queue = yield* TaskQueue
      const unit = yield* UnitOfWork
      const task = Task.make("transactional", { payload, maxAttempts: 7 })
      const seenInside = yield* unit.write(Effect.zipRight(queue.enqueue(task, { n: 1 }), tasksNamed("transactional")))
      assert.strictEqual(seenInside.length, 1)
      const failure = yield* Effect.flip(unit.write(Effect.zipRight(queue.enqueue(task, { n: 2 }), Effect.fail("no"))))
      assert.strictEqual(failure, "no")
      const failedMany = unit.write(
        Effect.zipRight(queue.enqueueMany(task, [{ payload: { n: 3 } }]), Effect.fail("no"))
      )
      yield* Effect.flip(failedMany)
      const tasks = yield* tasksNamed("transactional")
      assert.deepStrictEqual(
        tasks.map((row) => [row.payload, row.attempts, row.max_attempts, row.locked_by]),
        [[{ n: 1 }, 0, 7, null]]
      )
    })
  )

  it.effect("a key names one waiting task: replaced, kept at its time, or left alone", () =>
    Effect.gen(function* () {
      const queue = yield* TaskQueue
      const task = Task.make("keyed", { payload })
      yield* queue.enqueue(task, { n: 1 }, { jobKey: "k", runAt: later })
      yield* queue.enqueue(task, { n: 2 }, { jobKey: "k", jobKeyMode: "preserve_run_at" })
      const [waitingTask] = yield* tasksNamed("keyed")
      assert.deepInclude(waitingTask, { payload: { n: 2 }, is_due: false })
      yield* queue.enqueue(task, { n: 3 }, { jobKey: "k", jobKeyMode: "unsafe_dedupe" })
      assert.deepInclude((yield* tasksNamed("keyed"))[0], { payload: { n: 2 }, is_due: false })
      yield* queue.enqueue(task, { n: 4 }, { jobKey: "k" })
      const tasks = yield* tasksNamed("keyed")
      assert.deepStrictEqual(
        tasks.map((row) => [row.payload, row.is_due]),
        [[{ n: 4 }, true]]
      )
      yield* queue.remove("k")
      assert.deepStrictEqual(yield* tasksNamed("keyed"), [])
    })
  )

  it.effect("many are queued with their own options, the last of each key once", () =>
    Effect.gen(function* () {
      const queue = yield* TaskQueue
      const task = Task.make("many", { payload, maxAttempts: 3 })
      const numbered = Array.from({ length: 4500 }, (_, n) => ({ payload: { n } }))
      yield* queue.enqueueMany(task, [
        ...numbered,
        { payload: { n: -1 }, jobKey: "twice" },
        { payload: { n: -2 }, jobKey: "twice", runAt: later, maxAttempts: 9 }
      ])
      const tasks = yield* tasksNamed("many")
      assert.strictEqual(tasks.length, 4501)
      assert.strictEqual(new Set(tasks.map((row) => JSON.stringify(row.payload))).size, 4501)
      assert.deepInclude(tasks.at(-1), { payload: { n: -2 }, is_due: false, max_attempts: 9 })
      assert.deepInclude(tasks[0], { payload: { n: 0 }, is_due: true, max_attempts: 3 })
    })
  )

  it.effect("a task of a pool that keeps no order cannot be given a queue", () =>
    Effect.gen(function* () {
      const queue = yield* TaskQueue
      const task = Task.make("unordered", { payload })
      const exit = yield* Effect.exit(queue.enqueue(task, { n: 1 }, { queueName: "q" }))
      assert.isTrue(exit._tag === "Failure" && exit.cause._tag === "Die")
      const many = yield* Effect.exit(queue.enqueueMany(task, [{ payload: { n: 1 }, queueName: "q" }]))
      assert.isTrue(many._tag === "Failure" && many.cause._tag === "Die")
      assert.deepStrictEqual(yield* tasksNamed("unordered"), [])
    })
  )

  it.effect("a payload that is not the task's is a defect and queues nothing", () =>
    Effect.gen(function* () {
      const queue = yield* TaskQueue
      const task = Task.make("typed", { payload })
      const exit = yield* Effect.exit(queue.enqueue(task, { n: 0.5 }))
      assert.isTrue(exit._tag === "Failure" && exit.cause._tag === "Die")
      assert.deepStrictEqual(yield* tasksNamed("typed"), [])
    })
  )
})
