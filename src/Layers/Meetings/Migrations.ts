import type { Migration } from "../Platform/Postgres/Migration.ts"

/** The tables of meetings with leads. */
export const meetingsMigration: Migration = {
  name: "meetings",
  sql: `
create table meeting (
  account_id bigint not null,
  meeting_id bigint generated always as identity,
  lead_id bigint not null,
  status text not null default 'scheduled' check (status in ('scheduled', 'confirmed', 'cancelled', 'held', 'no_show')),
  title text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  meeting_url text,
  booked_through text not null check (booked_through in ('conversation', 'scheduler', 'calendar', 'voice')),
  external_id text,
  customer_accepted_at timestamptz,
  lead_response text check (lead_response in ('accepted', 'tentative', 'declined')),
  has_customer_attended boolean,
  has_lead_attended boolean,
  notes text,
  cancelled_at timestamptz,
  cancel_reason text,
  reminded_at timestamptz,
  -- When the platform confirms the meeting to the lead. Null if the booking system does.
  announce_at timestamptz,
  -- The starts that were confirmed and reminded of. A moved meeting has another start, so it is due again.
  announced_for timestamptz,
  lead_reminded_for timestamptz,
  -- The lead is reminded at this time, because the reminder was due outside the send window.
  remind_lead_at timestamptz,
  created_at timestamptz not null default instant(),
  primary key (account_id, meeting_id),
  foreign key (account_id, lead_id) references lead on delete cascade,
  check (ends_at > starts_at)
);
create index meeting_lead on meeting (account_id, lead_id, starts_at desc);
create index meeting_created on meeting (account_id, created_at);
create index meeting_cancelled on meeting (account_id, cancelled_at) where cancelled_at is not null;
create index meeting_start on meeting (account_id, starts_at);
create index meeting_reminder on meeting (starts_at) where reminded_at is null and status in ('scheduled', 'confirmed');
create index meeting_announcement on meeting (announce_at)
  where announced_for is distinct from starts_at and status in ('scheduled', 'confirmed');
create index meeting_lead_reminder on meeting (starts_at)
  where lead_reminded_for is distinct from starts_at and status in ('scheduled', 'confirmed');
alter table touch add foreign key (account_id, meeting_id) references meeting on delete cascade;
create unique index meeting_external on meeting (account_id, booked_through, external_id) where external_id is not null;
`
}
