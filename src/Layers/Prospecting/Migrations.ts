import type { Migration } from "../Platform/Postgres/Migration.ts"
import { ruleColumns, targetingColumns } from "./Sql.ts"

/** The prospecting settings of accounts. */
export const prospectingMigration: Migration = {
  name: "prospecting",
  sql: `
-- Every account has a row from the start, so that the defaults are in one place and a change is one statement.
create table prospecting_config (
  account_id bigint primary key references account on delete cascade,
  email_signature text,
  mode text not null default 'Active' check (mode in ('Active', 'Passive')),
  generate_presentations boolean not null default true,
  allow_template_chatapp_messages boolean not null default true,
  -- Calls cost money and cannot be undone, so the owner must switch them on.
  voice_calling_active boolean not null default false,
  prospecting_voice text not null default 'Female' check (prospecting_voice in ('Male', 'Female')),
  -- Null means the account's own address.
  notification_email text,
  notify_on_interested boolean not null default true,
  notify_on_confirmed boolean not null default false,
  notify_on_interested_via_email boolean not null default true,
  notify_on_confirmed_via_email boolean not null default false,
  notify_on_first_chatapp_message boolean not null default true,
  cc_on_interested_lead_emails boolean not null default false,
  send_window_start_hour smallint not null default 8 check (send_window_start_hour between 0 and 23),
  send_window_end_hour smallint not null default 18 check (send_window_end_hour between 1 and 24),${targetingColumns},${ruleColumns},
  check (send_window_start_hour < send_window_end_hour)
);

-- When each account has someone to contact, as far as is known. The dispatcher reads this first, so accounts without
-- due work cost nothing.
create table dispatch_queue (
  account_id bigint not null references account on delete cascade,
  dispatch_queue_id bigint generated always as identity,
  due_at timestamptz not null,
  primary key (account_id, dispatch_queue_id)
);
create index dispatch_queue_time on dispatch_queue (due_at);
create index dispatch_queue_account on dispatch_queue (account_id, due_at);
`
}
