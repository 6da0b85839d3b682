import { ofLeads, type PersonalData, redact } from "../Platform/PersonalData.ts"

/** Meetings with related leads, which may name the person. */
export const meetingsPersonalData: PersonalData = {
  forgetInRelated: (sql, person, related) =>
    redact(
      sql,
      { table: "meeting", texts: ["title", "notes", "cancel_reason"] },
      ofLeads(sql, person, related),
      person.patterns.person,
      person.patterns.json
    )
}
