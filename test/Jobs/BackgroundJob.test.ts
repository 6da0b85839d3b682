import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Exit, Ref, Scope } from "effect"
import { transient } from "../../src/Errors.ts"
import { backgroundJob } from "../../src/Layers/Platform/Jobs/BackgroundJob.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import type { JobId } from "../../src/Services/Jobs/Ids.ts"
import * as JobHandler from "../../src/Services/Jobs/JobHandler.ts"
import { JobFailed } from "../../src/Services/Jobs/JobHandler.ts"
import { Jobs } from "../../src/Services/Jobs/Jobs.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { eventually, Queue, startEngine, tasksNamed } from "./support.ts"

const enqueue = (kind: string, subjectId?: number) => Effect.flatMap(Jobs, (jobs) => jobs.enqueue({ kind, subjectId }))

const viewOf = (jobId: JobId) =>
  Effect.flatMap(Jobs, (jobs) => jobs.list({ status: undefined, page: 0, pageSize: 100 })).pipe(
    Effect.map(({ jobs }) => jobs.find(({ job_id }) => job_id === jobId))
  )

const untilStatus = (jobId: JobId, status: string) => eventually(viewOf(jobId), (view) => view?.status === status)

const noTaskLeft = eventually(tasksNamed(backgroundJob.name), (tasks) => tasks.length === 0)

