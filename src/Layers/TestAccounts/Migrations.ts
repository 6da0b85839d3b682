import type { Migration } from "../Platform/Postgres/Migration.ts"

/** The table of test accounts. Their contents are in separate databases. */
export const testAccountsMigration: Migration = {
  name: "test_accounts",
  releases: 2,
  sql: `
create table test_account (
  account_id bigint not null references account on delete cascade,
  test_account_id bigint generated always as identity,
  -- In its tokens, its addresses and the names of its databases.
  key text not null unique check (key ~ '^[0-9a-z]{10}$'),
  -- One more with each reset.
  generation integer not null default 1,
  name text not null,
  plan text not null check (plan in ('free_trial', 'paid')),
  country text,
  starts_at timestamptz not null,
  -- Of the token that it has at first.
  token_hash bytea not null check (length(token_hash) = 32),
  created_at timestamptz not null default instant(),
  last_called_at timestamptz,
  primary key (account_id, test_account_id)
);
`
}
