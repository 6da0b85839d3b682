import type { Migration } from "../Platform/Postgres/Migration.ts"

/** Sites, their names, and every state that each of them had. */
export const websitesMigration: Migration = {
  name: "websites",
  sql: `
create table website (
  account_id bigint not null references account on delete cascade,
  website_id bigint generated always as identity,
  application_type text not null check (application_type in ('Website', 'LeadCapturePage')),
  description text not null,
  business_name text,
  title text not null,
  -- Whether the owner chose it; else it follows what is written.
  is_title_given boolean not null default false,
  language text not null,
  guidelines text not null default '',
  is_restricted boolean not null default false,
  -- Opens a restricted site beside the codes that are mailed; sealed.
  access_code bytea,
  -- The unguessable part of the editor's address.
  editor_key text not null default gen_random_uuid(),
  stores_data boolean not null default false,
  -- What visitors see; null until the first generation is finished.
  published_code_id bigint,
  analytics_measurement_id text,
  ads_conversion_id text,
  pixel_id text,
  suspended_at timestamptz,
  suspended_reason text,
  archived_at timestamptz,
  created_at timestamptz not null default instant(),
  primary key (account_id, website_id)
);
create unique index website_editor on website (account_id, editor_key);
create index website_recent on website (account_id, website_id desc) where archived_at is null;

-- The part of the host name before the site domain, over all accounts. A given-up one leads to the site's new name.
create table website_name (
  name text primary key,
  account_id bigint not null references account on delete cascade,
  website_id bigint not null,
  given_up_at timestamptz
);
create index website_name_site on website_name (account_id, website_id);

create table website_code (
  -- Of the account itself too: it goes together with its jobs.
  account_id bigint not null references account on delete cascade,
  website_code_id bigint generated always as identity,
  website_id bigint not null,
  kind text not null check (kind in ('generation', 'change', 'edit', 'restoration', 'snapshot')),
  -- Null for what needed no work in the background.
  job_id uuid,
  prompt text not null,
  request jsonb not null,
  mode text check (mode in ('live', 'sandbox')),
  -- What the web said of the business, with its sources: it is searched once.
  web_facts jsonb,
  -- What was written and still waits for its pictures.
  draft jsonb,
  -- The typed model; null until it is finished, and never changed from then on.
  site jsonb,
  -- What was made or changed, for the owner.
  notes jsonb not null default '[]',
  restored_from bigint,
  failure_code text,
  failure_detail text,
  created_at timestamptz not null default instant(),
  finished_at timestamptz,
  primary key (account_id, website_code_id),
  foreign key (account_id, website_id) references website on delete cascade,
  foreign key (account_id, job_id) references background_job
);
create index website_code_of_site on website_code (account_id, website_id, website_code_id desc);
create index website_code_day on website_code (account_id, created_at);
create index website_code_job on website_code (account_id, job_id) where job_id is not null;

-- Pictures that sites show, encoded here. The same order of the same site is made once.
create table website_picture (
  account_id bigint not null,
  website_id bigint not null,
  -- A digest of what was ordered.
  order_digest text not null,
  -- A digest of the bytes: it is what the address has. Null while a provider has the order, and for good where its answer
  -- was lost: it is not placed again.
  digest text,
  width integer not null,
  height integer not null,
  -- WebP, whole and for narrow screens.
  bytes bytea,
  small_bytes bytea,
  size_bytes integer not null default 0,
  created_at timestamptz not null default instant(),
  primary key (account_id, website_id, order_digest),
  foreign key (account_id, website_id) references website on delete cascade,
  check ((digest is null) = (bytes is null) and (digest is null) = (small_bytes is null))
);
alter table website_picture alter column bytes set storage external;
alter table website_picture alter column small_bytes set storage external;
create index website_picture_digest on website_picture (account_id, website_id, digest);
create index website_picture_order on website_picture (account_id, order_digest) where digest is not null;
`
}

/** The column with the outcome of each wish in a prompt. */
export const websiteReportMigration: Migration = {
  name: "website_reports",
  sql: `
-- {done, not_done, needs_input}; null where an entry was not made by a prompt.
alter table website_code add column report jsonb;
`
}
