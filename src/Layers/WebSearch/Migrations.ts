import type { Migration } from "../Platform/Postgres/Migration.ts"

/** Web searches of accounts. */
export const webSearchMigration: Migration = {
  name: "web_search",
  sql: `
create table online_search (
  account_id bigint not null references account on delete cascade,
  online_search_id bigint generated always as identity,
  query text not null,
  type text not null check (type in ('Fast', 'Standard', 'Deep')),
  status text not null default 'queued' check (status in ('queued', 'running', 'finished', 'failed', 'cancelled')),
  failure_reason text,
  -- Addresses that get the answer by mail.
  send_to jsonb not null default '[]',
  result text,
  sources jsonb not null default '[]',
  queries jsonb not null default '[]',
  pages_read integer not null default 0,
  answered_by text check (answered_by in ('model', 'rules')),
  searched text check (searched in ('web', 'own_material')),
  job_id uuid not null,
  created_at timestamptz not null default instant(),
  finished_at timestamptz,
  primary key (account_id, online_search_id),
  foreign key (account_id, job_id) references background_job
);
create index online_search_job on online_search (account_id, job_id);
`
}
