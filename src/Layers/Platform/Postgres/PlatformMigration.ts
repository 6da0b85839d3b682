import type { Migration } from "./Migration.ts"

/** Postgres extensions that statements of any room may use. */
export const extensions = ["pg_trgm", "btree_gin", "unaccent"]

/** Functions and tables that every room uses: case folding and stemming of texts, the time, and process heartbeats. */
export const platformMigration: Migration = {
  name: "platform",
  sql: `
${extensions.map((name) => `create extension if not exists ${name};`).join("\n")}

-- unaccent is only stable, since its dictionary could change; ours does not, and an index needs an immutable function.
create function fold(value text) returns text language sql immutable strict parallel safe
  return lower(public.unaccent('public.unaccent'::regdictionary, value));

-- A pattern that matches the texts with value in them, where both are folded; wildcards in it stand for themselves.
create function containing(value text) returns text language sql immutable strict parallel safe
  return '%' || regexp_replace(value, '([\\\\%_])', '\\\\\\1', 'g') || '%';

-- The time. A session whose clock was moved (see Pool.ts) has another than the server's.
create function instant() returns timestamptz language sql stable parallel safe
  return coalesce(nullif(current_setting('gateway.now', true), '')::timestamptz, pg_catalog.now());

-- A time before or after another. Sessions are in UTC, where days have 24 hours: unlike the operators it is immutable.
create function shifted(at timestamptz, by interval) returns timestamptz language sql immutable parallel safe
  return (at at time zone 'UTC' + by) at time zone 'UTC';

-- Which moved clock the session lives by; null is the server's own.
create function test_clock() returns text language sql stable parallel safe
  return nullif(current_setting('gateway.clock', true), '');

-- The digits by which two spellings of a phone number are one: E.164 without its plus, and Brazilian mobile numbers with
-- the ninth digit, which the messaging application leaves out of the older ones.
create function phone_key(phone text) returns text language sql immutable strict parallel safe
  return regexp_replace(regexp_replace(phone, '[^0-9]', '', 'g'), '^55([1-9][0-9])([6-9][0-9]{7})$', '55\\19\\2');

create table worker_heartbeat (
  worker_id text primary key,
  -- Tasks that it does at a time, of those that it takes.
  hands integer not null default 1,
  beat_at timestamptz not null default now()
);

-- What an account's transactions take turns in: who holds the row's lock goes first (see AccountLock.ts).
create table account_lock (
  account_id bigint not null,
  turn text not null,
  primary key (account_id, turn)
) with (fillfactor = 50);

-- The first of its account makes the row.
create function make_turn(account bigint, wanted text) returns void language plpgsql as $$
begin
  insert into account_lock (account_id, turn) values (account, wanted) on conflict do nothing;
end $$;

-- The stems of a text's words in its language, or in all three if it is null. folded has the words that have accents,
-- without them. A query has the stems of all three languages.
create function text_stems_of(language text, value text, folded text) returns tsvector
language sql immutable parallel safe as $$
  select strip(case language
    when 'pt-BR' then to_tsvector('pg_catalog.portuguese', part)
    when 'es' then to_tsvector('pg_catalog.spanish', part)
    when 'en' then to_tsvector('pg_catalog.english', part)
    else to_tsvector('pg_catalog.portuguese', part) || to_tsvector('pg_catalog.spanish', part)
      || to_tsvector('pg_catalog.english', part) end)
  from (select left(coalesce(value, ''), 20000) || ' ' || left(coalesce(folded, ''), 20000) as part) cut
$$;

-- The same for a text as people write it: all of it is read a second time if it has accents.
create function text_stems(language text, value text) returns tsvector language sql immutable parallel safe as $$
  select public.text_stems_of(language, part, case when folded <> lower(part) then folded end)
  from (select part, public.fold(part) as folded from (select left(coalesce(value, ''), 20000) as part) cut) both_forms
$$;

-- One query for each of the first twenty words that are no stop word in any of the languages.
create function text_query_words(value text) returns tsquery[] language sql immutable parallel safe as $$
  select coalesce(array_agg(pt || plainto_tsquery('pg_catalog.portuguese', public.fold(word)) || es
    || plainto_tsquery('pg_catalog.spanish', public.fold(word)) || en
    || plainto_tsquery('pg_catalog.english', public.fold(word))), '{}')
  from (
    select distinct word, plainto_tsquery('pg_catalog.portuguese', word) as pt,
      plainto_tsquery('pg_catalog.spanish', word) as es, plainto_tsquery('pg_catalog.english', word) as en
    from regexp_split_to_table(lower(left(value, 2000)), '[[:space:][:punct:]]+') word where word <> ''
    limit 20
  ) words
  where numnode(pt) > 0 and numnode(es) > 0 and numnode(en) > 0
$$;
`
}
