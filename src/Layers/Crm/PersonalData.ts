import { type PersonalData, redact } from "../Platform/PersonalData.ts"

/** The simulated CRMs lie in this database; what a real one has is its owner's to erase. */
export const crmPersonalData: PersonalData = {
  forget: (sql, { accountId, patterns }) =>
    redact(
      sql,
      { table: "sandbox_crm_record", texts: [], json: ["body"] },
      sql`account_id = ${accountId}`,
      patterns.person,
      patterns.json
    )
}
