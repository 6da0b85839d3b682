import { Effect } from "effect"
import type { PersonalData } from "../Platform/PersonalData.ts"

/** Mail from before the person was a lead stands in the feed, and notices to the owner name the lead. */
export const eventsPersonalData: PersonalData = {
  forget: (sql, { accountId, email, leadId }) =>
    Effect.gen(function* () {
      if (email !== null) {
        yield* sql`
          update account_event set data = data || '{"from_address": null, "subject": null}'
          where account_id = ${accountId} and event_type = 'email_received' and data ->> 'from_address' = ${email}`
      }
      yield* sql`
        update notification set message = 'The lead that this was about was erased.',
          data = jsonb_build_object('lead_id', ${leadId}::bigint)
        where account_id = ${accountId} and data -> 'lead_id' = to_jsonb(${leadId}::bigint)`
    })
}
