import type { Migration } from "../Platform/Postgres/Migration.ts"

/** Accounts' connections with services of their own, and what these allow. */
export const connectionsMigration: Migration = {
  name: "connections",
  sql: `
create table connection (
  account_id bigint not null references account on delete cascade,
  service text not null,
  state text not null check (state in ('connected', 'needs_reconnect', 'disconnected')),
  identity text not null,
  settings jsonb not null default '{}',
  -- Sealed for this account and service; null once it is disconnected.
  secrets bytea,
  is_verified boolean not null,
  is_sandbox boolean not null,
  connected_at timestamptz not null default instant(),
  checked_at timestamptz not null default instant(),
  last_error text,
  primary key (account_id, service),
  check (state <> 'connected' or secrets is not null)
);
create index connection_at_work on connection (service, account_id) where state = 'connected';

-- Token buckets, so that processes share what a service allows.
create table connection_bucket (
  account_id bigint not null references account on delete cascade,
  service text not null,
  bucket text not null,
  tokens double precision not null,
  filled_at timestamptz not null,
  -- The service said that nothing is left until then.
  empty_until timestamptz not null default '-infinity',
  -- Whether the last one to ask got what it asked for: the answer of the one statement that takes.
  was_granted boolean not null,
  primary key (account_id, service, bucket)
);
`
}
