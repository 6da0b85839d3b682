import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { tracePatterns } from "../../../Services/Leads/Erasure/LeadErasure.ts"
import type { LeadId } from "../../../Services/Leads/Ids.ts"
import { makeRemoveFiles } from "../../Files/Sql.ts"
import { type ErasedPerson, PersonalDataOfRooms } from "../../Platform/PersonalData.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { recordPastChange } from "../Sql.ts"

/** The known data of a person, and its lead or `noLead`. */
type Traces = Omit<ErasedPerson, "patterns" | "removeFiles">

/** Removes a person from rows of the account, and from rows of certain leads, room by room. */
export const makeForgetInRooms = Effect.gen(function* () {
  const sql = yield* SqlClient
  const removeFiles = yield* makeRemoveFiles
  const lastToFirst = [...(yield* PersonalDataOfRooms)].reverse()

  const personOf = (traces: Traces): ErasedPerson => ({
    ...traces,
    patterns: tracePatterns(traces),
    removeFiles: (ids) => removeFiles(traces.accountId, ids)
  })

  return {
    inAccount: Effect.fnUntraced(function* (traces: Traces) {
      const person = personOf(traces)
      for (const { forget } of lastToFirst) if (forget !== undefined) yield* forget(sql, person)
    }),
    inLeads: Effect.fnUntraced(function* (traces: Traces, leadIds: ReadonlyArray<LeadId>) {
      if (leadIds.length === 0) return
      const person = personOf(traces)
      for (const id of leadIds) yield* recordPastChange(sql, { accountId: traces.accountId, leadId: id })
      for (const { forgetInRelated } of lastToFirst) {
        if (forgetInRelated !== undefined) yield* forgetInRelated(sql, person, leadIds)
      }
    })
  }
})

/**
 * Removes a person from records that remain after the lead is deleted, room by room. Call it before the lead is
 * deleted, in the same transaction.
 */
export const makeForget = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { inAccount, inLeads } = yield* makeForgetInRooms

  return Effect.fnUntraced(function* (traces: Traces) {
    const { accountId, leadId } = traces
    yield* inAccount(traces)

    const related = yield* sql<{ readonly id: LeadId }>`
      select r.lead_id as id from lead r where r.account_id = ${accountId} and r.referred_by_lead_id = ${leadId}
      union all
      select l.referred_by_lead_id from lead l
      where l.account_id = ${accountId} and l.lead_id = ${leadId} and l.referred_by_lead_id is not null`
    if (related.length === 0) return
    yield* sql`
      update lead set referred_by_lead_id = null where account_id = ${accountId} and referred_by_lead_id = ${leadId}`
    yield* inLeads(
      traces,
      related.map(({ id }) => id)
    )
  }, fromSql())
})
