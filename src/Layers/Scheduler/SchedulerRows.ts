import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import type { LeadId } from "../../Services/Leads/Ids.ts"
import type { MeetingId } from "../../Services/Meetings/Ids.ts"
import type { SchedulerEventType } from "../../Services/Scheduler/SchedulerModel.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

/** The calling account's scheduler. `uri` and `name` are those of its default event type. */
export interface SchedulerRow {
  readonly user: string
  readonly uri: string | null
  readonly name: string | null
  readonly subscription: string | null
}

/** The lead and the meeting that an event is linked to. */
export interface EventLink {
  readonly event_id: string
  readonly lead_id: LeadId | null
  readonly meeting_id: MeetingId | null
}

export const makeSchedulerRows = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork

  const row = Effect.gen(function* () {
    const { accountId } = yield* Caller
    const rows = yield* sql<SchedulerRow>`
      select user_uri as user, default_event_type_uri as uri, default_event_type_name as name,
        subscription_uri as subscription
      from scheduler_account where account_id = ${accountId}`.pipe(fromSql())
    return rows[0]
  })

  const linksOf = Effect.fnUntraced(function* (eventIds: ReadonlyArray<string>) {
    const { accountId } = yield* Caller
    const rows = yield* sql<EventLink>`
      select distinct on (event_id) event_id, lead_id, meeting_id from scheduler_booking
      where account_id = ${accountId} and event_id = any(${[...eventIds]}::text[])
      order by event_id, lead_id nulls last`.pipe(fromSql())
    return new Map(rows.map((link) => [link.event_id, link]))
  })

  const choose = Effect.fnUntraced(function* (chosen: SchedulerEventType | undefined) {
    const { accountId } = yield* Caller
    return yield* unit.write(
      Effect.gen(function* () {
        // The event type may have a new name or link.
        const changed = yield* sql`
          update scheduler_account set default_event_type_uri = ${chosen?.uri ?? null},
            default_event_type_name = ${chosen?.name ?? null},
            default_event_type_url = ${chosen?.scheduling_url ?? null}
          where account_id = ${accountId}
            and (default_event_type_uri, default_event_type_name, default_event_type_url) is distinct from
              (${chosen?.uri ?? null}::text, ${chosen?.name ?? null}::text, ${chosen?.scheduling_url ?? null}::text)
          returning account_id`.pipe(fromSql())
        return {
          default_event_type: chosen === undefined ? null : { uri: chosen.uri, name: chosen.name },
          changed: changed.length > 0
        }
      })
    )
  })

  return { row, linksOf, choose }
})
