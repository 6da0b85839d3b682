import type { Migration } from "../Platform/Postgres/Migration.ts"

/** The table of the account's files, stored in chunks. */
export const filesMigration: Migration = {
  name: "files",
  sql: `
create table customer_file (
  account_id bigint not null references account on delete cascade,
  customer_file_id bigint generated always as identity,
  file_name text not null,
  media_type text not null default 'application/octet-stream',
  size_bytes bigint not null default 0,
  sha256 bytea,
  -- A picture or video that the gateway encoded itself: browsers may show it, where they only save others' files.
  is_own_media boolean not null default false,
  -- Unguessable part of the download address, with the account in it.
  download_key text not null,
  created_at timestamptz not null default instant(),
  -- Null while the bytes are still being written: nobody sees the file until then.
  completed_at timestamptz,
  primary key (account_id, customer_file_id),
  unique (account_id, download_key),
  check (completed_at is null or sha256 is not null)
);
create index customer_file_unfinished on customer_file (created_at) where completed_at is null;

create table customer_file_chunk (
  account_id bigint not null,
  customer_file_id bigint not null,
  sequence integer not null,
  bytes bytea not null,
  primary key (account_id, customer_file_id, sequence),
  foreign key (account_id, customer_file_id) references customer_file on delete cascade
);
alter table customer_file_chunk alter column bytes set storage external;
`
}
