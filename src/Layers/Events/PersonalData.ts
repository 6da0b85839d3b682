import { Effect } from "effect"
import { type PersonalData, redact } from "../Platform/PersonalData.ts"

/** The feed mentions the lead and its mail from before it was a lead, and notices to the owner name it. */
export const eventsPersonalData: PersonalData = {
  forget: (sql, { accountId, email, leadId, patterns }) =>
    Effect.gen(function* () {
      if (email !== null) {
        yield* sql`
          update account_event set data = data || '{"from_address": null, "subject": null}'
          where account_id = ${accountId} and event_type = 'email_received' and data ->> 'from_address' = ${email}`
      }
      yield* sql`
        update account_event e set data = (
          select jsonb_object_agg(member.key, case
            when member.key in ('lead_name', 'subject', 'from_address', 'reason') then 'null' else member.value end)
          from jsonb_each(e.data) member)
        where e.account_id = ${accountId} and e.lead_id = ${leadId}`
      yield* sql`
        update notification set message = 'The lead that this was about was erased.',
          data = jsonb_build_object('lead_id', ${leadId}::bigint)
        where account_id = ${accountId} and data -> 'lead_id' = to_jsonb(${leadId}::bigint)`
      // Events that are not linked to a lead or belong to other leads. They are found by their text.
      const ofAccount = sql`account_id = ${accountId}`
      const { json, person } = patterns
      yield* redact(sql, { table: "notification", texts: ["message"], json: ["data"] }, ofAccount, person, json)
      // Answers of receivers may repeat the data that they were sent.
      yield* redact(sql, { table: "webhook_attempt", texts: ["response_excerpt"] }, ofAccount, person, json)
      const isOfMail = sql`${ofAccount} and event_type in ('email_received', 'lead_replied_email')`
      yield* redact(sql, { table: "account_event", texts: [], json: ["data"] }, isOfMail, person, json)
    })
}
