import { SqlClient } from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import { Effect, Layer } from "effect"
import { notFound } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { now, type Timestamp } from "../../Services/Core/Timestamp.ts"
import { Notifications } from "../../Services/Events/Notifications.ts"
import type { CustomerFileId } from "../../Services/Files/Ids.ts"
import { JobFailed, type RunningJob } from "../../Services/Jobs/JobHandler.ts"
import { Jobs } from "../../Services/Jobs/Jobs.ts"
import type { Channel, LeadId } from "../../Services/Leads/Ids.ts"
import {
  LeadSchedule,
  leadReschedulingKind,
  maximumAtOnce,
  maximumNamed,
  type NotScheduled
} from "../../Services/Outreach/LeadSchedule.ts"
import { reschedule } from "../Leads/Sql/Schedule.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"
import { wakeDispatcher } from "../Prospecting/Sql.ts"

/** The leads with one outcome. Without a reason, they were updated. */
interface Outcome {
  readonly reason: NotScheduled | null
  readonly count: number
  readonly preferred: number
  readonly lead_ids: ReadonlyArray<LeadId>
  readonly last: number
}

interface Wish {
  readonly nextTouchAt: Timestamp | null
  readonly preferredChannel: Channel | null
}

interface Rescheduling extends Wish {
  readonly id: number
  readonly fileId: CustomerFileId
  readonly lastLeadId: number
  readonly untilLeadId: number
  readonly total: number
  readonly looked: number
}

/** The number of leads per transaction of a job. It keeps the number of round trips small and the locks short. */
const batchSize = 1000

const requestGone = new JobFailed({ reason: "The rescheduling no longer exists." })

/** The counts and ids of updated and skipped leads. */
const outcomeOf = (outcomes: ReadonlyArray<Outcome>) => {
  const updated = outcomes.find(({ reason }) => reason === null)
  const skipped = outcomes.flatMap(({ count, lead_ids, reason }) =>
    reason === null ? [] : [{ reason, count, lead_ids }]
  )
  return {
    updated_count: updated?.count ?? 0,
    skipped_count: skipped.reduce((total, { count }) => total + count, 0),
    preferred_channel_count: updated?.preferred ?? 0,
    updated_lead_ids: updated?.lead_ids ?? [],
    skipped_by_reason: skipped.map(({ count, reason }) => ({ reason, count })),
    skipped: skipped.flatMap(({ lead_ids, reason }) => lead_ids.map((lead_id) => ({ lead_id, reason })))
  }
}

const makeScheduleServices = Effect.gen(function* () {
  const sql = yield* SqlClient
  const jobs = yield* Jobs
  const unit = yield* UnitOfWork
  const notifications = yield* Notifications
  return { jobs, notifications, sql, unit }
})
type ScheduleServices = Effect.Effect.Success<typeof makeScheduleServices>

