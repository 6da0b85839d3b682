import type { Migration } from "../Platform/Postgres/Migration.ts"

/** The table of browser sessions. */
export const consoleSessionsMigration: Migration = {
  name: "console_sessions",
  releases: 2,
  sql: `
create table console_session (
  account_id bigint not null,
  session_hash bytea not null check (length(session_hash) = 32),
  access_token_id bigint not null,
  -- The digest of the secret that signed in. When the token is rotated, the session ends with that secret.
  token_hash bytea not null check (length(token_hash) = 32),
  started_at timestamptz not null default instant(),
  last_call_at timestamptz not null default instant(),
  primary key (account_id, session_hash),
  foreign key (account_id, access_token_id) references access_token on delete cascade
);
create index console_session_token on console_session (account_id, access_token_id, started_at);
`
}
