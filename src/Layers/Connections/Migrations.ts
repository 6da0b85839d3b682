import type { Migration } from "../Platform/Postgres/Migration.ts"

/** The tables of accounts' connections to external services, and of their rate limits. */
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
  -- Who asks for new tokens of a consent, and until when others wait for it.
  renewed_by uuid,
  renewed_until timestamptz,
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
  primary key (account_id, service, bucket)
);

-- Consents that were begun in a browser and have not come back.
create table oauth_state (
  account_id bigint not null references account on delete cascade,
  state_hash bytea not null,
  service text not null,
  -- Of the cookie of the browser that began.
  browser_hash bytea not null,
  -- Sealed: whoever has it and the code gets the tokens.
  verifier bytea not null,
  expires_at timestamptz not null,
  primary key (account_id, state_hash)
);

-- What the simulated authorization server knows.
create table sandbox_oauth_code (
  account_id bigint not null references account on delete cascade,
  code_hash bytea not null,
  service text not null,
  holder text not null,
  scopes text[] not null,
  challenge text not null,
  redirect_uri text not null,
  expires_at timestamptz not null,
  primary key (account_id, code_hash)
);
create table sandbox_oauth_grant (
  account_id bigint not null references account on delete cascade,
  grant_id bigint generated always as identity,
  service text not null,
  holder text not null,
  scopes text[] not null,
  refresh_hash bytea not null,
  access_hash bytea not null,
  access_expires_at timestamptz not null,
  is_revoked boolean not null default false,
  primary key (account_id, grant_id)
);
create index sandbox_oauth_grant_by_refresh on sandbox_oauth_grant (account_id, refresh_hash);
create index sandbox_oauth_grant_by_access on sandbox_oauth_grant (account_id, access_hash);
`
}
