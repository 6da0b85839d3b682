import type { Migration } from "../Platform/Postgres/Migration.ts"

/** The tables of accounts and their tokens. */
export const accountsMigration: Migration = {
  name: "accounts",
  sql: `
create table account (
  account_id bigint generated always as identity primary key,
  name text not null,
  email text,
  phone text,
  handle text not null unique,
  language_key text not null default 'pt-BR',
  -- ISO, two letters, where it was said; else the phone and the language tell.
  country text check (country ~ '^[A-Z]{2}$'),
  timezone_offset_utc_hours double precision,
  plan text not null check (plan in ('free_trial', 'paid')),
  is_prospecting_active boolean not null default true,
  -- The moved clock that the account lives by while its past is made (see Sample); null is the server's own.
  clock text,
  -- Keys the digests of erased contacts, so that they cannot be looked up in a table of known addresses.
  tombstone_key bytea not null default uuid_send(gen_random_uuid()),
  -- IANA name, for the send window of leads whose own time zone is not known.
  time_zone text not null default 'America/Sao_Paulo',
  mail_display_name text,
  -- Keys the tags of reply addresses and the tokens of unsubscribe links.
  mail_key bytea not null default uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()),
  -- Which inbound mail the owner is told of at once; null is as the platform decides.
  email_notification_instructions text,
  show_on_website boolean not null default true,
  push_notifications boolean not null default true,
  -- Whether the agent may call the phones of the account itself.
  agent_may_call_owner boolean not null default true,
  created_at timestamptz not null default instant()
);

-- Handles that accounts gave up: nobody else gets one before its time, so that nobody receives another's replies.
create table former_handle (
  handle text primary key,
  account_id bigint not null references account on delete cascade,
  kept_until timestamptz not null
);
create index former_handle_account on former_handle (account_id);

-- Whose each person's phone is, owners and members alike: a number belongs to one person of one account.
create table account_phone (
  phone text primary key,
  account_id bigint not null references account on delete cascade
);
create index account_phone_account on account_phone (account_id);

create table notification_address (
  account_id bigint not null references account on delete cascade,
  notification_address_id bigint generated always as identity,
  email text not null,
  position integer not null,
  confirmed_at timestamptz,
  created_at timestamptz not null,
  primary key (account_id, notification_address_id),
  unique (account_id, email)
);

create table tax_info (
  account_id bigint primary key references account on delete cascade,
  -- A JSON object, sealed: the database alone is not enough to read it.
  sealed bytea not null,
  updated_at timestamptz not null
);

-- Work that goes across accounts is done by sessions that live by the account's clock alone.
-- On a cluster a call becomes the body, where the caller's column account_id must not be mistaken for the table's.
create function uses_test_clock(account bigint) returns boolean language sql stable parallel safe
  return exists (
    select 1 from (select account_id as tested_account, clock as tested_clock from account) tested
    where tested.tested_account = account and tested.tested_clock is not distinct from test_clock());

-- Calls of each token in each minute (since 1970), as all processes have counted them; kept for a few minutes, where the
-- operator limits them.
create table call_count (
  account_id bigint not null references account on delete cascade,
  access_token_id bigint not null,
  minute bigint not null,
  calls bigint not null,
  primary key (account_id, access_token_id, minute)
);

alter table account_lock add foreign key (account_id) references account on delete cascade;

-- Seals the account's number into keys that come back from outside (see AccountSeal.ts).
create table account_seal (
  is_only boolean primary key default true check (is_only),
  key bytea not null check (length(key) = 16)
);
insert into account_seal (key) values (uuid_send(gen_random_uuid()));

create table access_token (
  account_id bigint not null references account on delete cascade,
  access_token_id bigint generated always as identity,
  label text,
  token_hash bytea not null unique check (length(token_hash) = 32),
  created_at timestamptz not null default instant(),
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz,
  -- Of a token that a program was given by consent: what it may do, and at which address.
  scopes text[],
  resource text,
  -- Whether a person is asked before something is taken away.
  confirmation text not null default 'when_possible' check (confirmation in ('when_possible', 'always', 'never')),
  primary key (account_id, access_token_id),
  check ((scopes is null) = (resource is null))
);

-- Calls of tools that write: names and codes, never a value. A partition for each day, dropped whole when it is too old.
create table audit_entry (
  account_id bigint not null references account on delete cascade,
  at timestamptz not null,
  audit_entry_id bigint generated always as identity,
  access_token_id bigint,
  request_id text not null,
  tool text not null,
  argument_names text[] not null,
  outcome text not null,
  reason text,
  milliseconds integer not null,
  primary key (account_id, at, audit_entry_id)
) partition by range (at);
`
}

