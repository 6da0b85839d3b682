import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { LeadId } from "../../../Services/Leads/Ids.ts"
import { tracePatterns } from "../../../Services/Leads/LeadErasure.ts"
import { makeRemoveFiles } from "../../Files/Sql.ts"
import { type ErasedPerson, PersonalDataOfRooms } from "../../Platform/PersonalData.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { recordPastChange } from "../Sql.ts"

/**
 * Removes a person from records that remain after the lead is deleted, room by room. Call it before the lead is
 * deleted, in the same transaction.
 */
export const makeForget = Effect.gen(function* () {
  const sql = yield* SqlClient
  const removeFiles = yield* makeRemoveFiles
  const lastToFirst = [...(yield* PersonalDataOfRooms)].reverse()

  return Effect.fnUntraced(function* (traces: Omit<ErasedPerson, "patterns" | "removeFiles">) {
    const { accountId, leadId } = traces
    const person: ErasedPerson = {
      ...traces,
      patterns: tracePatterns(traces),
      removeFiles: (ids) => removeFiles(accountId, ids)
    }
    for (const { forget } of lastToFirst) if (forget !== undefined) yield* forget(sql, person)

    const related = yield* sql<{ readonly id: LeadId }>`
      select r.lead_id as id from lead r where r.account_id = ${accountId} and r.referred_by_lead_id = ${leadId}
      union all
      select l.referred_by_lead_id from lead l
      where l.account_id = ${accountId} and l.lead_id = ${leadId} and l.referred_by_lead_id is not null`
    if (related.length === 0) return
    yield* sql`
      update lead set referred_by_lead_id = null where account_id = ${accountId} and referred_by_lead_id = ${leadId}`
    const leadIds = related.map(({ id }) => id)
    for (const id of leadIds) yield* recordPastChange(sql, { accountId, leadId: id })
    for (const { forgetInRelated } of lastToFirst) {
      if (forgetInRelated !== undefined) yield* forgetInRelated(sql, person, leadIds)
    }
  }, fromSql())
})
