import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { notFound } from "../../Errors.ts"
import { Caller } from "../../Services/Core/Caller.ts"
import { now, type Timestamp } from "../../Services/Core/Timestamp.ts"
import type { LeadId } from "../../Services/Leads/Ids.ts"
import { LeadSchedule, maximumNamed, type NotScheduled } from "../../Services/Outreach/LeadSchedule.ts"
import { reschedule } from "../Leads/Sql/Schedule.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { noteDue } from "../Prospecting/Sql.ts"

/** The leads of one outcome; without a reason they were updated. */
interface Outcome {
  readonly reason: NotScheduled | null
  readonly count: number
  readonly preferred: number
  readonly lead_ids: ReadonlyArray<LeadId>
}

const make = Effect.map(SqlClient, (sql) =>
  LeadSchedule.of({
    reschedule: Effect.fn("LeadSchedule.reschedule")(function* (options) {
      const { importedFrom, leadIds, preferredChannel } = options
      const { accountId } = yield* Caller
      if (importedFrom !== undefined) {
        // The file itself may be gone since it was imported.
        const known = yield* sql`
          select from lead_import where account_id = ${accountId} and customer_file_id = ${importedFrom}
          union all
          select from customer_file where account_id = ${accountId} and customer_file_id = ${importedFrom}
          limit 1`.pipe(fromSql())
        if (known.length === 0) return yield* notFound("customer file", "imported_from_file_id", importedFrom)
      }
      const present = yield* now
      const nextTouchAt: Timestamp | null =
        options.nextTouchAt === undefined || options.nextTouchAt >= present ? (options.nextTouchAt ?? null) : present

      const outcomes = yield* reschedule<Outcome>(sql, accountId, {
        leadIds,
        importedFrom,
        nextTouchAt,
        preferredChannel,
        maximum: maximumNamed
      })
      yield* noteDue(sql, accountId, nextTouchAt)
      const updated = outcomes.find(({ reason }) => reason === null)
      const skipped = outcomes.flatMap(({ reason, ...rest }) => (reason === null ? [] : [{ reason, ...rest }]))
      return {
        updated_count: updated?.count ?? 0,
        skipped_count: skipped.reduce((total, { count }) => total + count, 0),
        next_touch_at: nextTouchAt,
        preferred_channel: preferredChannel ?? null,
        preferred_channel_count: updated?.preferred ?? 0,
        updated_lead_ids: updated?.lead_ids ?? [],
        skipped_by_reason: skipped.map(({ count, reason }) => ({ reason, count })),
        skipped: skipped.flatMap(({ lead_ids, reason }) => lead_ids.map((lead_id) => ({ lead_id, reason })))
      }
    })
  })
)

export const LeadSchedulePostgres = Layer.effect(LeadSchedule, make)
