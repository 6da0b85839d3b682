import type { Migration } from "../Platform/Postgres/Migration.ts"

/** The table of jobs that an account can follow and cancel. */
export const jobsMigration: Migration = {
  name: "jobs",
  sql: `
create table background_job (
  account_id bigint not null references account on delete cascade,
  job_id uuid not null default gen_random_uuid(),
  kind text not null,
  -- The record that the job works on, such as an import or an export.
  subject_id bigint,
  status text not null default 'queued' check (status in ('queued', 'running', 'finished', 'failed', 'cancelled')),
  progress smallint not null default 0 check (progress between 0 and 100),
  failure_reason text,
  is_cancel_requested boolean not null default false,
  attempts integer not null default 0,
  created_at timestamptz not null default instant(),
  started_at timestamptz,
  finished_at timestamptz,
  primary key (account_id, job_id)
);
create index background_job_recent on background_job (account_id, created_at desc, job_id);
create index background_job_status on background_job (account_id, status, created_at desc);
`
}
