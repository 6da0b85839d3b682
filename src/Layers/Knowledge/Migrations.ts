import type { Migration } from "../Platform/Postgres/Migration.ts"

/** The account's business profile, its files split into passages, and its assessment. */
export const knowledgeMigration: Migration = {
  name: "knowledge",
  sql: `
create table business_profile (
  account_id bigint primary key references account on delete cascade,
  business_name text,
  business_description text,
  business_website text,
  ideal_customer_profile text,
  paying_customer_examples text,
  updated_at timestamptz not null default instant()
);

create table business_assessment (
  account_id bigint primary key references account on delete cascade,
  judgement jsonb not null,
  -- The digest of its inputs. If they have another digest now, it is outdated.
  inputs_digest bytea not null,
  assessed_at timestamptz not null default instant()
);

create table business_file (
  account_id bigint not null references account on delete cascade,
  business_file_id bigint generated always as identity,
  campaign_id bigint,
  title text not null,
  -- The source: a text, or a file whose bytes are read once. The file may be removed afterwards.
  given_text text,
  -- Whether the text consists of statements from web pages.
  is_from_web boolean not null default false,
  customer_file_id bigint,
  file_name text,
  media_type text,
  -- A digest of the content. The same content in the same scope is the same file.
  content_digest bytea not null,
  status text not null default 'queued' check (status in ('queued', 'running', 'finished', 'failed', 'cancelled')),
  failure_reason text,
  failure_detail text,
  character_count bigint,
  passage_count integer,
  job_id uuid not null,
  created_at timestamptz not null default instant(),
  indexed_at timestamptz,
  primary key (account_id, business_file_id),
  foreign key (account_id, campaign_id) references campaign,
  foreign key (account_id, job_id) references background_job
);
create unique index business_file_content on business_file (account_id, (coalesce(campaign_id, 0)), content_digest);
create index business_file_campaign on business_file (account_id, campaign_id) where campaign_id is not null;
create index business_file_job on business_file (account_id, job_id);
create index business_file_source on business_file (account_id, customer_file_id) where customer_file_id is not null;

create table business_passage (
  account_id bigint not null,
  business_file_id bigint not null,
  sequence integer not null,
  -- The headings above it, outermost first.
  heading text not null,
  body text not null,
  stems tsvector not null,
  primary key (account_id, business_file_id, sequence),
  foreign key (account_id, business_file_id) references business_file on delete cascade
);
create index business_passage_stems on business_passage using gin (account_id, stems);

-- The embedding of a passage, if there is a service: float32 numbers of a vector of length one, little-endian.
create table business_passage_embedding (
  account_id bigint not null,
  business_file_id bigint not null,
  sequence integer not null,
  model text not null,
  vector bytea not null,
  primary key (account_id, business_file_id, sequence, model),
  foreign key (account_id, business_file_id, sequence) references business_passage on delete cascade
);
`
}
