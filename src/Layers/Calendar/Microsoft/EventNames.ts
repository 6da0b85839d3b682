import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { microsoftCalendarService } from "../../../Services/Calendar/Calendar.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import type { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { outsideTransaction } from "../../Platform/Postgres/OutsideTransaction.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"

export interface EventName {
  /** Assigned by the gateway. */
  readonly eventId: string
  /** Assigned by the provider. */
  readonly externalId: string
}

/** Maps the gateway's event ids to the provider's, because Microsoft does not accept ids from outside. */
export const makeEventNames = (sql: SqlClient, unit: UnitOfWork["Type"]) => ({
  externalId: Effect.fnUntraced(function* (eventId: string) {
    const { accountId } = yield* Caller
    const [row] = yield* sql<EventName>`
      select event_id as "eventId", external_id as "externalId" from calendar_event_name
      where account_id = ${accountId} and event_id = ${eventId}`.pipe(fromSql())
    return row?.externalId
  }),

  /** Maps the provider's ids to the gateway's. */
  ownIds: Effect.fnUntraced(function* (externalIds: ReadonlyArray<string>) {
    if (externalIds.length === 0) return new Map<string, string>()
    const { accountId } = yield* Caller
    const rows = yield* sql<EventName>`
      select event_id as "eventId", external_id as "externalId" from calendar_event_name
      where account_id = ${accountId} and external_id = any(${[...externalIds]}::text[])`.pipe(fromSql())
    return new Map(rows.map(({ eventId, externalId }) => [externalId, eventId]))
  }),

  learn: Effect.fnUntraced(function* (names: ReadonlyArray<EventName>) {
    if (names.length === 0) return
    const { accountId } = yield* Caller
    yield* outsideTransaction(
      unit.write(
        sql`
          insert into calendar_event_name as n (account_id, event_id, external_id)
          select m.account_id, e.event_id, e.external_id
          from calendar_mirror m, unnest(${names.map(({ eventId }) => eventId)}::text[],
            ${names.map(({ externalId }) => externalId)}::text[]) as e (event_id, external_id)
          where m.account_id = ${accountId}
          on conflict (account_id, event_id) do update set external_id = excluded.external_id
            where n.external_id <> excluded.external_id`.pipe(fromSql())
      )
    )
  }),

  /** The calendar's owner, and the zone for its all-day events. The consent does not include the mailbox's settings. */
  owner: Effect.gen(function* () {
    const { accountId } = yield* Caller
    const [row] = yield* sql<{ readonly address: string; readonly timeZone: string }>`
      select a.time_zone as "timeZone", coalesce(c.settings ->> 'label', '') as address
      from account a left join connection c on c.account_id = a.account_id and c.service = ${microsoftCalendarService}
      where a.account_id = ${accountId}`.pipe(fromSql())
    return row ?? { address: "", timeZone: "UTC" }
  })
})

export type EventNames = ReturnType<typeof makeEventNames>
