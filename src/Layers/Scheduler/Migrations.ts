import type { Migration } from "../Platform/Postgres/Migration.ts"

/** The scheduling tools of accounts, and the simulated one. */
export const schedulerMigration: Migration = {
  name: "scheduler",
  sql: `
create table scheduler_account (
  account_id bigint primary key references account on delete cascade,
  user_uri text not null,
  organization_uri text not null,
  default_event_type_uri text,
  default_event_type_name text,
  default_event_type_url text,
  -- The part of our address that its notices are sent to.
  webhook_key text not null,
  subscription_uri text,
  swept_at timestamptz not null default '-infinity'
);

-- What each lead was given to book by.
create table scheduler_link (
  account_id bigint not null,
  lead_id bigint not null,
  event_type_uri text not null,
  url text not null,
  is_single_use boolean not null,
  made_at timestamptz not null default instant(),
  primary key (account_id, lead_id),
  foreign key (account_id, lead_id) references lead on delete cascade
);

-- Bookings as they were last read; those of strangers have no lead.
create table scheduler_booking (
  account_id bigint not null references account on delete cascade,
  event_id text not null,
  invitee_id text not null,
  version text not null,
  is_active boolean not null,
  calendar_event_id text,
  lead_id bigint,
  meeting_id bigint,
  primary key (account_id, event_id, invitee_id),
  foreign key (account_id, lead_id) references lead on delete cascade,
  foreign key (account_id, meeting_id) references meeting on delete cascade
);
create index scheduler_booking_lead on scheduler_booking (account_id, lead_id) where lead_id is not null;
create index scheduler_booking_meeting on scheduler_booking (account_id, meeting_id) where meeting_id is not null;
create index scheduler_booking_calendar on scheduler_booking (account_id, calendar_event_id)
  where calendar_event_id is not null;

create table sandbox_scheduler (
  account_id bigint not null references account on delete cascade,
  holder text not null,
  page_key text not null,
  signing_key text not null,
  slow_until timestamptz,
  loses_notices boolean not null default false,
  primary key (account_id, holder)
);
create table sandbox_scheduler_booking (
  account_id bigint not null references account on delete cascade,
  invitee_id text not null,
  event_id text not null,
  holder text not null,
  slug text not null,
  starts_at timestamptz not null,
  is_active boolean not null default true,
  old_invitee text,
  new_invitee text,
  body jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, invitee_id)
);
create table sandbox_scheduler_link (
  account_id bigint not null references account on delete cascade,
  code text not null,
  holder text not null,
  slug text not null,
  used_at timestamptz,
  primary key (account_id, code)
);
create table sandbox_scheduler_subscription (
  account_id bigint not null references account on delete cascade,
  subscription_id text not null,
  holder text not null,
  url text not null,
  primary key (account_id, subscription_id)
);
`
}
