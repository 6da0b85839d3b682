import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/**
 * Accounts, tokens, leads and what belongs to them. Every table of an account's data has `account_id` in its keys, and
 * foreign keys carry it too, so that the database itself refuses a reference across accounts.
 */
export default Effect.flatMap(SqlClient, (sql) =>
  sql.unsafe(`
create extension if not exists pg_trgm;
create extension if not exists btree_gin;
create extension if not exists unaccent;

-- unaccent is only stable, since its dictionary could change; ours does not, and an index needs an immutable function.
create function fold(value text) returns text language sql immutable strict parallel safe
  return lower(public.unaccent('public.unaccent'::regdictionary, value));

-- A pattern that matches the texts with value in them, where both are folded; wildcards in it stand for themselves.
create function containing(value text) returns text language sql immutable strict parallel safe
  return '%' || regexp_replace(value, '([\\\\%_])', '\\\\\\1', 'g') || '%';

-- Every run of five characters of a folded text, and the shorter ones at its end, under the account's number. Three
-- characters, as pg_trgm takes them, are so common among a million rows that intersecting their lists takes milliseconds.
-- Cut into fives from each of five beginnings by a regular expression: a loop over the characters takes twice as long.
create function search_grams(account bigint, value text) returns tsvector
language plpgsql immutable strict parallel safe as $$
declare
  prefix text := account || ':';
  -- The mark is a character that no query has.
  mark text := E'\\x01' || prefix;
  cut text := E'\\\\1' || mark;
begin
  return array_to_tsvector(array_remove(string_to_array(prefix
    || regexp_replace(value, '(.{5})', cut, 'g') || mark || regexp_replace(substr(value, 2), '(.{5})', cut, 'g') || mark
    || regexp_replace(substr(value, 3), '(.{5})', cut, 'g') || mark
    || regexp_replace(substr(value, 4), '(.{5})', cut, 'g') || mark
    || regexp_replace(substr(value, 5), '(.{5})', cut, 'g'), E'\\x01'), prefix));
end $$;

-- Some search_grams that a text must have to contain value; what has them is still to be looked at. The rarest one by
-- the look of it (digits, odd letters, the end of one word with the beginning of the next), and up to two others that
-- are nearly as rare: going through the long list of a common one takes more time than it saves.
create function search_query(account bigint, value text) returns tsquery
language plpgsql immutable strict parallel safe as $$
declare
  candidate record;
  rarest int;
  places int[] := '{}';
  grams text[] := '{}';
begin
  for candidate in
    select place, gram, 3 * (5 - length(translate(gram, '0123456789', ''))) + (5 - length(translate(gram, 'jkqwxyz', '')))
      + case when position(' ' in trim(gram)) > 0 then 2 else 0 end as rarity
    from generate_series(1, greatest(least(length(value), 64) - 4, 1)) place, substr(value, place, 5) gram
    order by rarity desc, place
  loop
    rarest := coalesce(rarest, candidate.rarity);
    exit when candidate.rarity < rarest - 2 or cardinality(grams) = 3;
    continue when exists (select from unnest(places) taken where abs(taken - candidate.place) < 3);
    places := places || candidate.place;
    grams := grams || ('''' || account || ':' || replace(replace(candidate.gram, '\\', '\\\\'), '''', '''''') || '''');
  end loop;
  return (array_to_string(grams, ' & ') || case when length(value) < 5 then ':*' else '' end)::tsquery;
end $$;

-- The time. A session whose clock was moved (see Pool.ts) has another than the server's.
create function instant() returns timestamptz language sql stable parallel safe
  return coalesce(nullif(current_setting('gateway.now', true), '')::timestamptz, pg_catalog.now());

-- Which moved clock the session lives by; null is the server's own.
create function own_clock() returns text language sql stable parallel safe
  return nullif(current_setting('gateway.clock', true), '');

create table account (
  account_id bigint generated always as identity primary key,
  name text not null,
  email text,
  phone text,
  handle text not null unique,
  language_key text not null default 'pt-BR',
  timezone_offset_utc_hours double precision,
  plan text not null check (plan in ('free_trial', 'paid')),
  is_prospecting_active boolean not null default true,
  -- The moved clock that the account lives by while its past is made (see Sample); null is the server's own.
  clock text,
  -- Keys the digests of erased contacts, so that they cannot be looked up in a table of known addresses.
  tombstone_key bytea not null default uuid_send(gen_random_uuid()),
  created_at timestamptz not null default instant()
);

-- Work that goes across accounts is done by sessions that live by the account's clock alone.
create function is_on_clock(account bigint) returns boolean language sql stable parallel safe
  return exists (select from account a where a.account_id = account and a.clock is not distinct from own_clock());

create table access_token (
  account_id bigint not null references account on delete cascade,
  access_token_id bigint generated always as identity,
  label text,
  token_hash bytea not null unique check (length(token_hash) = 32),
  created_at timestamptz not null default instant(),
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz,
  primary key (account_id, access_token_id)
);

create table campaign (
  account_id bigint not null references account on delete cascade,
  campaign_id bigint generated always as identity,
  name text not null,
  is_active boolean not null default true,
  created_at timestamptz not null default instant(),
  archived_at timestamptz,
  primary key (account_id, campaign_id)
);
create unique index campaign_name on campaign (account_id, fold(name)) where archived_at is null;

create table customer_file (
  account_id bigint not null references account on delete cascade,
  customer_file_id bigint generated always as identity,
  file_name text not null,
  media_type text not null default 'application/octet-stream',
  size_bytes bigint not null default 0,
  sha256 bytea,
  -- Unguessable part of the download address.
  download_key text not null unique,
  created_at timestamptz not null default instant(),
  -- Null while the bytes are still being written: nobody sees the file until then.
  completed_at timestamptz,
  primary key (account_id, customer_file_id),
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

create table background_job (
  account_id bigint not null references account on delete cascade,
  job_id uuid not null default gen_random_uuid(),
  kind text not null,
  -- The record the job works on: an import, an export, …
  subject_id bigint,
  status text not null default 'queued' check (status in ('queued', 'running', 'finished', 'failed', 'cancelled')),
  progress smallint not null default 0 check (progress between 0 and 100),
  failure_reason text,
  is_cancel_requested boolean not null default false,
  attempts integer not null default 0,
  created_at timestamptz not null default instant(),
  started_at timestamptz,
  finished_at timestamptz,
  primary key (account_id, job_id)
);
create index background_job_recent on background_job (account_id, created_at desc, job_id);
create index background_job_status on background_job (account_id, status, created_at desc);

create table lead_import (
  account_id bigint not null references account on delete cascade,
  lead_import_id bigint generated always as identity,
  job_id uuid not null,
  customer_file_id bigint,
  source_name text not null,
  -- Rows given in the call itself; null for a file.
  inline_rows jsonb,
  campaign_id bigint,
  lead_status text not null,
  preferred_channel text check (preferred_channel in ('Email', 'ChatApp')),
  instructions text,
  first_message_instructions text,
  prospecting_background text,
  prospecting_goal text,
  -- Null until the source was read to its end once.
  row_count integer,
  -- Rows of the source that are dealt with: where a job taken up again goes on.
  rows_processed integer not null default 0,
  created_count integer not null default 0,
  duplicate_count integer not null default 0,
  invalid_count integer not null default 0,
  created_at timestamptz not null default instant(),
  primary key (account_id, lead_import_id),
  foreign key (account_id, job_id) references background_job,
  foreign key (account_id, campaign_id) references campaign
);

create table lead (
  account_id bigint not null references account on delete cascade,
  lead_id bigint generated always as identity,
  name text not null,
  email text,
  phone text,
  company text,
  job_title text,
  website text,
  city text,
  state text,
  country text,
  cnae text,
  industry text,
  linkedin_url text,
  status text not null check (status in ('Pending', 'Cold', 'Confirmed', 'Aware', 'NotInterested', 'Interested',
    'Frozen', 'Closed', 'Unqualified', 'Rejected', 'Gatekeeper')),
  pipeline_state text not null check (pipeline_state in ('not_started', 'in_pipeline', 'pending_review',
    'user_controlled', 'finished')),
  campaign_id bigint,
  goal text,
  background text,
  preferred_channel text check (preferred_channel in ('Email', 'ChatApp')),
  next_touch_at timestamptz,
  next_touch_instructions text,
  paused_at timestamptz,
  pause_reason text,
  review_requested_at timestamptz,
  review_reason text,
  unsubscribed_at timestamptz,
  final_outcome text check (final_outcome in ('won', 'lost', 'gave_up')),
  lead_import_id bigint,
  last_outbound_at timestamptz,
  last_inbound_at timestamptz,
  last_message_at timestamptz generated always as (greatest(last_outbound_at, last_inbound_at)) stored,
  created_at timestamptz not null default instant(),
  search_text text generated always as (fold(name || E'\\n' || coalesce(company, '') || E'\\n' || coalesce(email, ''))) stored,
  primary key (account_id, lead_id),
  foreign key (account_id, campaign_id) references campaign,
  foreign key (account_id, lead_import_id) references lead_import,
  check (final_outcome is null or pipeline_state = 'finished')
);
create unique index lead_email on lead (account_id, email) where email is not null;
create unique index lead_phone on lead (account_id, phone) where phone is not null;
create index lead_created on lead (account_id, created_at desc, lead_id desc);
create index lead_status on lead (account_id, status, created_at desc, lead_id desc);
create index lead_campaign on lead (account_id, campaign_id, created_at desc, lead_id desc)
  where campaign_id is not null;
create index lead_campaign_status on lead (account_id, campaign_id, status, created_at desc, lead_id desc)
  where campaign_id is not null;
create index lead_last_message on lead (account_id, last_message_at desc nulls last, lead_id desc);
create index lead_linkedin on lead (account_id, created_at desc, lead_id desc) where linkedin_url is not null;
create index lead_pending_review on lead (account_id, review_requested_at, lead_id) where pipeline_state = 'pending_review';
create index lead_paused on lead (account_id, lead_id) where paused_at is not null;
create index lead_import_origin on lead (account_id, lead_import_id) where lead_import_id is not null;
create index lead_due on lead (next_touch_at) where pipeline_state = 'in_pipeline' and paused_at is null;
-- How long its pending list may grow is a setting of the session (see Pool.ts), since imports let it grow longer.
create index lead_search on lead using gin (search_grams(account_id, search_text));
alter index lead_search alter column 1 set statistics 0;

-- The leads with the text in name, company or e-mail address, and what lists filter and sort them by. A function, for
-- then the statement is planned once: planned for each text it costs more than the search.
create function leads_matching(account bigint, wanted text) returns table (
  lead_id bigint, status text, campaign_id bigint, linkedin_url text, created_at timestamptz, last_message_at timestamptz
) language plpgsql stable rows 20 set plan_cache_mode = force_generic_plan as $$
declare
  folded text := fold(wanted);
  pattern text := containing(folded);
  grams tsquery := search_query(account, folded);
begin
  return query
    select l.lead_id, l.status, l.campaign_id, l.linkedin_url, l.created_at, l.last_message_at from lead l
    where search_grams(l.account_id, l.search_text) @@ grams and l.account_id = account and l.search_text like pattern;
end $$;

create table lead_import_row (
  account_id bigint not null,
  lead_import_id bigint not null,
  row_number integer not null,
  outcome text not null check (outcome in ('created', 'duplicate', 'invalid')),
  reason text,
  lead_id bigint,
  primary key (account_id, lead_import_id, row_number),
  foreign key (account_id, lead_import_id) references lead_import on delete cascade
);
create index lead_import_row_lead on lead_import_row (account_id, lead_id) where lead_id is not null;

create table lead_export (
  account_id bigint not null references account on delete cascade,
  lead_export_id bigint generated always as identity,
  job_id uuid not null,
  -- The text looked for is taken out when the file is written, since it may name a person.
  filter jsonb not null,
  customer_file_id bigint,
  lead_count bigint,
  created_at timestamptz not null default instant(),
  primary key (account_id, lead_export_id),
  foreign key (account_id, job_id) references background_job,
  foreign key (account_id, customer_file_id) references customer_file on delete set null (customer_file_id)
);

-- How many leads an account has by what a list filters on, kept as changes that are summed up, since counting a million
-- rows for the total of a page takes longer than the page, and one counter row would put all writers in a queue. Now and
-- then a writer folds the changes, so that there are never many to sum.
create table lead_counter (
  account_id bigint not null,
  campaign_id bigint,
  status text not null,
  has_linkedin boolean not null,
  change bigint not null
);
create index lead_counter_account on lead_counter (account_id) include (campaign_id, status, has_linkedin, change);

-- The same by what campaigns are compared with.
create table campaign_counter (
  account_id bigint not null,
  campaign_id bigint not null,
  status text not null,
  pipeline_state text not null,
  is_contacted boolean not null,
  has_written boolean not null,
  change bigint not null
);
create index campaign_counter_campaign on campaign_counter (account_id, campaign_id)
  include (status, pipeline_state, is_contacted, has_written, change);

create function fold_lead_counter(account bigint) returns void language sql as $$
  with taken as (
    delete from lead_counter where ctid = any (array(
      select ctid from lead_counter where account_id = account for update skip locked
    )) returning campaign_id, status, has_linkedin, change
  )
  insert into lead_counter
    select account, campaign_id, status, has_linkedin, sum(change) from taken group by 2, 3, 4 having sum(change) <> 0;
  with taken as (
    delete from campaign_counter where ctid = any (array(
      select ctid from campaign_counter where account_id = account for update skip locked
    )) returning campaign_id, status, pipeline_state, is_contacted, has_written, change
  )
  insert into campaign_counter
    select account, campaign_id, status, pipeline_state, is_contacted, has_written, sum(change)
    from taken group by 2, 3, 4, 5, 6 having sum(change) <> 0
$$;

create function fold_long_lead_counter(account bigint) returns void language sql as $$
  select fold_lead_counter(account) where (select count(*) from lead_counter where account_id = account) > 300
    or (select count(*) from campaign_counter where account_id = account) > 600
$$;

create function count_leads() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into lead_counter
      select account_id, campaign_id, status, linkedin_url is not null, count(*)
      from added group by 1, 2, 3, 4;
    insert into campaign_counter
      select account_id, campaign_id, status, pipeline_state, last_outbound_at is not null, last_inbound_at is not null,
        count(*)
      from added where campaign_id is not null group by 1, 2, 3, 4, 5, 6;
    if random() < 0.01 then
      perform fold_long_lead_counter(account_id) from (select distinct account_id from added) accounts;
    end if;
  elsif tg_op = 'DELETE' then
    insert into lead_counter
      select account_id, campaign_id, status, linkedin_url is not null, -count(*)
      from removed group by 1, 2, 3, 4;
    insert into campaign_counter
      select account_id, campaign_id, status, pipeline_state, last_outbound_at is not null, last_inbound_at is not null,
        -count(*)
      from removed where campaign_id is not null group by 1, 2, 3, 4, 5, 6;
  else
    insert into lead_counter
      select account_id, campaign_id, status, has_linkedin, sum(change) from (
        select account_id, campaign_id, status, linkedin_url is not null as has_linkedin, -1 as change from removed
        union all
        select account_id, campaign_id, status, linkedin_url is not null, 1 from added
      ) changes group by 1, 2, 3, 4 having sum(change) <> 0;
    insert into campaign_counter
      select account_id, campaign_id, status, pipeline_state, is_contacted, has_written, sum(change) from (
        select account_id, campaign_id, status, pipeline_state, last_outbound_at is not null as is_contacted,
          last_inbound_at is not null as has_written, -1 as change from removed
        union all
        select account_id, campaign_id, status, pipeline_state, last_outbound_at is not null,
          last_inbound_at is not null, 1 from added
      ) changes where campaign_id is not null group by 1, 2, 3, 4, 5, 6 having sum(change) <> 0;
    if random() < 0.01 then
      perform fold_long_lead_counter(account_id) from (select distinct account_id from added) accounts;
    end if;
  end if;
  return null;
end $$;
create trigger lead_counter_insert after insert on lead referencing new table as added
  for each statement execute function count_leads();
create trigger lead_counter_delete after delete on lead referencing old table as removed
  for each statement execute function count_leads();
create trigger lead_counter_update after update on lead referencing old table as removed new table as added
  for each statement execute function count_leads();

-- Blocks the return of an erased person without keeping the address.
create table lead_tombstone (
  account_id bigint not null references account on delete cascade,
  contact_digest bytea not null,
  created_at timestamptz not null default instant(),
  primary key (account_id, contact_digest)
);
-- The digest of a normalised e-mail address or phone number; kind is email or phone.
create function contact_digest(tombstone_key bytea, kind text, value text) returns bytea language sql stable strict
  return sha256(tombstone_key || convert_to(kind || ':' || value, 'UTF8'));

-- That a lead was erased, when and why: nothing that tells who it was.
create table lead_erasure (
  account_id bigint not null references account on delete cascade,
  lead_id bigint not null,
  reason text,
  erased_at timestamptz not null default instant(),
  primary key (account_id, lead_id)
);

create table lead_lifecycle_event (
  account_id bigint not null,
  lead_lifecycle_event_id bigint generated always as identity,
  lead_id bigint not null,
  event_type text not null,
  actor text not null check (actor in ('owner', 'platform', 'lead')),
  from_state text,
  to_state text,
  reason text,
  data jsonb not null default '{}',
  created_at timestamptz not null default instant(),
  primary key (account_id, lead_lifecycle_event_id),
  foreign key (account_id, lead_id) references lead on delete cascade
);
create index lead_lifecycle_event_lead on lead_lifecycle_event (account_id, lead_id, lead_lifecycle_event_id desc);

create table email_message (
  account_id bigint not null,
  email_message_id bigint generated always as identity,
  lead_id bigint,
  direction text not null check (direction in ('outbound', 'inbound')),
  -- What kind of message an outbound one is: first_contact, follow_up, response, direct or user_written.
  message_type text,
  status text not null check (status in ('queued', 'sending', 'sent', 'unknown', 'failed', 'cancelled', 'received')),
  failure_reason text,
  message_id text not null,
  from_address text not null,
  to_address text not null,
  subject text not null,
  body_text text not null,
  attachments jsonb not null default '[]',
  created_at timestamptz not null default instant(),
  occurred_at timestamptz,
  primary key (account_id, email_message_id),
  unique (account_id, message_id),
  foreign key (account_id, lead_id) references lead on delete cascade
);
create index email_message_lead on email_message
  (account_id, lead_id, direction, (coalesce(occurred_at, created_at)) desc, email_message_id desc);
create index email_message_queued on email_message (email_message_id) where status = 'queued';

create table notification (
  account_id bigint not null references account on delete cascade,
  notification_id bigint generated always as identity,
  kind text not null,
  message text not null,
  data jsonb not null default '{}',
  created_at timestamptz not null default instant(),
  processed_at timestamptz,
  acknowledged_at timestamptz,
  primary key (account_id, notification_id)
);
create index notification_pending on notification (account_id, notification_id)
  where processed_at is null and acknowledged_at is null;

create table blacklist_entry (
  account_id bigint not null references account on delete cascade,
  blacklist_entry_id bigint generated always as identity,
  kind text not null check (kind in ('email', 'domain', 'phone')),
  -- E-mails and domains in lower case; phones as phone_key makes them.
  value text not null,
  -- A phone whose country is not known blocks every number that ends with its digits.
  match text not null default 'whole' check (match = 'whole' or (match = 'ending' and kind = 'phone')),
  reason text not null check (reason in ('Competitor', 'Client', 'Other')),
  times_blocked bigint not null default 0,
  created_at timestamptz not null default instant(),
  primary key (account_id, blacklist_entry_id),
  unique (account_id, kind, value)
);
create index blacklist_entry_ending on blacklist_entry (account_id, value) where match = 'ending';

-- The digits by which two spellings of a phone number are one: E.164 without its plus, and Brazilian mobile numbers with
-- the ninth digit, which the messaging application leaves out of the older ones.
create function phone_key(phone text) returns text language sql immutable strict parallel safe
  return regexp_replace(regexp_replace(phone, '[^0-9]', '', 'g'), '^55([1-9][0-9])([6-9][0-9]{7})$', '55\\19\\2');

-- The entry that blocks the normalised e-mail or the phone in E.164; either may be null. No row where none does.
create function blacklist_match(account bigint, email text, phone text) returns table (blacklist_entry_id bigint)
language sql stable parallel safe as $$
  select found.blacklist_entry_id from (
    select 1 as precedence, e.blacklist_entry_id from blacklist_entry e
      where e.account_id = account and e.kind = 'email' and e.value = lower(email)
    union all
    select 2, e.blacklist_entry_id from blacklist_entry e
      where e.account_id = account and e.kind = 'domain' and e.value = substring(lower(email) from '@([^@]*)$')
    union all
    select 3, e.blacklist_entry_id from blacklist_entry e
      where e.account_id = account and e.kind = 'phone' and e.match = 'whole' and e.value = phone_key(phone)
    union all
    select 4, e.blacklist_entry_id from blacklist_entry e
      where e.account_id = account and e.match = 'ending'
        and e.value = any (array(select right(phone_key(phone), digits) from generate_series(8, 14) digits))
  ) found order by found.precedence limit 1
$$;

create table account_event (
  account_id bigint not null references account on delete cascade,
  account_event_id bigint generated always as identity,
  event_key uuid not null default gen_random_uuid(),
  event_type text not null,
  data jsonb not null,
  occurred_at timestamptz not null default instant(),
  primary key (account_id, account_event_id)
);

create table worker_heartbeat (
  worker_id text primary key,
  -- Tasks that it does at a time, of those that it takes.
  hands integer not null default 1,
  beat_at timestamptz not null default now()
);
`)
)
