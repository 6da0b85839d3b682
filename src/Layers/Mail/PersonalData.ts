import type { Fragment } from "@effect/sql/Statement"
import { Effect } from "effect"
import { noticeMark, ownerNoticeType } from "../../Services/Events/OwnerNotices.ts"
import type { CustomerFileId } from "../../Services/Files/Ids.ts"
import { leadPagePath } from "../../Services/Leads/LeadPageLink.ts"
import { ofLeads, type PersonalData, redact } from "../Platform/PersonalData.ts"

const namingColumns = {
  table: "email_message",
  texts: [
    "from_address",
    "to_address",
    "subject",
    "body_text",
    "body_html",
    "reply_text",
    "provider_response",
    "invitation"
  ],
  json: ["classification", "attachments"]
}

/** Mail from before the person was a lead, and mail with related leads. Attachments are deleted with their mail. */
export const mailPersonalData: PersonalData = {
  forget: (sql, { accountId, email, leadId, patterns, removeFiles }) =>
    Effect.gen(function* () {
      // Notices to the owner name and quote the person. Copies in the sandbox are deleted with them.
      yield* sql`
        delete from email_message where account_id = ${accountId} and lead_id is null
          and message_type = ${ownerNoticeType} and (position(${noticeMark(leadId)} in body_text) > 0 or position(${leadPagePath(leadId)} in body_text) > 0)`
      const files = (messages: Fragment) => sql<{ readonly id: CustomerFileId }>`
        select (attachment ->> 'customer_file_id')::bigint as id
        from email_message m cross join jsonb_array_elements(m.attachments) attachment
        where m.account_id = ${accountId} and ${messages} and attachment ->> 'customer_file_id' is not null`
      const remove = (messages: Fragment) =>
        Effect.flatMap(files(messages), (attachedFiles) => removeFiles(attachedFiles.map(({ id }) => id)))
      yield* remove(sql`m.lead_id = ${leadId}`)
      if (email === null) return
      const before = sql`m.lead_id is null and m.direction = 'inbound' and m.from_address = ${email}`
      yield* remove(before)
      yield* sql`delete from email_message m where m.account_id = ${accountId} and ${before}`
      yield* sql`delete from email_suppression where account_id = ${accountId} and email = ${email}`
      // The person's words in another lead's conversation stay there. Words about the person are removed.
      const isWritten = sql`account_id = ${accountId} and lead_id <> ${leadId} and direction = 'inbound'
        and from_address = ${email}`
      yield* sql`
        delete from sandbox_mail where account_id = ${accountId} and email_message_id in (
          select email_message_id from email_message where ${isWritten})`
      yield* redact(sql, namingColumns, isWritten, patterns.person, patterns.json)
    }),
  forgetInRelated: (sql, person, related) =>
    Effect.gen(function* () {
      const { json, person: inText } = person.patterns
      const where = ofLeads(sql, person, related)
      // The raw message is deleted, because words cannot be removed from its encoded form.
      yield* sql`
        delete from sandbox_mail where account_id = ${person.accountId} and email_message_id in (
          select email_message_id from email_message where ${where}
            and (subject ~* ${inText} or body_text ~* ${inText}))`
      yield* redact(sql, namingColumns, where, inText, json)
    })
}
