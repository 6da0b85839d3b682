import { type PersonalData, redact } from "../Platform/PersonalData.ts"

/** The simulated calendars lie in this database; what a real one has is its owner's to erase. */
export const calendarPersonalData: PersonalData = {
  forget: (sql, { accountId, patterns }) =>
    redact(
      sql,
      { table: "sandbox_calendar_event", texts: [], json: ["body"] },
      sql`account_id = ${accountId}`,
      patterns.person,
      patterns.json
    )
}
