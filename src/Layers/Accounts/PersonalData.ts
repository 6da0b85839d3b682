import type { PersonalData } from "../Platform/PersonalData.ts"

/**
 * Stored answers of writes. They are encrypted, so it is unknown which of them contain the person. All of the account
 * are deleted. A caller that repeats one of those calls learns that its outcome is unknown.
 */
export const accountsPersonalData: PersonalData = {
  forget: (sql, { accountId }) => sql`
    update keyed_write set answer = null where account_id = ${accountId} and answer is not null`
}
