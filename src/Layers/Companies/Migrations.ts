import type { Migration } from "../Platform/Postgres/Migration.ts"

/** The tables of the company directory, and of the companies that were acquired. */
export const companiesMigration: Migration = {
  name: "companies",
  sql: `
-- A month of the open company data. It is loaded next to the present one, which is deleted when the new one replaces
-- it.
create table company_edition (
  edition_id integer generated always as identity primary key,
  -- Identifies the files of the load, so that an interrupted load can continue.
  files_digest text not null,
  state text not null check (state in ('loading', 'current', 'retired')),
  -- The loaded files, and the finished steps after them.
  done_steps text[] not null default '{}',
  place_count bigint not null default 0,
  rejected_count bigint not null default 0,
  -- Names of municipalities that IBGE does not have. Their companies are found by state only.
  unmatched_municipalities text[] not null default '{}',
  begun_at timestamptz not null default instant(),
  switched_at timestamptz
);
create unique index company_edition_current on company_edition (state) where state = 'current';
create unique index company_edition_loading on company_edition (state) where state = 'loading';

-- Active places of business. An edition is one partition, with a sub-partition per kind of company, because most
-- searches name one kind. Statements name the partitions, so replacing an edition waits for no search. Numbers of
-- states and municipalities are IBGE's, and 99 means abroad.
create table company (
  edition_id integer not null,
  type text not null check (type in ('Private', 'Individual', 'Government', 'StateOwned', 'NonProfit')),
  cnpj text collate "C" not null,
  cnae integer not null,
  state smallint not null,
  city integer not null,
  -- 1 micro, 2 small, 3 medium or large, 0 unknown.
  size smallint not null,
  founded date,
  legal_name text not null,
  trade_name text,
  person text,
  email text,
  phone text,
  primary key (cnpj, edition_id, type)
) partition by list (edition_id);
-- Each search uses one of these: by state or municipality in the order of pages, or by day of foundation.
create index company_state on company (state, cnae, cnpj) include (size, founded);
create index company_city on company (city, cnae, cnpj) include (size, founded);
create index company_founded on company (founded, cnae, cnpj) include (state, city, size);

-- Counts for estimates: by the most frequent filters, by municipality, and by year of foundation.
create table company_frequency (
  edition_id integer not null,
  type text not null,
  state smallint not null,
  cnae integer not null,
  size smallint not null,
  companies bigint not null,
  primary key (edition_id, type, state, cnae, size)
);
-- The same by division, which most estimates need: a hundred rows instead of thirteen hundred subclasses.
create table company_division_frequency (
  edition_id integer not null,
  type text not null,
  state smallint not null,
  division smallint not null,
  size smallint not null,
  companies bigint not null,
  primary key (edition_id, type, state, division, size)
);
create table company_city_frequency (
  edition_id integer not null,
  type text not null,
  city integer not null,
  companies bigint not null,
  primary key (edition_id, type, city)
);
create table company_year_frequency (
  edition_id integer not null,
  type text not null,
  founded_year smallint not null,
  companies bigint not null,
  primary key (edition_id, type, founded_year)
);

-- Whether domains receive mail, according to their name servers.
create table mail_domain (
  domain text primary key,
  verdict text not null check (verdict in ('takes_mail', 'no_such_domain', 'domain_takes_no_mail')),
  checked_at timestamptz not null
);
create index mail_domain_checked on mail_domain (checked_at);

-- When companies are next acquired for an account.
create table lead_generation_run (
  account_id bigint primary key references account on delete cascade,
  next_at timestamptz not null
);

-- The position in the directory of each campaign, and of the account without a campaign.
create table lead_generation_track (
  account_id bigint not null references account on delete cascade,
  lead_generation_track_id bigint generated always as identity,
  campaign_id bigint,
  -- If the filter or the directory changes, the search restarts at the first company.
  filter_digest text not null,
  resume_after text,
  is_at_end boolean not null default false,
  taken_on date,
  taken_today integer not null default 0,
  taken_in_all bigint not null default 0,
  matching bigint not null default 0,
  is_matching_exact boolean not null default true,
  -- The number of companies that were examined, taken or not.
  examined bigint not null default 0,
  told_empty_at timestamptz,
  primary key (account_id, lead_generation_track_id),
  foreign key (account_id, campaign_id) references campaign,
  unique nulls not distinct (account_id, campaign_id)
);

-- A company becomes an account's lead once.
create table acquired_company (
  account_id bigint not null references account on delete cascade,
  source text not null,
  company_key text not null,
  lead_id bigint not null,
  acquired_at timestamptz not null default instant(),
  primary key (account_id, source, company_key),
  foreign key (account_id, lead_id) references lead on delete cascade
);
create index acquired_company_lead on acquired_company (account_id, lead_id);

-- Digests of companies whose lead was erased, so that they are not acquired again and their names are not stored.
create table released_company (
  account_id bigint not null references account on delete cascade,
  company_digest bytea not null,
  primary key (account_id, company_digest)
);

-- Companies whose domain could not be looked up. They are tried again before new ones.
create table deferred_company (
  account_id bigint not null references account on delete cascade,
  source text not null,
  place_key text not null,
  campaign_id bigint,
  attempts integer not null default 1,
  retry_at timestamptz not null,
  primary key (account_id, source, place_key),
  foreign key (account_id, campaign_id) references campaign
);
create index deferred_company_campaign on deferred_company (account_id, campaign_id, retry_at);
`
}
