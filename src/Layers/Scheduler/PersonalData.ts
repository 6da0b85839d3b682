import { type PersonalData, redact } from "../Platform/PersonalData.ts"

/** The simulated scheduler lies in this database; what the real one has is its owner's to erase. */
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
