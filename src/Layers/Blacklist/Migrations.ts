import type { Migration } from "../Platform/Postgres/Migration.ts"
import { blacklistMatch } from "./Sql.ts"

/** The table of contacts that an account never contacts. */
export const blacklistMigration: Migration = {
  name: "blacklist",
  sql: `
create table blacklist_entry (
  account_id bigint not null references account on delete cascade,
  blacklist_entry_id bigint generated always as identity,
  kind text not null check (kind in ('email', 'domain', 'phone')),
  -- E-mails and domains in lower case, phones as made by phone_key.
  value text not null,
  -- A phone without a known country blocks every number that ends with its digits.
  match text not null default 'whole' check (match = 'whole' or (match = 'ending' and kind = 'phone')),
  reason text not null check (reason in ('Competitor', 'Client', 'Other')),
  times_blocked bigint not null default 0,
  created_at timestamptz not null default instant(),
  primary key (account_id, blacklist_entry_id),
  unique (account_id, kind, value)
);
create index blacklist_entry_ending on blacklist_entry (account_id, value) where match = 'ending';

-- The entry that blocks the normalised e-mail or the phone in E.164. Either may be null. No row without a match.
create function blacklist_match(account bigint, email text, phone text) returns table (blacklist_entry_id bigint)
language sql stable parallel safe as $$
  ${blacklistMatch("blacklist_match.account", "blacklist_match.email", "blacklist_match.phone")}
$$;
`
}
