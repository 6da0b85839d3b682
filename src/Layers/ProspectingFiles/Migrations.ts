import type { Migration } from "../Platform/Postgres/Migration.ts"

/** Files and links that the agent may offer and send to leads. */
export const prospectingFilesMigration: Migration = {
  name: "prospecting_files",
  sql: `
create table prospecting_file (
  account_id bigint not null references account on delete cascade,
  prospecting_file_id bigint generated always as identity,
  campaign_id bigint,
  title text not null,
  description text not null,
  is_description_generated boolean not null,
  -- Where leads get it. For a customer file it is the download address, which is removed with the file.
  customer_file_id bigint,
  url text not null,
  sort_order integer not null default 0,
  created_at timestamptz not null default instant(),
  primary key (account_id, prospecting_file_id),
  foreign key (account_id, campaign_id) references campaign,
  foreign key (account_id, customer_file_id) references customer_file on delete cascade
);
create index prospecting_file_campaign on prospecting_file (account_id, campaign_id) where campaign_id is not null;
create index prospecting_file_source on prospecting_file (account_id, customer_file_id) where customer_file_id is not null;
`
}
