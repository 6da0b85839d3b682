import type { Migration } from "../Platform/Postgres/Migration.ts"

/** Support requests of accounts, and incidents of the platform, which are the same for all accounts. */
export const supportMigration: Migration = {
  name: "support",
  sql: `
create table support_request (
  account_id bigint not null references account on delete cascade,
  support_request_id bigint generated always as identity,
  message text not null,
  type text not null check (type in ('technical', 'sales', 'human', 'question')),
  severity text not null check (severity in ('low', 'medium', 'high', 'critical')),
  status text not null default 'pending' check (status in ('pending', 'answered', 'closed')),
  answer text,
  answered_at timestamptz,
  closed_at timestamptz,
  created_at timestamptz not null,
  primary key (account_id, support_request_id)
);
create index support_request_pending on support_request (created_at) where status = 'pending';

-- Mails to operators about requests: the intent, then the result. No account can see them.
create table operator_mail (
  account_id bigint not null,
  support_request_id bigint not null,
  about text not null check (about in ('asked', 'answered', 'closed')),
  status text not null default 'queued' check (status in ('queued', 'sent', 'failed', 'unknown')),
  -- When everything except the end of the message was transferred to the provider.
  handed_over_at timestamptz,
  sent_at timestamptz,
  response text,
  created_at timestamptz not null,
  primary key (account_id, support_request_id, about),
  foreign key (account_id, support_request_id) references support_request on delete cascade
);

create table incident (
  incident_id bigint generated always as identity primary key,
  title text not null,
  impact text not null check (impact in ('outage', 'degradation', 'instability')),
  status text not null check (status in ('investigating', 'identified', 'monitoring', 'resolved')),
  components text[] not null,
  -- The timeline, oldest first: status, message and time of each update.
  updates jsonb not null,
  -- The problem for which the platform opened it. Null if an operator did.
  automatic_key text,
  started_at timestamptz not null,
  resolved_at timestamptz,
  check ((status = 'resolved') = (resolved_at is not null))
);
create unique index incident_automatic on incident (automatic_key) where resolved_at is null;
create index incident_past on incident (resolved_at desc, incident_id desc);
`
}
