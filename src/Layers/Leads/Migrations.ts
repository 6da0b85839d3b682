import type { Migration } from "../Platform/Postgres/Migration.ts"
import { foldSectorCounter, recountLeads } from "./Sql/CounterFunctions.ts"

/** Leads, their history, and the counters of lists. */
export const leadsMigration: Migration = {
  name: "leads",
  sql: `
-- Every run of five characters of a folded text, and the shorter runs at its end, with the account's number. Runs of
-- three characters, as in pg_trgm, are so common among a million rows that intersecting their lists takes
-- milliseconds. A regular expression cuts the text into fives from each of five starts, since a loop over the
-- characters takes twice as long.

-- characters, as pg_trgm takes them, are so common among a million rows that intersecting their lists takes milliseconds.
-- Cut into fives from each of five beginnings by a regular expression: a loop over the characters takes twice as long.
create function search_grams(account bigint, value text) returns tsvector
language plpgsql immutable strict parallel safe as $$
declare
  prefix text := account || ':';
  -- The mark is a character that no query contains.
  mark text := E'\\x01' || prefix;
  cut text := E'\\\\1' || mark;
begin
  return array_to_tsvector(array_remove(string_to_array(prefix
    || regexp_replace(value, '(.{5})', cut, 'g') || mark || regexp_replace(substr(value, 2), '(.{5})', cut, 'g') || mark
    || regexp_replace(substr(value, 3), '(.{5})', cut, 'g') || mark
    || regexp_replace(substr(value, 4), '(.{5})', cut, 'g') || mark
    || regexp_replace(substr(value, 5), '(.{5})', cut, 'g'), E'\\x01'), prefix));
end $$;

-- Some search_grams that a text must contain to contain the value. Matching rows are still compared with the value.
-- It picks the probably rarest one (digits, unusual letters, a word boundary), and up to two others that are nearly
-- as rare, since reading the long list of a common one takes more time than it saves.
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
  -- The time that the owner set last. If next_touch_at is equal to it, a touch that is being written does not move
  -- it.
  next_touch_wished_at timestamptz,
  next_touch_instructions text,
  paused_at timestamptz,
  pause_reason text,
  review_requested_at timestamptz,
  review_reason text,
  unsubscribed_at timestamptz,
  final_outcome text check (final_outcome in ('won', 'lost', 'gave_up')),
  lead_import_id bigint,
  -- acquired means that the platform found the company.
  origin text not null default 'added' check (origin in ('added', 'acquired')),
  last_outbound_at timestamptz,
  last_inbound_at timestamptz,
  -- The last message, and the lead's own last message, so that lists need not read messages.
  last_reply_at timestamptz,
  last_reply_class text,
  last_message_direction text check (last_message_direction in ('outbound', 'inbound')),
  last_message_channel text check (last_message_channel in ('email', 'chatapp', 'voice')),
  last_message_kind text,
  last_message_at timestamptz generated always as (greatest(last_outbound_at, last_inbound_at)) stored,
  created_at timestamptz not null default instant(),
  search_text text generated always as (fold(name || E'\\n' || coalesce(company, '') || E'\\n' || coalesce(email, ''))) stored,
  language text check (language in ('pt-BR', 'en', 'es')),
  time_zone text,
  touch_count integer not null default 0,
  -- A person took the lead over explicitly. A lead with a meeting is handed over without that.
  is_taken_over boolean not null default false,
  instructions text,
  first_message_instructions text,
  owner_context text,
  referred_by_lead_id bigint,
  check_ins_muted_at timestamptz,
  check_ins_snoozed_until timestamptz,
  next_check_in_at timestamptz,
  email_failed_at timestamptz,
  chatapp_failed_at timestamptz,
  presentation_file_id bigint,
  primary key (account_id, lead_id),
  foreign key (account_id, campaign_id) references campaign,
  check (final_outcome is null or pipeline_state = 'finished'),
  foreign key (account_id, referred_by_lead_id) references lead,
  foreign key (account_id, presentation_file_id) references customer_file
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
create index lead_won on lead (account_id, campaign_id) where final_outcome = 'won';
create index lead_paused on lead (account_id, lead_id) where paused_at is not null;
create index lead_import_origin on lead (account_id, lead_import_id) where lead_import_id is not null;

-- By campaign, so that the leads of paused campaigns are skipped.
create index lead_due on lead (account_id, (coalesce(campaign_id, 0)), next_touch_at)
  where pipeline_state = 'in_pipeline' and paused_at is null and next_touch_at is not null;
-- Leads that wait for an answer come before all others.
create index lead_due_answer on lead (account_id, next_touch_at)
  where pipeline_state = 'in_pipeline' and paused_at is null and next_touch_at is not null
    and last_inbound_at > coalesce(last_outbound_at, '-infinity'::timestamptz);
-- Leads that would never be contacted again before the end of the cadence. There should be none.
create index lead_unscheduled on lead (account_id, lead_id)
  where pipeline_state = 'in_pipeline' and next_touch_at is null and touch_count < 6;

-- A setting of the session limits its pending list (see Pool.ts), because imports allow a longer one.
create index lead_search on lead using gin (search_grams(account_id, search_text));
alter index lead_search alter column 1 set statistics 0;

-- The leads with the text in name, company or e-mail address, with the columns by which lists filter and sort. In a
-- function the statement is planned once. Planning it for each text would cost more than the search.
-- The digits of a text that is a phone number of at least eight digits, in any notation, without leading zeros.
create function phone_query(wanted text) returns text language sql immutable as $$
  select case when wanted !~ '[[:alpha:]@]' and length(regexp_replace(wanted, '[^0-9]', '', 'g')) >= 8
    then nullif(ltrim(regexp_replace(wanted, '[^0-9]', '', 'g'), '0'), '') end
$$;
create index lead_phone_ending on lead (account_id, right(phone, 8)) where phone is not null;

create function leads_matching(account bigint, wanted text) returns table (
  lead_id bigint, status text, campaign_id bigint, linkedin_url text, created_at timestamptz, last_message_at timestamptz
) language plpgsql stable rows 20 set plan_cache_mode = force_generic_plan as $$
declare
  folded text := fold(leads_matching.wanted);
  pattern text := containing(folded);
  grams tsquery := search_query(leads_matching.account, folded);
  digits text := phone_query(leads_matching.wanted);
begin
  return query
    select l.lead_id, l.status, l.campaign_id, l.linkedin_url, l.created_at, l.last_message_at from lead l
    where search_grams(l.account_id, l.search_text) @@ grams and l.account_id = leads_matching.account and l.search_text like pattern
    union
    select l.lead_id, l.status, l.campaign_id, l.linkedin_url, l.created_at, l.last_message_at from lead l
    where l.account_id = leads_matching.account and right(l.phone, 8) = right(digits, 8) and l.phone like '%' || digits;
end $$;

-- The number of an account's leads by what lists filter on, as changes that are summed. Counting a million rows for
-- the total of a page takes longer than the page, and a single counter row would make all writers wait. Changes are
-- folded every minute, so that there are never many to sum.
create table lead_counter (
  account_id bigint not null,
  lead_counter_id bigint generated always as identity,
  campaign_id bigint,
  status text not null,
  has_linkedin boolean not null,
  change bigint not null,
  primary key (account_id, lead_counter_id) include (campaign_id, status, has_linkedin, change)
);

-- The same by sector and progress, for reports on the present leads and the comparison of campaigns. Campaign 0 means
-- none. It is read less often than written, so its key has no additional columns.
create table sector_counter (
  account_id bigint not null,
  sector_counter_id bigint generated always as identity,
  campaign_id bigint not null,
  -- The first two digits of the CNAE code, and the text of the industry.
  division text,
  industry text,
  status text not null,
  pipeline_state text not null,
  final_outcome text,
  is_contacted boolean not null,
  has_written boolean not null,
  change bigint not null,
  primary key (account_id, campaign_id, sector_counter_id)
);

-- Folded every quarter of an hour, because it has more rows than the others and is read less often.
${foldSectorCounter(false)}

create function fold_lead_counter(account bigint) returns void language plpgsql as $$
begin
  with taken as (
    delete from lead_counter where account_id = account and lead_counter_id = any (array(
      select lead_counter_id from lead_counter where account_id = account for update skip locked
    )) returning campaign_id, status, has_linkedin, change
  )
  insert into lead_counter (account_id, campaign_id, status, has_linkedin, change)
    select account, campaign_id, status, has_linkedin, sum(change) from taken group by 2, 3, 4 having sum(change) <> 0;
end $$;

-- Counts again after leads were loaded without the gateway's statements. No one may change them at the same time.
${recountLeads(false)}

-- Prevents an erased person from being registered again, without storing the address.
create table lead_tombstone (
  account_id bigint not null references account on delete cascade,
  contact_digest bytea not null,
  created_at timestamptz not null default instant(),
  primary key (account_id, contact_digest)
);

-- The digest of a normalised e-mail address or phone number; kind is email or phone.
create function contact_digest(tombstone_key bytea, kind text, value text) returns bytea language sql stable strict
  return sha256(tombstone_key || convert_to(kind || ':' || value, 'UTF8'));

-- That a lead was erased, when and why, without anything that identifies it.
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

-- Forms that leads submitted on the account's pages. The website belongs to a later room.
create table lead_capture (
  account_id bigint not null,
  lead_capture_id bigint generated always as identity,
  lead_id bigint not null,
  website_id bigint not null,
  page text not null,
  url text not null,
  variant text not null,
  utm_source text,
  utm_medium text,
  utm_campaign text,
  utm_term text,
  utm_content text,
  referrer text,
  said text,
  marketing_consent boolean not null,
  captured_at timestamptz not null default instant(),
  primary key (account_id, lead_capture_id),
  foreign key (account_id, lead_id) references lead on delete cascade
);
create index lead_capture_lead on lead_capture (account_id, lead_id, lead_capture_id desc);

-- Accounts whose lead changes are followed. Changes of other accounts are not recorded.
create table lead_follower (
  account_id bigint primary key references account on delete cascade
);

-- Changes of leads, added by the statement that changes the lead and taken by the follower. Rows are only added, so
-- that no writer waits.
create table lead_change (
  account_id bigint not null,
  lead_id bigint not null,
  lead_change_id bigint generated always as identity,
  primary key (account_id, lead_id, lead_change_id),
  foreign key (account_id, lead_id) references lead on delete cascade
);

-- Accounts whose figures of finished days are stored, so that changes to these days are recorded.
create table lead_past_follower (
  account_id bigint primary key references account on delete cascade
);

-- Leads with changes to finished days, for example after a change of campaign, or when a sent message has failed.
-- Only for followed accounts.
create table lead_past_change (
  account_id bigint not null,
  lead_id bigint not null,
  lead_past_change_id bigint generated always as identity,
  primary key (account_id, lead_id, lead_past_change_id),
  foreign key (account_id, lead_id) references lead on delete cascade
);
create index lead_check_in on lead (next_check_in_at) where next_check_in_at is not null;
create index lead_check_in_unset on lead (account_id, lead_id)
  where pipeline_state = 'user_controlled' and next_check_in_at is null and check_ins_muted_at is null;
create index lead_presentation on lead (account_id, presentation_file_id) where presentation_file_id is not null;
create index lead_referrals on lead (account_id, referred_by_lead_id) where referred_by_lead_id is not null;

`
}

