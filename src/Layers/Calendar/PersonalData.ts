import { type PersonalData, redact } from "../Platform/PersonalData.ts"

/** Erases the person from simulated calendars. The owner must do so in a real one. */
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
