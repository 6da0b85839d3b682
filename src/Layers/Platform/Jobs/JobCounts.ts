import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { JobCounts } from "../../../Services/Jobs/JobEngine.ts"
import type { JobStatus } from "../../../Services/Jobs/Jobs.ts"
import { fromSql, single } from "../Postgres/Sql.ts"
import { EngineSchema } from "./EngineSchema.ts"

/** Makes the gauges of waiting tasks. They are counted at most every five seconds. */
export const makeJobCounts = Effect.gen(function* () {
  const sql = yield* SqlClient
  const schema = yield* EngineSchema

  const count = Effect.gen(function* () {
    const jobs = yield* sql<{ readonly status: JobStatus; readonly count: number }>`
      select status, count(*) from background_job group by status`
    const { oldest, ...tasks } = single(
      yield* sql<JobCounts["tasks"] & { readonly oldest: number }>`
      select count(*) filter (where is_available and run_at <= now()) as ready,
        count(*) filter (where is_available and run_at > now()) as scheduled,
        count(*) filter (where locked_at is not null) as running,
        count(*) filter (where locked_at is null and not is_available) as failed,
        coalesce(extract(epoch from now() - min(run_at) filter (where is_available and run_at <= now())), 0)::float8
          as oldest
      from ${sql(`${schema}._private_jobs`)}`
    )
    const none: JobCounts["jobs"] = { queued: 0, running: 0, finished: 0, failed: 0, cancelled: 0 }
    return {
      jobs: { ...none, ...Object.fromEntries(jobs.map(({ count, status }) => [status, count])) },
      tasks,
      oldestDueSeconds: oldest
    }
  }).pipe(fromSql(), Effect.withSpan("JobEngine.jobCounts"))

  return yield* Effect.cachedWithTTL(count, "5 seconds")
})
