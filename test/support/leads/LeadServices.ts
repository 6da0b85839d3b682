import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import type { PersonalData } from "../../../src/Layers/Platform/PersonalData.ts"
import { Caller } from "../../../src/Services/Core/Calls/Caller.ts"
import { LeadId } from "../../../src/Services/Leads/Ids.ts"
import { createLeads } from "../checks/CountedLeads.ts"
import { TestDatabase } from "../TestDatabase.ts"
import { leadLayers } from "./LeadLayers.ts"

/** The services of the Leads tools on the test file's database, without an engine. */
export const leadServicesWith = (personalData: ReadonlyArray<PersonalData>) =>
  Layer.provideMerge(leadLayers(personalData), TestDatabase)

/** The same without erasure in other rooms. */
export const LeadServices = leadServicesWith([])

interface LeadColumns {
  readonly name?: string
  readonly email?: string | null
  readonly phone?: string | null
  readonly [column: string]: string | number | null | undefined
}

let leads = 0

/** Inserts a lead of the caller. By default it is Cold, in the pipeline and reachable by e-mail. */
export const insertLead = (columns: LeadColumns = {}) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    const number = ++leads
    const row = {
      account_id: accountId,
      name: `Lead ${number}`,
      email: `lead${number}@example.com`,
      status: "Cold",
      pipeline_state: "in_pipeline",
      ...columns
    }
    const rows = yield* createLeads(sql`insert into lead ${sql.insert(row)}`)
    return LeadId.make(rows[0]?.lead_id ?? 0)
  }).pipe(Effect.orDie)

/** Inserts a campaign of the caller and returns its id. */
export const insertCampaign = (name: string, columns: { readonly [column: string]: string | boolean } = {}) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    const row = { account_id: accountId, name, ...columns }
    const rows = yield* sql<{ readonly campaign_id: number }>`
      insert into campaign ${sql.insert(row)} returning campaign_id`
    return rows[0]?.campaign_id ?? 0
  }).pipe(Effect.orDie)

/** The history of a lead, oldest first. */
export const historyOf = (leadId: LeadId) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    return yield* sql<{
      readonly event_type: string
      readonly actor: string
      readonly from_state: string | null
      readonly to_state: string | null
      readonly reason: string | null
      readonly data: unknown
    }>`
      select event_type, actor, from_state, to_state, reason, data from lead_lifecycle_event
      where account_id = ${accountId} and lead_id = ${leadId} order by lead_lifecycle_event_id`
  }).pipe(Effect.orDie)
