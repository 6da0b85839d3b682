import type { Migration } from "../../Platform/Postgres/Migration.ts"

/** Pages of strangers, for the minutes in which they are read chunk by chunk. */
export const crawlMigration: Migration = {
  name: "crawl",
  sql: `
create table crawled_page (
  account_id bigint not null references account on delete cascade,
  crawled_page_id bigint generated always as identity,
  -- Of the address that was asked for.
  url_digest text not null,
  final_url text not null,
  status integer not null,
  content_type text not null,
  characters integer not null,
  size_bytes integer not null,
  fetched_at timestamptz not null default instant(),
  primary key (account_id, crawled_page_id),
  unique (account_id, url_digest)
);
create index crawled_page_age on crawled_page (fetched_at);

-- Its text in pieces, so that one chunk is read without the rest.
create table crawled_page_block (
  account_id bigint not null,
  crawled_page_id bigint not null,
  block integer not null,
  text text not null,
  primary key (account_id, crawled_page_id, block),
  foreign key (account_id, crawled_page_id) references crawled_page on delete cascade
);
`
}
