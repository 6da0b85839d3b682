import type { Migration } from "../Platform/Postgres/Migration.ts"

/** Questions to the person before a client, and their answers. */
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
`
}
