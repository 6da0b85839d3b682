import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { AccountId, Plan } from "../../../Services/Accounts/Ids.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { type Timestamp } from "../../../Services/Core/Timestamp.ts"
import type { CrmName } from "../../../Services/Crm/Ids.ts"
import { LeadChanges } from "../../../Services/Leads/LeadChanges.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import type { CrmPlace } from "../Pushing/LeadFacts.ts"

/** The number of changed leads that one transaction processes. */
const changesAtATime = 2000
const leaseSeconds = 60
const pollSeconds = 300

export interface DueCrm {
  readonly accountId: AccountId
  readonly crm: CrmName
  readonly plan: Plan
}

/** A process's lease on the work for an account at a CRM. */
export interface Lease {
  readonly crmAccount: string
  readonly isPollDue: boolean
  /** The number of successive runs that ended by an error of the gateway itself. */
  readonly defects: number
  readonly polledUntil: Timestamp
}

/** Reads which CRMs of which accounts have due work. */
export const makeDueCrms = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const changes = yield* LeadChanges

  /** Queues the leads that changed: one row per lead and CRM, however often it changed. */
  const takeChanges = unit.write(
    Effect.gen(function* () {
      const { hasMore, leads } = yield* changes.take(changesAtATime)
      if (leads.length === 0) return false
      yield* sql`
        insert into crm_lead as p (account_id, crm, lead_id, state, due_at)
        select i.account_id, i.crm, l.lead_id, 'pending', instant()
        from unnest(${leads.map(({ accountId }) => accountId)}::bigint[], ${leads.map(({ leadId }) => leadId)}::bigint[])
          as changed (account_id, lead_id)
        join lead l on l.account_id = changed.account_id and l.lead_id = changed.lead_id
        join crm_integration i on i.account_id = changed.account_id
        join connection c on c.account_id = i.account_id and c.service = 'crm.' || i.crm and c.state <> 'disconnected'
        order by i.account_id, i.crm, l.lead_id
        on conflict (account_id, crm, lead_id) do update
          set state = 'pending', version = p.version + 1, can_wait = false, due_at = instant(), attempts = 0,
            reason = null`.pipe(fromSql())
      return hasMore
    })
  )

  const dueCrms = unit
    .acrossAccounts(sql<DueCrm>`
    select i.account_id as "accountId", i.crm, a.plan from crm_integration i
    join connection c on c.account_id = i.account_id and c.service = 'crm.' || i.crm and c.state = 'connected'
    join account a on a.account_id = i.account_id
    where a.clock is not distinct from test_clock() and coalesce(i.leased_until, '-infinity') <= instant()
      and coalesce(i.resumes_at, '-infinity') <= instant()
      and (i.polled_at <= instant() - make_interval(secs => ${pollSeconds})
        or exists (select from crm_lead p where p.account_id = i.account_id and p.crm = i.crm and p.state = 'pending'
          and p.due_at <= instant()))
    order by i.last_sync_at nulls first limit 100`)
    .pipe(fromSql())

  const firstDue = (canWait: boolean) => sql`(
    select min(p.due_at) from crm_lead p
    where p.account_id = i.account_id and p.crm = i.crm and p.state = 'pending' and p.can_wait = ${canWait})`

  /**
   * Reads the milliseconds until one of them is due. Infinite if none has a due time. The subquery names the table,
   * because a cluster refuses it otherwise.
   */
  const nextDueMillis = unit
    .acrossAccounts(sql<{ readonly millis: number | null }>`
    select min(1000 * extract(epoch from greatest(i.at, i.leased_until, i.resumes_at) - instant()))::float8 as millis
    from (
      select i.account_id, i.crm, i.leased_until, i.resumes_at,
        least(i.polled_at + make_interval(secs => ${pollSeconds}), ${firstDue(false)}, ${firstDue(true)}) as at
      from crm_integration i
    ) i
    join connection c on c.account_id = i.account_id and c.service = 'crm.' || i.crm and c.state = 'connected'
    join account a on a.account_id = i.account_id
    where a.clock is not distinct from test_clock() and i.at is not null`)
    .pipe(
      fromSql(),
      Effect.map((rows) => rows[0]?.millis ?? Infinity)
    )

  return { areChanged: changes.areAny, takeChanges, dueCrms, nextDueMillis }
})

/** Leases of accounts' CRMs. Only one process holds a lease at a time. */
export const makeCrmLeases = Effect.map(SqlClient, (sql) => {
  const isLeased = (place: { readonly accountId: AccountId; readonly crm: string }, lease: string) =>
    sql`account_id = ${place.accountId} and crm = ${place.crm} and leased_by = ${lease}::uuid`

  const renew = (place: CrmPlace, lease: string) =>
    sql`
      update crm_integration set leased_until = instant() + make_interval(secs => ${leaseSeconds})
      where ${isLeased(place, lease)} returning crm`.pipe(
      fromSql(),
      Effect.map((rows) => rows.length > 0)
    )

  const rest = (place: CrmPlace, seconds: number) =>
    sql`
      update crm_integration set resumes_at = instant() + make_interval(secs => ${seconds}::float8)
      where account_id = ${place.accountId} and crm = ${place.crm}`.pipe(fromSql())

  /** Takes the lease. Undefined if another process has it, or the CRM is in a pause. */
  const take = ({ accountId, crm }: DueCrm, lease: string) =>
    sql<Lease>`
      update crm_integration set leased_by = ${lease}::uuid,
        leased_until = instant() + make_interval(secs => ${leaseSeconds}), resumes_at = null
      where account_id = ${accountId} and crm = ${crm} and coalesce(leased_until, '-infinity') <= instant()
        and coalesce(resumes_at, '-infinity') <= instant()
      returning crm_account as "crmAccount", defects, polled_until as "polledUntil",
        polled_at <= instant() - make_interval(secs => ${pollSeconds}) as "isPollDue"`.pipe(
      fromSql(),
      Effect.map(([row]) => row)
    )

  const release = (place: CrmPlace, lease: string) =>
    sql`update crm_integration set leased_until = null, leased_by = null where ${isLeased(place, lease)}`.pipe(
      Effect.ignore
    )

  return { take, renew, release, rest }
})
