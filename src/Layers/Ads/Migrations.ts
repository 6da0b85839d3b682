import type { Migration } from "../Platform/Postgres/Migration.ts"

/** The tables of ads campaigns, their payments, and the simulated platform. */
export const adsMigration: Migration = {
  name: "ads",
  sql: `
-- The account's own client account at the platform, under the operator's manager account.
create table ads_customer (
  account_id bigint primary key references account on delete cascade,
  customer_id text not null,
  time_zone text not null,
  created_at timestamptz not null default instant()
);

create table ads_campaign (
  account_id bigint not null references account on delete cascade,
  ads_campaign_id bigint generated always as identity,
  name text not null,
  channel_type text not null check (channel_type in ('Search', 'Automated')),
  daily_budget_micros bigint not null check (daily_budget_micros > 0),
  wanted text not null default 'active' check (wanted in ('active', 'paused', 'ended')),
  state text not null check (state in ('draft', 'awaiting_funds', 'provisioning', 'held', 'live', 'paused', 'depleted',
    'ended', 'failed')),
  hold_reason text,
  hold_detail text,
  failure text,
  -- The last part of the recharge link.
  recharge_key text not null,
  -- What the platform has: its ids, and what it was told last.
  external_id text,
  external_budget_id text,
  external_ad_group_id text,
  external_status text,
  external_budget_micros bigint,
  spent_micros bigint not null default 0,
  impressions bigint not null default 0,
  clicks bigint not null default 0,
  conversions double precision not null default 0,
  synced_at timestamptz,
  synced_day date,
  -- When it is to be looked at again; null: when something changes.
  due_at timestamptz,
  attempts integer not null default 0,
  -- Grows with every change here, so that one that comes while the platform is being told is not taken for told.
  version bigint not null default 1,
  leased_by uuid,
  leased_until timestamptz,
  created_at timestamptz not null default instant(),
  live_since timestamptz,
  ended_at timestamptz,
  primary key (account_id, ads_campaign_id),
  check ((wanted = 'ended') = (state = 'ended')),
  check ((external_id is null) = (external_budget_id is null)),
  check (state <> 'live' or external_id is not null)
);
create unique index ads_campaign_name on ads_campaign (account_id, lower(name)) where wanted <> 'ended';
create index ads_campaign_due on ads_campaign (due_at) where due_at is not null;

create table ads_ad_group (
  account_id bigint not null,
  ad_group_id bigint generated always as identity,
  ads_campaign_id bigint not null,
  name text not null,
  cpc_bid_micros bigint,
  primary key (account_id, ad_group_id),
  unique (account_id, ads_campaign_id),
  foreign key (account_id, ads_campaign_id) references ads_campaign on delete cascade
);

create table ads_ad (
  account_id bigint not null,
  ad_id bigint generated always as identity,
  ads_campaign_id bigint not null,
  final_url text not null,
  headlines jsonb not null,
  descriptions jsonb not null,
  external_id text,
  refusal text,
  created_at timestamptz not null default instant(),
  primary key (account_id, ad_id),
  foreign key (account_id, ads_campaign_id) references ads_campaign on delete cascade
);
create index ads_ad_campaign on ads_ad (account_id, ads_campaign_id);

create table ads_keyword (
  account_id bigint not null,
  keyword_id bigint generated always as identity,
  ads_campaign_id bigint not null,
  keyword_text text not null,
  match_type text not null check (match_type in ('Broad', 'Phrase', 'Exact')),
  is_negative boolean not null,
  external_id text,
  refusal text,
  created_at timestamptz not null default instant(),
  primary key (account_id, keyword_id),
  foreign key (account_id, ads_campaign_id) references ads_campaign on delete cascade
);
create unique index ads_keyword_once
  on ads_keyword (account_id, ads_campaign_id, is_negative, match_type, lower(keyword_text));

-- What was paid: entries are added, never changed.
create table ads_funding_entry (
  account_id bigint not null,
  entry_id bigint generated always as identity,
  ads_campaign_id bigint not null,
  -- One payment is entered once.
  reference text not null,
  -- What was given back is below zero.
  amount_micros bigint not null check (case when source = 'refund' then amount_micros < 0 else amount_micros > 0 end),
  source text not null check (source in ('payment_notice', 'operator', 'sandbox', 'refund')),
  created_at timestamptz not null default instant(),
  primary key (account_id, entry_id),
  unique (account_id, reference),
  foreign key (account_id, ads_campaign_id) references ads_campaign on delete cascade
);
create index ads_funding_entry_campaign on ads_funding_entry (account_id, ads_campaign_id);

-- What the platform charged for each day, as it says now: written over and never added to, so that nothing counts twice.
create table ads_spend_day (
  account_id bigint not null,
  ads_campaign_id bigint not null,
  day date not null,
  cost_micros bigint not null,
  impressions bigint not null,
  clicks bigint not null,
  conversions double precision not null,
  primary key (account_id, ads_campaign_id, day),
  foreign key (account_id, ads_campaign_id) references ads_campaign on delete cascade
);

create table ads_audience (
  account_id bigint not null,
  ads_campaign_id bigint not null,
  external_list_id text,
  is_attached boolean not null default false,
  upload_status text not null default 'none' check (upload_status in ('none', 'processing', 'done', 'partial', 'failed')),
  request_id text,
  emails_sent integer not null default 0,
  emails_removed integer not null default 0,
  uploaded_at timestamptz,
  failure_reason text,
  primary key (account_id, ads_campaign_id),
  foreign key (account_id, ads_campaign_id) references ads_campaign on delete cascade
);

-- Addresses that the platform was given, hashed: who is to be removed is found by them.
create table ads_audience_member (
  account_id bigint not null,
  ads_campaign_id bigint not null,
  email_hash text not null,
  primary key (account_id, ads_campaign_id, email_hash),
  foreign key (account_id, ads_campaign_id) references ads_audience on delete cascade
);

create table ads_keyword_idea (
  account_id bigint not null references account on delete cascade,
  seeds_hash text not null,
  ideas jsonb not null,
  fetched_at timestamptz not null,
  primary key (account_id, seeds_hash)
);

-- The simulated platform: a client account of each account, and what is in it.
create table sandbox_ads_account (
  account_id bigint primary key references account on delete cascade,
  seed integer not null,
  descriptive_name text not null,
  -- What was provoked, such as a suspension.
  troubles jsonb not null default '{}',
  calls bigint not null default 0,
  created_at timestamptz not null default instant()
);

create table sandbox_ads_record (
  account_id bigint not null references sandbox_ads_account on delete cascade,
  record_id bigint generated always as identity,
  kind text not null,
  parent_id bigint,
  body jsonb not null,
  created_at timestamptz not null default instant(),
  primary key (account_id, record_id)
);
create index sandbox_ads_record_kind on sandbox_ads_record (account_id, kind, parent_id);
`
}

