import type { Migration } from "../../Platform/Postgres/Migration.ts"

/** The tables of requests for access to restricted sites, and of visitors' reports. */
export const servingMigration: Migration = {
  name: "website_serving",
  sql: `
-- Kept for a day. Nothing in it says who it was, but what is sealed until the mail is written.
create table website_access_try (
  account_id bigint not null,
  website_access_try_id bigint generated always as identity,
  website_id bigint not null,
  -- A code that was asked for by mail, or the access code that was typed.
  kind text not null check (kind in ('mailed', 'typed')),
  address_hash bytea,
  network_hash bytea not null,
  code_hash bytea,
  -- Address and code, sealed, until the mail is written.
  pending bytea,
  guesses integer not null default 0,
  created_at timestamptz not null default instant(),
  primary key (account_id, website_access_try_id),
  foreign key (account_id, website_id) references website on delete cascade
);
create index website_access_try_recent on website_access_try (account_id, website_id, created_at);

create table website_report (
  account_id bigint not null,
  website_report_id bigint generated always as identity,
  website_id bigint not null,
  reason text not null check (reason in ('fraud', 'illegal', 'personal_data', 'copyright', 'other')),
  message text not null,
  -- Where the one who reported can be reached; null where that was not said.
  contact text,
  network_hash bytea not null,
  created_at timestamptz not null default instant(),
  closed_at timestamptz,
  -- Of the mail to the operators; null where an earlier report of the site was still waiting.
  mail_status text check (mail_status in ('queued', 'sent', 'failed', 'unknown')),
  mail_handed_over_at timestamptz,
  primary key (account_id, website_report_id),
  foreign key (account_id, website_id) references website on delete cascade
);
create index website_report_recent on website_report (account_id, website_id, created_at);
`
}
