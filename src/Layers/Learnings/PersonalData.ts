import { type PersonalData, redact } from "../Platform/PersonalData.ts"

/** The owner's reasons for dismissing a learning. Learnings themselves name no one. */
export const learningsPersonalData: PersonalData = {
  forget: (sql, { accountId, patterns }) =>
    redact(
      sql,
      { table: "prospecting_learning", texts: ["dismiss_reason"] },
      sql`account_id = ${accountId}`,
      patterns.person,
      patterns.json
    )
}
