import { Effect } from "effect"
import type { PersonalData } from "../Platform/PersonalData.ts"

/**
 * Changes of settings that name the person go from the audit log. Their digests stay, so that the chain still holds.
 * Stored answers of writes. They are encrypted, so it is unknown which of them contain the person. All of the account
 * are deleted. A caller that repeats one of those calls learns that its outcome is unknown.
 */
export const accountsPersonalData: PersonalData = {
  forget: (sql, { accountId, patterns }) =>
    Effect.all([
      sql`update keyed_write set answer = null where account_id = ${accountId} and answer is not null`,
      sql`update audit_entry set changes = null, salt = null
        where account_id = ${accountId} and changes is not null
          and (changes ~* ${patterns.json} or changes ~* ${patterns.person})`
    ])
}
