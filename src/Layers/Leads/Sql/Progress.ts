import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { Transient } from "../../../Errors.ts"
import {
  type ProgressEvent,
  type ProgressStatus,
  progressEvents,
  statusesThatPass
} from "../../../Services/Leads/LeadProgress.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import type { LeadKey } from "./Schedule.ts"

/** SQL condition: an event `alias` of a lead's history gives it a status that passes `status`. */
export const passes = (alias: string, status: ProgressStatus): string =>
  `${alias}.event_type in ('status_changed', 'registered')
    and coalesce(${alias}.data ->> 'to_status', ${alias}.data ->> 'status') in (${statusesThatPass(status)
      .map((passing) => `'${passing}'`)
      .join(", ")})`

/** The owner's own leads may begin with a status. That is no progress of prospecting. */
export const isOwnersStart = (alias: string): string =>
  `(${alias}.event_type = 'registered' and ${alias}.actor = 'owner')`

/** The events that a lead's latest status causes. Each is caused once per lead, in this order. */
export const progressOf = (
  sql: SqlClient,
  { accountId, leadId }: LeadKey
): Effect.Effect<ReadonlyArray<ProgressEvent>, Transient> => {
  const branch = (status: "Confirmed" | "Interested") => `
    select '${progressEvents[status]}' as type from latest e
    where ${passes("e", status)} and not ${isOwnersStart("e")} and not exists (select from lead_lifecycle_event b
      where b.account_id = e.account_id and b.lead_id = e.lead_id
        and b.lead_lifecycle_event_id < e.lead_lifecycle_event_id and ${passes("b", status)})`
  return sql<{ readonly type: ProgressEvent }>`
    with latest as (
      select * from lead_lifecycle_event h
      where h.account_id = ${accountId} and h.lead_id = ${leadId} and h.event_type in ('status_changed', 'registered')
      order by h.lead_lifecycle_event_id desc limit 1
    )
    ${sql.literal(branch("Confirmed"))} union all ${sql.literal(branch("Interested"))}`.pipe(
    Effect.map((rows) => rows.map(({ type }) => type)),
    fromSql()
  )
}