/** Adds the maker of each token, so that tokens of a removed member can be ended. */
export const tokenMakersMigration: Migration = {
  name: "token_makers",
  releases: 1,
  sql: `
alter table access_token add column made_by text not null default 'unknown';
alter table access_token add constraint access_token_made_by
  check (made_by in ('operator', 'member', 'token', 'consent', 'unknown'));
-- The token that made it, or that a person consented with.
alter table access_token add column maker_token_id bigint;
-- The member who made it, also by another token. No key: the token's row stays when the member is removed.
alter table access_token add column member_id bigint;
`
}

/** Adds whether the account itself chose its address, so that no one has confirmed it. */
export const claimedEmailMigration: Migration = {
  name: "claimed_email",
  releases: 1,
  sql: `
alter table account add column is_email_claimed boolean not null default false;
`
}

/** Several accounts may claim a number until its holder proves one claim. */
export const provedPhonesMigration: Migration = {
  name: "proved_phones",
  releases: 1,
  sql: `
alter table account_phone add column proved_at timestamptz;
-- An owner's number is what the operator entered.
update account_phone p set proved_at = instant() from account a where a.account_id = p.account_id and a.phone = p.phone;
alter table account_phone drop constraint account_phone_pkey;
alter table account_phone add primary key (account_id, phone);
drop index account_phone_account;
create unique index account_phone_proved on account_phone (phone) where proved_at is not null;
`
}

/** The offset follows from the zone, also when clocks are put forward. */
export const derivedOffsetMigration: Migration = {
  name: "derived_offset",
  releases: 1,
  sql: `
alter table account drop column timezone_offset_utc_hours;
`
}

/** An address counts once the person who reads it has followed the link that was sent there. */
export const confirmedAddressesMigration: Migration = {
  name: "confirmed_addresses",
  releases: 1,
  sql: `
-- Addresses of the account's own people, whatever they are used for, whose readers have confirmed them.
create table confirmed_address (
  account_id bigint not null references account on delete cascade,
  email text not null,
  confirmed_at timestamptz not null,
  primary key (account_id, email)
);
`
}

/** Adds the owners' limits and descriptions of the tokens they make, and both secrets of a rotated token. */
export const managedTokensMigration: Migration = {
  name: "managed_tokens",
  releases: 1,
  sql: `
-- A token of an owner has scopes and no address that it was made for.
alter table access_token drop constraint access_token_check;
alter table access_token add constraint access_token_bounds check (resource is null or scopes is not null);
-- Addresses and networks of the clients that may use it.
alter table access_token add column address_ranges text[];
alter table access_token add column calls_per_minute integer check (calls_per_minute > 0);
-- The secret before the last rotation, and how long it is still valid.
alter table access_token add column previous_hash bytea unique check (length(previous_hash) = 32);
alter table access_token add column previous_until timestamptz;
alter table access_token add column last_used_address text;
alter table access_token add column last_used_agent text;
`
}

/**
 * Writes that came with an idempotency key. The unique key is one per day: the statements that look keys up make it one per
 * 24 hours. A partition for each day is dropped whole when it is too old.
 */
