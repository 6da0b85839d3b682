import type { Migration } from "../Platform/Postgres/Migration.ts"

/** The tables of imports and exports of leads. */
export const leadFilesMigration: Migration = {
  name: "lead_files",
  sql: `
create table lead_import (
  account_id bigint not null references account on delete cascade,
  lead_import_id bigint generated always as identity,
  job_id uuid not null,
  customer_file_id bigint,
  source_name text not null,
  -- Rows from the call itself. Null for a file.
  inline_rows jsonb,
  campaign_id bigint,
  lead_status text not null,
  preferred_channel text check (preferred_channel in ('Email', 'ChatApp')),
  instructions text,
  first_message_instructions text,
  prospecting_background text,
  prospecting_goal text,
  -- Null until the whole source was read once.
  row_count integer,
  -- Rows of the source with an outcome. A resumed job continues here.
  rows_processed integer not null default 0,
  -- When the account was notified of the end.
  told_at timestamptz,
  created_count integer not null default 0,
  duplicate_count integer not null default 0,
  invalid_count integer not null default 0,
  created_at timestamptz not null default instant(),
  primary key (account_id, lead_import_id),
  foreign key (account_id, job_id) references background_job,
  foreign key (account_id, campaign_id) references campaign
);
create index lead_import_job on lead_import (account_id, job_id);
create index lead_import_campaign on lead_import (account_id, campaign_id) where campaign_id is not null;

create table lead_import_row (
  account_id bigint not null,
  lead_import_id bigint not null,
  row_number integer not null,
  outcome text not null check (outcome in ('created', 'duplicate', 'invalid')),
  reason text,
  lead_id bigint,
  primary key (account_id, lead_import_id, row_number),
  foreign key (account_id, lead_import_id) references lead_import on delete cascade
);
create index lead_import_row_lead on lead_import_row (account_id, lead_id) where lead_id is not null;

create table lead_export (
  account_id bigint not null references account on delete cascade,
  lead_export_id bigint generated always as identity,
  job_id uuid not null,
  -- The search text is removed when the file is written, because it may name a person.
  filter jsonb not null,
  customer_file_id bigint,
  lead_count bigint,
  created_at timestamptz not null default instant(),
  primary key (account_id, lead_export_id),
  foreign key (account_id, job_id) references background_job,
  foreign key (account_id, customer_file_id) references customer_file
);
create index lead_export_job on lead_export (account_id, job_id);
create index lead_export_file on lead_export (account_id, customer_file_id) where customer_file_id is not null;
alter table lead add foreign key (account_id, lead_import_id) references lead_import;
`
}

/** The table of archives with all data of an account. */
export const accountExportsMigration: Migration = {
  name: "account_exports",
  releases: 1,
  sql: `
create table account_export (
  account_id bigint not null references account on delete cascade,
  account_export_id bigint generated always as identity,
  job_id uuid not null,
  customer_file_id bigint,
  created_at timestamptz not null default instant(),
  primary key (account_id, account_export_id),
  foreign key (account_id, job_id) references background_job,
  foreign key (account_id, customer_file_id) references customer_file
);
create index account_export_job on account_export (account_id, job_id);
create index account_export_file on account_export (account_id, customer_file_id) where customer_file_id is not null;
`
}

/** Adds how an import interpreted its columns and changed each row's values. */
export const leadImportDetailsMigration: Migration = {
  name: "lead_import_details",
  sql: `
-- What each column was taken for, with samples. Null until the source was read, and for rows without columns.
alter table lead_import add column columns jsonb;
-- Contact values that were cleaned or left out. Null if there are none.
alter table lead_import_row add column warnings jsonb;
-- Fields of an existing lead that the row filled, and those that it did not fill with the reason. Null if none.
alter table lead_import_row add column filled jsonb;
alter table lead_import_row add column not_filled jsonb;
`
}
