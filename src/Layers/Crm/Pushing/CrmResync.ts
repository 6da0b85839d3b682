import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { Connections } from "../../../Services/Connections/Connections.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { resyncJob } from "../../../Services/Crm/Crm.ts"
import { type MinimumStatus, statusesFrom } from "../../../Services/Crm/CrmRules.ts"
import * as JobHandler from "../../../Services/Jobs/JobHandler.ts"
import type { LeadStatus } from "../../../Services/Leads/Ids.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"

const leadsAtATime = 500

/**
 * The account's leads that may be sent to its CRMs but were not sent, or whose changes are stuck. Each is listed with
 * the CRM.
 */
export const eligibleLeads = (
  sql: SqlClient,
  accountId: AccountId,
  statuses: ReadonlyArray<LeadStatus> | undefined
) => sql`
  select i.crm, l.lead_id from lead l join crm_integration i on i.account_id = l.account_id
  join connection c on c.account_id = i.account_id and c.service = 'crm.' || i.crm and c.state <> 'disconnected'
  where l.account_id = ${accountId} and l.unsubscribed_at is null
    and ${statuses === undefined ? sql`true` : sql`l.status = any (${statuses})`}
    and (not exists (select from crm_link k where k.account_id = l.account_id and k.crm = i.crm
        and k.crm_account = i.crm_account and k.lead_id = l.lead_id and k.kind in ('note', 'conversion'))
      or exists (select from crm_lead p where p.account_id = l.account_id and p.crm = i.crm and p.lead_id = l.lead_id
        and p.state = 'stuck'))
    and not exists (select from crm_link k where k.account_id = l.account_id and k.crm = i.crm
      and k.crm_account = i.crm_account and k.lead_id = l.lead_id and k.state = 'gone')`

/**
 * Queues the leads that were not sent yet or are stuck, in the order of their ids. Leads that are in the CRM are left
 * alone.
 */
export const resyncHandler = JobHandler.make(resyncJob, {
  run: ({ accountId, checkpoint, setProgress }) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const unit = yield* UnitOfWork
      const connections = yield* Connections
      if ((yield* connections.list("crm.")).length === 0) return
      const [settings] = yield* sql<{ readonly minimum: MinimumStatus | null; readonly last: number }>`
        select (select minimum_status from crm_setting where account_id = ${accountId}) as minimum,
          coalesce(max(lead_id), 0) as last
        from lead where account_id = ${accountId}`.pipe(fromSql())
      const statuses = statusesFrom(settings?.minimum ?? undefined)
      const last = settings?.last ?? 0
      let after = 0
      while (true) {
        yield* checkpoint
        const rows = yield* unit.write(
          sql<{ readonly lead_id: number }>`
            with next as (
              select lead_id from lead where account_id = ${accountId} and lead_id > ${after}
              order by lead_id limit ${leadsAtATime}
            ), queued as (
              insert into crm_lead as p (account_id, crm, lead_id, state, can_wait, due_at)
              select ${accountId}, e.crm, e.lead_id, 'pending', true, instant()
              from (${eligibleLeads(sql, accountId, statuses)}) e join next using (lead_id)
              on conflict (account_id, crm, lead_id) do update
                set state = 'pending', version = p.version + 1, can_wait = true, due_at = instant(), attempts = 0,
                  reason = null
                where p.state <> 'pending'
            )
            select lead_id from next order by lead_id`.pipe(fromSql())
        )
        const reached = rows[rows.length - 1]?.lead_id
        if (reached === undefined) return
        after = reached
        yield* setProgress(last === 0 ? 100 : (100 * after) / last)
      }
    })
})
