import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { notFound } from "../../../Errors.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import type { Timestamp } from "../../../Services/Core/Timestamp.ts"
import { CalendarOfLead } from "../../../Services/Leads/CalendarOfLead.ts"
import { type PersonTraces, withoutPersonalData } from "../../../Services/Leads/Erasure/LeadErasure.ts"
import type { Leads } from "../../../Services/Leads/Leads.ts"
import type { FileReferencesOfRooms } from "../../Platform/FileReferences.ts"
import type { PersonalDataOfRooms } from "../../Platform/PersonalData.ts"
import { fromSql, single } from "../../Platform/Postgres/Sql.ts"
import { countedColumns, countRemoved } from "../Sql/Counters.ts"
import { erasureLock } from "../Sql.ts"
import { makeForget } from "./PersonalDataErasure.ts"

/** Makes the implementation of `Leads.erase`. */
export const makeErase: Effect.Effect<
  typeof Leads.Service.erase,
  never,
  SqlClient | PersonalDataOfRooms | FileReferencesOfRooms
> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const forget = yield* makeForget
  return Effect.fn("Leads.erase")(function* (leadId, reason) {
    const { accountId } = yield* Caller
    const person = (yield* sql<PersonTraces>`
      select name, email, phone from lead where account_id = ${accountId} and lead_id = ${leadId} for update`.pipe(
      fromSql()
    ))[0]
    if (person === undefined) return yield* notFound("lead", "lead_id", leadId)
    const calendar = yield* (yield* CalendarOfLead).withdraw(leadId)
    const audited = reason === undefined ? null : withoutPersonalData(reason, person.name)

    const rows = yield* sql<{ readonly erased_at: Timestamp; readonly tombstones: number }>`
      with buried as (
        insert into lead_tombstone (account_id, contact_digest)
        select a.account_id, contact_digest(a.tombstone_key, contact.kind, contact.value)
        from account a, (values ('email', ${person.email}), ('phone', ${person.phone})) contact (kind, value)
        where a.account_id = ${accountId} and contact.value is not null
        on conflict do nothing returning 1
      ), audit as (
        insert into lead_erasure (account_id, lead_id, reason) values (${accountId}, ${leadId}, ${audited})
        returning erased_at
      )
      select erased_at, (select count(*) from buried) as tombstones from audit`.pipe(fromSql())
    yield* erasureLock(sql, accountId, "alone")
    yield* forget({ ...person, accountId, leadId })
    // Foreign keys delete everything that refers to the lead.
    yield* sql`
        with removed as (
          delete from lead l where l.account_id = ${accountId} and l.lead_id = ${leadId}
          returning ${sql.literal(countedColumns("l"))}
        ), ${sql.literal(countRemoved)}
        select from removed`.pipe(fromSql())
    // A sector's name can contain the person's name. Folding removes sectors whose count is zero.
    yield* sql`select fold_sector_counter(${accountId})`.pipe(fromSql())
    return {
      lead_id: leadId,
      ...single(rows),
      cancelled_calendar_events: calendar.cancelled,
      remaining_calendar_events: calendar.remaining
    }
  })
})
