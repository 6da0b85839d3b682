import { type PersonalData, redact } from "../Platform/PersonalData.ts"

/** What the owner wrote of a learning that was wrong; learnings themselves name nobody. */
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
