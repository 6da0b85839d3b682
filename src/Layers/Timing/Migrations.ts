import type { Migration } from "../Platform/Postgres/Migration.ts"

/** Counts of replies by hour. */
export const timingMigration: Migration = {
  name: "timing",
  sql: `
-- When people reply, over all accounts. It is used for leads whose account has too few replies.
create table platform_reply_time (
  -- 0 is Sunday. Both are in the lead's local time.
  weekday smallint not null,
  hour smallint not null,
  replies bigint not null,
  -- Of the replies that were the first to a message: how many, and their total response time.
  responses bigint not null,
  response_seconds bigint not null,
  primary key (weekday, hour)
);
`
}
