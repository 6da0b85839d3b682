import { SqlClient } from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import { Effect } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import type { LeadId } from "../../Services/Leads/Ids.ts"
import { erasedMark, type PersonTraces, tracePatterns } from "../../Services/Leads/LeadErasure.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

/** A person whose lead is being erased; the lead's rows are still there. */
export interface ErasedPerson extends PersonTraces {
  readonly accountId: AccountId
  readonly leadId: LeadId
}

/** Columns of a table in which a person may be named. */
interface Named {
  readonly table: string
  readonly texts: ReadonlyArray<string>
  readonly json: ReadonlyArray<string>
}

const ofRelatedLeads: ReadonlyArray<Named> = [
  { table: "email_message", texts: ["subject", "body_text", "body_html", "reply_text"], json: ["classification"] },
  { table: "chatapp_message", texts: ["body", "reply_text"], json: ["classification"] },
  {
    table: "voice_call",
    texts: ["goal", "context", "opening_line", "spoken_text", "summary"],
    json: ["transcript", "classification"]
  },
  {
    table: "lead",
    texts: ["background", "instructions", "first_message_instructions", "next_touch_instructions", "owner_context"],
    json: []
  },
  { table: "lead_lifecycle_event", texts: ["reason"], json: ["data"] },
  { table: "meeting", texts: ["title", "notes", "cancel_reason"], json: [] }
]

/**
 * Takes a person out of what is not the lead's own and stays when the lead goes: files, mail and calls from before it was
 * a lead, notices to the owner, questions that it asked, exports, and the conversations with whoever referred it or was
 * referred by it. To be run before the lead is deleted, in the same transaction.
 */
