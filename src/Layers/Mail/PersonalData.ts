import { Effect } from "effect"
import { ofLeads, type PersonalData, redact } from "../Platform/PersonalData.ts"

/** Mail from before the person was a lead, and mail with related leads. Attachments go with their mail. */
export const mailPersonalData: PersonalData = {
  forget: (sql, { accountId, email }) =>
    Effect.gen(function* () {
      if (email === null) return
      yield* sql`
        delete from email_message
        where account_id = ${accountId} and lead_id is null and direction = 'inbound' and from_address = ${email}`
      yield* sql`delete from email_suppression where account_id = ${accountId} and email = ${email}`
    }),
  forgetInRelated: (sql, person, related) =>
    Effect.gen(function* () {
      const { json, person: inText } = person.patterns
      const where = ofLeads(sql, person, related)
      // As it went over the wire: what is in it cannot be told without the words.
      yield* sql`
        delete from sandbox_mail where account_id = ${person.accountId} and email_message_id in (
          select email_message_id from email_message where ${where}
            and (subject ~* ${inText} or body_text ~* ${inText}))`
      const texts = ["subject", "body_text", "body_html", "reply_text"]
      yield* redact(sql, { table: "email_message", texts, json: ["classification"] }, where, inText, json)
    })
}
