import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { JobsPostgres } from "../../src/Layers/Jobs/JobsPostgres.ts"
import { migrateEngine } from "../../src/Layers/Platform/Jobs/EngineSchema.ts"
import { poolPriority } from "../../src/Layers/Platform/Jobs/PoolPriorities.ts"
import { TaskQueuePostgres } from "../../src/Layers/Platform/Jobs/TaskQueue.ts"
import { Jobs, JobView, maximumUnfinishedJobs } from "../../src/Services/Jobs/Jobs.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import { BackgroundJobsGroup } from "../../src/Tools/Jobs/BackgroundJobs.ts"
import { as, callTool, makeAccount } from "../support/TestAccount.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

const TestLayer = JobsPostgres.pipe(
  Layer.provide(TaskQueuePostgres),
  Layer.provideMerge(Layer.effectDiscard(migrateEngine)),
  Layer.provideMerge(TestDatabase)
)

const catalog = Catalog.make([BackgroundJobsGroup])
const call = (name: string, args: object = {}) => callTool(catalog, name, args)

const ListAnswer = Schema.Struct({
  jobs: Schema.Array(JobView),
  page: Schema.Int,
  page_size: Schema.Int,
  total: Schema.Int
})
const list = (args: object = {}) =>
  Effect.flatMap(call("list_background_jobs", args), Schema.decodeUnknown(ListAnswer, { onExcessProperty: "error" }))

const enqueue = (kind: string) => Effect.flatMap(Jobs, (jobs) => jobs.enqueue({ kind, subjectId: undefined }))
const setStatus = (jobId: string, status: string) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql`update background_job set status = ${status}, finished_at = now()
    where job_id = ${jobId}`
  )

layer(TestLayer, { excludeTestServices: true })("background job tools", (it) => {
  it.effect("the list is the account's own, newest first, in pages", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      yield* as(yield* makeAccount())(enqueue("foreign"))
      const jobIds = yield* as(caller)(Effect.forEach(["first", "second", "third"], enqueue))
      const first = yield* as(caller)(list({ page_size: 2 }))
      assert.deepInclude(first, { page: 0, page_size: 2, total: 3 })
      assert.deepStrictEqual(
        first.jobs.map(({ kind }) => kind),
        ["third", "second"]
      )
      const second = yield* as(caller)(list({ page_size: 2, page: 1 }))
      assert.deepStrictEqual<unknown>(second.jobs, [
        {
          job_id: jobIds[0],
          kind: "first",
          subject_id: null,
          status: "queued",
          progress: 0,
          failure_reason: null,
          cancel_requested: false,
          created_at: second.jobs[0]?.created_at,
          started_at: null,
          finished_at: null
        }
      ])
      const beyond = yield* as(caller)(list({ page: 9 }))
      assert.deepStrictEqual(beyond, { jobs: [], page: 9, page_size: 20, total: 3 })
      assert.strictEqual((yield* as(caller)(list({ page_size: 500 }))).page_size, 100)
    })
  )

  it.effect("the list can be narrowed to one state, of those that there are", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const [done] = yield* as(caller)(Effect.forEach(["done", "waiting"], enqueue))
      yield* setStatus(done ?? "", "finished")
      const finished = yield* as(caller)(list({ status: "finished" }))
      assert.deepStrictEqual([finished.total, finished.jobs.map(({ kind }) => kind)], [1, ["done"]])
      assert.strictEqual((yield* as(caller)(list({ status: "cancelled" }))).total, 0)
      const refusal = yield* Effect.flip(as(caller)(call("list_background_jobs", { status: "done" })))
      assert.deepInclude(refusal, { _tag: "Refused", reason: "value_not_accepted" })
    })
  )

  it.effect("a queued job is cancelled at once, and only once", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const job_id = yield* as(caller)(enqueue("unwanted"))
      const answer = yield* as(caller)(call("cancel_background_job", { job_id }))
      const view = yield* Schema.decodeUnknown(JobView, { onExcessProperty: "error" })(answer)
      assert.deepInclude(view, { job_id, status: "cancelled", cancel_requested: true })
      assert.isNotNull(view.finished_at)
      const again = yield* Effect.flip(as(caller)(call("cancel_background_job", { job_id })))
      assert.deepInclude(again, { _tag: "Refused", reason: "job_already_ended" })
      assert.deepStrictEqual("fields" in again ? again.fields : {}, { job_id, status: "cancelled" })
    })
  )

  it.effect("a running job is asked to stop, and an ended one is not touched", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const job_id = yield* as(caller)(enqueue("busy"))
      yield* setStatus(job_id, "running")
      const cancelRequested = yield* as(caller)(call("cancel_background_job", { job_id: job_id.toUpperCase() }))
      assert.deepInclude(cancelRequested, { status: "running", cancel_requested: true, finished_at: null })
      yield* as(caller)(call("cancel_background_job", { job_id }))
      for (const status of ["finished", "failed"]) {
        yield* setStatus(job_id, status)
        const refusal = yield* Effect.flip(as(caller)(call("cancel_background_job", { job_id })))
        assert.deepInclude(refusal, { _tag: "Refused", reason: "job_already_ended" })
      }
      assert.strictEqual((yield* as(caller)(list())).jobs[0]?.status, "failed")
    })
  )

  it.effect("a job of another account, one that never was and no job's id at all are the same", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const foreign = yield* as(yield* makeAccount())(enqueue("foreign"))
      const missing = "00000000-0000-4000-8000-000000000000"
      const bodies = yield* Effect.forEach([foreign, missing, "42; drop table"], (job_id) =>
        Effect.map(Effect.flip(as(caller)(call("cancel_background_job", { job_id }))), (error) =>
          JSON.stringify(error).replaceAll(job_id, "ID")
        )
      )
      assert.strictEqual(new Set(bodies).size, 1)
      assert.include(bodies[0], "background_job_not_found")
    })
  )

  it.effect("an account may have so many unfinished ones, and others do not feel it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const jobIds = yield* as(caller)(
        Effect.forEach(
          Array.from({ length: maximumUnfinishedJobs }, () => "work"),
          enqueue
        )
      )
      const refusal = yield* Effect.flip(as(caller)(enqueue("work")))
      assert.deepInclude(refusal, { _tag: "Refused", reason: "too_many_jobs" })
      const other = yield* makeAccount()
      yield* as(other)(enqueue("work"))
      // Every account's first jobs come before any account's second one, and an account's jobs wait in few queues.
      const waiting = yield* sql<{ readonly account_id: number; readonly queues: number; readonly first: number }>`
        select (j.payload ->> 'account_id')::bigint as account_id, count(distinct j.job_queue_id) as queues,
          min(j.priority) as first
        from graphile_worker._private_jobs j
        where (j.payload ->> 'account_id')::bigint in (${caller.accountId}, ${other.accountId}) group by 1 order by 1`
      assert.deepStrictEqual(waiting, [
        { account_id: caller.accountId, queues: 2, first: poolPriority.long },
        { account_id: other.accountId, queues: 1, first: poolPriority.long }
      ])
      yield* setStatus(jobIds[0] ?? "", "finished")
      yield* as(caller)(enqueue("work"))
    })
  )
})