/**
 * Adds the time since when the platform has the status that it was last given. Charges from before a pause become known
 * only later.
 */
export const adsPausesMigration: Migration = {
  name: "ads_pauses",
  sql: `
alter table ads_campaign add column external_status_at timestamptz;
update ads_campaign set external_status_at = instant() where external_id is not null;
`
}

/** Phone numbers in audiences, and meetings and won deals that are reported. */
export const adsConversionsMigration: Migration = {
  name: "ads_conversions",
  sql: `
alter table ads_audience add column phones_sent integer not null default 0,
  add column phones_removed integer not null default 0;
alter table ads_audience_member rename column email_hash to identifier_hash;
alter table ads_audience_member add column kind text not null default 'email' check (kind in ('email', 'phone'));
-- Lists that were attached before raised bids. They are looked at again.
update ads_audience set is_attached = false;

-- At the platform: what the reports are counted as.
create table ads_conversion_action (
  account_id bigint not null references ads_customer on delete cascade,
  kind text not null check (kind in ('meeting', 'won')),
  external_id text not null,
  primary key (account_id, kind)
);

-- Meetings and won deals that were reported, each once.
create table ads_conversion (
  account_id bigint not null,
  event text not null,
  lead_id bigint not null,
  kind text not null check (kind in ('meeting', 'won')),
  status text not null default 'sending' check (status in ('sending', 'processing', 'done', 'failed')),
  request_id text,
  failure_reason text,
  reported_at timestamptz not null default instant(),
  primary key (account_id, event),
  foreign key (account_id, lead_id) references lead on delete cascade
);
create index ads_conversion_lead on ads_conversion (account_id, lead_id);
create index ads_conversion_processing on ads_conversion (account_id, request_id) where status = 'processing';
`
}
