import type { Migration } from "../Platform/Postgres/Migration.ts"

/** The tables of the messaging app's lines and messages. */
export const chatAppMigration: Migration = {
  name: "chatapp",
  sql: `
-- The number that an account writes from on the messaging app.
create table chatapp_line (
  account_id bigint primary key references account on delete cascade,
  status text not null check (status in ('provisioning', 'pending_signup', 'live', 'failed')),
  uses_own_number boolean not null,
  phone text,
  -- The number as the provider names it, and the provider's account that it belongs to.
  provider_line_id text,
  provider_account_id text,
  -- What the provider wants to see for a number of the customer's own, sealed; null for the platform's numbers.
  credential bytea,
  display_name text,
  quality_rating text,
  profile jsonb not null default '{}',
  -- Names the line in the one-click link by which the owner connects a number.
  signup_key text,
  health_issue text,
  health_fix text,
  job_id uuid,
  failure_reason text,
  checked_at timestamptz,
  created_at timestamptz not null default instant(),
  check (status <> 'live' or provider_line_id is not null)
);

-- Whose the provider's numbers are, whoever asks: a webhook knows the number alone, and no two accounts have the same.
create table chatapp_provider_line (
  provider_line_id text primary key,
  account_id bigint not null unique references account on delete cascade
);

create table chatapp_message (
  account_id bigint not null,
  chatapp_message_id bigint generated always as identity,
  lead_id bigint,
  touch_id bigint,
  direction text not null check (direction in ('outbound', 'inbound')),
  kind text not null check (kind in ('text', 'template', 'media')),
  message_type text,
  status text not null check (status in ('queued', 'sending', 'sent', 'delivered', 'read', 'unknown', 'failed', 'cancelled', 'received')),
  failure_reason text,
  phone text not null,
  -- Whom a message to nobody's lead greets.
  addressee text,
  body text not null,
  reply_text text,
  template_name text,
  template_language text,
  media_url text,
  -- image, video, audio, document or sticker.
  media_type text,
  media_name text,
  -- Of an inbound file: where the provider has it, whether it was fetched, and where it is kept.
  provider_media_id text,
  media_status text check (media_status in ('pending', 'stored', 'failed')),
  media_failure text,
  customer_file_id bigint,
  -- Sent only after this one was.
  follows_message_id bigint,
  -- What the owner wrote for the lead's next touch: it goes out whole or waits on.
  is_verbatim boolean not null default false,
  -- Ours, made before sending; the provider hands it back.
  client_reference uuid not null default gen_random_uuid(),
  provider_message_id text,
  -- What it costs: reserved before it is sent, corrected when the provider says what it charges.
  cost_brl numeric(12, 4) not null default 0,
  -- The day of the account's calendar that the cost counts in.
  spend_day date,
  price_category text,
  -- A paid opening that waits for a cost cap to have room again.
  deferred_until timestamptz,
  classification jsonb,
  created_at timestamptz not null default instant(),
  sending_at timestamptz,
  -- When it was sent, or when the lead wrote it.
  occurred_at timestamptz,
  -- The language of its words; null if the text does not tell.
  language text check (language in ('pt-BR', 'en', 'es')),
  stems tsvector generated always as
  (text_stems(language, coalesce(reply_text, body))) stored,
  primary key (account_id, chatapp_message_id),
  unique (account_id, client_reference),
  foreign key (account_id) references account on delete cascade,
  foreign key (account_id, lead_id) references lead on delete cascade,
  foreign key (account_id, touch_id) references touch,
  foreign key (account_id, customer_file_id) references customer_file,
  foreign key (account_id, follows_message_id) references chatapp_message
);
create unique index chatapp_message_provider on chatapp_message (account_id, provider_message_id) where provider_message_id is not null;
create index chatapp_message_lead on chatapp_message (account_id, lead_id, direction, chatapp_message_id desc);
create index chatapp_message_sent on chatapp_message (account_id, occurred_at desc);
create index chatapp_message_of_no_lead on chatapp_message (account_id, phone)
  where lead_id is null and direction = 'outbound';
create index chatapp_message_waiting on chatapp_message (created_at) where status = 'queued';
create index chatapp_message_unsettled on chatapp_message (sending_at) where status = 'sending';
create index chatapp_message_deferred on chatapp_message (account_id) where status = 'queued' and deferred_until is not null;
create index chatapp_message_followers on chatapp_message (account_id, follows_message_id) where follows_message_id is not null;
create index chatapp_message_touch on chatapp_message (account_id, touch_id) where touch_id is not null;
create index chatapp_message_file on chatapp_message (account_id, customer_file_id) where customer_file_id is not null;

-- What paid openings may cost; null is no cap. The row's lock is what makes the caps hold.
create table chatapp_budget (
  account_id bigint primary key references account on delete cascade,
  daily_cap_brl numeric(12, 2) check (daily_cap_brl > 0),
  monthly_cap_brl numeric(12, 2) check (monthly_cap_brl > 0)
);

-- What messages cost, per day of the account's own calendar.
create table chatapp_spend (
  account_id bigint not null references account on delete cascade,
  day date not null,
  spent_brl numeric(14, 4) not null default 0,
  primary key (account_id, day)
);

-- What a gateway without a messaging-app provider did: its simulated numbers, what it sent, and files of simulated leads.
create table sandbox_chatapp_line (
  account_id bigint primary key references account on delete cascade,
  phone text not null,
  profile jsonb not null default '{}',
  picture bytea,
  picture_media_type text,
  picture_key text
);

create table sandbox_chatapp_message (
  account_id bigint not null,
  sandbox_chatapp_message_id bigint generated always as identity,
  client_reference uuid not null,
  provider_message_id text not null,
  phone text not null,
  content jsonb not null,
  created_at timestamptz not null default instant(),
  primary key (account_id, sandbox_chatapp_message_id),
  unique (account_id, client_reference),
  foreign key (account_id, client_reference) references chatapp_message (account_id, client_reference) on delete cascade
);

create table sandbox_chatapp_media (
  account_id bigint not null references account on delete cascade,
  media_id text not null,
  file_name text,
  bytes bytea not null,
  created_at timestamptz not null default instant(),
  primary key (account_id, media_id)
);
create index chatapp_message_stems on chatapp_message using gin (account_id, stems);
create index chatapp_message_recent on chatapp_message (account_id, (coalesce(occurred_at, created_at)) desc)
  where lead_id is not null and status <> 'cancelled';
create index chatapp_message_number on chatapp_message (chatapp_message_id);
`
}

/** Adds the provider's identifier of people who hide their number from businesses. */
export const chatAppUserMigration: Migration = {
  name: "chatapp_user",
  releases: 1,
  sql: `
-- The person at the provider, the same for all numbers of a business. Links those who hide their number to their lead.
alter table chatapp_message add column provider_user_id text;
create index chatapp_message_user on chatapp_message (account_id, provider_user_id) where provider_user_id is not null;
`
}
