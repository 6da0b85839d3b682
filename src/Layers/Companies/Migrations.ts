import type { Migration } from "../Platform/Postgres/Migration.ts"

/** The company directory, and which companies were acquired. */
export const companiesMigration: Migration = {
  name: "companies",
  sql: `
-- A month of the open data of companies. Its rows are loaded beside the current ones, which go when it takes their place.
create table company_edition (
  edition_id integer generated always as identity primary key,
  -- Names the files it is loaded from, so that a load that broke off goes on.
  files_digest text not null,
  state text not null check (state in ('loading', 'current', 'retired')),
  -- The files that are loaded, and the steps after them that are done.
  done_steps text[] not null default '{}',
  place_count bigint not null default 0,
  rejected_count bigint not null default 0,
  -- Names of municipalities that IBGE does not have; their companies are found by state alone.
  unmatched_municipalities text[] not null default '{}',
  begun_at timestamptz not null default instant(),
  switched_at timestamptz
);
create unique index company_edition_current on company_edition (state) where state = 'current';
create unique index company_edition_loading on company_edition (state) where state = 'loading';

-- Active places of business. One partition for an edition, parted again by kind of company, of which hardly anybody looks
-- for more than one; statements name the parts of an edition, so that its replacement waits for nobody. Numbers of states and municipalities are IBGE's; 99 is abroad.
create table company (
  edition_id integer not null,
  type text not null check (type in ('Private', 'Individual', 'Government', 'StateOwned', 'NonProfit')),
  cnpj text collate "C" not null,
  cnae integer not null,
  state smallint not null,
  city integer not null,
  -- 1 micro, 2 small, 3 medium or large, 0 not said.
  size smallint not null,
  founded date,
  legal_name text not null,
  trade_name text,
  person text,
  email text,
  phone text,
  primary key (cnpj, edition_id, type)
) partition by list (edition_id);
-- A search is answered from one of these alone: in the order of pages by state or municipality, or by day of foundation.
create index company_state on company (state, cnae, cnpj) include (size, founded);
create index company_city on company (city, cnae, cnpj) include (size, founded);
create index company_founded on company (founded, cnae, cnpj) include (state, city, size);

-- How many there are, for estimates: by what is asked for most, by municipality, and by year of foundation.
create table company_frequency (
  edition_id integer not null,
  type text not null,
  state smallint not null,
  cnae integer not null,
  size smallint not null,
  companies bigint not null,
  primary key (edition_id, type, state, cnae, size)
);
-- The same by division, which most estimates need: a hundred rows where there are thirteen hundred subclasses.
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

-- Whether domains take mail, as their name servers said.
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

-- How far each campaign is in the directory, and the account beside its campaigns.
create table lead_generation_track (
  account_id bigint not null references account on delete cascade,
  lead_generation_track_id bigint generated always as identity,
  campaign_id bigint,
  -- A change of the filter or of the directory begins from the first company.
  filter_digest text not null,
  resume_after text,
  is_at_end boolean not null default false,
  taken_on date,
  taken_today integer not null default 0,
  taken_in_all bigint not null default 0,
  matching bigint not null default 0,
  is_matching_exact boolean not null default true,
  -- Companies that were looked at, taken or not.
  examined bigint not null default 0,
  told_empty_at timestamptz,
  primary key (account_id, lead_generation_track_id),
  foreign key (account_id, campaign_id) references campaign,
  unique nulls not distinct (account_id, campaign_id)
);

-- One company becomes a lead of an account once.
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

-- Companies whose lead was erased: a digest, so that they do not come back and are not named.
create table released_company (
  account_id bigint not null references account on delete cascade,
  company_digest bytea not null,
  primary key (account_id, company_digest)
);

-- Companies whose domain could not be looked up: tried again before the next ones.
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
