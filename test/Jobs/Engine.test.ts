import * as net from "node:net"
import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Option, Ref, Schema, Scope } from "effect"
import { transient } from "../../src/Errors.ts"
import { handle } from "../../src/Layers/Platform/Jobs/TaskHandler.ts"
import { DatabaseLocation } from "../../src/Layers/Platform/Postgres/Database.ts"
import { JobEngine } from "../../src/Services/Jobs/JobEngine.ts"
import * as Task from "../../src/Services/Jobs/Task.ts"
import { TaskFailed } from "../../src/Services/Jobs/Task.ts"
import { TaskQueue } from "../../src/Services/Jobs/TaskQueue.ts"
import { eventually, Queue, startEngine, tasksNamed } from "./support.ts"

const payload = Schema.Struct({ n: Schema.Int })

/** A task whose handler records its payloads. */
const counting = (name: string, pool: Task.WorkerPool = "quick") =>
  Effect.map(Ref.make<ReadonlyArray<number>>([]), (payloads) => {
    const task = Task.make(name, { payload, pool })
    return { task, seen: payloads, handler: handle(task, ({ n }) => Ref.update(payloads, (all) => [...all, n])) }
  })

const numbers = (count: number) => Array.from({ length: count }, (_, n) => ({ payload: { n } }))
const sorted = (values: ReadonlyArray<number>) => [...values].sort((a, b) => a - b)

