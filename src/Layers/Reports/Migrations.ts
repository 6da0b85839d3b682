import type { Migration } from "../Platform/Postgres/Migration.ts"

/** Ways into the tables that reports count, and what paying accounts are compared with. */
export const reportsMigration: Migration = {
  name: "reports",
  sql: `
create index email_message_report on email_message (account_id, occurred_at) include (lead_id, message_type, email_message_id)
  where direction = 'outbound' and status = 'sent' and lead_id is not null;
create index email_message_replies on email_message (account_id, occurred_at) include (lead_id)
  where direction = 'inbound' and not is_auto_reply and lead_id is not null;
create index chatapp_message_report on chatapp_message (account_id, occurred_at) include (lead_id, message_type)
  where direction = 'outbound' and status in ('sent', 'delivered', 'read') and lead_id is not null;
create index chatapp_message_replies on chatapp_message (account_id, occurred_at) include (lead_id)
  where direction = 'inbound' and lead_id is not null;
create index lead_lifecycle_event_recent on lead_lifecycle_event (account_id, created_at)
  where event_type in ('status_changed', 'registered', 'taken_over', 'outcome_won', 'outcome_lost', 'outcome_gave_up');

-- What paying accounts came to in 30 days, made once a week of all of them together: a figure of one account cannot be
-- told from it. The division is that of the sectors they target; blank stands for all.
create table volume_benchmark (
  division text primary key,
  account_count integer not null,
  figures jsonb not null,
  made_at timestamptz not null default instant()
);

-- Days whose report was mailed, or had nothing to tell.
create table daily_report (
  account_id bigint not null references account on delete cascade,
  day date not null,
  created_at timestamptz not null default instant(),
  primary key (account_id, day)
);
`
}
