import type { Migration } from "../Platform/Postgres/Migration.ts"

/** The tables of generated media (images, drawings and videos), each with the job that makes it. */
export const mediaMigration: Migration = {
  name: "media",
  sql: `
create table media_generation (
  account_id bigint not null references account on delete cascade,
  generation_id bigint generated always as identity,
  kind text not null check (kind in ('image', 'drawing', 'video')),
  job_id uuid not null,
  prompt text not null,
  -- What was asked for, as it is applied.
  request jsonb not null,
  -- What a drawing or a video of ours is made of: it is what later ones change.
  model jsonb,
  mode text check (mode in ('live', 'sandbox')),
  -- Written down before the provider is asked: an order of which no more is known is not placed again.
  order_state text check (order_state in ('placing', 'placed')),
  order_id text,
  width integer,
  height integer,
  customer_file_id bigint,
  -- The same drawing as SVG.
  vector_file_id bigint,
  failure_code text,
  failure_detail text,
  created_at timestamptz not null default instant(),
  primary key (account_id, generation_id),
  foreign key (account_id, job_id) references background_job,
  foreign key (account_id, customer_file_id) references customer_file,
  foreign key (account_id, vector_file_id) references customer_file
);
create index media_generation_recent on media_generation (account_id, kind, generation_id desc);
create index media_generation_job on media_generation (account_id, job_id);
create index media_generation_file on media_generation (account_id, customer_file_id) where customer_file_id is not null;
create index media_generation_vector on media_generation (account_id, vector_file_id) where vector_file_id is not null;
`
}

/** The column with the outcome of each wish in a prompt. */
export const mediaReportMigration: Migration = {
  name: "media_reports",
  sql: `
-- {done, not_done, needs_input}; null until it has ended.
alter table media_generation add column report jsonb;
`
}
