import type { Migration } from "../Platform/Postgres/Migration.ts"

/** Counts of replies by hour. */
export const timingMigration: Migration = {
  name: "timing",
  sql: `
-- When people answer, of all accounts together: what a lead is judged by of whose account too little is known.
create table platform_reply_time (
  -- 0 is Sunday; both as the lead's own clocks show.
  weekday smallint not null,
  hour smallint not null,
  replies bigint not null,
  -- Of those that were the first after a message: how many, and how long they took together.
  responses bigint not null,
  response_seconds bigint not null,
  primary key (weekday, hour)
);
`
}
