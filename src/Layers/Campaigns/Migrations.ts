import type { Migration } from "../Platform/Postgres/Migration.ts"
import { ruleColumns, targetingColumns } from "../Prospecting/Sql.ts"

/** The tables of campaigns, and of their prospecting settings. */
export const campaignsMigration: Migration = {
  name: "campaigns",
  sql: `
create table campaign (
  account_id bigint not null references account on delete cascade,
  campaign_id bigint generated always as identity,
  name text not null,
  is_active boolean not null default true,
  created_at timestamptz not null default instant(),
  archived_at timestamptz,
  business_name text not null default '',
  business_description text,
  business_website text,
  icp text,
  email_display_name text,
  lead_generation_active boolean not null default true,
  -- Null means the account's setting.
  voice_calling_active boolean,
  generate_custom_presentations boolean,
  notify_on_interested boolean,
  notify_on_confirmed boolean,${targetingColumns},${ruleColumns},
  primary key (account_id, campaign_id)
);
create unique index campaign_name on campaign (account_id, fold(name)) where archived_at is null;
`
}
