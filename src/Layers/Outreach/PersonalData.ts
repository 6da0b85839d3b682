import { ofLeads, type PersonalData, redact } from "../Platform/PersonalData.ts"

/** What of the owner's a touch of a related lead handed on. */
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
