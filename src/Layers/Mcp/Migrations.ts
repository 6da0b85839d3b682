import type { Migration } from "../Platform/Postgres/Migration.ts"

/** Questions to the person who uses a client, and their answers. */
export const mcpMigration: Migration = {
  name: "mcp",
  sql: `
create table client_question (
  account_id bigint not null references account on delete cascade,
  client_question_id uuid not null default gen_random_uuid(),
  -- Null for a caller without a token: then no token can answer.
  access_token_id bigint,
  tool_name text not null,
  arguments_digest text not null,
  -- What the client answered, as it came.
  answer jsonb,
  used_at timestamptz,
  expires_at timestamptz not null,
  primary key (account_id, client_question_id)
);
create index client_question_expiry on client_question (account_id, expires_at);

-- What clients of older revisions said they follow, by their sessions.
create table followed_resource (
  account_id bigint not null references account on delete cascade,
  session_id text not null,
  uri text not null,
  followed_at timestamptz not null,
  primary key (account_id, session_id, uri)
);

-- Calls of older clients that were taken back where another process may run them.
create table cancelled_call (
  account_id bigint not null references account on delete cascade,
  call_hash text not null,
  cancelled_at timestamptz not null,
  primary key (account_id, call_hash)
);

-- Writes that came with a key, and what they answered.
create table keyed_call (
  account_id bigint not null references account on delete cascade,
  key_hash bytea not null check (length(key_hash) = 32),
  tool_name text not null,
  arguments_digest text not null,
  begun_at timestamptz not null,
  -- Members of the result as they were answered; null while the call runs, or where its end is not known.
  answer text,
  primary key (account_id, key_hash)
);
create index keyed_call_age on keyed_call (account_id, begun_at);

-- What an owner allowed a program, until the program takes it up.
create table oauth_code (
  account_id bigint not null references account on delete cascade,
  code_hash bytea not null check (length(code_hash) = 32),
  client_id text not null,
  -- What the token will be called.
  label text not null,
  redirect_uri text not null,
  challenge text not null,
  scopes text[] not null,
  resource text not null,
  confirmation text not null,
  ends_at timestamptz,
  expires_at timestamptz not null,
  used_at timestamptz,
  access_token_id bigint,
  primary key (account_id, code_hash),
  foreign key (account_id, access_token_id) references access_token on delete cascade
);
create index oauth_code_token on oauth_code (account_id, access_token_id);

-- The access token of a program is one row for as long as its consent holds: renewing it changes the row's value.
create table oauth_refresh (
  account_id bigint not null references account on delete cascade,
  refresh_hash bytea not null check (length(refresh_hash) = 32),
  access_token_id bigint not null,
  client_id text not null,
  scopes text[] not null,
  resource text not null,
  ends_at timestamptz,
  expires_at timestamptz not null,
  -- One that comes again after this was stolen, from the program or by it.
  used_at timestamptz,
  primary key (account_id, refresh_hash),
  foreign key (account_id, access_token_id) references access_token on delete cascade
);
create index oauth_refresh_token on oauth_refresh (account_id, access_token_id);
`
}

/** The token that an owner consented with. When it ends, the grant's tokens end too. */
export const consentMakersMigration: Migration = {
  name: "consent_makers",
  releases: 1,
  sql: `
alter table oauth_code add column maker_token_id bigint;
`
}

/** Stores answers of keyed writes encrypted. Unencrypted ones, and digests that could be guessed, are deleted. */
export const sealedAnswersMigration: Migration = {
  name: "sealed_answers",
  releases: 1,
  sql: `
delete from keyed_call;
alter table keyed_call drop column answer;
-- Members of the result as they were answered, sealed with the caller's key. Null while the call runs, or where its end is
-- not known.
alter table keyed_call add column answer bytea;
`
}

/** Keyed writes moved to the room of accounts, since REST has them too. */
export const keyedCallsMovedMigration: Migration = {
  name: "keyed_calls_moved",
  releases: 1,
  sql: `
drop table keyed_call;
`
}
