import { type PersonalData, redact } from "../Platform/PersonalData.ts"

/**
 * Erases a person from the simulated scheduler, which is in this database. The owner must erase records at the real
 * one.
 */
export const schedulerPersonalData: PersonalData = {
  forget: (sql, { accountId, patterns }) =>
    redact(
      sql,
      { table: "sandbox_scheduler_booking", texts: [], json: ["body"] },
      sql`account_id = ${accountId}`,
      patterns.person,
      patterns.json
    )
}
