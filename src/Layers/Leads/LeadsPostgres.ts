import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, Option } from "effect"
import { notFound } from "../../Errors.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { spanned } from "../../Services/Core/Calls/Spanned.ts"
import type { UpdatedLead } from "../../Services/Leads/LeadModel.ts"
import { Leads } from "../../Services/Leads/Leads.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { makeErase } from "./Erasure/LeadErasure.ts"
import { makeLeadLists } from "./LeadLists.ts"
import { makeLeadProfiles } from "./LeadProfiles.ts"
import { makeTransition } from "./LeadTransitions.ts"
import { makeRegister } from "./Registration/LeadRegistration.ts"
import { countChanged, countedColumns } from "./Sql/Counters.ts"
import { progressOf } from "./Sql/Progress.ts"
import { recordLeadChange } from "./Sql.ts"

/** Makes `Leads.update`. A change of status is added to the lead's history and to the feed. */
const makeUpdate: Effect.Effect<typeof Leads.Service.update, never, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  return Effect.fn("Leads.update")(function* (leadId, { background, goal, status }) {
    const { accountId } = yield* Caller
    const rows = yield* sql<UpdatedLead & { readonly has_changed: boolean }>`
      with before as (
        select ${sql.literal(countedColumns("l"))} from lead l
        where l.account_id = ${accountId} and l.lead_id = ${leadId} for update
      ), changed as (
        update lead l set status = coalesce(${status ?? null}, l.status),
          was_interested = l.was_interested or (${status === "Interested"} and l.status <> 'Interested'),
          goal = nullif(coalesce(${goal ?? null}, l.goal), ''),
          background = nullif(coalesce(${background ?? null}, l.background), '')
        from before where l.account_id = ${accountId} and l.lead_id = ${leadId}
        returning ${sql.literal(countedColumns("l"))}, l.goal, l.background, l.paused_at is not null as is_paused,
          before.status as status_before
      ), ${sql.literal(countChanged)}, ${sql.literal(recordLeadChange("changed"))}, recorded as (
        insert into lead_lifecycle_event (account_id, lead_id, event_type, actor, from_state, to_state, data)
        select account_id, lead_id, 'status_changed', 'owner', pipeline_state, pipeline_state,
          jsonb_build_object('from_status', status_before, 'to_status', status)
        from changed where status <> status_before
      )
      select lead_id, status, goal, background, pipeline_state, is_paused, status <> status_before as has_changed
      from changed`.pipe(fromSql())
    const { has_changed, ...updated } = rows[0] ?? (yield* notFound("lead", "lead_id", leadId))
    const events = has_changed ? yield* progressOf(sql, { accountId, leadId }) : []
    if (events.length > 0) {
      const appended = JSON.stringify(events.map((type) => ({ type, data: { lead_id: leadId, channel: null } })))
      yield* sql`select append_account_events(${accountId}, ${appended}::jsonb)`.pipe(fromSql())
    }
    return updated
  })
})

const make = Effect.gen(function* () {
  const profile = yield* makeLeadProfiles
  return Leads.of({
    get: Effect.fnUntraced(function* (leadId) {
      const { accountId } = yield* Caller
      const foundLead = yield* profile({ accountId, leadId })
      return Option.isSome(foundLead) ? foundLead.value : yield* notFound("lead", "lead_id", leadId)
    }, spanned("Leads.get")),
    ...(yield* makeLeadLists),
    register: yield* makeRegister,
    update: yield* makeUpdate,
    transition: yield* makeTransition,
    erase: yield* makeErase
  })
})

export const LeadsPostgres = Layer.effect(Leads, make)
