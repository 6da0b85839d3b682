import { type OutsideRecord, ofLeads, type PersonalData, redact } from "../Platform/PersonalData.ts"

/** Erases a person from the simulated CRMs, which are in this database. The owner must erase records in a real one. */
export const crmPersonalData: PersonalData = {
  forget: (sql, { accountId, patterns }) =>
    redact(
      sql,
      { table: "sandbox_crm_record", texts: [], json: ["body"] },
      sql`account_id = ${accountId}`,
      patterns.person,
      patterns.json
    ),
  // Custom fields of the account may quote a lead.
  forgetInRelated: (sql, person, related) =>
    redact(
      sql,
      { table: "crm_link", texts: [], json: ["written"] },
      ofLeads(sql, person, related),
      person.patterns.person,
      person.patterns.json
    ),
  // Lists records at CRMs, because adapters do not delete. Most interfaces only move a record to a bin, or need rights
  // that a sync lacks.
  heldOutside: (sql, accountId, leadIds) => sql<OutsideRecord>`
    select crm as service, kind, external_id from crm_link
    where account_id = ${accountId} and lead_id = any (${leadIds}::bigint[]) and external_id is not null
    order by crm, kind, external_id`
}