layer(Queue, { excludeTestServices: true })("background jobs", (it) => {
  it.scoped("a job and its task are made by the commit, or not at all", () =>
    Effect.gen(function* () {
      const unit = yield* UnitOfWork
      const caller = yield* makeAccount()
      yield* Effect.flip(unit.write(Effect.zipRight(as(caller)(enqueue("rolled_back")), Effect.fail("no"))))
      const { total } = yield* as(caller)(
        Effect.flatMap(Jobs, (jobs) => jobs.list({ status: undefined, page: 0, pageSize: 10 }))
      )
      assert.strictEqual(total, 0)
      assert.deepStrictEqual(yield* tasksNamed(backgroundJob.name), [])
      const jobId = yield* as(caller)(unit.write(enqueue("committed", 7)))
      const [task] = yield* tasksNamed(backgroundJob.name)
      assert.deepStrictEqual(task?.payload, { account_id: caller.accountId, job_id: jobId })
      const view = yield* as(caller)(viewOf(jobId))
      assert.deepInclude(view, { kind: "committed", subject_id: 7, status: "queued", progress: 0, started_at: null })
      yield* as(caller)(Effect.flatMap(Jobs, (jobs) => jobs.cancel(jobId)))
    })
  )

  it.scoped("a handler acts as the account that asked, and its progress can be polled to the end", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount("free_trial")
      const seenCaller = yield* Ref.make<unknown>(undefined)
      const mayContinue = yield* Deferred.make<void>()
      const handler = JobHandler.make("polled", {
        run: ({ attempt, jobId, setProgress, subjectId }) =>
          Effect.gen(function* () {
            const { accountId, plan, requestId, tokenId } = yield* Caller
            yield* Ref.set(seenCaller, { accountId, plan, requestId, tokenId, jobId, subjectId, attempt })
            yield* setProgress(41.9)
            yield* setProgress(12)
            yield* setProgress(Number.NaN)
            yield* Deferred.await(mayContinue)
          })
      })
      yield* startEngine({ jobs: [handler] })
      const jobId = yield* as(caller)(enqueue("polled", 5))
      const running = yield* as(caller)(eventually(viewOf(jobId), (view) => view?.progress === 41))
      assert.deepInclude(running, { status: "running", finished_at: null, cancel_requested: false })
      assert.isNotNull(running?.started_at)
      assert.deepStrictEqual(yield* Ref.get(seenCaller), {
        accountId: caller.accountId,
        plan: "free_trial",
        requestId: jobId,
        tokenId: undefined,
        jobId,
        subjectId: 5,
        attempt: 1
      })
      yield* Deferred.succeed(mayContinue, undefined)
      const finished = yield* as(caller)(untilStatus(jobId, "finished"))
      assert.deepInclude(finished, { progress: 100, failure_reason: null })
      assert.isNotNull(finished?.finished_at)
      yield* noTaskLeft
    })
  )

  it.scoped("a queued job is cancelled at once, a running one at its next checkpoint", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const jobs = yield* Jobs
      const runs = yield* Ref.make(0)
      const reached = yield* Deferred.make<void>()
      const mayContinue = yield* Deferred.make<void>()
      const handler = JobHandler.make("stepwise", {
        run: ({ checkpoint }) =>
          Effect.gen(function* () {
            yield* checkpoint
            yield* Ref.update(runs, (n) => n + 1)
            yield* Deferred.succeed(reached, undefined)
            yield* Deferred.await(mayContinue)
            yield* checkpoint
            yield* Ref.update(runs, (n) => n + 100)
          })
      })
      const waiting = yield* as(caller)(enqueue("stepwise"))
      assert.deepInclude(yield* as(caller)(jobs.cancel(waiting)), { status: "cancelled", cancel_requested: true })
      yield* startEngine({ jobs: [handler] })
      yield* noTaskLeft
      const running = yield* as(caller)(enqueue("stepwise"))
      yield* Deferred.await(reached)
      const cancelRequested = yield* as(caller)(jobs.cancel(running))
      assert.deepInclude(cancelRequested, { status: "running", cancel_requested: true, finished_at: null })
      yield* Deferred.succeed(mayContinue, undefined)
      const ended = yield* as(caller)(untilStatus(running, "cancelled"))
      assert.isNotNull(ended?.finished_at)
      assert.strictEqual(yield* Ref.get(runs), 1)
      assert.strictEqual((yield* as(caller)(viewOf(waiting)))?.started_at, null)
    })
  )

  it.scoped("a running one that is bound to nothing else ends when it is cancelled", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const jobs = yield* Jobs
      const reached = yield* Deferred.make<void>()
      const freed = yield* Deferred.make<void>()
      const handler = JobHandler.make("endless", {
        run: (job) =>
          Effect.zipRight(Deferred.succeed(reached, undefined), Effect.never).pipe(
            Effect.onInterrupt(() => Deferred.succeed(freed, undefined)),
            JobHandler.endedByCancellation(job)
          )
      })
      yield* startEngine({ jobs: [handler] })
      const running = yield* as(caller)(enqueue("endless"))
      yield* Deferred.await(reached)
      yield* as(caller)(jobs.cancel(running))
      yield* Deferred.await(freed)
      yield* as(caller)(untilStatus(running, "cancelled"))
    })
  )

  it.scoped("an account's many leave a hand for another's one", () =>
    Effect.gen(function* () {
      const flooder = yield* makeAccount()
      const other = yield* makeAccount()
      const release = yield* Deferred.make<void>()
      const order = yield* Ref.make<ReadonlyArray<string>>([])
      const handler = JobHandler.make("held", {
        run: ({ accountId }) =>
          Effect.zipRight(
            Ref.update(order, (before) => [...before, accountId === other.accountId ? "other" : "flooder"]),
            Deferred.await(release)
          )
      })
      yield* as(flooder)(Effect.forEach([1, 2, 3, 4, 5, 6], () => enqueue("held")))
      const one = yield* as(other)(enqueue("held"))
      yield* startEngine({ jobs: [handler], longHands: 3 })
      yield* as(other)(untilStatus(one, "running"))
      assert.strictEqual((yield* Ref.get(order)).filter((who) => who === "flooder").length <= 2, true)
      yield* Deferred.succeed(release, undefined)
      yield* noTaskLeft
      assert.lengthOf(yield* Ref.get(order), 7)
    })
  )

  it.scoped("a permanent failure is shown at once, a passing one after its last attempt", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const attempts = yield* Ref.make<ReadonlyArray<number>>([])
      yield* startEngine({
        jobs: [
          JobHandler.make("impossible", { run: () => new JobFailed({ reason: "The file has no rows." }) }),
          JobHandler.make("unlucky", {
            maxAttempts: 2,
            run: ({ attempt }) =>
              Effect.zipRight(
                Ref.update(attempts, (all) => [...all, attempt]),
                transient("away", "The provider is away.", 1)
              )
          }),
          JobHandler.make("broken", { maxAttempts: 1, run: () => Effect.dieMessage("row of ana@example.com") }),
          JobHandler.make("endless", { maxAttempts: 1, timeout: "50 millis", run: () => Effect.never })
        ]
      })
      const impossible = yield* as(caller)(enqueue("impossible"))
      const unlucky = yield* as(caller)(enqueue("unlucky"))
      const broken = yield* as(caller)(enqueue("broken"))
      const endless = yield* as(caller)(enqueue("endless"))
      const reasonOf = (jobId: JobId) =>
        as(caller)(Effect.map(untilStatus(jobId, "failed"), (view) => view?.failure_reason))
      assert.strictEqual(yield* reasonOf(impossible), "The file has no rows.")
      assert.strictEqual(yield* reasonOf(broken), "An internal error stopped it; given up after 1 attempt.")
      assert.strictEqual(yield* reasonOf(endless), "It took too long; given up after 1 attempt.")
      // Between its attempts it is shown as queued.
      const [task] = yield* eventually(tasksNamed(backgroundJob.name), ([row]) => row?.attempts === 1 && !row.is_due)
      assert.deepInclude(task?.payload, { job_id: unlucky })
      assert.strictEqual((yield* as(caller)(viewOf(unlucky)))?.status, "queued")
      const sql = yield* SqlClient
      yield* sql`update graphile_worker._private_jobs set run_at = now()`
      assert.strictEqual(yield* reasonOf(unlucky), "The provider is away. Given up after 2 attempts.")
      assert.deepStrictEqual(yield* Ref.get(attempts), [1, 2])
      yield* noTaskLeft
    })
  )

  it.scoped("a stop hands the job back uncounted, and the next engine runs it again", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const attempts = yield* Ref.make<ReadonlyArray<number>>([])
      const handler = JobHandler.make("stopped", {
        maxAttempts: 1,
        run: ({ attempt }) =>
          Effect.flatMap(
            Ref.updateAndGet(attempts, (all) => [...all, attempt]),
            (all) => (all.length === 1 ? Effect.never : Effect.void)
          )
      })
      const scope = yield* Scope.make()
      yield* Scope.extend(startEngine({ jobs: [handler] }), scope)
      const jobId = yield* as(caller)(enqueue("stopped"))
      yield* eventually(Ref.get(attempts), (all) => all.length === 1)
      yield* Scope.close(scope, Exit.void)
      assert.strictEqual((yield* as(caller)(viewOf(jobId)))?.status, "queued")
      yield* startEngine({ jobs: [handler] })
      yield* as(caller)(untilStatus(jobId, "finished"))
      assert.deepStrictEqual(yield* Ref.get(attempts), [1, 1])
    })
  )

  it.scoped("a job whose process keeps crashing fails in the end instead of running for ever", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const runs = yield* Ref.make(0)
      const jobId = yield* as(caller)(enqueue("deadly"))
      yield* sql`update background_job set status = 'running', attempts = 3 where job_id = ${jobId}`
      yield* startEngine({
        jobs: [JobHandler.make("deadly", { maxAttempts: 3, run: () => Ref.update(runs, (n) => n + 1) })]
      })
      const view = yield* as(caller)(untilStatus(jobId, "failed"))
      assert.strictEqual(view?.failure_reason, "It was interrupted too many times.")
      assert.strictEqual(yield* Ref.get(runs), 0)
    })
  )

  it.scoped("a job of a kind that this process does not know is left to others", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const jobId = yield* as(caller)(enqueue("from_the_future"))
      const wasLeft = eventually(tasksNamed(backgroundJob.name), ([row]) => row?.attempts === 1 && !row.is_due)
      yield* Effect.scoped(Effect.zipRight(startEngine({}), wasLeft))
      assert.strictEqual((yield* as(caller)(viewOf(jobId)))?.status, "queued")
      // Only this job. Next to the first one, which retries at once here, all attempts could be the first one's.
      yield* startEngine({ jobs: [JobHandler.make("from_the_future", { run: () => Effect.void })] })
      const again = sql`update graphile_worker._private_jobs set run_at = now() where locked_at is null`
      yield* eventually(Effect.zipRight(again, as(caller)(viewOf(jobId))), (view) => view?.status === "finished")
    })
  )
})