/**
 * The table of leads whose places were stored before they were normalised. A recurring task works them off and deletes
 * the rows.
 */
export const leadPlacesMigration: Migration = {
  name: "lead_places",
  sql: `
create table lead_place_backlog (
  account_id bigint primary key references account on delete cascade,
  -- Leads up to this one are done.
  after_lead_id bigint not null default 0
);
insert into lead_place_backlog (account_id) select account_id from account;
`
}

/** Adds the time when a lead that is away, or that asked for it, is contacted again. */
export const leadDeferralsMigration: Migration = {
  name: "lead_deferrals",
  sql: `
-- The time that a reply set last. If next_touch_at is equal to it, a touch that is being written does not move it.
alter table lead add column next_touch_deferred_to timestamptz;
`
}

/** Adds a function that removes a person from JSON of any form. */
export const personErasureMigration: Migration = {
  name: "person_erasure",
  releases: 1,
  sql: `
-- Whether the person was erased from all records, so that a restore does that again.
alter table lead_tombstone add column is_person boolean not null default false;

-- The value with what the pattern matches replaced in texts and names of members. Numbers are replaced as a whole.
create function redacted_json(value jsonb, pattern text, numbers text[], mark text) returns jsonb
language plpgsql immutable parallel safe as $$
begin
  return case jsonb_typeof(value)
    when 'string' then to_jsonb(regexp_replace(value #>> '{}', pattern, mark, 'gi'))
    when 'number' then case when value #>> '{}' = any (numbers) then to_jsonb(mark) else value end
    when 'array' then (
      select coalesce(jsonb_agg(redacted_json(i.item, pattern, numbers, mark) order by i.place), '[]')
      from jsonb_array_elements(value) with ordinality i (item, place))
    when 'object' then (
      select coalesce(jsonb_object_agg(regexp_replace(m.key, pattern, mark, 'gi'),
        redacted_json(m.value, pattern, numbers, mark)), '{}')
      from jsonb_each(value) m)
    else value end;
end $$;
`
}

/** Adds the digest of the data that a lead's presentation was made from. */
export const presentationDigestMigration: Migration = {
  name: "lead_presentation_digest",
  sql: `
-- Of the pages that it shows. If the present facts make other pages, it is outdated.
alter table lead add column presentation_digest bytea;
`
}

/** Marks leads that were ever interested, so that reports count them without reading the history. */
export const interestedLeadsMigration: Migration = {
  name: "lead_was_interested",
  sql: `
-- Stays true when the status moves on. The status with which an owner adds a lead does not count.
alter table lead add column was_interested boolean not null default false;
alter table sector_counter add column was_interested boolean not null default false;

${foldSectorCounter(true)}

${recountLeads(true)}

select recount_leads(account_id) from account;
`
}
