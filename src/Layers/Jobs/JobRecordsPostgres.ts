import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, Option, Schedule } from "effect"
import { type JobOutcome, JobRecords, type StartedJob } from "../../Services/Jobs/JobRecords.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

/** Retries while the database is unavailable. If a job's result is not stored, the whole job runs again. */
const whileUnavailable = Schedule.exponential("200 millis").pipe(
  Schedule.union(Schedule.spaced("2 seconds")),
  Schedule.upTo("1 minute")
)

export const JobRecordsPostgres = Layer.effect(
  JobRecords,
  Effect.map(SqlClient, (sql) =>
    JobRecords.of({
      of: ({ account_id, job_id }) => {
        const thisRow = sql`background_job.account_id = ${account_id} and job_id = ${job_id}`
        return {
          start: sql<StartedJob>`
            update background_job set status = 'running', attempts = attempts + 1,
              started_at = coalesce(started_at, instant())
            from account
            where ${thisRow} and account.account_id = background_job.account_id and status in ('queued', 'running')
            returning kind, subject_id, attempts, is_cancel_requested, plan`.pipe(
            Effect.map(([row]) => Option.fromNullable(row)),
            fromSql()
          ),
          outcome: sql<JobOutcome>`
            select kind, subject_id, status, plan from background_job join account using (account_id)
            where ${thisRow} and status in ('finished', 'failed', 'cancelled')`.pipe(
            Effect.map(([row]) => Option.fromNullable(row)),
            fromSql()
          ),
          setProgress: (progress) =>
            sql`update background_job set progress = greatest(progress, ${progress}) where ${thisRow}`.pipe(
              Effect.asVoid,
              fromSql()
            ),
          isCancelRequested: sql`select from background_job where ${thisRow} and not is_cancel_requested`.pipe(
            Effect.map((rows) => rows.length === 0),
            fromSql()
          ),
          requeue: sql`update background_job set status = 'queued' where ${thisRow} and status = 'running'`.pipe(
            Effect.asVoid,
            fromSql()
          ),
          undoStart: sql`
            update background_job set status = 'queued', attempts = attempts - 1
            where ${thisRow} and status = 'running'`.pipe(Effect.asVoid, fromSql()),
          end: ({ reason, status }) =>
            sql`
              update background_job set status = ${status}, failure_reason = ${reason}, finished_at = instant(),
                progress = case when ${status === "finished"} then 100 else progress end
              where ${thisRow} and status = 'running'`.pipe(Effect.asVoid, fromSql(), Effect.retry(whileUnavailable))
        }
      }
    })
  )
)
