import { Effect } from "effect"
import type { CustomerFileId } from "../../Services/Files/Ids.ts"
import { erasedMark } from "../../Services/Leads/Erasure/LeadErasure.ts"
import type { FileReferences } from "../Platform/FileReferences.ts"
import { ofLeads, type PersonalData, redact } from "../Platform/PersonalData.ts"

interface Attached {
  readonly id: CustomerFileId | null
}

const idsOf = (files: ReadonlyArray<Attached>) => files.flatMap(({ id }) => (id === null ? [] : [id]))

/** Messages from before the person was a lead, the files of their messages, and messages with related leads. */
export const chatAppPersonalData: PersonalData = {
  forget: (sql, { accountId, leadId, phone, removeFiles }) =>
    Effect.gen(function* () {
      if (phone !== null) {
        yield* sql`
          update chatapp_message set follows_message_id = null
          where account_id = ${accountId} and follows_message_id in (
            select chatapp_message_id from chatapp_message
            where account_id = ${accountId} and lead_id is null and phone_key(phone) = phone_key(${phone}))`
        const deletedMessages = yield* sql<Attached>`
          delete from chatapp_message
          where account_id = ${accountId} and lead_id is null and phone_key(phone) = phone_key(${phone})
          returning customer_file_id as id`
        yield* removeFiles(idsOf(deletedMessages))
      }
      const others = yield* sql<Attached>`
        delete from chatapp_message m
        where m.account_id = ${accountId} and m.lead_id is null and m.provider_user_id in (
          select provider_user_id from chatapp_message
          where account_id = ${accountId} and lead_id = ${leadId} and provider_user_id is not null)
        returning m.customer_file_id as id`
      yield* removeFiles(idsOf(others))
      yield* sql`
        delete from sandbox_chatapp_media where account_id = ${accountId} and media_id in (
          select provider_media_id from chatapp_message where account_id = ${accountId} and lead_id = ${leadId})`
      const media = yield* sql<Attached>`
        select customer_file_id as id from chatapp_message where account_id = ${accountId} and lead_id = ${leadId}`
      yield* removeFiles(idsOf(media))
    }),
  forgetInRelated: (sql, person, related) =>
    Effect.gen(function* () {
      const { json, person: inText } = person.patterns
      const where = ofLeads(sql, person, related)
      yield* sql`
        update sandbox_chatapp_message set content = regexp_replace(content::text, ${json}, ${erasedMark}, 'gi')::jsonb
        where account_id = ${person.accountId} and content::text ~* ${json} and client_reference in (
          select client_reference from chatapp_message where ${where})`
      const columns = {
        table: "chatapp_message",
        texts: ["body", "reply_text", "media_name"],
        json: ["classification"]
      }
      yield* redact(sql, columns, where, inText, json)
    })
}

export const chatAppFileReferences: FileReferences = (sql, accountId, ids) => sql`
  update chatapp_message set customer_file_id = null
  where account_id = ${accountId} and customer_file_id = any(${ids}::bigint[])`