export const keyedWritesMigration: Migration = {
  name: "keyed_writes",
  releases: 1,
  sql: `
create table keyed_write (
  account_id bigint not null references account on delete cascade,
  -- HMACs of the key, and of the tool with its arguments.
  key_mark bytea not null check (length(key_mark) = 32),
  call_mark bytea not null check (length(call_mark) = 32),
  begun_on date not null,
  begun_at timestamptz not null,
  is_running boolean not null,
  -- What the tool answered, sealed with the caller's key. Null while the call runs, or where its outcome is unknown.
  answer bytea,
  primary key (account_id, key_mark, begun_on)
) partition by range (begun_on);
`
}

/** Requests of each account, and the hourly counts of its calls. A partition for each day is dropped whole when it is too old. */
export const requestLogMigration: Migration = {
  name: "request_log",
  releases: 1,
  sql: `
-- Without a foreign key, whose check would cost more than the entry.
create table request_entry (
  account_id bigint not null,
  at timestamptz not null,
  request_entry_id bigint generated always as identity,
  access_token_id bigint,
  request_id text not null,
  route text not null,
  tool text,
  status integer not null,
  -- Every failed request has one.
  reason text,
  milliseconds integer not null,
  argument_names text[] not null,
  -- Ids, enumerations, numbers and booleans by their names: no text that someone wrote.
  argument_values jsonb not null,
  -- Requests of the account before this one that were dropped.
  dropped_before integer not null,
  primary key (account_id, at, request_entry_id)
) partition by range (at);
create index request_entry_id on request_entry (account_id, request_id);
create index request_entry_failed on request_entry (account_id, at) where reason is not null;

create table call_usage (
  account_id bigint not null,
  -- The hour.
  starts_at timestamptz not null,
  tool text not null,
  -- 0 for calls without a token.
  access_token_id bigint not null,
  calls bigint not null,
  failed_calls bigint not null,
  milliseconds bigint not null,
  primary key (account_id, starts_at, tool, access_token_id)
) partition by range (starts_at);
`
}

/** Adds the time at which a closed account is deleted, and whether its outreach was on. */
export const accountClosureMigration: Migration = {
  name: "account_closure",
  releases: 1,
  sql: `
alter table account add column closes_at timestamptz;
alter table account add column was_prospecting boolean;
create index account_closing on account (closes_at) where closes_at is not null;
`
}

/**
 * The audit log as one chain of entries for each account. Entries from before have no position. Changes of settings stand
 * next to their digest, so that they can be erased without breaking the chain.
 */
export const auditChainMigration: Migration = {
  name: "audit_chain",
  releases: 1,
  sql: `
alter table audit_entry add column position bigint;
alter table audit_entry add column link bytea check (length(link) = 32);
alter table audit_entry add column changes_digest bytea check (length(changes_digest) = 32);
alter table audit_entry add column salt bytea;
-- JSON as it was digested. Null if the call changed no settings, or if they were erased.
alter table audit_entry add column changes text;
create index audit_entry_position on audit_entry (account_id, position) where position is not null;

-- The end of each chain, signed with the gateway's key.
create table audit_head (
  account_id bigint primary key references account on delete cascade,
  position bigint not null,
  link bytea not null check (length(link) = 32),
  signature bytea not null
);

-- Where a chain continues after its oldest entries were dropped.
create table audit_checkpoint (
  account_id bigint primary key references account on delete cascade,
  position bigint not null,
  link bytea not null check (length(link) = 32),
  signature bytea not null
);
`
}

/** The error of a call whose idempotency key another call uses or used. */
export const takenKeyCode = "KT001"

/**
 * Adds the function by which a statement fails if an idempotency key is taken, and removes a foreign key, whose check would
 * take a fifth of the time of storing a key.
 */
export const takenKeysMigration: Migration = {
  name: "taken_idempotency_keys",
  releases: 2,
  sql: `
alter table keyed_write drop constraint if exists keyed_write_account_id_fkey;
create function refuse_taken_idempotency_key() returns boolean language plpgsql as $$
begin
  raise exception 'the idempotency key is taken' using errcode = '${takenKeyCode}';
end $$;
`
}
