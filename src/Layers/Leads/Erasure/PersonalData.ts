import { Effect } from "effect"
import type { FileReferences } from "../../Platform/FileReferences.ts"
import { ofLeads, type PersonalData, redact } from "../../Platform/PersonalData.ts"

/** Personal data in the notes on related leads and in their history. */
export const leadsPersonalData: PersonalData = {
  forgetInRelated: (sql, person, related) =>
    Effect.gen(function* () {
      const { json, person: inText } = person.patterns
      const where = ofLeads(sql, person, related)
      const texts = [
        "background",
        "instructions",
        "first_message_instructions",
        "next_touch_instructions",
        "owner_context"
      ]
      yield* redact(sql, { table: "lead", texts }, where, inText, json)
      yield* redact(sql, { table: "lead_lifecycle_event", texts: ["reason"], json: ["data"] }, where, inText, json)
    })
}

export const leadFileReferences: FileReferences = (sql, accountId, ids) => sql`
  update lead set presentation_file_id = null
  where account_id = ${accountId} and presentation_file_id = any(${ids}::bigint[])`