const makeRescheduling = ({ jobs, notifications, sql }: ScheduleServices) => {
  const ofFile = (accountId: AccountId, fileId: CustomerFileId | null) => sql`
    select l.lead_id from lead_import i
      join lead l on l.account_id = ${accountId} and l.account_id = i.account_id and l.lead_import_id = i.lead_import_id
    where i.account_id = ${accountId} and i.customer_file_id = ${fileId}`

  /** Fails if the account never had the file. A file that was deleted after its import also counts. */
  const requireFile = Effect.fnUntraced(function* (accountId: AccountId, importedFrom: CustomerFileId) {
    const matchingFiles = yield* sql`
      select from lead_import where account_id = ${accountId} and customer_file_id = ${importedFrom}
      union all
      select from customer_file where account_id = ${accountId} and customer_file_id = ${importedFrom}
      limit 1`.pipe(fromSql())
    if (matchingFiles.length === 0) return yield* notFound("customer file", "imported_from_file_id", importedFrom)
  })

  /** Checks the leads that `wanted` selects and updates those that may be moved, in one statement. */
  const move = (accountId: AccountId, leadIds: Fragment, { nextTouchAt, preferredChannel }: Wish) =>
    reschedule<Outcome>(sql, accountId, {
      leadIds: leadIds,
      nextTouchAt,
      preferredChannel,
      maximum: maximumNamed
    }).pipe(Effect.zipLeft(wakeDispatcher(sql, accountId, nextTouchAt)))

  /** Queues a job for the current leads of a large import. It replaces an earlier request for the same file. */
  const queue = Effect.fnUntraced(function* (fileId: CustomerFileId, { nextTouchAt, preferredChannel }: Wish) {
    const { accountId } = yield* Caller
    yield* sql`
      update lead_rescheduling set
        next_touch_at = case when ${nextTouchAt}::timestamptz is null then next_touch_at end,
        preferred_channel = case when ${preferredChannel}::text is null then preferred_channel end
      where account_id = ${accountId} and customer_file_id = ${fileId} and last_lead_id < until_lead_id`.pipe(fromSql())
    const jobId = yield* jobs.enqueue({ kind: leadReschedulingKind, subjectId: undefined })
    const { id, total } = single(
      yield* sql<{ readonly id: number; readonly total: number }>`
        insert into lead_rescheduling (account_id, job_id, customer_file_id, next_touch_at, preferred_channel,
          until_lead_id, total)
        select ${accountId}, ${jobId}, ${fileId}, ${nextTouchAt}::timestamptz, ${preferredChannel}, max(lead_id), count(*)
        from (${ofFile(accountId, fileId)}) imported
        returning lead_rescheduling_id as id, total`.pipe(fromSql())
    )
    yield* jobs.setSubject(jobId, id)
    return { jobId, total }
  })

  /** Updates the next batch. Returns its size and the number of leads done so far. */
  const batch = Effect.fnUntraced(function* ({ accountId, jobId, setProgress }: RunningJob) {
    const [row] = yield* sql<Rescheduling>`
      select lead_rescheduling_id as id, customer_file_id as "fileId", next_touch_at as "nextTouchAt",
        preferred_channel as "preferredChannel", last_lead_id as "lastLeadId", until_lead_id as "untilLeadId", total,
        updated_count + skipped_count as looked
      from lead_rescheduling where account_id = ${accountId} and job_id = ${jobId} for update`.pipe(fromSql())
    if (row === undefined) return yield* requestGone
    const leadIds = sql`
      select lead_id from (${ofFile(accountId, row.fileId)}) imported
      where lead_id > ${row.lastLeadId} and lead_id <= ${row.untilLeadId} order by lead_id limit ${batchSize}`
    const outcomes = yield* move(accountId, leadIds, row)
    const looked = outcomes.reduce((sum, { count }) => sum + count, 0)
    const updated = outcomes.find(({ reason }) => reason === null)?.count ?? 0
    const last = Math.max(row.lastLeadId, ...outcomes.map((outcome) => outcome.last))
    const isDone = looked < batchSize
    const [counts] = yield* sql<{ readonly updated: number; readonly skipped: number }>`
      update lead_rescheduling set updated_count = updated_count + ${updated},
        skipped_count = skipped_count + ${looked - updated},
        last_lead_id = ${isDone ? row.untilLeadId : last}
      where account_id = ${accountId} and lead_rescheduling_id = ${row.id}
        and last_lead_id < until_lead_id
      returning updated_count as updated, skipped_count as skipped`.pipe(fromSql())
    // Without a row, another run of the job has already finished and reported it.
    if (isDone && counts !== undefined) {
      yield* notifications.tell(
        { kind: "leads_rescheduled", ...counts },
        { job_id: jobId, imported_from_file_id: row.fileId, ...counts }
      )
    }
    yield* setProgress(Math.floor((99 * (row.looked + looked)) / Math.max(row.total, 1)))
    return isDone
  })

  return { requireFile, ofFile, move, queue, batch }
}
const make = Effect.gen(function* () {
  const services = yield* makeScheduleServices
  const { sql, unit } = services
  const { requireFile, batch, move, ofFile, queue } = makeRescheduling(services)

  return LeadSchedule.of({
    run: Effect.fn("LeadSchedule.run")(function* (job) {
      yield* Effect.zipRight(job.checkpoint, unit.write(batch(job))).pipe(Effect.repeat({ until: (isDone) => isDone }))
    }),

    reschedule: Effect.fn("LeadSchedule.reschedule")(function* (options) {
      const { importedFrom, leadIds, preferredChannel } = options
      const { accountId } = yield* Caller
      if (importedFrom !== undefined) yield* requireFile(accountId, importedFrom)
      const present = yield* now
      const nextTouchAt: Timestamp | null =
        options.nextTouchAt === undefined || options.nextTouchAt >= present ? (options.nextTouchAt ?? null) : present
      const wish = { nextTouchAt, preferredChannel: preferredChannel ?? null }
      const beyond =
        importedFrom === undefined
          ? []
          : yield* sql`
              select from (${ofFile(accountId, importedFrom)}) imported offset ${maximumAtOnce} limit 1`.pipe(fromSql())
      const job = importedFrom === undefined || beyond.length === 0 ? undefined : yield* queue(importedFrom, wish)
      const named = sql`select unnest(${leadIds}::bigint[]) as lead_id`
      const allLeadIds = sql`${named} union ${ofFile(accountId, job === undefined ? (importedFrom ?? null) : null)}`
      const outcomes = yield* move(accountId, allLeadIds, wish)
      return {
        ...outcomeOf(outcomes),
        next_touch_at: nextTouchAt,
        preferred_channel: preferredChannel ?? null,
        job_id: job?.jobId ?? null,
        queued_count: job?.total ?? 0
      }
    })
  })
})

export const LeadSchedulePostgres = Layer.effect(LeadSchedule, make)
