import type { Migration } from "../Platform/Postgres/Migration.ts"

/** Indexes on the tables that reports count, and the benchmarks for comparing accounts. */
export const reportsMigration: Migration = {
  name: "reports",
  sql: `
-- For reading by time only. The condition is true for every time, and statements that look up one lead's messages
-- omit it. Without statistics, for example after a large import, the planner would otherwise use these indexes for
-- such look-ups and read all rows for each.
create index email_message_report on email_message (account_id, occurred_at) include (lead_id, message_type, email_message_id)
  where direction = 'outbound' and status = 'sent' and lead_id is not null and occurred_at > '-infinity';
create index email_message_replies on email_message (account_id, occurred_at) include (lead_id)
  where direction = 'inbound' and not is_auto_reply and lead_id is not null and occurred_at > '-infinity';
create index chatapp_message_report on chatapp_message (account_id, occurred_at) include (lead_id, message_type)
  where direction = 'outbound' and status in ('sent', 'delivered', 'read') and lead_id is not null
    and occurred_at > '-infinity';
create index chatapp_message_replies on chatapp_message (account_id, occurred_at) include (lead_id)
  where direction = 'inbound' and lead_id is not null and occurred_at > '-infinity';
create index lead_lifecycle_event_recent on lead_lifecycle_event (account_id, created_at)
  where event_type in ('status_changed', 'registered', 'taken_over', 'outcome_won', 'outcome_lost', 'outcome_gave_up')
    and created_at > '-infinity';
create index lead_lifecycle_event_outcomes on lead_lifecycle_event (account_id, created_at)
  where event_type in ('outcome_won', 'outcome_lost', 'outcome_gave_up') and created_at > '-infinity';

-- Few events lead to this stage. The newest are read without the thousands of other stages between them.
create index lead_lifecycle_event_interested on lead_lifecycle_event (account_id, created_at)
  where event_type in ('status_changed', 'registered')
    and lower(coalesce(data ->> 'to_status', data ->> 'status')) = 'interested' and created_at > '-infinity';

-- Days with computed figures, by the calendar of the zone, and days that changed since. For an unfinished day, until
-- is the instant up to which it is counted.
create table report_day (
  account_id bigint not null references account on delete cascade,
  day date not null,
  zone text not null,
  until timestamptz,
  made_at timestamptz not null default instant(),
  primary key (account_id, day)
);
create table report_stale_day (
  account_id bigint not null references account on delete cascade,
  report_stale_day_id bigint generated always as identity,
  day date not null,
  primary key (account_id, day, report_stale_day_id)
);

-- Facts of days (see DayFacts.ts) by campaign, 0 for none. Figures of an unfinished day have the instant until which
-- they are counted. Earlier ones stay until the next are computed, because a running report may read them.
create table report_figure (
  account_id bigint not null references account on delete cascade,
  figure text not null,
  day date not null,
  report_figure_id bigint generated always as identity,
  campaign_id bigint not null,
  key text not null,
  to_day date,
  from_day date,
  count bigint not null,
  until timestamptz,
  primary key (account_id, figure, day, report_figure_id) include (campaign_id, key, to_day, from_day, count, until)
);

-- The same by the leads' states, and by their sectors.
create table report_group (
  account_id bigint not null references account on delete cascade,
  day date not null,
  report_group_id bigint generated always as identity,
  dimension text not null check (dimension in ('state', 'sector')),
  campaign_id bigint not null,
  state text,
  cnae text,
  industry text,
  from_day date,
  new_leads bigint not null,
  referrals bigint not null,
  emails_sent bigint not null,
  responses bigint not null,
  chatapp_sent bigint not null,
  chatapp_responses bigint not null,
  aware bigint not null,
  interested bigint not null,
  reached bigint not null,
  until timestamptz,
  primary key (account_id, day, report_group_id)
);

-- Results of paying accounts in 30 days, computed once a week over all of them, so that no single account is
-- revealed. The division is that of the targeted sectors, blank for all. The members are those of the published
-- figures, so that the next figures do not reveal a few who joined or left.
create table volume_benchmark (
  division text primary key,
  members bigint[] not null,
  figures jsonb not null,
  is_shown boolean not null,
  made_at timestamptz not null default instant()
);

-- Days whose report was mailed, or was empty.
create table daily_report (
  account_id bigint not null references account on delete cascade,
  day date not null,
  created_at timestamptz not null default instant(),
  primary key (account_id, day)
);
`
}

/** Stages now count the first time that a lead passes them upwards, so figures of earlier days are computed again. */
export const reportStagesMigration: Migration = {
  name: "report_stages",
  sql: `
delete from report_figure;
delete from report_group;
delete from report_day;
`
}
