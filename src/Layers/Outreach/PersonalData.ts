import { ofLeads, type PersonalData, redact } from "../Platform/PersonalData.ts"

/** The owner's content in a touch of a related lead. */
export const outreachPersonalData: PersonalData = {
  forgetInRelated: (sql, person, related) =>
    redact(
      sql,
      { table: "touch", texts: [], json: ["carries"] },
      ofLeads(sql, person, related),
      person.patterns.person,
      person.patterns.json
    )
}
