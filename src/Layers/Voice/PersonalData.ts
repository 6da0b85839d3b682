import { Effect } from "effect"
import { erasedMark } from "../../Services/Leads/Erasure/LeadErasure.ts"
import { ofLeads, type PersonalData, redact } from "../Platform/PersonalData.ts"

/** Calls from before the person was a lead, and calls of related leads. */
export const voicePersonalData: PersonalData = {
  forget: (sql, { accountId, phone }) =>
    Effect.gen(function* () {
      if (phone === null) return
      yield* sql`
        delete from voice_call where account_id = ${accountId} and lead_id is null
          and phone_key(phone) = phone_key(${phone}) and status not in ('queued', 'dialing', 'in_progress')`
      yield* sql`
        delete from dialed_number n where n.phone_key = phone_key(${phone}) and n.account_id = ${accountId}`
      yield* sql`
        delete from sandbox_voice_script
        where account_id = ${accountId} and phone_key(phone) = phone_key(${phone})`
    }),
  forgetInRelated: (sql, person, related) =>
    Effect.gen(function* () {
      const { json, person: inText } = person.patterns
      const where = ofLeads(sql, person, related)
      yield* sql`
        update sandbox_voice_call
        set call_order = regexp_replace(call_order::text, ${json}, ${erasedMark}, 'gi')::jsonb,
          person_says = (
            select array_agg(regexp_replace(said, ${inText}, ${erasedMark}, 'gi') order by place)
            from unnest(person_says) with ordinality spoken (said, place))
        where account_id = ${person.accountId}
          and (call_order::text ~* ${json} or array_to_string(person_says, ' ') ~* ${inText})
          and client_reference in (select client_reference from voice_call where ${where})`
      const texts = ["goal", "context", "opening_line", "spoken_text", "summary"]
      yield* redact(sql, { table: "voice_call", texts, json: ["transcript", "classification"] }, where, inText, json)
    })
}
