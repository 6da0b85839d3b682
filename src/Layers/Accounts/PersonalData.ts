import type { PersonalData } from "../Platform/PersonalData.ts"

/**
 * Kept answers of writes. They are sealed, so that no one can see which of them name the person: all of the account go, and
 * a caller who repeats one of those calls learns that its outcome is unknown.
 */
export const accountsPersonalData: PersonalData = {
  forget: (sql, { accountId }) => sql`
    update keyed_write set answer = null where account_id = ${accountId} and answer is not null`
}
