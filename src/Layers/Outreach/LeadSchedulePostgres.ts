import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { notFound } from "../../Errors.ts"
import { Caller } from "../../Services/Core/Caller.ts"
import { now, type Timestamp } from "../../Services/Core/Timestamp.ts"
import type { LeadId } from "../../Services/Leads/Ids.ts"
import { LeadSchedule, maximumNamed, type NotScheduled } from "../../Services/Outreach/LeadSchedule.ts"
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

      const outcomes = yield* sql<Outcome>`
        with wanted as (
          select unnest(${leadIds}::bigint[]) as lead_id
          union
          select l.lead_id from lead_import i join lead l using (account_id, lead_import_id)
          where i.account_id = ${accountId} and i.customer_file_id = ${importedFrom ?? null}
        ), held as (
          select l.lead_id, l.status, l.pipeline_state, l.last_inbound_at, l.last_outbound_at
          from lead l join wanted using (lead_id) where l.account_id = ${accountId}
          order by l.lead_id for update of l
        ), judged as (
          select w.lead_id, case
            when h.lead_id is null then 'lead_not_found'
            when h.pipeline_state <> 'in_pipeline' then h.pipeline_state
            when h.status = 'Rejected' then 'rejected'
            when h.status = 'Frozen' and coalesce(h.last_inbound_at <= h.last_outbound_at, h.last_inbound_at is null)
              then 'frozen'
          end as reason
          from wanted w left join held h using (lead_id)
        ), updated as (
          update lead l set next_touch_at = coalesce(${nextTouchAt}::timestamptz, l.next_touch_at),
            preferred_channel = case
              when ${preferredChannel ?? null} = 'Email' and l.email is not null and l.email_failed_at is null
                then 'Email'
              when ${preferredChannel ?? null} = 'ChatApp' and l.phone is not null and l.chatapp_failed_at is null
                then 'ChatApp'
              else l.preferred_channel
            end
          from judged j
          where l.account_id = ${accountId} and l.lead_id = j.lead_id and j.reason is null
          returning l.lead_id, case ${preferredChannel ?? null}
            when 'Email' then l.email is not null and l.email_failed_at is null
            when 'ChatApp' then l.phone is not null and l.chatapp_failed_at is null
            else false
          end as is_preferred
        )
        select j.reason, count(*) as count, count(*) filter (where u.is_preferred) as preferred,
          to_json((array_agg(j.lead_id order by j.lead_id))[1:${sql.literal(String(maximumNamed))}]) as lead_ids
        from judged j left join updated u using (lead_id)
        group by j.reason order by j.reason nulls first`.pipe(fromSql())

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
