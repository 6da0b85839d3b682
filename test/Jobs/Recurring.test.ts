import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { leadCounterFolding } from "../../src/Layers/Leads/LeadCounters.ts"
import { failedTasksDropping } from "../../src/Layers/Platform/Jobs/FailedTasks.ts"
import { cronItems, recurring } from "../../src/Layers/Platform/Jobs/Recurring.ts"
import { handle } from "../../src/Layers/Platform/Jobs/TaskHandler.ts"
import * as Task from "../../src/Services/Jobs/Task.ts"
import { TaskQueue } from "../../src/Services/Jobs/TaskQueue.ts"
import { makeAccount } from "../support/TestAccount.ts"
import { eventually, Queue, startEngine, tasksNamed } from "./support.ts"

const info = { id: "1", attempt: 1, maxAttempts: 1 }
const fold = leadCounterFolding.handler.run({}, info)

/** The counter that lists filter by, and the number of its rows. */
const countersOf = (accountId: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const sums = yield* sql<{ readonly status: string; readonly total: number }>`
      select status, sum(change) as total from lead_counter where account_id = ${accountId}
      group by status having sum(change) <> 0 order by status`
    const [rows] = yield* sql<{ readonly count: number }>`
      select count(*) from lead_counter where account_id = ${accountId}`
    return { sums: sums.map(({ status, total }) => [status, total]), rows: rows?.count }
  })

/** What writers leave: `count` changes of one each. */
const gather = (accountId: number, status: string, count: number) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql`insert into lead_counter (account_id, campaign_id, status, has_linkedin, change)
      select ${accountId}, null, ${status}, false, sign(${count}::int) from generate_series(1, abs(${count}::int))`
  )

layer(Queue, { excludeTestServices: true })("recurring work", (it) => {
  it.effect("folding keeps every sum and leaves one row for each, where it is worth it", () =>
    Effect.gen(function* () {
      const busy = (yield* makeAccount()).accountId
      const calm = (yield* makeAccount()).accountId
      yield* gather(busy, "Cold", 60)
      yield* gather(busy, "Cold", -3)
      yield* gather(busy, "Aware", 40)
      yield* gather(busy, "Aware", -40)
      yield* gather(calm, "Cold", 20)
      yield* fold
      assert.deepStrictEqual(yield* countersOf(busy), { sums: [["Cold", 57]], rows: 1 })
      assert.deepStrictEqual(yield* countersOf(calm), { sums: [["Cold", 20]], rows: 20 })
    })
  )

  it.effect("foldings that run at once, among writers, lose and double nothing", () =>
    Effect.gen(function* () {
      const { accountId } = yield* makeAccount()
      const write = Effect.repeatN(gather(accountId, "Cold", 60), 29)
      const folds = Effect.repeatN(fold, 30)
      yield* Effect.all([write, write, folds, folds], { concurrency: "unbounded", discard: true })
      assert.deepStrictEqual((yield* countersOf(accountId)).sums, [["Cold", 3600]])
      yield* fold
      assert.deepStrictEqual((yield* countersOf(accountId)).sums, [["Cold", 3600]])
    })
  )

  it.effect("failed tasks are dropped after a month, waiting ones never", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const queue = yield* TaskQueue
      const task = Task.make("old", { payload: Schema.Struct({ n: Schema.Int }), maxAttempts: 3 })
      yield* queue.enqueueMany(task, [{ payload: { n: 1 } }, { payload: { n: 2 } }, { payload: { n: 3 } }])
      yield* sql`update graphile_worker._private_jobs set run_at = now() - interval '31 days',
        attempts = case when (payload->>'n')::int = 1 then 3 else 2 end where (payload->>'n')::int in (1, 2)`
      yield* sql`update graphile_worker._private_jobs set attempts = 3 where (payload->>'n')::int = 3`
      yield* failedTasksDropping.handler.run({}, info)
      assert.deepStrictEqual(
        (yield* tasksNamed("old")).map(({ payload }) => payload),
        [{ n: 2 }, { n: 3 }]
      )
    })
  )

  it.scoped("the engine registers each schedule once, and a line that is no schedule is refused", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const task = Task.make("daily", { payload: Schema.Struct({ n: Schema.Int }), maxAttempts: 4 })
      const daily = recurring("daily_report", "30 6 * * *", task, { n: 7 })
      const [item] = cronItems([daily])
      assert.deepInclude(item, { task: "daily", identifier: "daily_report", payload: { n: 7 } })
      assert.deepInclude(item?.options, { maxAttempts: 4, jobKey: "recurring:daily_report" })
      assert.isTrue(item?.match({ min: 30, hour: 6, date: 1, month: 1, dow: 1 }))
      assert.isFalse(item?.match({ min: 31, hour: 6, date: 1, month: 1, dow: 1 }))
      assert.throws(() => cronItems([recurring("wrong", "61 * * * *", task, { n: 7 })]))
      const unbound = yield* Effect.exit(startEngine({ recurring: [daily] }))
      assert.isTrue(unbound._tag === "Failure" && unbound.cause._tag === "Die")
      const tasks = [handle(task, () => Effect.void)]
      yield* startEngine({ tasks, recurring: [daily] })
      yield* startEngine({ tasks, recurring: [daily] })
      const registeredTasks = sql<{ readonly identifier: string }>`
        select identifier from graphile_worker._private_known_crontabs order by identifier`
      const names = yield* eventually(registeredTasks, (rows) => rows.length > 0)
      assert.deepStrictEqual(names, [{ identifier: "daily_report" }, { identifier: "drop_failed_tasks" }])
    })
  )
})
