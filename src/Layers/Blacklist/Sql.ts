import type { SqlClient } from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import { Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

/**
 * Selects the entry that blocks a normalised e-mail address or a phone number in E.164; either may be null. It is the
 * body of the function `blacklist_match`. Other database functions embed it, because a cluster cannot plan a function
 * call inside a function.
 */
export const blacklistMatch = (account: string, email: string, phone: string): string => `
  select entry.blacklist_entry_id from (
    select 1 as precedence, e.blacklist_entry_id from blacklist_entry e
      where e.account_id = ${account} and e.kind = 'email' and e.value = lower(${email})
    union all
    select 2, e.blacklist_entry_id from blacklist_entry e
      where e.account_id = ${account} and e.kind = 'domain' and e.value = substring(lower(${email}) from '@([^@]*)$')
    union all
    select 3, e.blacklist_entry_id from blacklist_entry e
      where e.account_id = ${account} and e.kind = 'phone' and e.match = 'whole' and e.value = phone_key(${phone})
    union all
    select 4, e.blacklist_entry_id from blacklist_entry e
      where e.account_id = ${account} and e.match = 'ending'
        and e.value = any (array(select right(phone_key(${phone}), digits) from generate_series(8, 14) digits))
  ) entry order by entry.precedence limit 1`

/** Counts a withheld message on the entries that block the contacts. `contacts` selects rows of `email` and `phone`. */
export const countBlocks = (sql: SqlClient, accountId: AccountId, contacts: Fragment): Effect.Effect<void, Transient> =>
  sql`
    with contact as (${contacts})
    update blacklist_entry e set times_blocked = times_blocked + 1
    where e.account_id = ${accountId} and e.blacklist_entry_id in (
      select m.blacklist_entry_id from contact c cross join lateral blacklist_match(${accountId}, c.email, null) m
      union
      select m.blacklist_entry_id from contact c cross join lateral blacklist_match(${accountId}, null, c.phone) m
    )`.pipe(Effect.asVoid, fromSql())

/** Counts the block of one contact. Pass only the contact that would have been used. */
export const countBlockOf = (
  sql: SqlClient,
  accountId: AccountId,
  { email, phone }: { readonly email?: string | null; readonly phone?: string | null }
): Effect.Effect<void, Transient> =>
  countBlocks(sql, accountId, sql`select ${email ?? null}::text as email, ${phone ?? null}::text as phone`)
