import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, Option } from "effect"
import { notFound } from "../../Errors.ts"
import { Caller } from "../../Services/Caller.ts"
import type { UpdatedLead } from "../../Services/LeadModel.ts"
import { Leads } from "../../Services/Leads.ts"
import { makeErase } from "./LeadErasure.ts"
import { makeLeadLists } from "./LeadLists.ts"
import { makeLeadProfiles } from "./LeadProfiles.ts"
import { makeRegister } from "./LeadRegistration.ts"
import { makeTransition } from "./LeadTransitions.ts"
import { fromSql } from "./Sql.ts"

/** Makes `Leads.update`: one statement, which writes a change of status into the lead's history. */
const makeUpdate: Effect.Effect<typeof Leads.Service.update, never, SqlClient> = Effect.map(SqlClient, (sql) =>
  Effect.fn("Leads.update")(function* (leadId, { background, goal, status }) {
    const { accountId } = yield* Caller
    const rows = yield* sql<UpdatedLead>`
      with before as (
        select status from lead where account_id = ${accountId} and lead_id = ${leadId} for update
      ), changed as (
        update lead l set status = coalesce(${status ?? null}, l.status),
          goal = nullif(coalesce(${goal ?? null}, l.goal), ''),
          background = nullif(coalesce(${background ?? null}, l.background), '')
        from before where l.account_id = ${accountId} and l.lead_id = ${leadId}
        returning l.account_id, l.lead_id, l.status, l.goal, l.background, l.pipeline_state,
          l.paused_at is not null as is_paused, before.status as status_before
      ), recorded as (
        insert into lead_lifecycle_event (account_id, lead_id, event_type, actor, from_state, to_state, data)
        select account_id, lead_id, 'status_changed', 'owner', pipeline_state, pipeline_state,
          jsonb_build_object('from_status', status_before, 'to_status', status)
        from changed where status <> status_before
      )
      select lead_id, status, goal, background, pipeline_state, is_paused from changed`.pipe(fromSql())
    return rows[0] ?? (yield* notFound("lead", "lead_id", leadId))
  })
)

const make = Effect.gen(function* () {
  const profile = yield* makeLeadProfiles
  return Leads.of({
    get: Effect.fn("Leads.get")(function* (leadId) {
      const { accountId } = yield* Caller
      const found = yield* profile({ accountId, leadId })
      return Option.isSome(found) ? found.value : yield* notFound("lead", "lead_id", leadId)
    }),
    ...(yield* makeLeadLists),
    register: yield* makeRegister,
    update: yield* makeUpdate,
    transition: yield* makeTransition,
    erase: yield* makeErase
  })
})

export const LeadsPostgres = Layer.effect(Leads, make)
