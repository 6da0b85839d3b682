import type { PersonalData } from "../Platform/PersonalData.ts"

/** Kept answers of writes in which the person is named: whoever repeats such a call is told that its end is not known. */
export const mcpPersonalData: PersonalData = {
  forget: (sql, { accountId, patterns: { json, person } }) => sql`
    update keyed_call set answer = null
    where account_id = ${accountId} and (answer ~* ${person} or answer ~* ${json})`
}
