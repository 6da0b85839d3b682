import type { Migration } from "../Platform/Postgres/Migration.ts"

/** Connections to lead databases, the contacts read from them, and the simulated database. */
export const leadSourceMigration: Migration = {
  name: "lead_source",
  sql: `
create table lead_source (
  account_id bigint primary key references account on delete cascade,
  -- A list in the database. Null means all saved contacts.
  list_id text,
  list_name text,
  -- The next page to read.
  page integer not null default 1,
  contact_count integer,
  read_count integer not null default 0,
  handed_over_count integer not null default 0,
  invalid_email_count integer not null default 0,
  no_contact_count integer not null default 0,
  opted_out_count integer not null default 0,
  last_read_at timestamptz,
  next_read_at timestamptz not null default instant()
);
create index lead_source_due on lead_source (next_read_at);

-- Contacts that were read before, so that the daily run takes only new ones.
create table lead_source_contact (
  account_id bigint not null references lead_source on delete cascade,
  contact_id text not null,
  primary key (account_id, contact_id)
);

-- The simulated database, with an account for each key that begins with sandbox-.
create table sandbox_lead_source (
  account_id bigint not null references account on delete cascade,
  tenant text not null,
  is_revoked boolean not null default false,
  slow_until timestamptz,
  calls bigint not null default 0,
  primary key (account_id, tenant)
);

-- How often each path was called in each window.
create table sandbox_lead_source_window (
  account_id bigint not null,
  tenant text not null,
  endpoint text not null,
  seconds integer not null,
  began_at timestamptz not null,
  calls integer not null,
  primary key (account_id, tenant, endpoint, seconds),
  foreign key (account_id, tenant) references sandbox_lead_source on delete cascade
);
`
}
