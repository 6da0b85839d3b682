import { Effect } from "effect"
import { type PersonalData, redact } from "../../Platform/PersonalData.ts"

/**
 * A lead's submissions are deleted with it. Submissions of other visitors may name the person, and a visitor who signed
 * in may be the person.
 */
export const formsPersonalData: PersonalData = {
  forget: (sql, { accountId, email, patterns }) =>
    Effect.gen(function* () {
      const ofAccount = sql`account_id = ${accountId}`
      yield* sql`update site_record set visitor_email = null where ${ofAccount} and visitor_email = ${email}`
      yield* redact(
        sql,
        {
          table: "site_record",
          texts: ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content", "referrer"],
          json: ["filled"]
        },
        ofAccount,
        patterns.person,
        patterns.json
      )
      yield* redact(
        sql,
        { table: "website_report", texts: ["message", "contact"] },
        ofAccount,
        patterns.person,
        patterns.json
      )
      yield* sql`delete from site_sign_in where ${ofAccount} and email = ${email}`
      yield* sql`delete from site_session where ${ofAccount} and email = ${email}`
    })
}