layer(Queue, { excludeTestServices: true })("the job engine", (it) => {
  it.scoped("two engines share the work, and each task runs once", () =>
    Effect.gen(function* () {
      const queue = yield* TaskQueue
      const task = Task.make("shared", { payload })
      const payloads = yield* Ref.make<ReadonlyArray<number>>([])
      const barrier = yield* Deferred.make<void>()
      const engines = yield* Ref.make<ReadonlySet<string>>(new Set())
      const workOf = (name: string) =>
        handle(task, ({ n }) =>
          Effect.gen(function* () {
            const both = yield* Ref.updateAndGet(engines, (all) => new Set([...all, name]))
            if (both.size === 2) yield* Deferred.succeed(barrier, undefined)
            // Neither continues before the other has begun, so that both take part.
            yield* Deferred.await(barrier)
            yield* Ref.update(payloads, (all) => [...all, n])
          })
        )
      yield* startEngine({ tasks: [workOf("first")] })
      yield* startEngine({ tasks: [workOf("second")] })
      // More than one process fetches at once.
      yield* queue.enqueueMany(task, numbers(700))
      yield* eventually(tasksNamed("shared"), (tasks) => tasks.length === 0)
      assert.deepStrictEqual(
        sorted(yield* Ref.get(payloads)),
        numbers(700).map((item) => item.payload.n)
      )
    })
  )

  it.scoped("the tasks of one queue run one after another, however many engines there are", () =>
    Effect.gen(function* () {
      const queue = yield* TaskQueue
      const task = Task.make("ordered", { payload, pool: "serial" })
      const running = yield* Ref.make(0)
      const most = yield* Ref.make(0)
      const handler = handle(task, () =>
        Effect.acquireUseRelease(
          Ref.updateAndGet(running, (n) => n + 1),
          (now) =>
            Effect.zipRight(
              Ref.update(most, (before) => Math.max(before, now)),
              tasksNamed("ordered")
            ),
          () => Ref.update(running, (n) => n - 1)
        ).pipe(Effect.orDie, Effect.asVoid)
      )
      yield* queue.enqueueMany(
        task,
        numbers(20).map((item) => ({ ...item, queueName: "ordered" }))
      )
      yield* startEngine({ tasks: [handler] })
      yield* startEngine({ tasks: [handler] })
      yield* eventually(tasksNamed("ordered"), (tasks) => tasks.length === 0)
      assert.strictEqual(yield* Ref.get(most), 1)
    })
  )

  it.scoped("a transient failure and a defect are tried again, with the delay that was asked for", () =>
    Effect.gen(function* () {
      const queue = yield* TaskQueue
      const attempts = yield* Ref.make<ReadonlyArray<number>>([])
      const task = Task.make("retried", { payload, maxAttempts: 3, retryDelay: () => "1 second" })
      const handler = handle(task, (_, info) =>
        Effect.gen(function* () {
          yield* Ref.update(attempts, (all) => [...all, info.attempt])
          if (info.attempt === 1) return yield* transient("away", "The service is away.", 1)
          if (info.attempt === 2) return yield* Effect.dieMessage("a bug with secret@example.com")
        })
      )
      yield* startEngine({ tasks: [handler] })
      yield* queue.enqueue(task, { n: 1 })
      const waiting = yield* eventually(tasksNamed("retried"), ([row]) => row?.attempts === 1 && row.locked_by === null)
      assert.deepInclude(waiting[0], { is_due: false, max_attempts: 3 })
      const again = yield* eventually(tasksNamed("retried"), ([row]) => row?.attempts === 2 && row.locked_by === null)
      assert.isFalse(again[0]?.last_error?.includes("secret"))
      yield* eventually(tasksNamed("retried"), (tasks) => tasks.length === 0)
      assert.deepStrictEqual(yield* Ref.get(attempts), [1, 2, 3])
    })
  )

  it.scoped("a task that cannot succeed fails at once, one that times out when its attempts are used up", () =>
    Effect.gen(function* () {
      const queue = yield* TaskQueue
      const hopeless = Task.make("hopeless", { payload, maxAttempts: 5 })
      const slow = Task.make("slow", { payload, maxAttempts: 1, timeout: "50 millis" })
      const interrupted = yield* Ref.make(0)
      yield* startEngine({
        tasks: [
          handle(hopeless, () => new TaskFailed({ reason: "gone" })),
          handle(slow, () => Effect.onInterrupt(Effect.never, () => Ref.update(interrupted, (n) => n + 1)))
        ]
      })
      yield* queue.enqueue(hopeless, { n: 1 })
      yield* queue.enqueue(slow, { n: 1 })
      const [failed] = yield* eventually(
        tasksNamed("hopeless"),
        ([row]) => row?.last_error !== null && row?.locked_by === null
      )
      assert.deepInclude(failed, { attempts: 5, max_attempts: 5, last_error: "TaskFailed: gone" })
      const [late] = yield* eventually(
        tasksNamed("slow"),
        ([row]) => row?.last_error !== null && row?.locked_by === null
      )
      assert.deepInclude(late, { attempts: 1, last_error: "TaskTimedOut" })
      assert.strictEqual(yield* Ref.get(interrupted), 1)
    })
  )

  it.scoped("a crashed worker's tasks are taken over, with and without a heartbeat left behind", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const queue = yield* TaskQueue
      const { handler, seen: payloads, task } = yield* counting("orphaned", "serial")
      yield* queue.enqueueMany(task, [...numbers(3), { payload: { n: 3 }, queueName: "one_by_one" }])
      yield* sql`insert into worker_heartbeat (worker_id, beat_at) values ('dead', now() - interval '1 minute')`
      yield* sql`update graphile_worker._private_jobs set attempts = 1, locked_at = now() - interval '1 minute',
        locked_by = case when (payload->>'n')::int < 2 then 'dead' else 'never seen' end
        where id in (select id from graphile_worker.jobs where task_identifier = 'orphaned')`
      yield* sql`update graphile_worker._private_job_queues set locked_at = now(), locked_by = 'never seen'
        where queue_name = 'one_by_one'`
      yield* startEngine({ tasks: [handler] })
      yield* eventually(tasksNamed("orphaned"), (tasks) => tasks.length === 0)
      assert.deepStrictEqual(sorted(yield* Ref.get(payloads)), [0, 1, 2, 3])
      const rows = yield* sql`select from worker_heartbeat where worker_id = 'dead'`
      assert.strictEqual(rows.length, 0)
    })
  )

  it.scoped("a crash costs an attempt of the tasks that may have been begun, and of none behind them", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const queue = yield* TaskQueue
      const task = Task.make("fetched", { payload })
      const { handler: other } = yield* counting("other")
      yield* queue.enqueueMany(task, numbers(5))
      yield* sql`insert into worker_heartbeat (worker_id, hands, beat_at)
        values ('two_handed', 2, now() - interval '1 minute')`
      yield* sql`update graphile_worker._private_jobs set attempts = 1, locked_at = now(), locked_by = 'two_handed',
          run_at = now() - make_interval(secs => (payload->>'n')::integer)
        where id in (select id from graphile_worker.jobs where task_identifier = 'fetched')`
      // An engine without the task, so that no engine runs it.
      yield* startEngine({ tasks: [other] })
      const tasks = yield* eventually(tasksNamed("fetched"), (rows) => rows.every((row) => row.locked_by === null))
      assert.sameDeepMembers(
        tasks.map(({ attempts, payload }) => ({ attempts, payload })),
        [0, 0, 0, 1, 1].map((attempts, n) => ({ attempts, payload: { n } }))
      )
    })
  )

  it.scoped("tasks of a live worker stay with it, and those of a dead one are taken over", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const queue = yield* TaskQueue
      const { handler, seen: payloads, task } = yield* counting("held")
      yield* queue.enqueue(task, { n: 1 })
      // The first by name. The others do not wait for it to check them, because it may have just been killed.
      yield* sql`insert into worker_heartbeat (worker_id, beat_at) values ('a first', now() + interval '1 hour'),
        ('just_dead', now() - interval '1 minute')`
      yield* sql`update graphile_worker._private_jobs set locked_at = now() - interval '1 minute', locked_by = 'a first'
        where id in (select id from graphile_worker.jobs where task_identifier = 'held')`
      yield* startEngine({ tasks: [handler] })
      // The other heartbeat is removed once the engine has checked all of them.
      const dead = sql`select from worker_heartbeat where worker_id = 'just_dead'`
      yield* eventually(dead, (rows) => rows.length === 0)
      assert.deepStrictEqual(yield* Ref.get(payloads), [])
      assert.strictEqual((yield* tasksNamed("held"))[0]?.locked_by, "a first")
      yield* sql`delete from worker_heartbeat where worker_id = 'a first'`
      yield* eventually(tasksNamed("held"), (tasks) => tasks.length === 0)
    })
  )

  it.scoped("a worker that others took for dead gives up what it runs and starts again under a new name", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const queue = yield* TaskQueue
      const runs = yield* Ref.make(0)
      const task = Task.make("fenced", { payload })
      const handler = handle(task, () =>
        Effect.flatMap(
          Ref.updateAndGet(runs, (n) => n + 1),
          (run) => (run === 1 ? Effect.never : Effect.void)
        )
      )
      yield* startEngine({ tasks: [handler] })
      yield* queue.enqueue(task, { n: 1 })
      const [claimedTask] = yield* eventually(tasksNamed("fenced"), ([row]) => row?.locked_by !== null)
      const beats = sql`select from worker_heartbeat where worker_id = ${claimedTask?.locked_by ?? ""}`
      yield* eventually(beats, (rows) => rows.length === 1)
      yield* sql`delete from worker_heartbeat`
      yield* eventually(tasksNamed("fenced"), (tasks) => tasks.length === 0)
      assert.strictEqual(yield* Ref.get(runs), 2)
      assert.strictEqual((yield* beats).length, 0)
    })
  )

  it.effect("a graceful stop ends handlers, hands their tasks back uncounted, and leaves no heartbeat", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const queue = yield* TaskQueue
      const task = Task.make("stopped", { payload })
      const serial = Task.make("stopped_serial", { payload, pool: "serial" })
      const attemptCount = yield* Ref.make(0)
      const ended = yield* Ref.make(0)
      const forEver = Effect.zipRight(
        Ref.update(attemptCount, (n) => n + 1),
        Effect.never
      ).pipe(Effect.onInterrupt(() => Ref.update(ended, (n) => n + 1)))
      const scope = yield* Scope.make()
      yield* Scope.extend(startEngine({ tasks: [handle(task, () => forEver), handle(serial, () => forEver)] }), scope)
      yield* queue.enqueueMany(task, numbers(20))
      yield* queue.enqueue(serial, { n: 20 }, { queueName: "stopped_queue" })
      yield* eventually(Ref.get(attemptCount), (n) => n === 5)
      yield* Scope.close(scope, Exit.void)
      assert.strictEqual(yield* Ref.get(ended), 5)
      const tasks = [...(yield* tasksNamed("stopped")), ...(yield* tasksNamed("stopped_serial"))]
      assert.strictEqual(tasks.length, 21)
      for (const row of tasks) assert.deepInclude(row, { attempts: 0, locked_by: null, is_due: true, last_error: null })
      const locks = yield* sql`select from graphile_worker._private_job_queues where locked_by is not null`
      assert.strictEqual(locks.length, 0)
      assert.strictEqual((yield* sql`select from worker_heartbeat`).length, 0)
      yield* sql`delete from graphile_worker._private_jobs`
    })
  )

  it.effect("a stop ends an engine that is just starting again, at whatever point of it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      for (const pause of [0, 20, 40, 60, 80, 110, 140, 180]) {
        const scope = yield* Scope.make()
        yield* Scope.extend(startEngine({}), scope)
        yield* eventually(sql`select from worker_heartbeat`, (rows) => rows.length === 3)
        yield* sql`delete from worker_heartbeat`
        yield* Effect.sleep(pause)
        const closing = yield* Effect.forkDaemon(Scope.close(scope, Exit.void))
        yield* eventually(Fiber.poll(closing), Option.isSome)
        yield* eventually(sql`select from worker_heartbeat`, (rows) => rows.length === 0)
      }
    })
  )

  it.scoped("the loss of all its database sessions, again and again, does not end the engine", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const queue = yield* TaskQueue
      const { handler, seen: payloads, task } = yield* counting("survivor")
      const engine = yield* startEngine({ tasks: [handler] })
      const { isWorking } = Effect.runSync(Effect.provide(JobEngine, engine))
      const terminate = sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'prospecting-gateway jobs'`
      yield* eventually(isWorking, (works) => works)
      for (const round of [0, 1, 2]) {
        yield* queue.enqueueMany(task, numbers(200))
        yield* terminate
        yield* queue.enqueueMany(task, [{ payload: { n: 1000 + round } }])
        yield* eventually(tasksNamed("survivor"), (tasks) => tasks.length === 0)
      }
      const distinct = new Set(yield* Ref.get(payloads))
      assert.strictEqual(distinct.size, 203)
      yield* eventually(isWorking, (works) => works)
    })
  )

  for (const pool of ["serial", "quick"] as const) {
    it.scoped(
      `a ${pool} task that was taken by a statement whose answer was lost is not left to who never heard of it`,
      () =>
        Effect.gen(function* () {
          const queue = yield* TaskQueue
          const { handler, seen: payloads, task } = yield* counting(`unheard_${pool}`, pool)
          // The session breaks while it returns the task, which is then already claimed and committed.
          const lost = 1_234_321
          let isArmed = true
          const stream = () => {
            const socket = new net.Socket()
            const emit = socket.emit.bind(socket)
            socket.emit = (event: string | symbol, ...args: ReadonlyArray<unknown>): boolean => {
              const isLost = isArmed && event === "data" && String(args[0]).includes(`${lost}`)
              if (!isLost) return emit(event, ...args)
              isArmed = false
              socket.destroy()
              return true
            }
            return socket
          }
          const location = yield* DatabaseLocation
          const connection = Object.assign({}, location.connection, { stream })
          yield* startEngine({ tasks: [handler] }).pipe(
            Effect.provideService(DatabaseLocation, { ...location, connection })
          )
          yield* queue.enqueue(task, { n: lost })
          yield* eventually(tasksNamed(`unheard_${pool}`), (tasks) => tasks.length === 0)
          assert.isFalse(isArmed)
          assert.deepStrictEqual(yield* Ref.get(payloads), [lost])
        })
    )
  }

  it.scoped("tasks and jobs are counted by state", () =>
    Effect.gen(function* () {
      const queue = yield* TaskQueue
      const task = Task.make("counted", { payload, maxAttempts: 1 })
      const release = yield* Deferred.make<void>()
      const handler = handle(task, ({ n }) => (n === 0 ? new TaskFailed({ reason: "first" }) : Deferred.await(release)))
      yield* queue.enqueueMany(task, numbers(2))
      const engine = yield* startEngine({ tasks: [handler] })
      yield* eventually(tasksNamed("counted"), (rows) => rows[0]?.last_error !== null && rows[1]?.locked_by !== null)
      const { jobCounts } = Effect.runSync(Effect.provide(JobEngine, engine))
      const { jobs, tasks } = yield* jobCounts
      assert.deepStrictEqual(jobs, { queued: 0, running: 0, finished: 0, failed: 0, cancelled: 0 })
      assert.isAtLeast(tasks.failed, 1)
      assert.isAtLeast(tasks.running, 1)
      yield* Deferred.succeed(release, undefined)
    })
  )
})
