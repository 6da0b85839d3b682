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
