import { Effect } from "effect"
import type { PersonalData } from "../Platform/PersonalData.ts"

/**
 * Removes changes of settings that name the person from the audit log. Their digests stay, so that the chain is still
 * valid. Stored answers of writes are encrypted, so it is unknown which of them contain the person. All of the
 * account's are deleted. A caller that repeats one of those calls learns that its outcome is unknown.
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