export const makeForget = Effect.map(SqlClient, (sql) => {
  /** Replaces what the patterns find in the rows that `where` selects. */
  const redact = ({ json, table, texts }: Named, where: Fragment, text: string, inJson: string) => {
    const changes = [
      ...texts.map((column) => sql`${sql(column)} = regexp_replace(${sql(column)}, ${text}, ${erasedMark}, 'gi')`),
      ...json.map(
        (column) => sql`${sql(column)} = regexp_replace(${sql(column)}::text, ${inJson}, ${erasedMark}, 'gi')::jsonb`
      )
    ]
    const isNamed = [
      ...texts.map((column) => sql`${sql(column)} ~* ${text}`),
      ...json.map((column) => sql`${sql(column)}::text ~* ${inJson}`)
    ]
    return sql`update ${sql(table)} set ${sql.csv(changes)} where ${where} and (${sql.or(isNamed)})`
  }

  /** What came from the person, or went to it, before it was a lead. */
  const unmatched = ({ accountId, email, phone }: ErasedPerson) =>
    Effect.gen(function* () {
      if (email !== null) {
        yield* sql`
          with gone as (
            delete from email_message
            where account_id = ${accountId} and lead_id is null and direction = 'inbound' and from_address = ${email}
            returning email_message_id
          )
          update account_event e set data = e.data || '{"from_address": null, "subject": null}'
          from gone where e.account_id = ${accountId} and e.event_type = 'email_received'
            and (e.data ->> 'email_message_id')::bigint = gone.email_message_id`
      }
      if (phone !== null) {
        yield* sql`
          with gone as (
            delete from chatapp_message
            where account_id = ${accountId} and lead_id is null and phone_key(phone) = phone_key(${phone})
            returning customer_file_id
          )
          delete from customer_file f using gone
          where f.account_id = ${accountId} and f.customer_file_id = gone.customer_file_id`
        yield* sql`
          delete from voice_call where account_id = ${accountId} and lead_id is null
            and phone_key(phone) = phone_key(${phone}) and status not in ('queued', 'dialing', 'in_progress')`
        yield* sql`
          delete from dialed_number n where n.phone_key = phone_key(${phone}) and n.account_id = ${accountId}`
        yield* sql`
          delete from sandbox_voice_script
          where account_id = ${accountId} and phone_key(phone) = phone_key(${phone})`
      }
    })

  /** The presentation, and what came over the messaging app. Attachments of mail go with the mail. */
  const files = ({ accountId, leadId }: ErasedPerson) =>
    sql`
      with media as (
        select customer_file_id, provider_media_id from chatapp_message
        where account_id = ${accountId} and lead_id = ${leadId}
      ), simulated as (
        delete from sandbox_chatapp_media
        where account_id = ${accountId} and media_id in (select provider_media_id from media)
      )
      delete from customer_file where account_id = ${accountId} and customer_file_id in (
        select customer_file_id from media
        union all select presentation_file_id from lead where account_id = ${accountId} and lead_id = ${leadId})`

  /** Exports with the person in them: a line begins with the lead's id, and may begin in one chunk and go on in the next. */
  const exports = ({ accountId, leadId }: ErasedPerson) =>
    sql`
      delete from customer_file where account_id = ${accountId} and customer_file_id in (
        select c.customer_file_id
        from lead_export e join customer_file_chunk c using (account_id, customer_file_id)
          left join customer_file_chunk n on n.account_id = c.account_id
            and n.customer_file_id = c.customer_file_id and n.sequence = c.sequence + 1
        where e.account_id = ${accountId}
          and position(convert_to(${`\r\n${leadId},`}, 'UTF8') in c.bytes || coalesce(substring(n.bytes for 32), '')) > 0)`

  /** What jobs that ended were asked for, where that is not taken out at their end. */
  const requests = ({ accountId }: ErasedPerson) =>
    Effect.gen(function* () {
      const hasEnded = sql`j.account_id = ${accountId} and j.status in ('finished', 'failed', 'cancelled')`
      yield* sql`
        update lead_import i set inline_rows = null from background_job j
        where i.account_id = j.account_id and i.job_id = j.job_id and ${hasEnded} and i.inline_rows is not null`
      yield* sql`
        update lead_export e set filter = e.filter - 'query' from background_job j
        where e.account_id = j.account_id and e.job_id = j.job_id and ${hasEnded} and e.filter ? 'query'`
    })

  return Effect.fnUntraced(function* (person: ErasedPerson) {
    const { accountId, leadId } = person
    const patterns = tracePatterns(person)
    yield* unmatched(person)
    yield* files(person)
    yield* exports(person)
    yield* requests(person)
    yield* sql`
      update notification set message = 'The lead that this was about was erased.',
        data = jsonb_build_object('lead_id', ${leadId}::bigint)
      where account_id = ${accountId} and data -> 'lead_id' = to_jsonb(${leadId}::bigint)`
    yield* redact(
      { table: "agent_message", texts: ["body"], json: [] },
      sql`account_id = ${accountId}`,
      patterns.person,
      patterns.json
    )

    const asked = sql`account_id = ${accountId} and open_question_id in (select q.open_question_id
      from open_question_lead q where q.account_id = ${accountId} and q.lead_id = ${leadId})`
    yield* redact(
      { table: "lead_answer", texts: ["question_text", "answer_text"], json: [] },
      asked,
      patterns.words,
      patterns.json
    )
    // Numbered, since two open questions of one text are one.
    yield* sql`
      update open_question set question_text =
        regexp_replace(question_text, ${patterns.words}, ${erasedMark}, 'gi') || ' #' || open_question_id
      where ${asked} and question_text ~* ${patterns.words}`

    const related = yield* sql<{ readonly id: LeadId }>`
      select r.lead_id as id from lead r where r.account_id = ${accountId} and r.referred_by_lead_id = ${leadId}
      union all
      select l.referred_by_lead_id from lead l
      where l.account_id = ${accountId} and l.lead_id = ${leadId} and l.referred_by_lead_id is not null`
    if (related.length === 0) return
    const isRelated = sql`account_id = ${accountId} and lead_id = any(${related.map(({ id }) => id)})`
    // As they went over the wire, and what they mean in numbers: neither can be told without the words.
    yield* sql`
      delete from sandbox_mail where account_id = ${accountId} and email_message_id in (
        select email_message_id from email_message where ${isRelated}
          and (subject ~* ${patterns.person} or body_text ~* ${patterns.person}))`
    yield* sql`
      delete from message_embedding where account_id = ${accountId} and (
        email_message_id in (select email_message_id from email_message where ${isRelated}
          and (subject ~* ${patterns.person} or body_text ~* ${patterns.person}))
        or chatapp_message_id in (select chatapp_message_id from chatapp_message where ${isRelated}
          and body ~* ${patterns.person}))`
    yield* sql`
      update sandbox_chatapp_message set content = regexp_replace(content::text, ${patterns.json}, ${erasedMark}, 'gi')::jsonb
      where account_id = ${accountId} and content::text ~* ${patterns.json} and client_reference in (
        select client_reference from chatapp_message where ${isRelated})`
    yield* sql`
      update sandbox_voice_call set call_order = regexp_replace(call_order::text, ${patterns.json}, ${erasedMark}, 'gi')::jsonb
      where account_id = ${accountId} and call_order::text ~* ${patterns.json} and client_reference in (
        select client_reference from voice_call where ${isRelated})`
    for (const named of ofRelatedLeads) yield* redact(named, isRelated, patterns.person, patterns.json)
  }, fromSql())
})
