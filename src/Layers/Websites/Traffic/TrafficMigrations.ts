import type { Migration } from "../../Platform/Postgres/Migration.ts"

/** The tables of visits to sites. */
export const trafficMigration: Migration = {
  name: "website_traffic",
  sql: `
-- One row for each day (in the account's zone) of each site: what it costs does not grow with its visits.
create table website_traffic_day (
  account_id bigint not null,
  website_id bigint not null,
  day date not null,
  views bigint not null default 0,
  bot_hits bigint not null default 0,
  visitors integer not null default 0,
  -- Tells the day's visitors apart; null once the day's salt is thrown away.
  sketch bytea,
  -- Views by page, referrer and so on: at most 50 names of each.
  parts jsonb not null default '{}',
  primary key (account_id, website_id, day),
  foreign key (account_id, website_id) references website on delete cascade
);
create index website_traffic_open on website_traffic_day (account_id, day) where sketch is not null;

-- Makes hashes of visitors that nobody can make again once the day is over everywhere: then it is thrown away.
create table visitor_salt (
  day date primary key,
  salt bytea not null
);
`
}
