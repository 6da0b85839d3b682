import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { LeadId } from "../../../Services/Leads/Ids.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import type { CrmPlace } from "./LeadFacts.ts"

const longestDelaySeconds = 6 * 3600

const delaySeconds = (attempts: number): number => Math.min(longestDelaySeconds, 60 * 2 ** Math.min(attempts, 12))

/** A lead that is to be sent to a CRM. */
export interface PendingLead {
  readonly leadId: LeadId
  /** A number that grows with every change of the lead. */
  readonly version: number
  readonly attempts: number
}

export interface EndedLead {
  readonly pending: PendingLead
  /** False if the lead is not for the CRM. */
  readonly isSent: boolean
}

/** Reads due leads that this process is not already sending. Changes precede leads that can wait. */
export const dueLeads = (sql: SqlClient, { accountId, crm }: CrmPlace, inHand: ReadonlySet<LeadId>, most: number) =>
  sql<PendingLead>`
    select lead_id as "leadId", version, attempts from crm_lead
    where account_id = ${accountId} and crm = ${crm} and state = 'pending' and due_at <= instant()
      and lead_id <> all (${[...inHand]}::bigint[])
    order by can_wait, due_at, lead_id limit ${most}`.pipe(fromSql())

/** Due changes of leads that have all their records, so sending them creates none. */
export const urgentLeads = (
  sql: SqlClient,
  { accountId, crm, crmAccount }: CrmPlace,
  inHand: ReadonlySet<LeadId>,
  most: number
) => {
  const link = sql`select from crm_link k where k.account_id = p.account_id and k.crm = p.crm
    and k.crm_account = ${crmAccount} and k.lead_id = p.lead_id`
  return sql<PendingLead>`
    select p.lead_id as "leadId", p.version, p.attempts
    from crm_lead p join lead l on l.account_id = p.account_id and l.lead_id = p.lead_id
    where p.account_id = ${accountId} and p.crm = ${crm} and p.state = 'pending' and not p.can_wait
      and p.due_at <= instant() and p.lead_id <> all (${[...inHand]}::bigint[])
      and exists (${link} and k.kind = 'note')
      and (trim(coalesce(l.company, '')) = '' or exists (${link} and k.kind = 'company' and k.state = 'linked'))
    order by p.due_at, p.lead_id limit ${most}`.pipe(fromSql())
}

/** Records the end of leads that were sent or are not for the CRM. Leads that changed in the meantime are skipped. */
export const endLeads = (sql: SqlClient, place: CrmPlace) => (ends: ReadonlyArray<EndedLead>) => {
  const isOf = (isSent: boolean) => {
    const pending = ends.flatMap((each) => (each.isSent === isSent ? [each.pending] : []))
    const leadIds = pending.map(({ leadId }) => leadId)
    // Starting from the list of leads makes the query independent of the number of rows.
    return sql`p.account_id = ${place.accountId} and p.crm = ${place.crm} and p.lead_id = any (${leadIds}::bigint[])
      and (p.lead_id, p.version) in (
        select * from unnest(${leadIds}::bigint[], ${pending.map(({ version }) => version)}::bigint[]))`
  }
  return Effect.gen(function* () {
    if (ends.some(({ isSent }) => isSent)) {
      yield* sql`
        update crm_lead p set state = 'synced', synced_at = instant(), attempts = 0, reason = null
        where ${isOf(true)}`.pipe(fromSql())
    }
    if (ends.some(({ isSent }) => !isSent)) yield* sql`delete from crm_lead p where ${isOf(false)}`.pipe(fromSql())
  })
}

/** Marks a lead as stuck. It waits until a person removes the cause. */
export const markStuck = (sql: SqlClient, place: CrmPlace, { leadId, version }: PendingLead, reason: string) =>
  sql`
    update crm_lead set state = 'stuck', reason = ${reason}
    where account_id = ${place.accountId} and crm = ${place.crm} and lead_id = ${leadId}
      and version = ${version}`.pipe(fromSql())

/** Postpones a lead. The delay grows with each attempt. */
export const postpone = (sql: SqlClient, place: CrmPlace, { attempts, leadId, version }: PendingLead, reason: string) =>
  sql`
    update crm_lead set attempts = attempts + 1, reason = ${reason},
      due_at = instant() + make_interval(secs => ${delaySeconds(attempts)})
    where account_id = ${place.accountId} and crm = ${place.crm} and lead_id = ${leadId}
      and version = ${version}`.pipe(fromSql())
