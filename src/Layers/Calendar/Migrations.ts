import type { Migration } from "../Platform/Postgres/Migration.ts"

/** The tables of the mirror of accounts' calendars, and of the meetings in them. */
export const calendarMigration: Migration = {
  name: "calendar",
  sql: `
-- The calendar that an account connected, as it was read last.
create table calendar_mirror (
  account_id bigint primary key references account on delete cascade,
  time_zone text,
  can_write boolean not null default true,
  sync_token text,
  synced_at timestamptz,
  -- When everything was read last: the days ahead that are read go on with it.
  read_whole_at timestamptz,
  due_at timestamptz not null default instant(),
  -- Until then somebody reads it, and others wait.
  working_until timestamptz not null default '-infinity',
  -- Of this connection: what was begun under an earlier one is not written down under it.
  generation uuid not null default gen_random_uuid(),
  channel_id text,
  channel_token_hash bytea,
  channel_resource_id text,
  channel_expires_at timestamptz,
  last_message_number bigint,
  last_error text,
  failures int not null default 0,
  check (num_nulls(channel_id, channel_token_hash, channel_resource_id, channel_expires_at) in (0, 4))
);
create index calendar_mirror_due on calendar_mirror (due_at);

-- Times only: what the events are about stays at the provider.
create table calendar_event (
  account_id bigint not null references calendar_mirror on delete cascade,
  event_id text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  is_busy boolean not null,
  primary key (account_id, event_id)
);
create index calendar_event_time on calendar_event (account_id, ends_at) where is_busy;

-- How a lead was invited to a meeting: one way for each.
create table meeting_invitation (
  account_id bigint not null,
  meeting_id bigint not null,
  way text not null check (way in ('calendar', 'mail')),
  -- At the calendar; of our making, so that an event is made once.
  event_id text,
  uid text not null,
  sequence int not null default 0,
  -- What the invitation says; null before the first one is out.
  told_starts_at timestamptz,
  told_ends_at timestamptz,
  is_cancelled boolean not null default false,
  -- What the lead said to it.
  lead_answer text check (lead_answer in ('needs_action', 'accepted', 'tentative', 'declined')),
  answered_sequence int,
  answered_at timestamptz,
  primary key (account_id, meeting_id),
  foreign key (account_id, meeting_id) references meeting on delete cascade
);
create unique index meeting_invitation_event on meeting_invitation (account_id, event_id) where event_id is not null;
create unique index meeting_invitation_uid on meeting_invitation (account_id, uid);

-- The simulated provider.
create table sandbox_calendar (
  account_id bigint primary key references account on delete cascade,
  -- Counts changes: tokens of lists and tags of events are made of it.
  version bigint not null default 1,
  -- Lists' tokens from before it hold no more.
  tokens_from bigint not null default 0,
  time_zone text not null default 'America/Sao_Paulo',
  slow_until timestamptz,
  -- For how many seconds the link of a video meeting is being made.
  meet_seconds int not null default 0,
  calls bigint not null default 0
);
create table sandbox_calendar_event (
  account_id bigint not null references sandbox_calendar on delete cascade,
  event_id text not null,
  body jsonb not null,
  version bigint not null,
  -- An instance that a changed series no longer has.
  is_leftover boolean not null default false,
  -- Times that its attendees were written to.
  updates_sent int not null default 0,
  primary key (account_id, event_id)
);
create table sandbox_calendar_channel (
  account_id bigint not null references sandbox_calendar on delete cascade,
  channel_id text not null,
  resource_id text not null,
  expires_at timestamptz not null,
  primary key (account_id, channel_id)
);
`
}

/** Calendars at several providers. */
export const calendarProvidersMigration: Migration = {
  name: "calendar_providers",
  sql: `
alter table calendar_mirror add column provider text not null default 'google' check (provider in ('google', 'microsoft'));

-- Ids that the gateway gave to events, where the provider gives its own.
create table calendar_event_name (
  account_id bigint not null references calendar_mirror on delete cascade,
  event_id text not null,
  external_id text not null,
  primary key (account_id, event_id)
);
create index calendar_event_name_external on calendar_event_name (account_id, external_id);
`
}
