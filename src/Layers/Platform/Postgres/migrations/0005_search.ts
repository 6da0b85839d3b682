import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/**
 * Text search over what was said: word stems of the three languages side by side, since a message's language is a guess,
 * and both with accents and without, since the Portuguese stemmer needs the accents that people leave out.
 */
export default Effect.flatMap(SqlClient, (sql) =>
  sql.unsafe(`
create function text_stems(value text) returns tsvector language sql immutable parallel safe as $$
  select strip(to_tsvector('pg_catalog.portuguese', part) || to_tsvector('pg_catalog.portuguese', public.fold(part))
    || to_tsvector('pg_catalog.spanish', part) || to_tsvector('pg_catalog.spanish', public.fold(part))
    || to_tsvector('pg_catalog.english', part) || to_tsvector('pg_catalog.english', public.fold(part)))
  from (select left(coalesce(value, ''), 20000) as part) cut
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

alter table email_message add column stems tsvector generated always as
  (text_stems(subject || E'\\n' || coalesce(reply_text, body_text))) stored;
create index email_message_stems on email_message using gin (account_id, stems);

alter table chatapp_message add column stems tsvector generated always as
  (text_stems(coalesce(reply_text, body))) stored;
create index chatapp_message_stems on chatapp_message using gin (account_id, stems);

alter table agent_message add column stems tsvector generated always as (text_stems(body)) stored;
create index agent_message_stems on agent_message using gin (account_id, stems);

-- The newest messages, which are compared with a query letter by letter.
create index email_message_recent on email_message (account_id, (coalesce(occurred_at, created_at)) desc)
  where lead_id is not null and status <> 'cancelled';
create index chatapp_message_recent on chatapp_message (account_id, (coalesce(occurred_at, created_at)) desc)
  where lead_id is not null and status <> 'cancelled';
create index agent_message_newest on agent_message (account_id, created_at desc);

-- What a message means, where a service tells it: float32 numbers of a vector of length one, little-endian.
create table message_embedding (
  account_id bigint not null references account on delete cascade,
  model text not null,
  email_message_id bigint,
  chatapp_message_id bigint,
  agent_message_id bigint,
  vector bytea not null,
  check (num_nonnulls(email_message_id, chatapp_message_id, agent_message_id) = 1),
  foreign key (account_id, email_message_id) references email_message on delete cascade,
  foreign key (account_id, chatapp_message_id) references chatapp_message on delete cascade,
  foreign key (account_id, agent_message_id) references agent_message on delete cascade
);
create unique index message_embedding_email on message_embedding (account_id, email_message_id, model)
  where email_message_id is not null;
create unique index message_embedding_chatapp on message_embedding (account_id, chatapp_message_id, model)
  where chatapp_message_id is not null;
create unique index message_embedding_agent on message_embedding (account_id, agent_message_id, model)
  where agent_message_id is not null;

-- How far the messages of all accounts were embedded, in the order of their ids.
create table embedding_progress (
  source text not null,
  model text not null,
  last_id bigint not null,
  primary key (source, model)
);
create index email_message_number on email_message (email_message_id);
create index chatapp_message_number on chatapp_message (chatapp_message_id);
create index agent_message_number on agent_message (agent_message_id);
`)
)
