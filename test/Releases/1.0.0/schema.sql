


SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;


CREATE SCHEMA graphile_worker;



CREATE EXTENSION IF NOT EXISTS btree_gin WITH SCHEMA public;



CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;



CREATE EXTENSION IF NOT EXISTS unaccent WITH SCHEMA public;



CREATE TYPE graphile_worker.job_spec AS (
	identifier text,
	payload json,
	queue_name text,
	run_at timestamp with time zone,
	max_attempts smallint,
	job_key text,
	priority smallint,
	flags text[]
);





CREATE TABLE graphile_worker._private_jobs (
    id bigint NOT NULL,
    job_queue_id integer,
    task_id integer NOT NULL,
    payload json DEFAULT '{}'::json NOT NULL,
    priority smallint DEFAULT 0 NOT NULL,
    run_at timestamp with time zone DEFAULT now() NOT NULL,
    attempts smallint DEFAULT 0 NOT NULL,
    max_attempts smallint DEFAULT 25 NOT NULL,
    last_error text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    key text,
    locked_at timestamp with time zone,
    locked_by text,
    revision integer DEFAULT 0 NOT NULL,
    flags jsonb,
    is_available boolean GENERATED ALWAYS AS (((locked_at IS NULL) AND (attempts < max_attempts))) STORED NOT NULL,
    CONSTRAINT jobs_key_check CHECK (((length(key) > 0) AND (length(key) <= 512))),
    CONSTRAINT jobs_max_attempts_check CHECK ((max_attempts >= 1))
);



CREATE FUNCTION graphile_worker.add_job(identifier text, payload json DEFAULT NULL::json, queue_name text DEFAULT NULL::text, run_at timestamp with time zone DEFAULT NULL::timestamp with time zone, max_attempts integer DEFAULT NULL::integer, job_key text DEFAULT NULL::text, priority integer DEFAULT NULL::integer, flags text[] DEFAULT NULL::text[], job_key_mode text DEFAULT 'replace'::text) RETURNS graphile_worker._private_jobs
    LANGUAGE plpgsql
    AS $$
declare
  v_job "graphile_worker"._private_jobs;
begin
  if (job_key is null or job_key_mode is null or job_key_mode in ('replace', 'preserve_run_at')) then
    select * into v_job
    from "graphile_worker".add_jobs(
      ARRAY[(
        identifier,
        payload,
        queue_name,
        run_at,
        max_attempts::smallint,
        job_key,
        priority::smallint,
        flags
      )::"graphile_worker".job_spec],
      (job_key_mode = 'preserve_run_at')
    )
    limit 1;
    return v_job;
  elsif job_key_mode = 'unsafe_dedupe' then
    -- Ensure all the tasks exist
    insert into "graphile_worker"._private_tasks as tasks (identifier)
    values (add_job.identifier)
    on conflict do nothing;
    -- Ensure all the queues exist
    if add_job.queue_name is not null then
      insert into "graphile_worker"._private_job_queues as job_queues (queue_name)
      values (add_job.queue_name)
      on conflict do nothing;
    end if;
    -- Insert job, but if one already exists then do nothing, even if the
    -- existing job has already started (and thus represents an out-of-date
    -- world state). This is dangerous because it means that whatever state
    -- change triggered this add_job may not be acted upon (since it happened
    -- after the existing job started executing, but no further job is being
    -- scheduled), but it is useful in very rare circumstances for
    -- de-duplication. If in doubt, DO NOT USE THIS.
    insert into "graphile_worker"._private_jobs as jobs (
      job_queue_id,
      task_id,
      payload,
      run_at,
      max_attempts,
      key,
      priority,
      flags
    )
      select
        job_queues.id,
        tasks.id,
        coalesce(add_job.payload, '{}'::json),
        coalesce(add_job.run_at, now()),
        coalesce(add_job.max_attempts::smallint, 25::smallint),
        add_job.job_key,
        coalesce(add_job.priority::smallint, 0::smallint),
        (
          select jsonb_object_agg(flag, true)
          from unnest(add_job.flags) as item(flag)
        )
      from "graphile_worker"._private_tasks as tasks
      left join "graphile_worker"._private_job_queues as job_queues
      on job_queues.queue_name = add_job.queue_name
      where tasks.identifier = add_job.identifier
    on conflict (key)
      -- Bump the updated_at so that there's something to return
      do update set
        revision = jobs.revision + 1,
        updated_at = now()
      returning *
      into v_job;
    if v_job.revision = 0 then
      perform pg_notify('jobs:insert', '{"r":' || random()::text || ',"count":1}');
    end if;
    return v_job;
  else
    raise exception 'Invalid job_key_mode value, expected ''replace'', ''preserve_run_at'' or ''unsafe_dedupe''.' using errcode = 'GWBKM';
  end if;
end;
$$;



CREATE FUNCTION graphile_worker.add_jobs(specs graphile_worker.job_spec[], job_key_preserve_run_at boolean DEFAULT false) RETURNS SETOF graphile_worker._private_jobs
    LANGUAGE plpgsql
    AS $$
begin
  -- Ensure all the tasks exist
  insert into "graphile_worker"._private_tasks as tasks (identifier)
  select distinct spec.identifier
  from unnest(specs) spec
  on conflict do nothing;
  -- Ensure all the queues exist
  insert into "graphile_worker"._private_job_queues as job_queues (queue_name)
  select distinct spec.queue_name
  from unnest(specs) spec
  where spec.queue_name is not null
  on conflict do nothing;
  -- Ensure any locked jobs have their key cleared - in the case of locked
  -- existing job create a new job instead as it must have already started
  -- executing (i.e. it's world state is out of date, and the fact add_job
  -- has been called again implies there's new information that needs to be
  -- acted upon).
  update "graphile_worker"._private_jobs as jobs
  set
    key = null,
    attempts = jobs.max_attempts,
    updated_at = now()
  from unnest(specs) spec
  where spec.job_key is not null
  and jobs.key = spec.job_key
  and is_available is not true;

  -- WARNING: this count is not 100% accurate; 'on conflict' clause will cause it to be an overestimate
  perform pg_notify('jobs:insert', '{"r":' || random()::text || ',"count":' || array_length(specs, 1)::text || '}');

  -- TODO: is there a risk that a conflict could occur depending on the
  -- isolation level?
  return query insert into "graphile_worker"._private_jobs as jobs (
    job_queue_id,
    task_id,
    payload,
    run_at,
    max_attempts,
    key,
    priority,
    flags
  )
    select
      job_queues.id,
      tasks.id,
      coalesce(spec.payload, '{}'::json),
      coalesce(spec.run_at, now()),
      coalesce(spec.max_attempts, 25),
      spec.job_key,
      coalesce(spec.priority, 0),
      (
        select jsonb_object_agg(flag, true)
        from unnest(spec.flags) as item(flag)
      )
    from unnest(specs) spec
    inner join "graphile_worker"._private_tasks as tasks
    on tasks.identifier = spec.identifier
    left join "graphile_worker"._private_job_queues as job_queues
    on job_queues.queue_name = spec.queue_name
  on conflict (key) do update set
    job_queue_id = excluded.job_queue_id,
    task_id = excluded.task_id,
    payload =
      case
      when json_typeof(jobs.payload) = 'array' and json_typeof(excluded.payload) = 'array' then
        (jobs.payload::jsonb || excluded.payload::jsonb)::json
      else
        excluded.payload
      end,
    max_attempts = excluded.max_attempts,
    run_at = (case
      when job_key_preserve_run_at is true and jobs.attempts = 0 then jobs.run_at
      else excluded.run_at
    end),
    priority = excluded.priority,
    revision = jobs.revision + 1,
    flags = excluded.flags,
    -- always reset error/retry state
    attempts = 0,
    last_error = null,
    updated_at = now()
  where jobs.locked_at is null
  returning *;
end;
$$;



CREATE FUNCTION graphile_worker.complete_jobs(job_ids bigint[]) RETURNS SETOF graphile_worker._private_jobs
    LANGUAGE sql
    AS $$
  delete from "graphile_worker"._private_jobs as jobs
    where id = any(job_ids)
    and (
      locked_at is null
    or
      locked_at < now() - interval '4 hours'
    )
    returning *;
$$;



CREATE FUNCTION graphile_worker.force_unlock_workers(worker_ids text[]) RETURNS void
    LANGUAGE sql
    AS $$
update "graphile_worker"._private_jobs as jobs
set locked_at = null, locked_by = null
where locked_by = any(worker_ids);
update "graphile_worker"._private_job_queues as job_queues
set locked_at = null, locked_by = null
where locked_by = any(worker_ids);
$$;



CREATE FUNCTION graphile_worker.permanently_fail_jobs(job_ids bigint[], error_message text DEFAULT NULL::text) RETURNS SETOF graphile_worker._private_jobs
    LANGUAGE sql
    AS $$
  update "graphile_worker"._private_jobs as jobs
    set
      last_error = coalesce(error_message, 'Manually marked as failed'),
      attempts = max_attempts,
      updated_at = now()
    where id = any(job_ids)
    and (
      locked_at is null
    or
      locked_at < NOW() - interval '4 hours'
    )
    returning *;
$$;



CREATE FUNCTION graphile_worker.remove_job(job_key text) RETURNS graphile_worker._private_jobs
    LANGUAGE plpgsql STRICT
    AS $$
declare
  v_job "graphile_worker"._private_jobs;
begin
  -- Delete job if not locked
  delete from "graphile_worker"._private_jobs as jobs
    where key = job_key
    and (
      locked_at is null
    or
      locked_at < NOW() - interval '4 hours'
    )
  returning * into v_job;
  if not (v_job is null) then
    perform pg_notify('jobs:insert', '{"r":' || random()::text || ',"count":-1}');
    return v_job;
  end if;
  -- Otherwise prevent job from retrying, and clear the key
  update "graphile_worker"._private_jobs as jobs
  set
    key = null,
    attempts = jobs.max_attempts,
    updated_at = now()
  where key = job_key
  returning * into v_job;
  return v_job;
end;
$$;



CREATE FUNCTION graphile_worker.reschedule_jobs(job_ids bigint[], run_at timestamp with time zone DEFAULT NULL::timestamp with time zone, priority integer DEFAULT NULL::integer, attempts integer DEFAULT NULL::integer, max_attempts integer DEFAULT NULL::integer) RETURNS SETOF graphile_worker._private_jobs
    LANGUAGE sql
    AS $$
  update "graphile_worker"._private_jobs as jobs
    set
      run_at = coalesce(reschedule_jobs.run_at, jobs.run_at),
      priority = coalesce(reschedule_jobs.priority::smallint, jobs.priority),
      attempts = coalesce(reschedule_jobs.attempts::smallint, jobs.attempts),
      max_attempts = coalesce(reschedule_jobs.max_attempts::smallint, jobs.max_attempts),
      updated_at = now()
    where id = any(job_ids)
    and (
      locked_at is null
    or
      locked_at < NOW() - interval '4 hours'
    )
    returning *;
$$;



CREATE FUNCTION public.append_account_events(account bigint, events jsonb) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  perform from account_lock where account_id = account and turn = 'feed' for no key update;
  if not found then
    perform make_turn(account, 'feed');
    perform from account_lock where account_id = account and turn = 'feed' for no key update;
  end if;
  with appended as (
    insert into account_event (account_id, event_type, lead_id, data, occurred_at)
    select account, e.event ->> 'type', (e.event -> 'data' ->> 'lead_id')::bigint,
      case when e.event -> 'data' ? 'lead_id'
        then e.event -> 'data' || jsonb_build_object('lead_name', l.name, 'campaign_id', l.campaign_id)
        else e.event -> 'data' end,
      coalesce((e.event ->> 'occurred_at')::timestamptz, instant())
    from jsonb_array_elements(events) with ordinality as e (event, position)
      left join lead l on l.account_id = account and l.lead_id = (e.event -> 'data' ->> 'lead_id')::bigint
    order by e.position
    returning account_event_id, event_type, data
  )
  insert into webhook_delivery (account_id, webhook_subscription_id, account_event_id, event_type)
  select account, s.webhook_subscription_id, a.account_event_id, a.event_type
  from appended a join webhook_subscription s
    on s.account_id = account and s.is_active and (s.event_types is null or a.event_type = any (s.event_types))
      and (s.campaign_ids is null or (a.data ->> 'campaign_id')::bigint = any (s.campaign_ids))
  order by a.account_event_id, s.webhook_subscription_id;
end $$;



CREATE FUNCTION public.blacklist_match(account bigint, email text, phone text) RETURNS TABLE(blacklist_entry_id bigint)
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $_$
  
  select entry.blacklist_entry_id from (
    select 1 as precedence, e.blacklist_entry_id from blacklist_entry e
      where e.account_id = blacklist_match.account and e.kind = 'email' and e.value = lower(blacklist_match.email)
    union all
    select 2, e.blacklist_entry_id from blacklist_entry e
      where e.account_id = blacklist_match.account and e.kind = 'domain' and e.value = substring(lower(blacklist_match.email) from '@([^@]*)$')
    union all
    select 3, e.blacklist_entry_id from blacklist_entry e
      where e.account_id = blacklist_match.account and e.kind = 'phone' and e.match = 'whole' and e.value = phone_key(blacklist_match.phone)
    union all
    select 4, e.blacklist_entry_id from blacklist_entry e
      where e.account_id = blacklist_match.account and e.match = 'ending'
        and e.value = any (array(select right(phone_key(blacklist_match.phone), digits) from generate_series(8, 14) digits))
  ) entry order by entry.precedence limit 1
$_$;



CREATE FUNCTION public.contact_digest(tombstone_key bytea, kind text, value text) RETURNS bytea
    LANGUAGE sql STABLE STRICT
    RETURN sha256((tombstone_key || convert_to(((kind || ':'::text) || value), 'UTF8'::name)));



CREATE FUNCTION public.containing(value text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (('%'::text || regexp_replace(value, '([\\%_])'::text, '\\\1'::text, 'g'::text)) || '%'::text);



CREATE FUNCTION public.event_id(key uuid) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN ('evt_'::text || replace((key)::text, '-'::text, ''::text));



CREATE FUNCTION public.fold(value text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN lower(public.unaccent('public.unaccent'::regdictionary, value));



CREATE FUNCTION public.fold_lead_counter(account bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  with taken as (
    delete from lead_counter where account_id = account and lead_counter_id = any (array(
      select lead_counter_id from lead_counter where account_id = account for update skip locked
    )) returning campaign_id, status, has_linkedin, change
  )
  insert into lead_counter (account_id, campaign_id, status, has_linkedin, change)
    select account, campaign_id, status, has_linkedin, sum(change) from taken group by 2, 3, 4 having sum(change) <> 0;
end $$;



CREATE FUNCTION public.fold_sector_counter(account bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  with taken as (
    delete from sector_counter where account_id = account and sector_counter_id = any (array(
      select sector_counter_id from sector_counter where account_id = account for update skip locked
    )) returning campaign_id, division, industry, status, pipeline_state, final_outcome, is_contacted, has_written,
      was_interested, change
  )
  insert into sector_counter (account_id, campaign_id, division, industry, status, pipeline_state, final_outcome,
      is_contacted, has_written, was_interested, change)
    select account, campaign_id, division, industry, status, pipeline_state, final_outcome, is_contacted, has_written,
      was_interested, sum(change)
    from taken group by 2, 3, 4, 5, 6, 7, 8, 9, 10 having sum(change) <> 0;
end $$;



CREATE FUNCTION public.instant() RETURNS timestamp with time zone
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN COALESCE((NULLIF(current_setting('gateway.now'::text, true), ''::text))::timestamp with time zone, now());



CREATE FUNCTION public.leads_matching(account bigint, wanted text) RETURNS TABLE(lead_id bigint, status text, campaign_id bigint, linkedin_url text, created_at timestamp with time zone, last_message_at timestamp with time zone)
    LANGUAGE plpgsql STABLE ROWS 20
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
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



CREATE FUNCTION public.make_turn(account bigint, wanted text) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  insert into account_lock (account_id, turn) values (account, wanted) on conflict do nothing;
end $$;



CREATE FUNCTION public.phone_key(phone text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN regexp_replace(regexp_replace(phone, '[^0-9]'::text, ''::text, 'g'::text), '^55([1-9][0-9])([6-9][0-9]{7})$'::text, '55\19\2'::text);



CREATE FUNCTION public.phone_query(wanted text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
  select case when wanted !~ '[[:alpha:]@]' and length(regexp_replace(wanted, '[^0-9]', '', 'g')) >= 8
    then nullif(ltrim(regexp_replace(wanted, '[^0-9]', '', 'g'), '0'), '') end
$$;



CREATE FUNCTION public.recount_leads(account bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  update lead l set was_interested = true
  where l.account_id = account and not l.was_interested and exists (
    select from lead_lifecycle_event e
    where e.account_id = account and e.lead_id = l.lead_id and e.event_type in ('status_changed', 'registered')
      and lower(coalesce(e.data ->> 'to_status', e.data ->> 'status')) = 'interested'
      and not (e.event_type = 'registered' and e.actor = 'owner'));
  delete from lead_counter where account_id = account;
  insert into lead_counter (account_id, campaign_id, status, has_linkedin, change)
    select account, l.campaign_id, l.status, l.linkedin_url is not null, count(*) from lead l
    where l.account_id = account group by 2, 3, 4;
  delete from sector_counter where account_id = account;
  insert into sector_counter (account_id, campaign_id, division, industry, status, pipeline_state, final_outcome,
      is_contacted, has_written, was_interested, change)
    select account, coalesce(l.campaign_id, 0), left(regexp_replace(l.cnae, '[^0-9]', '', 'g'), 2),
      nullif(trim(l.industry), ''), l.status, l.pipeline_state, l.final_outcome, l.last_outbound_at is not null,
      l.last_inbound_at is not null, l.was_interested, count(*)
    from lead l where l.account_id = account group by 2, 3, 4, 5, 6, 7, 8, 9, 10;
end $$;



CREATE FUNCTION public.redacted_json(value jsonb, pattern text, numbers text[], mark text) RETURNS jsonb
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS $$
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



CREATE FUNCTION public.search_grams(account bigint, value text) RETURNS tsvector
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
declare
  prefix text := account || ':';
  -- The mark is a character that no query contains.
  mark text := E'\x01' || prefix;
  cut text := E'\\1' || mark;
begin
  return array_to_tsvector(array_remove(string_to_array(prefix
    || regexp_replace(value, '(.{5})', cut, 'g') || mark || regexp_replace(substr(value, 2), '(.{5})', cut, 'g') || mark
    || regexp_replace(substr(value, 3), '(.{5})', cut, 'g') || mark
    || regexp_replace(substr(value, 4), '(.{5})', cut, 'g') || mark
    || regexp_replace(substr(value, 5), '(.{5})', cut, 'g'), E'\x01'), prefix));
end $$;



CREATE FUNCTION public.search_query(account bigint, value text) RETURNS tsquery
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
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
    grams := grams || ('''' || account || ':' || replace(replace(candidate.gram, '\', '\\'), '''', '''''') || '''');
  end loop;
  return (array_to_string(grams, ' & ') || case when length(value) < 5 then ':*' else '' end)::tsquery;
end $$;



CREATE FUNCTION public.send_guard(account bigint, lead bigint, is_email boolean, touch_of_it bigint) RETURNS TABLE(pipeline_state text, is_paused boolean, is_unsubscribed boolean, has_contact boolean, is_suppressed boolean, is_blacklisted boolean, is_campaign_paused boolean, is_prospecting_active boolean, is_notice boolean, notice_block text, is_knowledge_changed boolean, is_holding_line boolean)
    LANGUAGE plpgsql
    AS $_$
begin
  perform from lead l where l.account_id = account and l.lead_id = lead for update;
  return query
    select l.pipeline_state, l.paused_at is not null, l.unsubscribed_at is not null, contact.email is not null
        or contact.phone is not null,
      exists (select from email_suppression s where s.account_id = account and s.email = contact.email),
      exists (
  select entry.blacklist_entry_id from (
    select 1 as precedence, e.blacklist_entry_id from blacklist_entry e
      where e.account_id = account and e.kind = 'email' and e.value = lower(contact.email)
    union all
    select 2, e.blacklist_entry_id from blacklist_entry e
      where e.account_id = account and e.kind = 'domain' and e.value = substring(lower(contact.email) from '@([^@]*)$')
    union all
    select 3, e.blacklist_entry_id from blacklist_entry e
      where e.account_id = account and e.kind = 'phone' and e.match = 'whole' and e.value = phone_key(contact.phone)
    union all
    select 4, e.blacklist_entry_id from blacklist_entry e
      where e.account_id = account and e.match = 'ending'
        and e.value = any (array(select right(phone_key(contact.phone), digits) from generate_series(8, 14) digits))
  ) entry order by entry.precedence limit 1),
      exists (select from campaign c where c.account_id = account and c.campaign_id = l.campaign_id
        and c.archived_at is null and not c.is_active),
      a.is_prospecting_active,
      exists (select from touch n where n.account_id = account and n.touch_id = touch_of_it and n.meeting_id is not null),
      (select case
          when m.status = 'cancelled' then 'meeting_cancelled'
          when m.status not in ('scheduled', 'confirmed') or m.starts_at <= instant() then 'meeting_over'
          when m.starts_at <> n.meeting_starts_at then 'meeting_moved'
          -- Whom the platform told of one time it tells of the next: the lead asked it for that, and waits.
          when n.notice = 'meeting_booked' and l.is_taken_over and not exists (select from touch e
            where e.account_id = account and e.meeting_id = n.meeting_id and e.notice = 'meeting_booked'
              and e.status = 'done') then 'user_controlled' end
        from touch n join meeting m on m.account_id = n.account_id and m.meeting_id = n.meeting_id
        where n.account_id = account and m.account_id = account and n.touch_id = touch_of_it),
      exists (select from touch r, jsonb_array_elements(r.rests_on) source
        where r.account_id = account and r.touch_id = touch_of_it and case source ->> 'kind'
          when 'faq' then not exists (select from lead_answer f where f.account_id = account
            and f.answer_id = (source ->> 'answer_id')::bigint and f.superseded_by is null
            and (f.valid_until is null or f.valid_until > instant()))
          else not exists (select from business_passage p where p.account_id = account
            and p.business_file_id = (source ->> 'business_file_id')::bigint
            and p.sequence = (source ->> 'sequence')::integer) end),
      exists (select from touch h where h.account_id = account and h.touch_id = touch_of_it and h.notice = 'holding_line')
    -- Without outer joins, of which a cluster does not see within a function that they are one account's.
    from lead l join account a on a.account_id = l.account_id,
      lateral (select case when is_email then l.email end as email, case when not is_email then l.phone end as phone) contact
    where l.account_id = account and l.lead_id = lead;
end $_$;



CREATE FUNCTION public.shifted(at timestamp with time zone, by interval) RETURNS timestamp with time zone
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (((at AT TIME ZONE 'UTC'::text) + by) AT TIME ZONE 'UTC'::text);



CREATE FUNCTION public.test_clock() RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN NULLIF(current_setting('gateway.clock'::text, true), ''::text);



CREATE FUNCTION public.text_query_words(value text) RETURNS tsquery[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
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



CREATE FUNCTION public.text_stems(language text, value text) RETURNS tsvector
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  select public.text_stems_of(language, part, case when folded <> lower(part) then folded end)
  from (select part, public.fold(part) as folded from (select left(coalesce(value, ''), 20000) as part) cut) both_forms
$$;



CREATE FUNCTION public.text_stems_of(language text, value text, folded text) RETURNS tsvector
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  select strip(case language
    when 'pt-BR' then to_tsvector('pg_catalog.portuguese', part)
    when 'es' then to_tsvector('pg_catalog.spanish', part)
    when 'en' then to_tsvector('pg_catalog.english', part)
    else to_tsvector('pg_catalog.portuguese', part) || to_tsvector('pg_catalog.spanish', part)
      || to_tsvector('pg_catalog.english', part) end)
  from (select left(coalesce(value, ''), 20000) || ' ' || left(coalesce(folded, ''), 20000) as part) cut
$$;



CREATE TABLE public.account (
    account_id bigint NOT NULL,
    name text NOT NULL,
    email text,
    phone text,
    handle text NOT NULL,
    language_key text DEFAULT 'pt-BR'::text NOT NULL,
    country text,
    plan text NOT NULL,
    is_prospecting_active boolean DEFAULT true NOT NULL,
    clock text,
    tombstone_key bytea DEFAULT uuid_send(gen_random_uuid()) NOT NULL,
    time_zone text DEFAULT 'America/Sao_Paulo'::text NOT NULL,
    mail_display_name text,
    mail_key bytea DEFAULT (uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) NOT NULL,
    email_notification_instructions text,
    show_on_website boolean DEFAULT true NOT NULL,
    push_notifications boolean DEFAULT true NOT NULL,
    agent_may_call_owner boolean DEFAULT true NOT NULL,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL,
    is_email_claimed boolean DEFAULT false NOT NULL,
    closes_at timestamp with time zone,
    was_prospecting boolean,
    CONSTRAINT account_country_check CHECK ((country ~ '^[A-Z]{2}$'::text)),
    CONSTRAINT account_plan_check CHECK ((plan = ANY (ARRAY['free_trial'::text, 'paid'::text])))
);



CREATE FUNCTION public.uses_test_clock(account bigint) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (EXISTS (SELECT 1 FROM (SELECT account.account_id AS tested_account, account.clock AS tested_clock FROM public.account) tested WHERE ((tested.tested_account = uses_test_clock.account) AND (NOT (tested.tested_clock IS DISTINCT FROM public.test_clock())))));



CREATE TABLE graphile_worker._private_job_queues (
    id integer NOT NULL,
    queue_name text NOT NULL,
    locked_at timestamp with time zone,
    locked_by text,
    is_available boolean GENERATED ALWAYS AS ((locked_at IS NULL)) STORED NOT NULL,
    CONSTRAINT job_queues_queue_name_check CHECK ((length(queue_name) <= 128))
);



CREATE TABLE graphile_worker._private_known_crontabs (
    identifier text NOT NULL,
    known_since timestamp with time zone NOT NULL,
    last_execution timestamp with time zone
);



CREATE TABLE graphile_worker._private_tasks (
    id integer NOT NULL,
    identifier text NOT NULL,
    CONSTRAINT tasks_identifier_check CHECK ((length(identifier) <= 128))
);



ALTER TABLE graphile_worker._private_job_queues ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME graphile_worker.job_queues_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE VIEW graphile_worker.jobs AS
 SELECT jobs.id,
    job_queues.queue_name,
    tasks.identifier AS task_identifier,
    jobs.priority,
    jobs.run_at,
    jobs.attempts,
    jobs.max_attempts,
    jobs.last_error,
    jobs.created_at,
    jobs.updated_at,
    jobs.key,
    jobs.locked_at,
    jobs.locked_by,
    jobs.revision,
    jobs.flags
   FROM ((graphile_worker._private_jobs jobs
     JOIN graphile_worker._private_tasks tasks ON ((tasks.id = jobs.task_id)))
     LEFT JOIN graphile_worker._private_job_queues job_queues ON ((job_queues.id = jobs.job_queue_id)));



ALTER TABLE graphile_worker._private_jobs ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME graphile_worker.jobs_id_seq1
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE graphile_worker.migrations (
    id integer NOT NULL,
    ts timestamp with time zone DEFAULT now() NOT NULL,
    breaking boolean DEFAULT false NOT NULL
);



ALTER TABLE graphile_worker._private_tasks ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME graphile_worker.tasks_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.access_token (
    account_id bigint NOT NULL,
    access_token_id bigint NOT NULL,
    label text,
    token_hash bytea NOT NULL,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL,
    last_used_at timestamp with time zone,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    scopes text[],
    resource text,
    confirmation text DEFAULT 'when_possible'::text NOT NULL,
    made_by text DEFAULT 'unknown'::text NOT NULL,
    maker_token_id bigint,
    member_id bigint,
    address_ranges text[],
    calls_per_minute integer,
    previous_hash bytea,
    previous_until timestamp with time zone,
    last_used_address text,
    last_used_agent text,
    CONSTRAINT access_token_bounds CHECK (((resource IS NULL) OR (scopes IS NOT NULL))),
    CONSTRAINT access_token_calls_per_minute_check CHECK ((calls_per_minute > 0)),
    CONSTRAINT access_token_confirmation_check CHECK ((confirmation = ANY (ARRAY['when_possible'::text, 'always'::text, 'never'::text]))),
    CONSTRAINT access_token_made_by CHECK ((made_by = ANY (ARRAY['operator'::text, 'member'::text, 'token'::text, 'consent'::text, 'unknown'::text]))),
    CONSTRAINT access_token_previous_hash_check CHECK ((length(previous_hash) = 32)),
    CONSTRAINT access_token_token_hash_check CHECK ((length(token_hash) = 32))
);



ALTER TABLE public.access_token ALTER COLUMN access_token_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.access_token_access_token_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



ALTER TABLE public.account ALTER COLUMN account_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.account_account_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.account_event (
    account_id bigint NOT NULL,
    account_event_id bigint NOT NULL,
    event_key uuid DEFAULT gen_random_uuid() NOT NULL,
    event_type text NOT NULL,
    data jsonb NOT NULL,
    occurred_at timestamp with time zone DEFAULT public.instant() NOT NULL,
    lead_id bigint
);



ALTER TABLE public.account_event ALTER COLUMN account_event_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.account_event_account_event_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.account_export (
    account_id bigint NOT NULL,
    account_export_id bigint NOT NULL,
    job_id uuid NOT NULL,
    customer_file_id bigint,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL
);



ALTER TABLE public.account_export ALTER COLUMN account_export_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.account_export_account_export_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.account_lock (
    account_id bigint NOT NULL,
    turn text NOT NULL
)
WITH (fillfactor='50');



CREATE TABLE public.account_phone (
    phone text NOT NULL,
    account_id bigint NOT NULL,
    proved_at timestamp with time zone
);



CREATE TABLE public.account_seal (
    is_only boolean DEFAULT true NOT NULL,
    key bytea NOT NULL,
    CONSTRAINT account_seal_is_only_check CHECK (is_only),
    CONSTRAINT account_seal_key_check CHECK ((length(key) = 16))
);



CREATE TABLE public.acquired_company (
    account_id bigint NOT NULL,
    source text NOT NULL,
    company_key text NOT NULL,
    lead_id bigint NOT NULL,
    acquired_at timestamp with time zone DEFAULT public.instant() NOT NULL
);



CREATE TABLE public.ads_ad (
    account_id bigint NOT NULL,
    ad_id bigint NOT NULL,
    ads_campaign_id bigint NOT NULL,
    final_url text NOT NULL,
    headlines jsonb NOT NULL,
    descriptions jsonb NOT NULL,
    external_id text,
    refusal text,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL
);



ALTER TABLE public.ads_ad ALTER COLUMN ad_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.ads_ad_ad_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.ads_ad_group (
    account_id bigint NOT NULL,
    ad_group_id bigint NOT NULL,
    ads_campaign_id bigint NOT NULL,
    name text NOT NULL,
    cpc_bid_micros bigint
);



ALTER TABLE public.ads_ad_group ALTER COLUMN ad_group_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.ads_ad_group_ad_group_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.ads_audience (
    account_id bigint NOT NULL,
    ads_campaign_id bigint NOT NULL,
    external_list_id text,
    is_attached boolean DEFAULT false NOT NULL,
    upload_status text DEFAULT 'none'::text NOT NULL,
    request_id text,
    emails_sent integer DEFAULT 0 NOT NULL,
    emails_removed integer DEFAULT 0 NOT NULL,
    uploaded_at timestamp with time zone,
    failure_reason text,
    phones_sent integer DEFAULT 0 NOT NULL,
    phones_removed integer DEFAULT 0 NOT NULL,
    CONSTRAINT ads_audience_upload_status_check CHECK ((upload_status = ANY (ARRAY['none'::text, 'processing'::text, 'done'::text, 'partial'::text, 'failed'::text])))
);



CREATE TABLE public.ads_audience_member (
    account_id bigint NOT NULL,
    ads_campaign_id bigint NOT NULL,
    identifier_hash text NOT NULL,
    kind text DEFAULT 'email'::text NOT NULL,
    CONSTRAINT ads_audience_member_kind_check CHECK ((kind = ANY (ARRAY['email'::text, 'phone'::text])))
);



CREATE TABLE public.ads_campaign (
    account_id bigint NOT NULL,
    ads_campaign_id bigint NOT NULL,
    name text NOT NULL,
    channel_type text NOT NULL,
    daily_budget_micros bigint NOT NULL,
    wanted text DEFAULT 'active'::text NOT NULL,
    state text NOT NULL,
    hold_reason text,
    hold_detail text,
    failure text,
    recharge_key text NOT NULL,
    external_id text,
    external_budget_id text,
    external_ad_group_id text,
    external_status text,
    external_budget_micros bigint,
    spent_micros bigint DEFAULT 0 NOT NULL,
    impressions bigint DEFAULT 0 NOT NULL,
    clicks bigint DEFAULT 0 NOT NULL,
    conversions double precision DEFAULT 0 NOT NULL,
    synced_at timestamp with time zone,
    synced_day date,
    due_at timestamp with time zone,
    attempts integer DEFAULT 0 NOT NULL,
    version bigint DEFAULT 1 NOT NULL,
    leased_by uuid,
    leased_until timestamp with time zone,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL,
    live_since timestamp with time zone,
    ended_at timestamp with time zone,
    external_status_at timestamp with time zone,
    CONSTRAINT ads_campaign_channel_type_check CHECK ((channel_type = ANY (ARRAY['Search'::text, 'Automated'::text]))),
    CONSTRAINT ads_campaign_check CHECK (((wanted = 'ended'::text) = (state = 'ended'::text))),
    CONSTRAINT ads_campaign_check1 CHECK (((external_id IS NULL) = (external_budget_id IS NULL))),
    CONSTRAINT ads_campaign_check2 CHECK (((state <> 'live'::text) OR (external_id IS NOT NULL))),
    CONSTRAINT ads_campaign_daily_budget_micros_check CHECK ((daily_budget_micros > 0)),
    CONSTRAINT ads_campaign_state_check CHECK ((state = ANY (ARRAY['draft'::text, 'awaiting_funds'::text, 'provisioning'::text, 'held'::text, 'live'::text, 'paused'::text, 'depleted'::text, 'ended'::text, 'failed'::text]))),
    CONSTRAINT ads_campaign_wanted_check CHECK ((wanted = ANY (ARRAY['active'::text, 'paused'::text, 'ended'::text])))
);



ALTER TABLE public.ads_campaign ALTER COLUMN ads_campaign_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.ads_campaign_ads_campaign_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.ads_conversion (
    account_id bigint NOT NULL,
    event text NOT NULL,
    lead_id bigint NOT NULL,
    kind text NOT NULL,
    status text DEFAULT 'sending'::text NOT NULL,
    request_id text,
    failure_reason text,
    reported_at timestamp with time zone DEFAULT public.instant() NOT NULL,
    CONSTRAINT ads_conversion_kind_check CHECK ((kind = ANY (ARRAY['meeting'::text, 'won'::text]))),
    CONSTRAINT ads_conversion_status_check CHECK ((status = ANY (ARRAY['sending'::text, 'processing'::text, 'done'::text, 'failed'::text])))
);



CREATE TABLE public.ads_conversion_action (
    account_id bigint NOT NULL,
    kind text NOT NULL,
    external_id text NOT NULL,
    CONSTRAINT ads_conversion_action_kind_check CHECK ((kind = ANY (ARRAY['meeting'::text, 'won'::text])))
);



CREATE TABLE public.ads_customer (
    account_id bigint NOT NULL,
    customer_id text NOT NULL,
    time_zone text NOT NULL,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL
);



CREATE TABLE public.ads_funding_entry (
    account_id bigint NOT NULL,
    entry_id bigint NOT NULL,
    ads_campaign_id bigint NOT NULL,
    reference text NOT NULL,
    amount_micros bigint NOT NULL,
    source text NOT NULL,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL,
    CONSTRAINT ads_funding_entry_check CHECK (
CASE
    WHEN (source = 'refund'::text) THEN (amount_micros < 0)
    ELSE (amount_micros > 0)
END),
    CONSTRAINT ads_funding_entry_source_check CHECK ((source = ANY (ARRAY['payment_notice'::text, 'operator'::text, 'sandbox'::text, 'refund'::text])))
);



ALTER TABLE public.ads_funding_entry ALTER COLUMN entry_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.ads_funding_entry_entry_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.ads_keyword (
    account_id bigint NOT NULL,
    keyword_id bigint NOT NULL,
    ads_campaign_id bigint NOT NULL,
    keyword_text text NOT NULL,
    match_type text NOT NULL,
    is_negative boolean NOT NULL,
    external_id text,
    refusal text,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL,
    CONSTRAINT ads_keyword_match_type_check CHECK ((match_type = ANY (ARRAY['Broad'::text, 'Phrase'::text, 'Exact'::text])))
);



CREATE TABLE public.ads_keyword_idea (
    account_id bigint NOT NULL,
    seeds_hash text NOT NULL,
    ideas jsonb NOT NULL,
    fetched_at timestamp with time zone NOT NULL
);



ALTER TABLE public.ads_keyword ALTER COLUMN keyword_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.ads_keyword_keyword_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.ads_spend_day (
    account_id bigint NOT NULL,
    ads_campaign_id bigint NOT NULL,
    day date NOT NULL,
    cost_micros bigint NOT NULL,
    impressions bigint NOT NULL,
    clicks bigint NOT NULL,
    conversions double precision NOT NULL
);



CREATE TABLE public.agent_message (
    account_id bigint NOT NULL,
    agent_message_id bigint NOT NULL,
    role text NOT NULL,
    body text NOT NULL,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL,
    language text,
    stems tsvector GENERATED ALWAYS AS (public.text_stems(language, body)) STORED,
    channel text DEFAULT 'check_in'::text NOT NULL,
    CONSTRAINT agent_message_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'chatapp'::text, 'voice'::text, 'tool'::text, 'check_in'::text]))),
    CONSTRAINT agent_message_language_check CHECK ((language = ANY (ARRAY['pt-BR'::text, 'en'::text, 'es'::text]))),
    CONSTRAINT agent_message_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'member'::text, 'agent'::text])))
);



ALTER TABLE public.agent_message ALTER COLUMN agent_message_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.agent_message_agent_message_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.approved_subdomain (
    account_id bigint NOT NULL,
    label text NOT NULL,
    approved_at timestamp with time zone NOT NULL
);



CREATE TABLE public.audit_checkpoint (
    account_id bigint NOT NULL,
    "position" bigint NOT NULL,
    link bytea NOT NULL,
    signature bytea NOT NULL,
    CONSTRAINT audit_checkpoint_link_check CHECK ((length(link) = 32))
);



CREATE TABLE public.audit_entry (
    account_id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    audit_entry_id bigint NOT NULL,
    access_token_id bigint,
    request_id text NOT NULL,
    tool text NOT NULL,
    argument_names text[] NOT NULL,
    outcome text NOT NULL,
    reason text,
    milliseconds integer NOT NULL,
    "position" bigint,
    link bytea,
    changes_digest bytea,
    salt bytea,
    changes text,
    CONSTRAINT audit_entry_changes_digest_check CHECK ((length(changes_digest) = 32)),
    CONSTRAINT audit_entry_link_check CHECK ((length(link) = 32))
)
PARTITION BY RANGE (at);



ALTER TABLE public.audit_entry ALTER COLUMN audit_entry_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.audit_entry_audit_entry_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.audit_head (
    account_id bigint NOT NULL,
    "position" bigint NOT NULL,
    link bytea NOT NULL,
    signature bytea NOT NULL,
    CONSTRAINT audit_head_link_check CHECK ((length(link) = 32))
);



CREATE TABLE public.background_job (
    account_id bigint NOT NULL,
    job_id uuid DEFAULT gen_random_uuid() NOT NULL,
    kind text NOT NULL,
    subject_id bigint,
    status text DEFAULT 'queued'::text NOT NULL,
    progress smallint DEFAULT 0 NOT NULL,
    failure_reason text,
    is_cancel_requested boolean DEFAULT false NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    CONSTRAINT background_job_progress_check CHECK (((progress >= 0) AND (progress <= 100))),
    CONSTRAINT background_job_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'finished'::text, 'failed'::text, 'cancelled'::text])))
);



CREATE TABLE public.blacklist_entry (
    account_id bigint NOT NULL,
    blacklist_entry_id bigint NOT NULL,
    kind text NOT NULL,
    value text NOT NULL,
    match text DEFAULT 'whole'::text NOT NULL,
    reason text NOT NULL,
    times_blocked bigint DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL,
    CONSTRAINT blacklist_entry_check CHECK (((match = 'whole'::text) OR ((match = 'ending'::text) AND (kind = 'phone'::text)))),
    CONSTRAINT blacklist_entry_kind_check CHECK ((kind = ANY (ARRAY['email'::text, 'domain'::text, 'phone'::text]))),
    CONSTRAINT blacklist_entry_reason_check CHECK ((reason = ANY (ARRAY['Competitor'::text, 'Client'::text, 'Other'::text])))
);



ALTER TABLE public.blacklist_entry ALTER COLUMN blacklist_entry_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.blacklist_entry_blacklist_entry_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.business_assessment (
    account_id bigint NOT NULL,
    judgement jsonb NOT NULL,
    inputs_digest bytea NOT NULL,
    assessed_at timestamp with time zone DEFAULT public.instant() NOT NULL
);



CREATE TABLE public.business_file (
    account_id bigint NOT NULL,
    business_file_id bigint NOT NULL,
    campaign_id bigint,
    title text NOT NULL,
    given_text text,
    is_from_web boolean DEFAULT false NOT NULL,
    customer_file_id bigint,
    file_name text,
    media_type text,
    content_digest bytea NOT NULL,
    status text DEFAULT 'queued'::text NOT NULL,
    failure_reason text,
    failure_detail text,
    character_count bigint,
    passage_count integer,
    job_id uuid NOT NULL,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL,
    indexed_at timestamp with time zone,
    CONSTRAINT business_file_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'finished'::text, 'failed'::text, 'cancelled'::text])))
);



ALTER TABLE public.business_file ALTER COLUMN business_file_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.business_file_business_file_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.business_passage (
    account_id bigint NOT NULL,
    business_file_id bigint NOT NULL,
    sequence integer NOT NULL,
    heading text NOT NULL,
    body text NOT NULL,
    stems tsvector NOT NULL
);



CREATE TABLE public.business_passage_embedding (
    account_id bigint NOT NULL,
    business_file_id bigint NOT NULL,
    sequence integer NOT NULL,
    model text NOT NULL,
    vector bytea NOT NULL
);



CREATE TABLE public.business_profile (
    account_id bigint NOT NULL,
    business_name text,
    business_description text,
    business_website text,
    ideal_customer_profile text,
    paying_customer_examples text,
    updated_at timestamp with time zone DEFAULT public.instant() NOT NULL
);



CREATE TABLE public.calendar_event (
    account_id bigint NOT NULL,
    event_id text NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    is_busy boolean NOT NULL
);



CREATE TABLE public.calendar_event_name (
    account_id bigint NOT NULL,
    event_id text NOT NULL,
    external_id text NOT NULL
);



CREATE TABLE public.calendar_mirror (
    account_id bigint NOT NULL,
    time_zone text,
    can_write boolean DEFAULT true NOT NULL,
    sync_token text,
    synced_at timestamp with time zone,
    read_whole_at timestamp with time zone,
    due_at timestamp with time zone DEFAULT public.instant() NOT NULL,
    working_until timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    generation uuid DEFAULT gen_random_uuid() NOT NULL,
    channel_id text,
    channel_token_hash bytea,
    channel_resource_id text,
    channel_expires_at timestamp with time zone,
    last_message_number bigint,
    last_error text,
    failures integer DEFAULT 0 NOT NULL,
    provider text DEFAULT 'google'::text NOT NULL,
    CONSTRAINT calendar_mirror_check CHECK ((num_nulls(channel_id, channel_token_hash, channel_resource_id, channel_expires_at) = ANY (ARRAY[0, 4]))),
    CONSTRAINT calendar_mirror_provider_check CHECK ((provider = ANY (ARRAY['google'::text, 'microsoft'::text])))
);



CREATE TABLE public.call_count (
    account_id bigint NOT NULL,
    access_token_id bigint NOT NULL,
    minute bigint NOT NULL,
    calls bigint NOT NULL
);



CREATE TABLE public.call_usage (
    account_id bigint NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    tool text NOT NULL,
    access_token_id bigint NOT NULL,
    calls bigint NOT NULL,
    failed_calls bigint NOT NULL,
    milliseconds bigint NOT NULL
)
PARTITION BY RANGE (starts_at);



CREATE TABLE public.campaign (
    account_id bigint NOT NULL,
    campaign_id bigint NOT NULL,
    name text NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL,
    archived_at timestamp with time zone,
    business_name text DEFAULT ''::text NOT NULL,
    business_description text,
    business_website text,
    icp text,
    email_display_name text,
    lead_generation_active boolean DEFAULT true NOT NULL,
    voice_calling_active boolean,
    generate_custom_presentations boolean,
    notify_on_interested boolean,
    notify_on_confirmed boolean,
    cnae_filter text[] DEFAULT '{}'::text[] NOT NULL,
    cnae_exclusion_filter text[] DEFAULT '{}'::text[] NOT NULL,
    uf_filter text[] DEFAULT '{}'::text[] NOT NULL,
    city_filter text[] DEFAULT '{}'::text[] NOT NULL,
    country_filter text[] DEFAULT '{}'::text[] NOT NULL,
    min_employee_count integer,
    max_employee_count integer,
    min_annual_revenue double precision,
    max_annual_revenue double precision,
    company_size_filter text[] DEFAULT '{}'::text[] NOT NULL,
    company_type_filter text[] DEFAULT '{}'::text[] NOT NULL,
    company_audience_filter text[] DEFAULT '{}'::text[] NOT NULL,
    min_founding_date date,
    max_founding_date date,
    instructions text,
    email_instructions text,
    chatapp_instructions text,
    voice_instructions text,
    goal text,
    strategy text,
    human_review_criteria text,
    lead_qualification_instructions text,
    CONSTRAINT annual_revenue_range CHECK ((min_annual_revenue <= max_annual_revenue)),
    CONSTRAINT campaign_company_audience_filter_check CHECK ((company_audience_filter <@ ARRAY['B2B'::text, 'B2C'::text, 'B2BAndB2C'::text, 'Government'::text, 'NonCommercial'::text])),
    CONSTRAINT campaign_company_size_filter_check CHECK ((company_size_filter <@ ARRAY['Micro'::text, 'Small'::text, 'Medium'::text, 'Large'::text])),
    CONSTRAINT campaign_company_type_filter_check CHECK ((company_type_filter <@ ARRAY['Private'::text, 'Individual'::text, 'Government'::text, 'StateOwned'::text, 'NonProfit'::text])),
    CONSTRAINT campaign_max_annual_revenue_check CHECK ((max_annual_revenue >= (0)::double precision)),
    CONSTRAINT campaign_max_employee_count_check CHECK ((max_employee_count >= 0)),
    CONSTRAINT campaign_min_annual_revenue_check CHECK ((min_annual_revenue >= (0)::double precision)),
    CONSTRAINT campaign_min_employee_count_check CHECK ((min_employee_count >= 0)),
    CONSTRAINT employee_count_range CHECK ((min_employee_count <= max_employee_count)),
    CONSTRAINT founding_date_range CHECK ((min_founding_date <= max_founding_date))
);



ALTER TABLE public.campaign ALTER COLUMN campaign_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.campaign_campaign_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.cancelled_call (
    account_id bigint NOT NULL,
    call_hash text NOT NULL,
    cancelled_at timestamp with time zone NOT NULL
);



CREATE TABLE public.chatapp_budget (
    account_id bigint NOT NULL,
    daily_cap_brl numeric(12,2),
    monthly_cap_brl numeric(12,2),
    CONSTRAINT chatapp_budget_daily_cap_brl_check CHECK ((daily_cap_brl > (0)::numeric)),
    CONSTRAINT chatapp_budget_monthly_cap_brl_check CHECK ((monthly_cap_brl > (0)::numeric))
);



CREATE TABLE public.chatapp_line (
    account_id bigint NOT NULL,
    status text NOT NULL,
    uses_own_number boolean NOT NULL,
    phone text,
    provider_line_id text,
    provider_account_id text,
    credential bytea,
    display_name text,
    quality_rating text,
    profile jsonb DEFAULT '{}'::jsonb NOT NULL,
    signup_key text,
    health_issue text,
    health_fix text,
    job_id uuid,
    failure_reason text,
    checked_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL,
    CONSTRAINT chatapp_line_check CHECK (((status <> 'live'::text) OR (provider_line_id IS NOT NULL))),
    CONSTRAINT chatapp_line_status_check CHECK ((status = ANY (ARRAY['provisioning'::text, 'pending_signup'::text, 'live'::text, 'failed'::text])))
);



CREATE TABLE public.chatapp_message (
    account_id bigint NOT NULL,
    chatapp_message_id bigint NOT NULL,
    lead_id bigint,
    touch_id bigint,
    direction text NOT NULL,
    kind text NOT NULL,
    message_type text,
    status text NOT NULL,
    failure_reason text,
    phone text NOT NULL,
    addressee text,
    body text NOT NULL,
    reply_text text,
    template_name text,
    template_language text,
    media_url text,
    media_type text,
    media_name text,
    provider_media_id text,
    media_status text,
    media_failure text,
    customer_file_id bigint,
    follows_message_id bigint,
    is_verbatim boolean DEFAULT false NOT NULL,
    client_reference uuid DEFAULT gen_random_uuid() NOT NULL,
    provider_message_id text,
    cost_brl numeric(12,4) DEFAULT 0 NOT NULL,
    spend_day date,
    price_category text,
    deferred_until timestamp with time zone,
    classification jsonb,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL,
    sending_at timestamp with time zone,
    occurred_at timestamp with time zone,
    language text,
    stems tsvector GENERATED ALWAYS AS (public.text_stems(language, COALESCE(reply_text, body))) STORED,
    provider_user_id text,
    CONSTRAINT chatapp_message_direction_check CHECK ((direction = ANY (ARRAY['outbound'::text, 'inbound'::text]))),
    CONSTRAINT chatapp_message_kind_check CHECK ((kind = ANY (ARRAY['text'::text, 'template'::text, 'media'::text]))),
    CONSTRAINT chatapp_message_language_check CHECK ((language = ANY (ARRAY['pt-BR'::text, 'en'::text, 'es'::text]))),
    CONSTRAINT chatapp_message_media_status_check CHECK ((media_status = ANY (ARRAY['pending'::text, 'stored'::text, 'failed'::text]))),
    CONSTRAINT chatapp_message_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'sending'::text, 'sent'::text, 'delivered'::text, 'read'::text, 'unknown'::text, 'failed'::text, 'cancelled'::text, 'received'::text])))
);



ALTER TABLE public.chatapp_message ALTER COLUMN chatapp_message_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.chatapp_message_chatapp_message_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.chatapp_provider_line (
    provider_line_id text NOT NULL,
    account_id bigint NOT NULL
);



CREATE TABLE public.chatapp_spend (
    account_id bigint NOT NULL,
    day date NOT NULL,
    spent_brl numeric(14,4) DEFAULT 0 NOT NULL
);



CREATE TABLE public.client_question (
    account_id bigint NOT NULL,
    client_question_id uuid DEFAULT gen_random_uuid() NOT NULL,
    access_token_id bigint,
    tool_name text NOT NULL,
    arguments_digest text NOT NULL,
    answer jsonb,
    used_at timestamp with time zone,
    expires_at timestamp with time zone NOT NULL
);



CREATE TABLE public.company (
    edition_id integer NOT NULL,
    type text NOT NULL,
    cnpj text NOT NULL COLLATE pg_catalog."C",
    cnae integer NOT NULL,
    state smallint NOT NULL,
    city integer NOT NULL,
    size smallint NOT NULL,
    founded date,
    legal_name text NOT NULL,
    trade_name text,
    person text,
    email text,
    phone text,
    CONSTRAINT company_type_check CHECK ((type = ANY (ARRAY['Private'::text, 'Individual'::text, 'Government'::text, 'StateOwned'::text, 'NonProfit'::text])))
)
PARTITION BY LIST (edition_id);



CREATE TABLE public.company_city_frequency (
    edition_id integer NOT NULL,
    type text NOT NULL,
    city integer NOT NULL,
    companies bigint NOT NULL
);



CREATE TABLE public.company_division_frequency (
    edition_id integer NOT NULL,
    type text NOT NULL,
    state smallint NOT NULL,
    division smallint NOT NULL,
    size smallint NOT NULL,
    companies bigint NOT NULL
);



CREATE TABLE public.company_edition (
    edition_id integer NOT NULL,
    files_digest text NOT NULL,
    state text NOT NULL,
    done_steps text[] DEFAULT '{}'::text[] NOT NULL,
    place_count bigint DEFAULT 0 NOT NULL,
    rejected_count bigint DEFAULT 0 NOT NULL,
    unmatched_municipalities text[] DEFAULT '{}'::text[] NOT NULL,
    begun_at timestamp with time zone DEFAULT public.instant() NOT NULL,
    switched_at timestamp with time zone,
    CONSTRAINT company_edition_state_check CHECK ((state = ANY (ARRAY['loading'::text, 'current'::text, 'retired'::text])))
);



ALTER TABLE public.company_edition ALTER COLUMN edition_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.company_edition_edition_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.company_frequency (
    edition_id integer NOT NULL,
    type text NOT NULL,
    state smallint NOT NULL,
    cnae integer NOT NULL,
    size smallint NOT NULL,
    companies bigint NOT NULL
);



CREATE TABLE public.company_year_frequency (
    edition_id integer NOT NULL,
    type text NOT NULL,
    founded_year smallint NOT NULL,
    companies bigint NOT NULL
);



CREATE TABLE public.confirmed_address (
    account_id bigint NOT NULL,
    email text NOT NULL,
    confirmed_at timestamp with time zone NOT NULL
);



CREATE TABLE public.connection (
    account_id bigint NOT NULL,
    service text NOT NULL,
    state text NOT NULL,
    identity text NOT NULL,
    settings jsonb DEFAULT '{}'::jsonb NOT NULL,
    secrets bytea,
    is_verified boolean NOT NULL,
    is_sandbox boolean NOT NULL,
    connected_at timestamp with time zone DEFAULT public.instant() NOT NULL,
    checked_at timestamp with time zone DEFAULT public.instant() NOT NULL,
    last_error text,
    renewed_by uuid,
    renewed_until timestamp with time zone,
    CONSTRAINT connection_check CHECK (((state <> 'connected'::text) OR (secrets IS NOT NULL))),
    CONSTRAINT connection_state_check CHECK ((state = ANY (ARRAY['connected'::text, 'needs_reconnect'::text, 'disconnected'::text])))
);



CREATE TABLE public.connection_bucket (
    account_id bigint NOT NULL,
    service text NOT NULL,
    bucket text NOT NULL,
    tokens double precision NOT NULL,
    filled_at timestamp with time zone NOT NULL,
    empty_until timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL
);



CREATE TABLE public.crawled_page (
    account_id bigint NOT NULL,
    crawled_page_id bigint NOT NULL,
    url_digest text NOT NULL,
    final_url text NOT NULL,
    status integer NOT NULL,
    content_type text NOT NULL,
    characters integer NOT NULL,
    size_bytes integer NOT NULL,
    fetched_at timestamp with time zone DEFAULT public.instant() NOT NULL
);



CREATE TABLE public.crawled_page_block (
    account_id bigint NOT NULL,
    crawled_page_id bigint NOT NULL,
    block integer NOT NULL,
    text text NOT NULL
);



ALTER TABLE public.crawled_page ALTER COLUMN crawled_page_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.crawled_page_crawled_page_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.crm_activity (
    account_id bigint NOT NULL,
    crm text NOT NULL,
    crm_account text NOT NULL,
    lead_id bigint NOT NULL,
    event text NOT NULL,
    state text NOT NULL,
    external_id text,
    began_at timestamp with time zone DEFAULT public.instant() NOT NULL,
    CONSTRAINT crm_activity_check CHECK (((state <> 'made'::text) OR (external_id IS NOT NULL))),
    CONSTRAINT crm_activity_state_check CHECK ((state = ANY (ARRAY['creating'::text, 'made'::text])))
);



CREATE TABLE public.crm_custom_field (
    account_id bigint NOT NULL,
    field_id bigint NOT NULL,
    field_name text NOT NULL,
    field_value text NOT NULL
);



ALTER TABLE public.crm_custom_field ALTER COLUMN field_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.crm_custom_field_field_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.crm_integration (
    account_id bigint NOT NULL,
    crm text NOT NULL,
    crm_account text NOT NULL,
    warnings jsonb DEFAULT '[]'::jsonb NOT NULL,
    last_sync_at timestamp with time zone,
    polled_until timestamp with time zone DEFAULT public.instant() NOT NULL,
    polled_at timestamp with time zone DEFAULT public.instant() NOT NULL,
    webhook_ids jsonb DEFAULT '[]'::jsonb NOT NULL,
    leased_by uuid,
    leased_until timestamp with time zone,
    resumes_at timestamp with time zone,
    defects integer DEFAULT 0 NOT NULL
);



CREATE TABLE public.crm_lead (
    account_id bigint NOT NULL,
    crm text NOT NULL,
    lead_id bigint NOT NULL,
    state text NOT NULL,
    version bigint DEFAULT 1 NOT NULL,
    can_wait boolean DEFAULT false NOT NULL,
    due_at timestamp with time zone NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    reason text,
    synced_at timestamp with time zone,
    CONSTRAINT crm_lead_check CHECK (((state <> 'stuck'::text) OR (reason IS NOT NULL))),
    CONSTRAINT crm_lead_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'synced'::text, 'stuck'::text])))
);



CREATE TABLE public.crm_link (
    account_id bigint NOT NULL,
    crm text NOT NULL,
    crm_account text NOT NULL,
    lead_id bigint NOT NULL,
    kind text NOT NULL,
    state text NOT NULL,
    external_id text,
    written jsonb DEFAULT '{}'::jsonb NOT NULL,
    began_at timestamp with time zone DEFAULT public.instant() NOT NULL,
    heard_outcome text,
    CONSTRAINT crm_link_check CHECK (((state <> 'linked'::text) OR (external_id IS NOT NULL))),
    CONSTRAINT crm_link_kind_check CHECK ((kind = ANY (ARRAY['company'::text, 'person'::text, 'deal'::text, 'note'::text, 'conversion'::text]))),
    CONSTRAINT crm_link_state_check CHECK ((state = ANY (ARRAY['creating'::text, 'linked'::text, 'gone'::text])))
);



CREATE TABLE public.crm_setting (
    account_id bigint NOT NULL,
    minimum_status text NOT NULL
);



CREATE TABLE public.crm_source (
    account_id bigint NOT NULL,
    crm text NOT NULL,
    pipeline_id text,
    stage_id text,
    cursor text,
    read_at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    warning text,
    created_count integer DEFAULT 0 NOT NULL,
    passed_count integer DEFAULT 0 NOT NULL,
    CONSTRAINT crm_source_check CHECK (((stage_id IS NULL) OR (pipeline_id IS NOT NULL)))
);



CREATE TABLE public.crm_webhook_removal (
    account_id bigint NOT NULL,
    crm text NOT NULL,
    secrets bytea NOT NULL,
    webhook_ids jsonb NOT NULL
);



CREATE TABLE public.customer_file (
    account_id bigint NOT NULL,
    customer_file_id bigint NOT NULL,
    file_name text NOT NULL,
    media_type text DEFAULT 'application/octet-stream'::text NOT NULL,
    size_bytes bigint DEFAULT 0 NOT NULL,
    sha256 bytea,
    is_own_media boolean DEFAULT false NOT NULL,
    download_key text NOT NULL,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL,
    completed_at timestamp with time zone,
    CONSTRAINT customer_file_check CHECK (((completed_at IS NULL) OR (sha256 IS NOT NULL)))
);



CREATE TABLE public.customer_file_chunk (
    account_id bigint NOT NULL,
    customer_file_id bigint NOT NULL,
    sequence integer NOT NULL,
    bytes bytea NOT NULL
);
ALTER TABLE ONLY public.customer_file_chunk ALTER COLUMN bytes SET STORAGE EXTERNAL;



ALTER TABLE public.customer_file ALTER COLUMN customer_file_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.customer_file_customer_file_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.daily_report (
    account_id bigint NOT NULL,
    day date NOT NULL,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL
);



CREATE TABLE public.deferred_company (
    account_id bigint NOT NULL,
    source text NOT NULL,
    place_key text NOT NULL,
    campaign_id bigint,
    attempts integer DEFAULT 1 NOT NULL,
    retry_at timestamp with time zone NOT NULL
);



CREATE TABLE public.dialed_number (
    phone_key text NOT NULL,
    account_id bigint NOT NULL,
    voice_call_request_id bigint NOT NULL
);



CREATE TABLE public.dispatch_queue (
    account_id bigint NOT NULL,
    dispatch_queue_id bigint NOT NULL,
    due_at timestamp with time zone NOT NULL
);



ALTER TABLE public.dispatch_queue ALTER COLUMN dispatch_queue_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.dispatch_queue_dispatch_queue_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.email_message (
    account_id bigint NOT NULL,
    email_message_id bigint NOT NULL,
    lead_id bigint,
    direction text NOT NULL,
    message_type text,
    status text NOT NULL,
    failure_reason text,
    message_id text NOT NULL,
    from_address text NOT NULL,
    to_address text NOT NULL,
    sender_domain_id bigint,
    subject text NOT NULL,
    body_text text NOT NULL,
    attachments jsonb DEFAULT '[]'::jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL,
    occurred_at timestamp with time zone,
    touch_id bigint,
    body_html text,
    in_reply_to text,
    thread_references text[] DEFAULT '{}'::text[] NOT NULL,
    reply_text text,
    classification jsonb,
    invitation text,
    is_auto_reply boolean DEFAULT false NOT NULL,
    judged_at timestamp with time zone,
    is_sender_proven boolean DEFAULT false NOT NULL,
    provider_response text,
    sending_at timestamp with time zone,
    sending_claim uuid,
    handed_over_at timestamp with time zone,
    sent_at timestamp with time zone,
    soft_bounces smallint DEFAULT 0 NOT NULL,
    content_digest bytea,
    language text,
    stems tsvector GENERATED ALWAYS AS (public.text_stems(language, ((subject || '
'::text) || COALESCE(reply_text, body_text)))) STORED,
    CONSTRAINT email_message_direction_check CHECK ((direction = ANY (ARRAY['outbound'::text, 'inbound'::text]))),
    CONSTRAINT email_message_language_check CHECK ((language = ANY (ARRAY['pt-BR'::text, 'en'::text, 'es'::text]))),
    CONSTRAINT email_message_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'sending'::text, 'sent'::text, 'unknown'::text, 'failed'::text, 'cancelled'::text, 'received'::text, 'unauthenticated'::text])))
);



ALTER TABLE public.email_message ALTER COLUMN email_message_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.email_message_email_message_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.email_suppression (
    account_id bigint NOT NULL,
    email text NOT NULL,
    reason text NOT NULL,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL,
    CONSTRAINT email_suppression_reason_check CHECK ((reason = ANY (ARRAY['unsubscribed'::text, 'hard_bounce'::text, 'complaint'::text])))
);



CREATE TABLE public.embedding_progress (
    source text NOT NULL,
    model text NOT NULL,
    last_id bigint NOT NULL
);



CREATE TABLE public.followed_resource (
    account_id bigint NOT NULL,
    session_id text NOT NULL,
    uri text NOT NULL,
    followed_at timestamp with time zone NOT NULL
);



CREATE TABLE public.former_handle (
    handle text NOT NULL,
    account_id bigint NOT NULL,
    kept_until timestamp with time zone NOT NULL
);



CREATE TABLE public.gateway_migration (
    migration_id integer NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    name text NOT NULL
);



CREATE TABLE public.incident (
    incident_id bigint NOT NULL,
    title text NOT NULL,
    impact text NOT NULL,
    status text NOT NULL,
    components text[] NOT NULL,
    updates jsonb NOT NULL,
    automatic_key text,
    started_at timestamp with time zone NOT NULL,
    resolved_at timestamp with time zone,
    CONSTRAINT incident_check CHECK (((status = 'resolved'::text) = (resolved_at IS NOT NULL))),
    CONSTRAINT incident_impact_check CHECK ((impact = ANY (ARRAY['outage'::text, 'degradation'::text, 'instability'::text]))),
    CONSTRAINT incident_status_check CHECK ((status = ANY (ARRAY['investigating'::text, 'identified'::text, 'monitoring'::text, 'resolved'::text])))
);



ALTER TABLE public.incident ALTER COLUMN incident_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.incident_incident_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.keyed_write (
    account_id bigint NOT NULL,
    key_mark bytea NOT NULL,
    call_mark bytea NOT NULL,
    begun_on date NOT NULL,
    begun_at timestamp with time zone NOT NULL,
    is_running boolean NOT NULL,
    answer bytea,
    CONSTRAINT keyed_write_call_mark_check CHECK ((length(call_mark) = 32)),
    CONSTRAINT keyed_write_key_mark_check CHECK ((length(key_mark) = 32))
)
PARTITION BY RANGE (begun_on);



CREATE TABLE public.language_usage (
    account_id bigint NOT NULL,
    day date NOT NULL,
    purpose text NOT NULL,
    model text NOT NULL,
    calls bigint DEFAULT 0 NOT NULL,
    input_tokens bigint DEFAULT 0 NOT NULL,
    output_tokens bigint DEFAULT 0 NOT NULL,
    cost_micro_usd bigint DEFAULT 0 NOT NULL
);



CREATE TABLE public.lead (
    account_id bigint NOT NULL,
    lead_id bigint NOT NULL,
    name text NOT NULL,
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
    status text NOT NULL,
    pipeline_state text NOT NULL,
    campaign_id bigint,
    goal text,
    background text,
    preferred_channel text,
    next_touch_at timestamp with time zone,
    next_touch_wished_at timestamp with time zone,
    next_touch_instructions text,
    paused_at timestamp with time zone,
    pause_reason text,
    review_requested_at timestamp with time zone,
    review_reason text,
    unsubscribed_at timestamp with time zone,
    final_outcome text,
    lead_import_id bigint,
    origin text DEFAULT 'added'::text NOT NULL,
    last_outbound_at timestamp with time zone,
    last_inbound_at timestamp with time zone,
    last_reply_at timestamp with time zone,
    last_reply_class text,
    last_message_direction text,
    last_message_channel text,
    last_message_kind text,
    last_message_at timestamp with time zone GENERATED ALWAYS AS (GREATEST(last_outbound_at, last_inbound_at)) STORED,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL,
    search_text text GENERATED ALWAYS AS (public.fold(((((name || '
'::text) || COALESCE(company, ''::text)) || '
'::text) || COALESCE(email, ''::text)))) STORED,
    language text,
    time_zone text,
    touch_count integer DEFAULT 0 NOT NULL,
    is_taken_over boolean DEFAULT false NOT NULL,
    instructions text,
    first_message_instructions text,
    owner_context text,
    referred_by_lead_id bigint,
    check_ins_muted_at timestamp with time zone,
    check_ins_snoozed_until timestamp with time zone,
    next_check_in_at timestamp with time zone,
    email_failed_at timestamp with time zone,
    chatapp_failed_at timestamp with time zone,
    presentation_file_id bigint,
    next_touch_deferred_to timestamp with time zone,
    presentation_digest bytea,
    was_interested boolean DEFAULT false NOT NULL,
    CONSTRAINT lead_check CHECK (((final_outcome IS NULL) OR (pipeline_state = 'finished'::text))),
    CONSTRAINT lead_final_outcome_check CHECK ((final_outcome = ANY (ARRAY['won'::text, 'lost'::text, 'gave_up'::text]))),
    CONSTRAINT lead_language_check CHECK ((language = ANY (ARRAY['pt-BR'::text, 'en'::text, 'es'::text]))),
    CONSTRAINT lead_last_message_channel_check CHECK ((last_message_channel = ANY (ARRAY['email'::text, 'chatapp'::text, 'voice'::text]))),
    CONSTRAINT lead_last_message_direction_check CHECK ((last_message_direction = ANY (ARRAY['outbound'::text, 'inbound'::text]))),
    CONSTRAINT lead_origin_check CHECK ((origin = ANY (ARRAY['added'::text, 'acquired'::text]))),
    CONSTRAINT lead_pipeline_state_check CHECK ((pipeline_state = ANY (ARRAY['not_started'::text, 'in_pipeline'::text, 'pending_review'::text, 'user_controlled'::text, 'finished'::text]))),
    CONSTRAINT lead_preferred_channel_check CHECK ((preferred_channel = ANY (ARRAY['Email'::text, 'ChatApp'::text]))),
    CONSTRAINT lead_status_check CHECK ((status = ANY (ARRAY['Pending'::text, 'Cold'::text, 'Confirmed'::text, 'Aware'::text, 'NotInterested'::text, 'Interested'::text, 'Frozen'::text, 'Closed'::text, 'Unqualified'::text, 'Rejected'::text, 'Gatekeeper'::text])))
);



CREATE TABLE public.lead_answer (
    account_id bigint NOT NULL,
    answer_id bigint NOT NULL,
    open_question_id bigint,
    question_text text NOT NULL,
    answer_text text NOT NULL,
    is_reusable boolean NOT NULL,
    valid_until timestamp with time zone,
    request_id uuid,
    superseded_by bigint,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL
);



ALTER TABLE public.lead_answer ALTER COLUMN answer_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.lead_answer_answer_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.lead_answer_delivery (
    account_id bigint NOT NULL,
    open_question_id bigint NOT NULL,
    lead_id bigint NOT NULL,
    answer_id bigint NOT NULL,
    status text DEFAULT 'queued'::text NOT NULL,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL,
    delivered_at timestamp with time zone,
    CONSTRAINT lead_answer_delivery_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'delivered'::text, 'expired'::text, 'cancelled'::text])))
);



CREATE TABLE public.lead_capture (
    account_id bigint NOT NULL,
    lead_capture_id bigint NOT NULL,
    lead_id bigint NOT NULL,
    website_id bigint NOT NULL,
    page text NOT NULL,
    url text NOT NULL,
    variant text NOT NULL,
    utm_source text,
    utm_medium text,
    utm_campaign text,
    utm_term text,
    utm_content text,
    referrer text,
    said text,
    marketing_consent boolean NOT NULL,
    captured_at timestamp with time zone DEFAULT public.instant() NOT NULL
);



ALTER TABLE public.lead_capture ALTER COLUMN lead_capture_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.lead_capture_lead_capture_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.lead_change (
    account_id bigint NOT NULL,
    lead_id bigint NOT NULL,
    lead_change_id bigint NOT NULL
);



ALTER TABLE public.lead_change ALTER COLUMN lead_change_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.lead_change_lead_change_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.lead_counter (
    account_id bigint NOT NULL,
    lead_counter_id bigint NOT NULL,
    campaign_id bigint,
    status text NOT NULL,
    has_linkedin boolean NOT NULL,
    change bigint NOT NULL
);



ALTER TABLE public.lead_counter ALTER COLUMN lead_counter_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.lead_counter_lead_counter_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.lead_erasure (
    account_id bigint NOT NULL,
    lead_id bigint NOT NULL,
    reason text,
    erased_at timestamp with time zone DEFAULT public.instant() NOT NULL
);



CREATE TABLE public.lead_export (
    account_id bigint NOT NULL,
    lead_export_id bigint NOT NULL,
    job_id uuid NOT NULL,
    filter jsonb NOT NULL,
    customer_file_id bigint,
    lead_count bigint,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL
);



ALTER TABLE public.lead_export ALTER COLUMN lead_export_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.lead_export_lead_export_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.lead_follower (
    account_id bigint NOT NULL
);



CREATE TABLE public.lead_generation_run (
    account_id bigint NOT NULL,
    next_at timestamp with time zone NOT NULL
);



CREATE TABLE public.lead_generation_track (
    account_id bigint NOT NULL,
    lead_generation_track_id bigint NOT NULL,
    campaign_id bigint,
    filter_digest text NOT NULL,
    resume_after text,
    is_at_end boolean DEFAULT false NOT NULL,
    taken_on date,
    taken_today integer DEFAULT 0 NOT NULL,
    taken_in_all bigint DEFAULT 0 NOT NULL,
    matching bigint DEFAULT 0 NOT NULL,
    is_matching_exact boolean DEFAULT true NOT NULL,
    examined bigint DEFAULT 0 NOT NULL,
    told_empty_at timestamp with time zone
);



ALTER TABLE public.lead_generation_track ALTER COLUMN lead_generation_track_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.lead_generation_track_lead_generation_track_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.lead_import (
    account_id bigint NOT NULL,
    lead_import_id bigint NOT NULL,
    job_id uuid NOT NULL,
    customer_file_id bigint,
    source_name text NOT NULL,
    inline_rows jsonb,
    campaign_id bigint,
    lead_status text NOT NULL,
    preferred_channel text,
    instructions text,
    first_message_instructions text,
    prospecting_background text,
    prospecting_goal text,
    row_count integer,
    rows_processed integer DEFAULT 0 NOT NULL,
    told_at timestamp with time zone,
    created_count integer DEFAULT 0 NOT NULL,
    duplicate_count integer DEFAULT 0 NOT NULL,
    invalid_count integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL,
    columns jsonb,
    CONSTRAINT lead_import_preferred_channel_check CHECK ((preferred_channel = ANY (ARRAY['Email'::text, 'ChatApp'::text])))
);



ALTER TABLE public.lead_import ALTER COLUMN lead_import_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.lead_import_lead_import_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.lead_import_row (
    account_id bigint NOT NULL,
    lead_import_id bigint NOT NULL,
    row_number integer NOT NULL,
    outcome text NOT NULL,
    reason text,
    lead_id bigint,
    warnings jsonb,
    filled jsonb,
    not_filled jsonb,
    CONSTRAINT lead_import_row_outcome_check CHECK ((outcome = ANY (ARRAY['created'::text, 'duplicate'::text, 'invalid'::text])))
);



ALTER TABLE public.lead ALTER COLUMN lead_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.lead_lead_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.lead_lifecycle_event (
    account_id bigint NOT NULL,
    lead_lifecycle_event_id bigint NOT NULL,
    lead_id bigint NOT NULL,
    event_type text NOT NULL,
    actor text NOT NULL,
    from_state text,
    to_state text,
    reason text,
    data jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL,
    CONSTRAINT lead_lifecycle_event_actor_check CHECK ((actor = ANY (ARRAY['owner'::text, 'platform'::text, 'lead'::text])))
);



ALTER TABLE public.lead_lifecycle_event ALTER COLUMN lead_lifecycle_event_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.lead_lifecycle_event_lead_lifecycle_event_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.lead_past_change (
    account_id bigint NOT NULL,
    lead_id bigint NOT NULL,
    lead_past_change_id bigint NOT NULL
);



ALTER TABLE public.lead_past_change ALTER COLUMN lead_past_change_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.lead_past_change_lead_past_change_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.lead_past_follower (
    account_id bigint NOT NULL
);



CREATE TABLE public.lead_place_backlog (
    account_id bigint NOT NULL,
    after_lead_id bigint DEFAULT 0 NOT NULL
);



CREATE TABLE public.lead_rescheduling (
    account_id bigint NOT NULL,
    lead_rescheduling_id bigint NOT NULL,
    job_id uuid NOT NULL,
    customer_file_id bigint NOT NULL,
    next_touch_at timestamp with time zone,
    preferred_channel text,
    last_lead_id bigint DEFAULT 0 NOT NULL,
    until_lead_id bigint NOT NULL,
    total integer NOT NULL,
    updated_count integer DEFAULT 0 NOT NULL,
    skipped_count integer DEFAULT 0 NOT NULL,
    CONSTRAINT lead_rescheduling_preferred_channel_check CHECK ((preferred_channel = ANY (ARRAY['Email'::text, 'ChatApp'::text])))
);



ALTER TABLE public.lead_rescheduling ALTER COLUMN lead_rescheduling_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.lead_rescheduling_lead_rescheduling_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.lead_source (
    account_id bigint NOT NULL,
    list_id text,
    list_name text,
    page integer DEFAULT 1 NOT NULL,
    contact_count integer,
    read_count integer DEFAULT 0 NOT NULL,
    handed_over_count integer DEFAULT 0 NOT NULL,
    invalid_email_count integer DEFAULT 0 NOT NULL,
    no_contact_count integer DEFAULT 0 NOT NULL,
    opted_out_count integer DEFAULT 0 NOT NULL,
    last_read_at timestamp with time zone,
    next_read_at timestamp with time zone DEFAULT public.instant() NOT NULL
);



CREATE TABLE public.lead_source_contact (
    account_id bigint NOT NULL,
    contact_id text NOT NULL
);



CREATE TABLE public.lead_tombstone (
    account_id bigint NOT NULL,
    contact_digest bytea NOT NULL,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL,
    is_person boolean DEFAULT false NOT NULL
);



CREATE TABLE public.learning_look (
    account_id bigint NOT NULL,
    looked_at timestamp with time zone NOT NULL
);



CREATE TABLE public.mail_access (
    provider text NOT NULL,
    secret bytea NOT NULL,
    updated_at timestamp with time zone NOT NULL
);



CREATE TABLE public.mail_domain (
    domain text NOT NULL,
    verdict text NOT NULL,
    checked_at timestamp with time zone NOT NULL,
    CONSTRAINT mail_domain_verdict_check CHECK ((verdict = ANY (ARRAY['takes_mail'::text, 'no_such_domain'::text, 'domain_takes_no_mail'::text])))
);



CREATE TABLE public.mail_mailbox (
    mailbox text NOT NULL,
    uid_validity bigint DEFAULT 0 NOT NULL,
    last_uid bigint DEFAULT 0 NOT NULL,
    history_until bigint DEFAULT 0 NOT NULL,
    opened_at timestamp with time zone,
    is_remade boolean DEFAULT false NOT NULL,
    held_by text,
    held_until timestamp with time zone
);



CREATE TABLE public.mail_recipient (
    address_digest bytea NOT NULL,
    day date,
    mails integer NOT NULL,
    texts text[] DEFAULT '{}'::text[] NOT NULL,
    stopped_at timestamp with time zone,
    CONSTRAINT mail_recipient_address_digest_check CHECK ((length(address_digest) = 32))
);



CREATE TABLE public.media_generation (
    account_id bigint NOT NULL,
    generation_id bigint NOT NULL,
    kind text NOT NULL,
    job_id uuid NOT NULL,
    prompt text NOT NULL,
    request jsonb NOT NULL,
    model jsonb,
    mode text,
    order_state text,
    order_id text,
    width integer,
    height integer,
    customer_file_id bigint,
    vector_file_id bigint,
    failure_code text,
    failure_detail text,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL,
    report jsonb,
    CONSTRAINT media_generation_kind_check CHECK ((kind = ANY (ARRAY['image'::text, 'drawing'::text, 'video'::text]))),
    CONSTRAINT media_generation_mode_check CHECK ((mode = ANY (ARRAY['live'::text, 'sandbox'::text]))),
    CONSTRAINT media_generation_order_state_check CHECK ((order_state = ANY (ARRAY['placing'::text, 'placed'::text])))
);



ALTER TABLE public.media_generation ALTER COLUMN generation_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.media_generation_generation_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.meeting (
    account_id bigint NOT NULL,
    meeting_id bigint NOT NULL,
    lead_id bigint NOT NULL,
    status text DEFAULT 'scheduled'::text NOT NULL,
    title text NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    meeting_url text,
    booked_through text NOT NULL,
    external_id text,
    customer_accepted_at timestamp with time zone,
    lead_response text,
    has_customer_attended boolean,
    has_lead_attended boolean,
    notes text,
    cancelled_at timestamp with time zone,
    cancel_reason text,
    reminded_at timestamp with time zone,
    announce_at timestamp with time zone,
    announced_for timestamp with time zone,
    lead_reminded_for timestamp with time zone,
    remind_lead_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL,
    CONSTRAINT meeting_booked_through_check CHECK ((booked_through = ANY (ARRAY['conversation'::text, 'scheduler'::text, 'calendar'::text, 'voice'::text]))),
    CONSTRAINT meeting_check CHECK ((ends_at > starts_at)),
    CONSTRAINT meeting_lead_response_check CHECK ((lead_response = ANY (ARRAY['accepted'::text, 'tentative'::text, 'declined'::text]))),
    CONSTRAINT meeting_status_check CHECK ((status = ANY (ARRAY['scheduled'::text, 'confirmed'::text, 'cancelled'::text, 'held'::text, 'no_show'::text])))
);



CREATE TABLE public.meeting_invitation (
    account_id bigint NOT NULL,
    meeting_id bigint NOT NULL,
    way text NOT NULL,
    event_id text,
    uid text NOT NULL,
    sequence integer DEFAULT 0 NOT NULL,
    told_starts_at timestamp with time zone,
    told_ends_at timestamp with time zone,
    is_cancelled boolean DEFAULT false NOT NULL,
    lead_answer text,
    answered_sequence integer,
    answered_at timestamp with time zone,
    CONSTRAINT meeting_invitation_lead_answer_check CHECK ((lead_answer = ANY (ARRAY['needs_action'::text, 'accepted'::text, 'tentative'::text, 'declined'::text]))),
    CONSTRAINT meeting_invitation_way_check CHECK ((way = ANY (ARRAY['calendar'::text, 'mail'::text])))
);



ALTER TABLE public.meeting ALTER COLUMN meeting_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.meeting_meeting_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.member (
    account_id bigint NOT NULL,
    member_id bigint NOT NULL,
    name text NOT NULL,
    phone text NOT NULL,
    email text,
    created_at timestamp with time zone NOT NULL,
    confirmation text DEFAULT 'when_possible'::text NOT NULL,
    added_by_member_id bigint
);



ALTER TABLE public.member ALTER COLUMN member_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.member_member_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.member_welcome (
    account_id bigint NOT NULL,
    member_welcome_id bigint NOT NULL,
    member_id bigint NOT NULL,
    channel text NOT NULL,
    email_message_id bigint,
    chatapp_message_id bigint,
    failure_reason text,
    used_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    confirmation text DEFAULT 'when_possible'::text NOT NULL,
    token_ends_at timestamp with time zone,
    sent_by_member_id bigint,
    opened_at timestamp with time zone,
    CONSTRAINT member_welcome_channel_check CHECK ((channel = ANY (ARRAY['Email'::text, 'ChatApp'::text])))
);



ALTER TABLE public.member_welcome ALTER COLUMN member_welcome_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.member_welcome_member_welcome_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.message_embedding (
    account_id bigint NOT NULL,
    message_embedding_id bigint NOT NULL,
    model text NOT NULL,
    email_message_id bigint,
    chatapp_message_id bigint,
    agent_message_id bigint,
    vector bytea NOT NULL,
    CONSTRAINT message_embedding_check CHECK ((num_nonnulls(email_message_id, chatapp_message_id, agent_message_id) = 1))
);



ALTER TABLE public.message_embedding ALTER COLUMN message_embedding_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.message_embedding_message_embedding_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.model_outage (
    clock text NOT NULL,
    began_at timestamp with time zone NOT NULL,
    tried_at timestamp with time zone NOT NULL
);



CREATE TABLE public.model_outage_notice (
    account_id bigint NOT NULL,
    began_at timestamp with time zone NOT NULL
);



CREATE TABLE public.named_recipient_count (
    account_id bigint NOT NULL,
    day date NOT NULL,
    addresses integer NOT NULL
);



CREATE TABLE public.notification (
    account_id bigint NOT NULL,
    notification_id bigint NOT NULL,
    kind text NOT NULL,
    message text NOT NULL,
    data jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL,
    processed_at timestamp with time zone,
    acknowledged_at timestamp with time zone
);



CREATE TABLE public.notification_address (
    account_id bigint NOT NULL,
    notification_address_id bigint NOT NULL,
    email text NOT NULL,
    "position" integer NOT NULL,
    confirmed_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL
);



ALTER TABLE public.notification_address ALTER COLUMN notification_address_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.notification_address_notification_address_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



ALTER TABLE public.notification ALTER COLUMN notification_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.notification_notification_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.oauth_code (
    account_id bigint NOT NULL,
    code_hash bytea NOT NULL,
    client_id text NOT NULL,
    label text NOT NULL,
    redirect_uri text NOT NULL,
    challenge text NOT NULL,
    scopes text[] NOT NULL,
    resource text NOT NULL,
    confirmation text NOT NULL,
    ends_at timestamp with time zone,
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    access_token_id bigint,
    maker_token_id bigint,
    CONSTRAINT oauth_code_code_hash_check CHECK ((length(code_hash) = 32))
);



CREATE TABLE public.oauth_refresh (
    account_id bigint NOT NULL,
    refresh_hash bytea NOT NULL,
    access_token_id bigint NOT NULL,
    client_id text NOT NULL,
    scopes text[] NOT NULL,
    resource text NOT NULL,
    ends_at timestamp with time zone,
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    CONSTRAINT oauth_refresh_refresh_hash_check CHECK ((length(refresh_hash) = 32))
);



CREATE TABLE public.oauth_state (
    account_id bigint NOT NULL,
    state_hash bytea NOT NULL,
    service text NOT NULL,
    browser_hash bytea NOT NULL,
    verifier bytea NOT NULL,
    expires_at timestamp with time zone NOT NULL
);



CREATE TABLE public.online_search (
    account_id bigint NOT NULL,
    online_search_id bigint NOT NULL,
    query text NOT NULL,
    type text NOT NULL,
    status text DEFAULT 'queued'::text NOT NULL,
    failure_reason text,
    send_to jsonb DEFAULT '[]'::jsonb NOT NULL,
    result text,
    sources jsonb DEFAULT '[]'::jsonb NOT NULL,
    queries jsonb DEFAULT '[]'::jsonb NOT NULL,
    pages_read integer DEFAULT 0 NOT NULL,
    answered_by text,
    searched text,
    job_id uuid NOT NULL,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL,
    finished_at timestamp with time zone,
    CONSTRAINT online_search_answered_by_check CHECK ((answered_by = ANY (ARRAY['model'::text, 'rules'::text]))),
    CONSTRAINT online_search_searched_check CHECK ((searched = ANY (ARRAY['web'::text, 'own_material'::text]))),
    CONSTRAINT online_search_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'finished'::text, 'failed'::text, 'cancelled'::text]))),
    CONSTRAINT online_search_type_check CHECK ((type = ANY (ARRAY['Fast'::text, 'Standard'::text, 'Deep'::text])))
);



ALTER TABLE public.online_search ALTER COLUMN online_search_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.online_search_online_search_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.open_question (
    account_id bigint NOT NULL,
    open_question_id bigint NOT NULL,
    question_text text NOT NULL,
    status text DEFAULT 'open'::text NOT NULL,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL,
    answered_at timestamp with time zone,
    CONSTRAINT open_question_status_check CHECK ((status = ANY (ARRAY['open'::text, 'answered'::text, 'withdrawn'::text])))
);



CREATE TABLE public.open_question_lead (
    account_id bigint NOT NULL,
    open_question_id bigint NOT NULL,
    lead_id bigint NOT NULL,
    asked_at timestamp with time zone DEFAULT public.instant() NOT NULL
);



ALTER TABLE public.open_question ALTER COLUMN open_question_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.open_question_open_question_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.operator_mail (
    account_id bigint NOT NULL,
    support_request_id bigint NOT NULL,
    about text NOT NULL,
    status text DEFAULT 'queued'::text NOT NULL,
    handed_over_at timestamp with time zone,
    sent_at timestamp with time zone,
    response text,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT operator_mail_about_check CHECK ((about = ANY (ARRAY['asked'::text, 'answered'::text, 'closed'::text]))),
    CONSTRAINT operator_mail_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'sent'::text, 'failed'::text, 'unknown'::text])))
);



CREATE TABLE public.platform_reply_time (
    weekday smallint NOT NULL,
    hour smallint NOT NULL,
    replies bigint NOT NULL,
    responses bigint NOT NULL,
    response_seconds bigint NOT NULL
);



CREATE TABLE public.prospecting_adjustment (
    account_id bigint NOT NULL,
    campaign bigint NOT NULL,
    setting text NOT NULL,
    choice text,
    chosen_at timestamp with time zone,
    undone_at timestamp with time zone
);



CREATE TABLE public.prospecting_config (
    account_id bigint NOT NULL,
    email_signature text,
    mode text DEFAULT 'Active'::text NOT NULL,
    generate_presentations boolean DEFAULT true NOT NULL,
    allow_template_chatapp_messages boolean DEFAULT true NOT NULL,
    voice_calling_active boolean DEFAULT false NOT NULL,
    prospecting_voice text DEFAULT 'Female'::text NOT NULL,
    notification_email text,
    notify_on_interested boolean DEFAULT true NOT NULL,
    notify_on_confirmed boolean DEFAULT false NOT NULL,
    notify_on_interested_via_email boolean DEFAULT true NOT NULL,
    notify_on_confirmed_via_email boolean DEFAULT false NOT NULL,
    notify_on_first_chatapp_message boolean DEFAULT true NOT NULL,
    cc_on_interested_lead_emails boolean DEFAULT false NOT NULL,
    send_window_start_hour smallint DEFAULT 8 NOT NULL,
    send_window_end_hour smallint DEFAULT 18 NOT NULL,
    cnae_filter text[] DEFAULT '{}'::text[] NOT NULL,
    cnae_exclusion_filter text[] DEFAULT '{}'::text[] NOT NULL,
    uf_filter text[] DEFAULT '{}'::text[] NOT NULL,
    city_filter text[] DEFAULT '{}'::text[] NOT NULL,
    country_filter text[] DEFAULT '{}'::text[] NOT NULL,
    min_employee_count integer,
    max_employee_count integer,
    min_annual_revenue double precision,
    max_annual_revenue double precision,
    company_size_filter text[] DEFAULT '{}'::text[] NOT NULL,
    company_type_filter text[] DEFAULT '{}'::text[] NOT NULL,
    company_audience_filter text[] DEFAULT '{}'::text[] NOT NULL,
    min_founding_date date,
    max_founding_date date,
    instructions text,
    email_instructions text,
    chatapp_instructions text,
    voice_instructions text,
    goal text,
    strategy text,
    human_review_criteria text,
    lead_qualification_instructions text,
    CONSTRAINT annual_revenue_range CHECK ((min_annual_revenue <= max_annual_revenue)),
    CONSTRAINT employee_count_range CHECK ((min_employee_count <= max_employee_count)),
    CONSTRAINT founding_date_range CHECK ((min_founding_date <= max_founding_date)),
    CONSTRAINT prospecting_config_check CHECK ((send_window_start_hour < send_window_end_hour)),
    CONSTRAINT prospecting_config_company_audience_filter_check CHECK ((company_audience_filter <@ ARRAY['B2B'::text, 'B2C'::text, 'B2BAndB2C'::text, 'Government'::text, 'NonCommercial'::text])),
    CONSTRAINT prospecting_config_company_size_filter_check CHECK ((company_size_filter <@ ARRAY['Micro'::text, 'Small'::text, 'Medium'::text, 'Large'::text])),
    CONSTRAINT prospecting_config_company_type_filter_check CHECK ((company_type_filter <@ ARRAY['Private'::text, 'Individual'::text, 'Government'::text, 'StateOwned'::text, 'NonProfit'::text])),
    CONSTRAINT prospecting_config_max_annual_revenue_check CHECK ((max_annual_revenue >= (0)::double precision)),
    CONSTRAINT prospecting_config_max_employee_count_check CHECK ((max_employee_count >= 0)),
    CONSTRAINT prospecting_config_min_annual_revenue_check CHECK ((min_annual_revenue >= (0)::double precision)),
    CONSTRAINT prospecting_config_min_employee_count_check CHECK ((min_employee_count >= 0)),
    CONSTRAINT prospecting_config_mode_check CHECK ((mode = ANY (ARRAY['Active'::text, 'Passive'::text]))),
    CONSTRAINT prospecting_config_prospecting_voice_check CHECK ((prospecting_voice = ANY (ARRAY['Male'::text, 'Female'::text]))),
    CONSTRAINT prospecting_config_send_window_end_hour_check CHECK (((send_window_end_hour >= 1) AND (send_window_end_hour <= 24))),
    CONSTRAINT prospecting_config_send_window_start_hour_check CHECK (((send_window_start_hour >= 0) AND (send_window_start_hour <= 23)))
);



CREATE TABLE public.prospecting_file (
    account_id bigint NOT NULL,
    prospecting_file_id bigint NOT NULL,
    campaign_id bigint,
    title text NOT NULL,
    description text NOT NULL,
    is_description_generated boolean NOT NULL,
    customer_file_id bigint,
    url text NOT NULL,
    sort_order integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL
);



ALTER TABLE public.prospecting_file ALTER COLUMN prospecting_file_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.prospecting_file_prospecting_file_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.prospecting_learning (
    account_id bigint NOT NULL,
    learning_id bigint NOT NULL,
    learning_key text NOT NULL,
    kind text NOT NULL,
    content text NOT NULL,
    summary jsonb NOT NULL,
    place integer NOT NULL,
    vector bytea,
    vector_model text,
    made_at timestamp with time zone NOT NULL,
    is_current boolean DEFAULT true NOT NULL,
    dismissed_at timestamp with time zone,
    dismiss_reason text,
    CONSTRAINT prospecting_learning_kind_check CHECK ((kind = ANY (ARRAY['reply_day'::text, 'reply_hour'::text, 'refusal_reason'::text, 'region'::text, 'sector'::text, 'message_type'::text, 'opening'::text])))
);



ALTER TABLE public.prospecting_learning ALTER COLUMN learning_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.prospecting_learning_learning_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.prospecting_optimization (
    account_id bigint NOT NULL,
    optimization_id bigint NOT NULL,
    campaign_id bigint,
    ran_at timestamp with time zone DEFAULT public.instant() NOT NULL,
    outcome text NOT NULL,
    changes jsonb DEFAULT '[]'::jsonb NOT NULL,
    reasons jsonb DEFAULT '[]'::jsonb NOT NULL,
    CONSTRAINT prospecting_optimization_outcome_check CHECK ((outcome = ANY (ARRAY['changed'::text, 'kept'::text, 'undone'::text])))
);



ALTER TABLE public.prospecting_optimization ALTER COLUMN optimization_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.prospecting_optimization_optimization_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.prospecting_trial (
    account_id bigint NOT NULL,
    campaign bigint NOT NULL,
    begun_at timestamp with time zone NOT NULL
);



CREATE TABLE public.released_company (
    account_id bigint NOT NULL,
    company_digest bytea NOT NULL
);



CREATE TABLE public.report_day (
    account_id bigint NOT NULL,
    day date NOT NULL,
    zone text NOT NULL,
    until timestamp with time zone,
    made_at timestamp with time zone DEFAULT public.instant() NOT NULL
);



CREATE TABLE public.report_figure (
    account_id bigint NOT NULL,
    figure text NOT NULL,
    day date NOT NULL,
    report_figure_id bigint NOT NULL,
    campaign_id bigint NOT NULL,
    key text NOT NULL,
    to_day date,
    from_day date,
    count bigint NOT NULL,
    until timestamp with time zone
);



ALTER TABLE public.report_figure ALTER COLUMN report_figure_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.report_figure_report_figure_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.report_group (
    account_id bigint NOT NULL,
    day date NOT NULL,
    report_group_id bigint NOT NULL,
    dimension text NOT NULL,
    campaign_id bigint NOT NULL,
    state text,
    cnae text,
    industry text,
    from_day date,
    new_leads bigint NOT NULL,
    referrals bigint NOT NULL,
    emails_sent bigint NOT NULL,
    responses bigint NOT NULL,
    chatapp_sent bigint NOT NULL,
    chatapp_responses bigint NOT NULL,
    aware bigint NOT NULL,
    interested bigint NOT NULL,
    reached bigint NOT NULL,
    until timestamp with time zone,
    CONSTRAINT report_group_dimension_check CHECK ((dimension = ANY (ARRAY['state'::text, 'sector'::text])))
);



ALTER TABLE public.report_group ALTER COLUMN report_group_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.report_group_report_group_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.report_stale_day (
    account_id bigint NOT NULL,
    report_stale_day_id bigint NOT NULL,
    day date NOT NULL
);



ALTER TABLE public.report_stale_day ALTER COLUMN report_stale_day_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.report_stale_day_report_stale_day_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.request_entry (
    account_id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    request_entry_id bigint NOT NULL,
    access_token_id bigint,
    request_id text NOT NULL,
    route text NOT NULL,
    tool text,
    status integer NOT NULL,
    reason text,
    milliseconds integer NOT NULL,
    argument_names text[] NOT NULL,
    argument_values jsonb NOT NULL,
    dropped_before integer NOT NULL
)
PARTITION BY RANGE (at);



ALTER TABLE public.request_entry ALTER COLUMN request_entry_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.request_entry_request_entry_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.sandbox_ads_account (
    account_id bigint NOT NULL,
    seed integer NOT NULL,
    descriptive_name text NOT NULL,
    troubles jsonb DEFAULT '{}'::jsonb NOT NULL,
    calls bigint DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL
);



CREATE TABLE public.sandbox_ads_record (
    account_id bigint NOT NULL,
    record_id bigint NOT NULL,
    kind text NOT NULL,
    parent_id bigint,
    body jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL
);



ALTER TABLE public.sandbox_ads_record ALTER COLUMN record_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.sandbox_ads_record_record_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.sandbox_calendar (
    account_id bigint NOT NULL,
    version bigint DEFAULT 1 NOT NULL,
    tokens_from bigint DEFAULT 0 NOT NULL,
    time_zone text DEFAULT 'America/Sao_Paulo'::text NOT NULL,
    slow_until timestamp with time zone,
    meet_seconds integer DEFAULT 0 NOT NULL,
    calls bigint DEFAULT 0 NOT NULL
);



CREATE TABLE public.sandbox_calendar_channel (
    account_id bigint NOT NULL,
    channel_id text NOT NULL,
    resource_id text NOT NULL,
    expires_at timestamp with time zone NOT NULL
);



CREATE TABLE public.sandbox_calendar_event (
    account_id bigint NOT NULL,
    event_id text NOT NULL,
    body jsonb NOT NULL,
    version bigint NOT NULL,
    is_leftover boolean DEFAULT false NOT NULL,
    updates_sent integer DEFAULT 0 NOT NULL
);



CREATE TABLE public.sandbox_chatapp_line (
    account_id bigint NOT NULL,
    phone text NOT NULL,
    profile jsonb DEFAULT '{}'::jsonb NOT NULL,
    picture bytea,
    picture_media_type text,
    picture_key text
);



CREATE TABLE public.sandbox_chatapp_media (
    account_id bigint NOT NULL,
    media_id text NOT NULL,
    file_name text,
    bytes bytea NOT NULL,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL
);



CREATE TABLE public.sandbox_chatapp_message (
    account_id bigint NOT NULL,
    sandbox_chatapp_message_id bigint NOT NULL,
    client_reference uuid NOT NULL,
    provider_message_id text NOT NULL,
    phone text NOT NULL,
    content jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL
);



ALTER TABLE public.sandbox_chatapp_message ALTER COLUMN sandbox_chatapp_message_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.sandbox_chatapp_message_sandbox_chatapp_message_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.sandbox_crm (
    account_id bigint NOT NULL,
    crm text NOT NULL,
    tenant text NOT NULL,
    is_revoked boolean DEFAULT false NOT NULL,
    slow_until timestamp with time zone,
    calls bigint DEFAULT 0 NOT NULL
);



CREATE TABLE public.sandbox_crm_record (
    account_id bigint NOT NULL,
    crm text NOT NULL,
    tenant text NOT NULL,
    kind text NOT NULL,
    record_id bigint NOT NULL,
    body jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL,
    updated_at timestamp with time zone DEFAULT public.instant() NOT NULL
);



ALTER TABLE public.sandbox_crm_record ALTER COLUMN record_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.sandbox_crm_record_record_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.sandbox_dns_record (
    name text NOT NULL,
    type text NOT NULL,
    record_values text[],
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT sandbox_dns_record_type_check CHECK ((type = ANY (ARRAY['TXT'::text, 'MX'::text, 'A'::text])))
);



CREATE TABLE public.sandbox_lead_source (
    account_id bigint NOT NULL,
    tenant text NOT NULL,
    is_revoked boolean DEFAULT false NOT NULL,
    slow_until timestamp with time zone,
    calls bigint DEFAULT 0 NOT NULL
);



CREATE TABLE public.sandbox_lead_source_window (
    account_id bigint NOT NULL,
    tenant text NOT NULL,
    endpoint text NOT NULL,
    seconds integer NOT NULL,
    began_at timestamp with time zone NOT NULL,
    calls integer NOT NULL
);



CREATE TABLE public.sandbox_mail (
    account_id bigint NOT NULL,
    sandbox_mail_id bigint NOT NULL,
    email_message_id bigint,
    direction text NOT NULL,
    message_id text,
    from_address text NOT NULL,
    to_address text NOT NULL,
    subject text NOT NULL,
    body_text text NOT NULL,
    raw bytea NOT NULL,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL,
    CONSTRAINT sandbox_mail_direction_check CHECK ((direction = ANY (ARRAY['outbound'::text, 'inbound'::text])))
);
ALTER TABLE ONLY public.sandbox_mail ALTER COLUMN body_text SET STORAGE EXTERNAL;
ALTER TABLE ONLY public.sandbox_mail ALTER COLUMN raw SET STORAGE EXTERNAL;



ALTER TABLE public.sandbox_mail ALTER COLUMN sandbox_mail_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.sandbox_mail_sandbox_mail_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.sandbox_oauth_code (
    account_id bigint NOT NULL,
    code_hash bytea NOT NULL,
    service text NOT NULL,
    holder text NOT NULL,
    scopes text[] NOT NULL,
    challenge text NOT NULL,
    redirect_uri text NOT NULL,
    expires_at timestamp with time zone NOT NULL
);



CREATE TABLE public.sandbox_oauth_grant (
    account_id bigint NOT NULL,
    grant_id bigint NOT NULL,
    service text NOT NULL,
    holder text NOT NULL,
    scopes text[] NOT NULL,
    refresh_hash bytea NOT NULL,
    access_hash bytea NOT NULL,
    access_expires_at timestamp with time zone NOT NULL,
    is_revoked boolean DEFAULT false NOT NULL
);



ALTER TABLE public.sandbox_oauth_grant ALTER COLUMN grant_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.sandbox_oauth_grant_grant_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.sandbox_scheduler (
    account_id bigint NOT NULL,
    holder text NOT NULL,
    page_key text NOT NULL,
    signing_key text NOT NULL,
    slow_until timestamp with time zone,
    loses_notices boolean DEFAULT false NOT NULL
);



CREATE TABLE public.sandbox_scheduler_booking (
    account_id bigint NOT NULL,
    invitee_id text NOT NULL,
    event_id text NOT NULL,
    holder text NOT NULL,
    slug text NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    old_invitee text,
    new_invitee text,
    body jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL
);



CREATE TABLE public.sandbox_scheduler_link (
    account_id bigint NOT NULL,
    code text NOT NULL,
    holder text NOT NULL,
    slug text NOT NULL,
    used_at timestamp with time zone
);



CREATE TABLE public.sandbox_scheduler_subscription (
    account_id bigint NOT NULL,
    subscription_id text NOT NULL,
    holder text NOT NULL,
    url text NOT NULL
);



CREATE TABLE public.sandbox_voice_call (
    account_id bigint NOT NULL,
    client_reference uuid NOT NULL,
    call_order jsonb NOT NULL,
    outcome text NOT NULL,
    person_says text[],
    placed_at timestamp with time zone DEFAULT public.instant() NOT NULL
);



CREATE TABLE public.sandbox_voice_script (
    account_id bigint NOT NULL,
    phone text NOT NULL,
    outcome text NOT NULL,
    person_says text[],
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL
);



CREATE TABLE public.scheduler_account (
    account_id bigint NOT NULL,
    user_uri text NOT NULL,
    organization_uri text NOT NULL,
    default_event_type_uri text,
    default_event_type_name text,
    default_event_type_url text,
    webhook_key text NOT NULL,
    subscription_uri text,
    swept_at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL
);



CREATE TABLE public.scheduler_booking (
    account_id bigint NOT NULL,
    event_id text NOT NULL,
    invitee_id text NOT NULL,
    version text NOT NULL,
    is_active boolean NOT NULL,
    calendar_event_id text,
    lead_id bigint,
    meeting_id bigint
);



CREATE TABLE public.scheduler_link (
    account_id bigint NOT NULL,
    lead_id bigint NOT NULL,
    event_type_uri text NOT NULL,
    url text NOT NULL,
    is_single_use boolean NOT NULL,
    made_at timestamp with time zone DEFAULT public.instant() NOT NULL
);



CREATE TABLE public.sector_counter (
    account_id bigint NOT NULL,
    sector_counter_id bigint NOT NULL,
    campaign_id bigint NOT NULL,
    division text,
    industry text,
    status text NOT NULL,
    pipeline_state text NOT NULL,
    final_outcome text,
    is_contacted boolean NOT NULL,
    has_written boolean NOT NULL,
    change bigint NOT NULL,
    was_interested boolean DEFAULT false NOT NULL
);



ALTER TABLE public.sector_counter ALTER COLUMN sector_counter_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.sector_counter_sector_counter_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.sender_domain (
    account_id bigint NOT NULL,
    sender_domain_id bigint NOT NULL,
    kind text NOT NULL,
    domain text NOT NULL,
    email_address text,
    status text DEFAULT 'pending'::text NOT NULL,
    selector text NOT NULL,
    rsa_public text NOT NULL,
    ed25519_public text NOT NULL,
    sealed_keys bytea NOT NULL,
    report jsonb,
    verified_at timestamp with time zone,
    ramp_from timestamp with time zone,
    checked_at timestamp with time zone,
    paused_until timestamp with time zone,
    unmailed_news jsonb,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT sender_domain_kind_check CHECK ((kind = ANY (ARRAY['custom'::text, 'subdomain'::text]))),
    CONSTRAINT sender_domain_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'verified'::text, 'lapsed'::text])))
);



CREATE TABLE public.sender_domain_day (
    account_id bigint NOT NULL,
    sender_domain_id bigint NOT NULL,
    day date NOT NULL,
    sent integer DEFAULT 0 NOT NULL
);



CREATE TABLE public.sender_domain_name (
    domain text NOT NULL,
    account_id bigint NOT NULL
);



ALTER TABLE public.sender_domain ALTER COLUMN sender_domain_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.sender_domain_sender_domain_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.simulation_effect (
    account_id bigint NOT NULL,
    simulation_lead_id bigint NOT NULL,
    sequence integer NOT NULL,
    kind text NOT NULL,
    detail text NOT NULL,
    at timestamp with time zone NOT NULL
);



CREATE TABLE public.simulation_lead (
    account_id bigint NOT NULL,
    simulation_lead_id bigint NOT NULL,
    campaign_id bigint,
    profile jsonb NOT NULL,
    state jsonb NOT NULL,
    silent_reason text,
    voice_call_request_id bigint,
    version integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL,
    finished_at timestamp with time zone
);



ALTER TABLE public.simulation_lead ALTER COLUMN simulation_lead_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.simulation_lead_simulation_lead_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.simulation_message (
    account_id bigint NOT NULL,
    simulation_lead_id bigint NOT NULL,
    sequence integer NOT NULL,
    channel text NOT NULL,
    author text NOT NULL,
    message_type text,
    subject text,
    body text NOT NULL,
    at timestamp with time zone NOT NULL,
    reading jsonb,
    rests_on jsonb DEFAULT '[]'::jsonb NOT NULL,
    CONSTRAINT simulation_message_author_check CHECK ((author = ANY (ARRAY['agent'::text, 'lead'::text]))),
    CONSTRAINT simulation_message_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'chatapp'::text]))),
    CONSTRAINT simulation_message_message_type_check CHECK ((message_type = ANY (ARRAY['first_contact'::text, 'follow_up'::text, 'response'::text, 'direct'::text])))
);



CREATE TABLE public.site_form_count (
    account_id bigint NOT NULL,
    website_id bigint NOT NULL,
    scope text NOT NULL,
    place text NOT NULL,
    count integer NOT NULL,
    since timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT site_form_count_scope_check CHECK ((scope = ANY (ARRAY['network'::text, 'page'::text, 'contact'::text, 'sign_in_network'::text, 'sign_in_address'::text, 'sign_in_site'::text])))
);



CREATE TABLE public.site_form_use (
    account_id bigint NOT NULL,
    website_id bigint NOT NULL,
    nonce text NOT NULL,
    digest text NOT NULL,
    expires_at timestamp with time zone NOT NULL
);



CREATE TABLE public.site_record (
    account_id bigint NOT NULL,
    site_record_id bigint NOT NULL,
    website_id bigint NOT NULL,
    collection text NOT NULL,
    outcome text NOT NULL,
    lead_id bigint,
    visitor_email text,
    filled jsonb NOT NULL,
    page_id text NOT NULL,
    variant text NOT NULL,
    is_embedded boolean NOT NULL,
    utm_source text,
    utm_medium text,
    utm_campaign text,
    utm_term text,
    utm_content text,
    referrer text,
    consent_version text NOT NULL,
    consent_text text NOT NULL,
    marketing_text text,
    consented_at timestamp with time zone NOT NULL,
    was_confirmed boolean NOT NULL,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL,
    CONSTRAINT site_record_outcome_check CHECK ((outcome = ANY (ARRAY['stored'::text, 'created'::text, 'known'::text, 'unsubscribed'::text, 'blacklisted'::text, 'erased'::text])))
);



CREATE TABLE public.site_record_count (
    account_id bigint NOT NULL,
    website_id bigint NOT NULL,
    records bigint NOT NULL,
    full_told_at timestamp with time zone
);



ALTER TABLE public.site_record ALTER COLUMN site_record_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.site_record_site_record_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.site_session (
    account_id bigint NOT NULL,
    website_id bigint NOT NULL,
    session_digest text NOT NULL,
    email text NOT NULL,
    expires_at timestamp with time zone NOT NULL
);



CREATE TABLE public.site_sign_in (
    account_id bigint NOT NULL,
    website_id bigint NOT NULL,
    sign_in text NOT NULL,
    email text NOT NULL,
    code_digest text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    expires_at timestamp with time zone NOT NULL
);



CREATE TABLE public.support_request (
    account_id bigint NOT NULL,
    support_request_id bigint NOT NULL,
    message text NOT NULL,
    type text NOT NULL,
    severity text NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    answer text,
    answered_at timestamp with time zone,
    closed_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT support_request_severity_check CHECK ((severity = ANY (ARRAY['low'::text, 'medium'::text, 'high'::text, 'critical'::text]))),
    CONSTRAINT support_request_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'answered'::text, 'closed'::text]))),
    CONSTRAINT support_request_type_check CHECK ((type = ANY (ARRAY['technical'::text, 'sales'::text, 'human'::text, 'question'::text])))
);



ALTER TABLE public.support_request ALTER COLUMN support_request_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.support_request_support_request_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.tax_info (
    account_id bigint NOT NULL,
    sealed bytea NOT NULL,
    updated_at timestamp with time zone NOT NULL
);



CREATE TABLE public.touch (
    account_id bigint NOT NULL,
    touch_id bigint NOT NULL,
    lead_id bigint NOT NULL,
    touch_number integer NOT NULL,
    channel text,
    message_type text,
    status text NOT NULL,
    reason text,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL,
    finished_at timestamp with time zone,
    notice text,
    meeting_id bigint,
    meeting_starts_at timestamp with time zone,
    answers text[] DEFAULT '{}'::text[] NOT NULL,
    carries jsonb,
    rests_on jsonb DEFAULT '[]'::jsonb NOT NULL,
    trial jsonb,
    not_applied jsonb DEFAULT '[]'::jsonb NOT NULL,
    CONSTRAINT touch_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'chatapp'::text, 'voice'::text]))),
    CONSTRAINT touch_check CHECK ((num_nulls(NULLIF(notice, 'holding_line'::text), meeting_id, meeting_starts_at) = ANY (ARRAY[0, 3]))),
    CONSTRAINT touch_message_type_check CHECK ((message_type = ANY (ARRAY['first_contact'::text, 'follow_up'::text, 'response'::text, 'direct'::text, 'user_written'::text]))),
    CONSTRAINT touch_notice_check CHECK ((notice = ANY (ARRAY['meeting_booked'::text, 'meeting_reminder'::text, 'holding_line'::text]))),
    CONSTRAINT touch_status_check CHECK ((status = ANY (ARRAY['writing'::text, 'queued'::text, 'done'::text, 'skipped'::text, 'failed'::text, 'unknown'::text])))
);



ALTER TABLE public.touch ALTER COLUMN touch_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.touch_touch_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.visitor_salt (
    day date NOT NULL,
    salt bytea NOT NULL
);



CREATE TABLE public.voice_call (
    account_id bigint NOT NULL,
    voice_call_request_id bigint NOT NULL,
    lead_id bigint,
    touch_id bigint,
    kind text NOT NULL,
    phone text NOT NULL,
    opening_line text,
    goal text NOT NULL,
    context text,
    staged jsonb,
    status text DEFAULT 'queued'::text NOT NULL,
    dial_request text,
    failure_reason text,
    was_picked_up boolean,
    goal_achieved boolean,
    summary text,
    transcript jsonb DEFAULT '[]'::jsonb NOT NULL,
    classification jsonb,
    duration_seconds integer,
    cost_brl numeric(12,4),
    client_reference uuid DEFAULT gen_random_uuid() NOT NULL,
    provider text,
    provider_call_id text,
    spoken_text text,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL,
    dialed_at timestamp with time zone,
    begun_at timestamp with time zone,
    finished_at timestamp with time zone,
    CONSTRAINT voice_call_check CHECK (((kind = 'simulation'::text) = (staged IS NOT NULL))),
    CONSTRAINT voice_call_dial_request_check CHECK ((dial_request = ANY (ARRAY['begun'::text, 'refused'::text, 'placed'::text]))),
    CONSTRAINT voice_call_kind_check CHECK ((kind = ANY (ARRAY['goal_driven'::text, 'prospecting'::text, 'simulation'::text]))),
    CONSTRAINT voice_call_provider_check CHECK ((provider = ANY (ARRAY['elevenlabs'::text, 'twilio'::text, 'sandbox'::text]))),
    CONSTRAINT voice_call_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'dialing'::text, 'in_progress'::text, 'completed'::text, 'no_answer'::text, 'busy'::text, 'failed'::text, 'cancelled'::text])))
);



ALTER TABLE public.voice_call ALTER COLUMN voice_call_request_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.voice_call_voice_call_request_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.volume_benchmark (
    division text NOT NULL,
    members bigint[] NOT NULL,
    figures jsonb NOT NULL,
    is_shown boolean NOT NULL,
    made_at timestamp with time zone DEFAULT public.instant() NOT NULL
);



CREATE TABLE public.webhook_attempt (
    account_id bigint NOT NULL,
    webhook_delivery_id bigint NOT NULL,
    attempt_number integer NOT NULL,
    attempted_at timestamp with time zone NOT NULL,
    duration_ms integer NOT NULL,
    response_status integer,
    failure_reason text,
    response_excerpt text
);



CREATE TABLE public.webhook_delivery (
    account_id bigint NOT NULL,
    webhook_delivery_id bigint NOT NULL,
    webhook_subscription_id bigint NOT NULL,
    account_event_id bigint,
    ping_key uuid,
    event_type text NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    schedule_step integer DEFAULT 0 NOT NULL,
    attempt_count integer DEFAULT 0 NOT NULL,
    next_attempt_at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL,
    finished_at timestamp with time zone,
    is_replay boolean DEFAULT false NOT NULL,
    CONSTRAINT webhook_delivery_check CHECK ((((account_event_id IS NULL) = (event_type = 'ping'::text)) AND ((ping_key IS NULL) = (event_type <> 'ping'::text)))),
    CONSTRAINT webhook_delivery_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text])))
)
WITH (autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_insert_scale_factor='0.1');



ALTER TABLE public.webhook_delivery ALTER COLUMN webhook_delivery_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.webhook_delivery_webhook_delivery_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.webhook_replay (
    account_id bigint NOT NULL,
    webhook_replay_id bigint NOT NULL,
    job_id uuid NOT NULL,
    webhook_subscription_id bigint NOT NULL,
    events_since timestamp with time zone NOT NULL,
    events_until timestamp with time zone,
    event_types text[],
    only_failed boolean NOT NULL,
    last_event_id bigint NOT NULL,
    after_event_id bigint DEFAULT 0 NOT NULL,
    event_count integer NOT NULL,
    queued_count integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL
);



ALTER TABLE public.webhook_replay ALTER COLUMN webhook_replay_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.webhook_replay_webhook_replay_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.webhook_subscription (
    account_id bigint NOT NULL,
    webhook_subscription_id bigint NOT NULL,
    url text,
    event_types text[],
    description text,
    secret bytea,
    version integer DEFAULT 1 NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    disabled_at timestamp with time zone,
    disabled_reason text,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL,
    deleted_at timestamp with time zone,
    last_success_at timestamp with time zone,
    last_failure_at timestamp with time zone,
    last_failure_reason text,
    consecutive_failures integer DEFAULT 0 NOT NULL,
    failing_since timestamp with time zone,
    held_until timestamp with time zone,
    lease_number bigint DEFAULT 0 NOT NULL,
    leased_until timestamp with time zone,
    campaign_ids bigint[],
    previous_secret bytea,
    previous_secret_until timestamp with time zone,
    CONSTRAINT webhook_subscription_check CHECK ((is_active = (disabled_at IS NULL))),
    CONSTRAINT webhook_subscription_check1 CHECK (((disabled_at IS NULL) = (disabled_reason IS NULL))),
    CONSTRAINT webhook_subscription_check2 CHECK (
CASE
    WHEN (deleted_at IS NULL) THEN ((url IS NOT NULL) AND (secret IS NOT NULL))
    ELSE ((url IS NULL) AND (secret IS NULL) AND (NOT is_active))
END),
    CONSTRAINT webhook_subscription_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['owner'::text, 'gone'::text, 'failing'::text])))
)
WITH (fillfactor='70');



ALTER TABLE public.webhook_subscription ALTER COLUMN webhook_subscription_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.webhook_subscription_webhook_subscription_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.website (
    account_id bigint NOT NULL,
    website_id bigint NOT NULL,
    application_type text NOT NULL,
    description text NOT NULL,
    business_name text,
    title text NOT NULL,
    is_title_given boolean DEFAULT false NOT NULL,
    language text NOT NULL,
    guidelines text DEFAULT ''::text NOT NULL,
    is_restricted boolean DEFAULT false NOT NULL,
    access_code bytea,
    editor_key text DEFAULT gen_random_uuid() NOT NULL,
    stores_data boolean DEFAULT false NOT NULL,
    published_code_id bigint,
    analytics_measurement_id text,
    ads_conversion_id text,
    pixel_id text,
    suspended_at timestamp with time zone,
    suspended_reason text,
    archived_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL,
    CONSTRAINT website_application_type_check CHECK ((application_type = ANY (ARRAY['Website'::text, 'LeadCapturePage'::text])))
);



CREATE TABLE public.website_access_try (
    account_id bigint NOT NULL,
    website_access_try_id bigint NOT NULL,
    website_id bigint NOT NULL,
    kind text NOT NULL,
    address_hash bytea,
    network_hash bytea NOT NULL,
    code_hash bytea,
    pending bytea,
    guesses integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL,
    CONSTRAINT website_access_try_kind_check CHECK ((kind = ANY (ARRAY['mailed'::text, 'typed'::text])))
);



ALTER TABLE public.website_access_try ALTER COLUMN website_access_try_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.website_access_try_website_access_try_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.website_code (
    account_id bigint NOT NULL,
    website_code_id bigint NOT NULL,
    website_id bigint NOT NULL,
    kind text NOT NULL,
    job_id uuid,
    prompt text NOT NULL,
    request jsonb NOT NULL,
    mode text,
    web_facts jsonb,
    draft jsonb,
    site jsonb,
    notes jsonb DEFAULT '[]'::jsonb NOT NULL,
    restored_from bigint,
    failure_code text,
    failure_detail text,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL,
    finished_at timestamp with time zone,
    report jsonb,
    CONSTRAINT website_code_kind_check CHECK ((kind = ANY (ARRAY['generation'::text, 'change'::text, 'edit'::text, 'restoration'::text, 'snapshot'::text]))),
    CONSTRAINT website_code_mode_check CHECK ((mode = ANY (ARRAY['live'::text, 'sandbox'::text])))
);



ALTER TABLE public.website_code ALTER COLUMN website_code_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.website_code_website_code_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.website_name (
    name text NOT NULL,
    account_id bigint NOT NULL,
    website_id bigint NOT NULL,
    given_up_at timestamp with time zone
);



CREATE TABLE public.website_picture (
    account_id bigint NOT NULL,
    website_id bigint NOT NULL,
    order_digest text NOT NULL,
    digest text,
    width integer NOT NULL,
    height integer NOT NULL,
    bytes bytea,
    small_bytes bytea,
    size_bytes integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL,
    CONSTRAINT website_picture_check CHECK ((((digest IS NULL) = (bytes IS NULL)) AND ((digest IS NULL) = (small_bytes IS NULL))))
);
ALTER TABLE ONLY public.website_picture ALTER COLUMN bytes SET STORAGE EXTERNAL;
ALTER TABLE ONLY public.website_picture ALTER COLUMN small_bytes SET STORAGE EXTERNAL;



CREATE TABLE public.website_report (
    account_id bigint NOT NULL,
    website_report_id bigint NOT NULL,
    website_id bigint NOT NULL,
    reason text NOT NULL,
    message text NOT NULL,
    contact text,
    network_hash bytea NOT NULL,
    created_at timestamp with time zone DEFAULT public.instant() NOT NULL,
    closed_at timestamp with time zone,
    mail_status text,
    mail_handed_over_at timestamp with time zone,
    CONSTRAINT website_report_mail_status_check CHECK ((mail_status = ANY (ARRAY['queued'::text, 'sent'::text, 'failed'::text, 'unknown'::text]))),
    CONSTRAINT website_report_reason_check CHECK ((reason = ANY (ARRAY['fraud'::text, 'illegal'::text, 'personal_data'::text, 'copyright'::text, 'other'::text])))
);



ALTER TABLE public.website_report ALTER COLUMN website_report_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.website_report_website_report_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.website_traffic_day (
    account_id bigint NOT NULL,
    website_id bigint NOT NULL,
    day date NOT NULL,
    views bigint DEFAULT 0 NOT NULL,
    bot_hits bigint DEFAULT 0 NOT NULL,
    visitors integer DEFAULT 0 NOT NULL,
    sketch bytea,
    parts jsonb DEFAULT '{}'::jsonb NOT NULL
);



ALTER TABLE public.website ALTER COLUMN website_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.website_website_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE public.worker_heartbeat (
    worker_id text NOT NULL,
    hands integer DEFAULT 1 NOT NULL,
    beat_at timestamp with time zone DEFAULT now() NOT NULL
);















INSERT INTO graphile_worker.migrations VALUES
	(1, '2026-11-28 01:25:00.813577+00', true),
	(2, '2026-11-28 01:25:00.828546+00', false),
	(3, '2026-11-28 01:25:00.837169+00', true),
	(4, '2026-11-28 01:25:00.844307+00', false),
	(5, '2026-11-28 01:25:00.846467+00', false),
	(6, '2026-11-28 01:25:00.854368+00', false),
	(7, '2026-11-28 01:25:00.856856+00', false),
	(8, '2026-11-28 01:25:00.859085+00', false),
	(9, '2026-11-28 01:25:00.861792+00', false),
	(10, '2026-11-28 01:25:00.866215+00', false),
	(11, '2026-11-28 01:25:00.867396+00', true),
	(12, '2026-11-28 01:25:00.905234+00', false),
	(13, '2026-11-28 01:25:00.910375+00', true),
	(14, '2026-11-28 01:25:00.913809+00', true),
	(15, '2026-11-28 01:25:00.91823+00', false),
	(16, '2026-11-28 01:25:00.919945+00', true),
	(17, '2026-11-28 01:25:00.926106+00', false),
	(18, '2026-11-28 01:25:00.930031+00', false),
	(19, '2026-11-28 01:25:00.934025+00', true);





















INSERT INTO public.account_seal VALUES
	(true, '\x13e9e98c9fb04e9ebae8f72f92bc092e');






































































































































































































INSERT INTO public.gateway_migration VALUES
	(1, '2026-11-28 01:24:59.823323+00', 'platform'),
	(2, '2026-11-28 01:24:59.823323+00', 'accounts'),
	(3, '2026-11-28 01:24:59.823323+00', 'jobs'),
	(4, '2026-11-28 01:24:59.823323+00', 'events'),
	(5, '2026-11-28 01:24:59.823323+00', 'files'),
	(6, '2026-11-28 01:24:59.823323+00', 'models'),
	(7, '2026-11-28 01:24:59.823323+00', 'blacklist'),
	(8, '2026-11-28 01:24:59.823323+00', 'prospecting'),
	(9, '2026-11-28 01:24:59.823323+00', 'campaigns'),
	(10, '2026-11-28 01:24:59.823323+00', 'leads'),
	(11, '2026-11-28 01:24:59.823323+00', 'lead_places'),
	(12, '2026-11-28 01:24:59.823323+00', 'lead_deferrals'),
	(13, '2026-11-28 01:24:59.823323+00', 'lead_presentation_digest'),
	(14, '2026-11-28 01:24:59.823323+00', 'lead_was_interested'),
	(15, '2026-11-28 01:24:59.823323+00', 'lead_files'),
	(16, '2026-11-28 01:24:59.823323+00', 'lead_import_details'),
	(17, '2026-11-28 01:24:59.823323+00', 'knowledge'),
	(18, '2026-11-28 01:24:59.823323+00', 'prospecting_files'),
	(19, '2026-11-28 01:24:59.823323+00', 'timing'),
	(20, '2026-11-28 01:24:59.823323+00', 'outreach'),
	(21, '2026-11-28 01:24:59.823323+00', 'sender_domains'),
	(22, '2026-11-28 01:24:59.823323+00', 'mail'),
	(23, '2026-11-28 01:24:59.823323+00', 'chatapp'),
	(24, '2026-11-28 01:24:59.823323+00', 'voice'),
	(25, '2026-11-28 01:24:59.823323+00', 'meetings'),
	(26, '2026-11-28 01:24:59.823323+00', 'outcomes'),
	(27, '2026-11-28 01:24:59.823323+00', 'agent_conversation'),
	(28, '2026-11-28 01:24:59.823323+00', 'conversations'),
	(29, '2026-11-28 01:24:59.823323+00', 'mcp'),
	(30, '2026-11-28 01:24:59.823323+00', 'simulation'),
	(31, '2026-11-28 01:24:59.823323+00', 'learnings'),
	(32, '2026-11-28 01:24:59.823323+00', 'reports'),
	(33, '2026-11-28 01:24:59.823323+00', 'report_stages'),
	(34, '2026-11-28 01:24:59.823323+00', 'companies'),
	(35, '2026-11-28 01:24:59.823323+00', 'members'),
	(36, '2026-11-28 01:24:59.823323+00', 'support'),
	(37, '2026-11-28 01:24:59.823323+00', 'connections'),
	(38, '2026-11-28 01:24:59.823323+00', 'crm'),
	(39, '2026-11-28 01:24:59.823323+00', 'lead_source'),
	(40, '2026-11-28 01:24:59.823323+00', 'scheduler'),
	(41, '2026-11-28 01:24:59.823323+00', 'calendar'),
	(42, '2026-11-28 01:24:59.823323+00', 'calendar_providers'),
	(43, '2026-11-28 01:24:59.823323+00', 'ads'),
	(44, '2026-11-28 01:24:59.823323+00', 'ads_pauses'),
	(45, '2026-11-28 01:24:59.823323+00', 'ads_conversions'),
	(46, '2026-11-28 01:24:59.823323+00', 'media'),
	(47, '2026-11-28 01:24:59.823323+00', 'media_reports'),
	(48, '2026-11-28 01:24:59.823323+00', 'web_search'),
	(49, '2026-11-28 01:24:59.823323+00', 'websites'),
	(50, '2026-11-28 01:24:59.823323+00', 'forms'),
	(51, '2026-11-28 01:24:59.823323+00', 'website_serving'),
	(52, '2026-11-28 01:24:59.823323+00', 'website_traffic'),
	(53, '2026-11-28 01:24:59.823323+00', 'crawl'),
	(54, '2026-11-28 01:24:59.823323+00', 'website_reports'),
	(55, '2026-11-28 01:24:59.823323+00', 'token_makers'),
	(56, '2026-11-28 01:24:59.823323+00', 'proved_phones'),
	(57, '2026-11-28 01:24:59.823323+00', 'derived_offset'),
	(58, '2026-11-28 01:24:59.823323+00', 'claimed_email'),
	(59, '2026-11-28 01:24:59.823323+00', 'confirmed_addresses'),
	(60, '2026-11-28 01:24:59.823323+00', 'keyed_writes'),
	(61, '2026-11-28 01:24:59.823323+00', 'managed_tokens'),
	(62, '2026-11-28 01:24:59.823323+00', 'request_log'),
	(63, '2026-11-28 01:24:59.823323+00', 'audit_chain'),
	(64, '2026-11-28 01:24:59.823323+00', 'account_closure'),
	(65, '2026-11-28 01:24:59.823323+00', 'webhook_operations'),
	(66, '2026-11-28 01:24:59.823323+00', 'person_erasure'),
	(67, '2026-11-28 01:24:59.823323+00', 'account_exports'),
	(68, '2026-11-28 01:24:59.823323+00', 'holding_lines'),
	(69, '2026-11-28 01:24:59.823323+00', 'unapplied_instructions'),
	(70, '2026-11-28 01:24:59.823323+00', 'approved_subdomains'),
	(71, '2026-11-28 01:24:59.823323+00', 'mail_access'),
	(72, '2026-11-28 01:24:59.823323+00', 'mail_recipients'),
	(73, '2026-11-28 01:24:59.823323+00', 'chatapp_user'),
	(74, '2026-11-28 01:24:59.823323+00', 'consent_makers'),
	(75, '2026-11-28 01:24:59.823323+00', 'sealed_answers'),
	(76, '2026-11-28 01:24:59.823323+00', 'keyed_calls_moved'),
	(77, '2026-11-28 01:24:59.823323+00', 'member_makers'),
	(78, '2026-11-28 01:24:59.823323+00', 'proved_members'),
	(79, '2026-11-28 01:24:59.823323+00', 'opened_welcomes');

























































































































































































































































































































































SELECT pg_catalog.setval('graphile_worker.job_queues_id_seq', 1, false);



SELECT pg_catalog.setval('graphile_worker.jobs_id_seq1', 1, false);



SELECT pg_catalog.setval('graphile_worker.tasks_id_seq', 1, false);



SELECT pg_catalog.setval('public.access_token_access_token_id_seq', 1, false);



SELECT pg_catalog.setval('public.account_account_id_seq', 1, false);



SELECT pg_catalog.setval('public.account_event_account_event_id_seq', 1, false);



SELECT pg_catalog.setval('public.account_export_account_export_id_seq', 1, false);



SELECT pg_catalog.setval('public.ads_ad_ad_id_seq', 1, false);



SELECT pg_catalog.setval('public.ads_ad_group_ad_group_id_seq', 1, false);



SELECT pg_catalog.setval('public.ads_campaign_ads_campaign_id_seq', 1, false);



SELECT pg_catalog.setval('public.ads_funding_entry_entry_id_seq', 1, false);



SELECT pg_catalog.setval('public.ads_keyword_keyword_id_seq', 1, false);



SELECT pg_catalog.setval('public.agent_message_agent_message_id_seq', 1, false);



SELECT pg_catalog.setval('public.audit_entry_audit_entry_id_seq', 1, false);



SELECT pg_catalog.setval('public.blacklist_entry_blacklist_entry_id_seq', 1, false);



SELECT pg_catalog.setval('public.business_file_business_file_id_seq', 1, false);



SELECT pg_catalog.setval('public.campaign_campaign_id_seq', 1, false);



SELECT pg_catalog.setval('public.chatapp_message_chatapp_message_id_seq', 1, false);



SELECT pg_catalog.setval('public.company_edition_edition_id_seq', 1, false);



SELECT pg_catalog.setval('public.crawled_page_crawled_page_id_seq', 1, false);



SELECT pg_catalog.setval('public.crm_custom_field_field_id_seq', 1, false);



SELECT pg_catalog.setval('public.customer_file_customer_file_id_seq', 1, false);



SELECT pg_catalog.setval('public.dispatch_queue_dispatch_queue_id_seq', 1, false);



SELECT pg_catalog.setval('public.email_message_email_message_id_seq', 1, false);



SELECT pg_catalog.setval('public.incident_incident_id_seq', 1, false);



SELECT pg_catalog.setval('public.lead_answer_answer_id_seq', 1, false);



SELECT pg_catalog.setval('public.lead_capture_lead_capture_id_seq', 1, false);



SELECT pg_catalog.setval('public.lead_change_lead_change_id_seq', 1, false);



SELECT pg_catalog.setval('public.lead_counter_lead_counter_id_seq', 1, false);



SELECT pg_catalog.setval('public.lead_export_lead_export_id_seq', 1, false);



SELECT pg_catalog.setval('public.lead_generation_track_lead_generation_track_id_seq', 1, false);



SELECT pg_catalog.setval('public.lead_import_lead_import_id_seq', 1, false);



SELECT pg_catalog.setval('public.lead_lead_id_seq', 1, false);



SELECT pg_catalog.setval('public.lead_lifecycle_event_lead_lifecycle_event_id_seq', 1, false);



SELECT pg_catalog.setval('public.lead_past_change_lead_past_change_id_seq', 1, false);



SELECT pg_catalog.setval('public.lead_rescheduling_lead_rescheduling_id_seq', 1, false);



SELECT pg_catalog.setval('public.media_generation_generation_id_seq', 1, false);



SELECT pg_catalog.setval('public.meeting_meeting_id_seq', 1, false);



SELECT pg_catalog.setval('public.member_member_id_seq', 1, false);



SELECT pg_catalog.setval('public.member_welcome_member_welcome_id_seq', 1, false);



SELECT pg_catalog.setval('public.message_embedding_message_embedding_id_seq', 1, false);



SELECT pg_catalog.setval('public.notification_address_notification_address_id_seq', 1, false);



SELECT pg_catalog.setval('public.notification_notification_id_seq', 1, false);



SELECT pg_catalog.setval('public.online_search_online_search_id_seq', 1, false);



SELECT pg_catalog.setval('public.open_question_open_question_id_seq', 1, false);



SELECT pg_catalog.setval('public.prospecting_file_prospecting_file_id_seq', 1, false);



SELECT pg_catalog.setval('public.prospecting_learning_learning_id_seq', 1, false);



SELECT pg_catalog.setval('public.prospecting_optimization_optimization_id_seq', 1, false);



SELECT pg_catalog.setval('public.report_figure_report_figure_id_seq', 1, false);



SELECT pg_catalog.setval('public.report_group_report_group_id_seq', 1, false);



SELECT pg_catalog.setval('public.report_stale_day_report_stale_day_id_seq', 1, false);



SELECT pg_catalog.setval('public.request_entry_request_entry_id_seq', 1, false);



SELECT pg_catalog.setval('public.sandbox_ads_record_record_id_seq', 1, false);



SELECT pg_catalog.setval('public.sandbox_chatapp_message_sandbox_chatapp_message_id_seq', 1, false);



SELECT pg_catalog.setval('public.sandbox_crm_record_record_id_seq', 1, false);



SELECT pg_catalog.setval('public.sandbox_mail_sandbox_mail_id_seq', 1, false);



SELECT pg_catalog.setval('public.sandbox_oauth_grant_grant_id_seq', 1, false);



SELECT pg_catalog.setval('public.sector_counter_sector_counter_id_seq', 1, false);



SELECT pg_catalog.setval('public.sender_domain_sender_domain_id_seq', 1, false);



SELECT pg_catalog.setval('public.simulation_lead_simulation_lead_id_seq', 1, false);



SELECT pg_catalog.setval('public.site_record_site_record_id_seq', 1, false);



SELECT pg_catalog.setval('public.support_request_support_request_id_seq', 1, false);



SELECT pg_catalog.setval('public.touch_touch_id_seq', 1, false);



SELECT pg_catalog.setval('public.voice_call_voice_call_request_id_seq', 1, false);



SELECT pg_catalog.setval('public.webhook_delivery_webhook_delivery_id_seq', 1, false);



SELECT pg_catalog.setval('public.webhook_replay_webhook_replay_id_seq', 1, false);



SELECT pg_catalog.setval('public.webhook_subscription_webhook_subscription_id_seq', 1, false);



SELECT pg_catalog.setval('public.website_access_try_website_access_try_id_seq', 1, false);



SELECT pg_catalog.setval('public.website_code_website_code_id_seq', 1, false);



SELECT pg_catalog.setval('public.website_report_website_report_id_seq', 1, false);



SELECT pg_catalog.setval('public.website_website_id_seq', 1, false);



ALTER TABLE ONLY graphile_worker._private_job_queues
    ADD CONSTRAINT job_queues_pkey1 PRIMARY KEY (id);



ALTER TABLE ONLY graphile_worker._private_job_queues
    ADD CONSTRAINT job_queues_queue_name_key UNIQUE (queue_name);



ALTER TABLE ONLY graphile_worker._private_jobs
    ADD CONSTRAINT jobs_key_key1 UNIQUE (key);



ALTER TABLE ONLY graphile_worker._private_jobs
    ADD CONSTRAINT jobs_pkey1 PRIMARY KEY (id);



ALTER TABLE ONLY graphile_worker._private_known_crontabs
    ADD CONSTRAINT known_crontabs_pkey PRIMARY KEY (identifier);



ALTER TABLE ONLY graphile_worker.migrations
    ADD CONSTRAINT migrations_pkey PRIMARY KEY (id);



ALTER TABLE ONLY graphile_worker._private_tasks
    ADD CONSTRAINT tasks_identifier_key UNIQUE (identifier);



ALTER TABLE ONLY graphile_worker._private_tasks
    ADD CONSTRAINT tasks_pkey PRIMARY KEY (id);



ALTER TABLE ONLY public.access_token
    ADD CONSTRAINT access_token_pkey PRIMARY KEY (account_id, access_token_id);



ALTER TABLE ONLY public.access_token
    ADD CONSTRAINT access_token_previous_hash_key UNIQUE (previous_hash);



ALTER TABLE ONLY public.access_token
    ADD CONSTRAINT access_token_token_hash_key UNIQUE (token_hash);



ALTER TABLE ONLY public.account_event
    ADD CONSTRAINT account_event_pkey PRIMARY KEY (account_id, account_event_id);



ALTER TABLE ONLY public.account_export
    ADD CONSTRAINT account_export_pkey PRIMARY KEY (account_id, account_export_id);



ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_handle_key UNIQUE (handle);



ALTER TABLE ONLY public.account_lock
    ADD CONSTRAINT account_lock_pkey PRIMARY KEY (account_id, turn);



ALTER TABLE ONLY public.account_phone
    ADD CONSTRAINT account_phone_pkey PRIMARY KEY (account_id, phone);



ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_pkey PRIMARY KEY (account_id);



ALTER TABLE ONLY public.account_seal
    ADD CONSTRAINT account_seal_pkey PRIMARY KEY (is_only);



ALTER TABLE ONLY public.acquired_company
    ADD CONSTRAINT acquired_company_pkey PRIMARY KEY (account_id, source, company_key);



ALTER TABLE ONLY public.ads_ad_group
    ADD CONSTRAINT ads_ad_group_account_id_ads_campaign_id_key UNIQUE (account_id, ads_campaign_id);



ALTER TABLE ONLY public.ads_ad_group
    ADD CONSTRAINT ads_ad_group_pkey PRIMARY KEY (account_id, ad_group_id);



ALTER TABLE ONLY public.ads_ad
    ADD CONSTRAINT ads_ad_pkey PRIMARY KEY (account_id, ad_id);



ALTER TABLE ONLY public.ads_audience_member
    ADD CONSTRAINT ads_audience_member_pkey PRIMARY KEY (account_id, ads_campaign_id, identifier_hash);



ALTER TABLE ONLY public.ads_audience
    ADD CONSTRAINT ads_audience_pkey PRIMARY KEY (account_id, ads_campaign_id);



ALTER TABLE ONLY public.ads_campaign
    ADD CONSTRAINT ads_campaign_pkey PRIMARY KEY (account_id, ads_campaign_id);



ALTER TABLE ONLY public.ads_conversion_action
    ADD CONSTRAINT ads_conversion_action_pkey PRIMARY KEY (account_id, kind);



ALTER TABLE ONLY public.ads_conversion
    ADD CONSTRAINT ads_conversion_pkey PRIMARY KEY (account_id, event);



ALTER TABLE ONLY public.ads_customer
    ADD CONSTRAINT ads_customer_pkey PRIMARY KEY (account_id);



ALTER TABLE ONLY public.ads_funding_entry
    ADD CONSTRAINT ads_funding_entry_account_id_reference_key UNIQUE (account_id, reference);



ALTER TABLE ONLY public.ads_funding_entry
    ADD CONSTRAINT ads_funding_entry_pkey PRIMARY KEY (account_id, entry_id);



ALTER TABLE ONLY public.ads_keyword_idea
    ADD CONSTRAINT ads_keyword_idea_pkey PRIMARY KEY (account_id, seeds_hash);



ALTER TABLE ONLY public.ads_keyword
    ADD CONSTRAINT ads_keyword_pkey PRIMARY KEY (account_id, keyword_id);



ALTER TABLE ONLY public.ads_spend_day
    ADD CONSTRAINT ads_spend_day_pkey PRIMARY KEY (account_id, ads_campaign_id, day);



ALTER TABLE ONLY public.agent_message
    ADD CONSTRAINT agent_message_pkey PRIMARY KEY (account_id, agent_message_id);



ALTER TABLE ONLY public.approved_subdomain
    ADD CONSTRAINT approved_subdomain_pkey PRIMARY KEY (account_id, label);



ALTER TABLE ONLY public.audit_checkpoint
    ADD CONSTRAINT audit_checkpoint_pkey PRIMARY KEY (account_id);



ALTER TABLE ONLY public.audit_entry
    ADD CONSTRAINT audit_entry_pkey PRIMARY KEY (account_id, at, audit_entry_id);



ALTER TABLE ONLY public.audit_head
    ADD CONSTRAINT audit_head_pkey PRIMARY KEY (account_id);



ALTER TABLE ONLY public.background_job
    ADD CONSTRAINT background_job_pkey PRIMARY KEY (account_id, job_id);



ALTER TABLE ONLY public.blacklist_entry
    ADD CONSTRAINT blacklist_entry_account_id_kind_value_key UNIQUE (account_id, kind, value);



ALTER TABLE ONLY public.blacklist_entry
    ADD CONSTRAINT blacklist_entry_pkey PRIMARY KEY (account_id, blacklist_entry_id);



ALTER TABLE ONLY public.business_assessment
    ADD CONSTRAINT business_assessment_pkey PRIMARY KEY (account_id);



ALTER TABLE ONLY public.business_file
    ADD CONSTRAINT business_file_pkey PRIMARY KEY (account_id, business_file_id);



ALTER TABLE ONLY public.business_passage_embedding
    ADD CONSTRAINT business_passage_embedding_pkey PRIMARY KEY (account_id, business_file_id, sequence, model);



ALTER TABLE ONLY public.business_passage
    ADD CONSTRAINT business_passage_pkey PRIMARY KEY (account_id, business_file_id, sequence);



ALTER TABLE ONLY public.business_profile
    ADD CONSTRAINT business_profile_pkey PRIMARY KEY (account_id);



ALTER TABLE ONLY public.calendar_event_name
    ADD CONSTRAINT calendar_event_name_pkey PRIMARY KEY (account_id, event_id);



ALTER TABLE ONLY public.calendar_event
    ADD CONSTRAINT calendar_event_pkey PRIMARY KEY (account_id, event_id);



ALTER TABLE ONLY public.calendar_mirror
    ADD CONSTRAINT calendar_mirror_pkey PRIMARY KEY (account_id);



ALTER TABLE ONLY public.call_count
    ADD CONSTRAINT call_count_pkey PRIMARY KEY (account_id, access_token_id, minute);



ALTER TABLE ONLY public.call_usage
    ADD CONSTRAINT call_usage_pkey PRIMARY KEY (account_id, starts_at, tool, access_token_id);



ALTER TABLE ONLY public.campaign
    ADD CONSTRAINT campaign_pkey PRIMARY KEY (account_id, campaign_id);



ALTER TABLE ONLY public.cancelled_call
    ADD CONSTRAINT cancelled_call_pkey PRIMARY KEY (account_id, call_hash);



ALTER TABLE ONLY public.chatapp_budget
    ADD CONSTRAINT chatapp_budget_pkey PRIMARY KEY (account_id);



ALTER TABLE ONLY public.chatapp_line
    ADD CONSTRAINT chatapp_line_pkey PRIMARY KEY (account_id);



ALTER TABLE ONLY public.chatapp_message
    ADD CONSTRAINT chatapp_message_account_id_client_reference_key UNIQUE (account_id, client_reference);



ALTER TABLE ONLY public.chatapp_message
    ADD CONSTRAINT chatapp_message_pkey PRIMARY KEY (account_id, chatapp_message_id);



ALTER TABLE ONLY public.chatapp_provider_line
    ADD CONSTRAINT chatapp_provider_line_account_id_key UNIQUE (account_id);



ALTER TABLE ONLY public.chatapp_provider_line
    ADD CONSTRAINT chatapp_provider_line_pkey PRIMARY KEY (provider_line_id);



ALTER TABLE ONLY public.chatapp_spend
    ADD CONSTRAINT chatapp_spend_pkey PRIMARY KEY (account_id, day);



ALTER TABLE ONLY public.client_question
    ADD CONSTRAINT client_question_pkey PRIMARY KEY (account_id, client_question_id);



ALTER TABLE ONLY public.company_city_frequency
    ADD CONSTRAINT company_city_frequency_pkey PRIMARY KEY (edition_id, type, city);



ALTER TABLE ONLY public.company_division_frequency
    ADD CONSTRAINT company_division_frequency_pkey PRIMARY KEY (edition_id, type, state, division, size);



ALTER TABLE ONLY public.company_edition
    ADD CONSTRAINT company_edition_pkey PRIMARY KEY (edition_id);



ALTER TABLE ONLY public.company_frequency
    ADD CONSTRAINT company_frequency_pkey PRIMARY KEY (edition_id, type, state, cnae, size);



ALTER TABLE ONLY public.company
    ADD CONSTRAINT company_pkey PRIMARY KEY (cnpj, edition_id, type);



ALTER TABLE ONLY public.company_year_frequency
    ADD CONSTRAINT company_year_frequency_pkey PRIMARY KEY (edition_id, type, founded_year);



ALTER TABLE ONLY public.confirmed_address
    ADD CONSTRAINT confirmed_address_pkey PRIMARY KEY (account_id, email);



ALTER TABLE ONLY public.connection_bucket
    ADD CONSTRAINT connection_bucket_pkey PRIMARY KEY (account_id, service, bucket);



ALTER TABLE ONLY public.connection
    ADD CONSTRAINT connection_pkey PRIMARY KEY (account_id, service);



ALTER TABLE ONLY public.crawled_page
    ADD CONSTRAINT crawled_page_account_id_url_digest_key UNIQUE (account_id, url_digest);



ALTER TABLE ONLY public.crawled_page_block
    ADD CONSTRAINT crawled_page_block_pkey PRIMARY KEY (account_id, crawled_page_id, block);



ALTER TABLE ONLY public.crawled_page
    ADD CONSTRAINT crawled_page_pkey PRIMARY KEY (account_id, crawled_page_id);



ALTER TABLE ONLY public.crm_activity
    ADD CONSTRAINT crm_activity_pkey PRIMARY KEY (account_id, crm, crm_account, lead_id, event);



ALTER TABLE ONLY public.crm_custom_field
    ADD CONSTRAINT crm_custom_field_pkey PRIMARY KEY (account_id, field_id);



ALTER TABLE ONLY public.crm_integration
    ADD CONSTRAINT crm_integration_pkey PRIMARY KEY (account_id, crm);



ALTER TABLE ONLY public.crm_lead
    ADD CONSTRAINT crm_lead_pkey PRIMARY KEY (account_id, crm, lead_id);



ALTER TABLE ONLY public.crm_link
    ADD CONSTRAINT crm_link_pkey PRIMARY KEY (account_id, crm, crm_account, lead_id, kind);



ALTER TABLE ONLY public.crm_setting
    ADD CONSTRAINT crm_setting_pkey PRIMARY KEY (account_id);



ALTER TABLE ONLY public.crm_source
    ADD CONSTRAINT crm_source_pkey PRIMARY KEY (account_id, crm);



ALTER TABLE ONLY public.crm_webhook_removal
    ADD CONSTRAINT crm_webhook_removal_pkey PRIMARY KEY (account_id, crm);



ALTER TABLE ONLY public.customer_file
    ADD CONSTRAINT customer_file_account_id_download_key_key UNIQUE (account_id, download_key);



ALTER TABLE ONLY public.customer_file_chunk
    ADD CONSTRAINT customer_file_chunk_pkey PRIMARY KEY (account_id, customer_file_id, sequence);



ALTER TABLE ONLY public.customer_file
    ADD CONSTRAINT customer_file_pkey PRIMARY KEY (account_id, customer_file_id);



ALTER TABLE ONLY public.daily_report
    ADD CONSTRAINT daily_report_pkey PRIMARY KEY (account_id, day);



ALTER TABLE ONLY public.deferred_company
    ADD CONSTRAINT deferred_company_pkey PRIMARY KEY (account_id, source, place_key);



ALTER TABLE ONLY public.dialed_number
    ADD CONSTRAINT dialed_number_pkey PRIMARY KEY (phone_key);



ALTER TABLE ONLY public.dispatch_queue
    ADD CONSTRAINT dispatch_queue_pkey PRIMARY KEY (account_id, dispatch_queue_id);



ALTER TABLE ONLY public.email_message
    ADD CONSTRAINT email_message_account_id_message_id_key UNIQUE (account_id, message_id);



ALTER TABLE ONLY public.email_message
    ADD CONSTRAINT email_message_pkey PRIMARY KEY (account_id, email_message_id);



ALTER TABLE ONLY public.email_suppression
    ADD CONSTRAINT email_suppression_pkey PRIMARY KEY (account_id, email);



ALTER TABLE ONLY public.embedding_progress
    ADD CONSTRAINT embedding_progress_pkey PRIMARY KEY (source, model);



ALTER TABLE ONLY public.followed_resource
    ADD CONSTRAINT followed_resource_pkey PRIMARY KEY (account_id, session_id, uri);



ALTER TABLE ONLY public.former_handle
    ADD CONSTRAINT former_handle_pkey PRIMARY KEY (handle);



ALTER TABLE ONLY public.gateway_migration
    ADD CONSTRAINT gateway_migration_pkey PRIMARY KEY (migration_id);



ALTER TABLE ONLY public.incident
    ADD CONSTRAINT incident_pkey PRIMARY KEY (incident_id);



ALTER TABLE ONLY public.keyed_write
    ADD CONSTRAINT keyed_write_pkey PRIMARY KEY (account_id, key_mark, begun_on);



ALTER TABLE ONLY public.language_usage
    ADD CONSTRAINT language_usage_pkey PRIMARY KEY (account_id, day, purpose, model);



ALTER TABLE ONLY public.lead_answer_delivery
    ADD CONSTRAINT lead_answer_delivery_pkey PRIMARY KEY (account_id, open_question_id, lead_id);



ALTER TABLE ONLY public.lead_answer
    ADD CONSTRAINT lead_answer_pkey PRIMARY KEY (account_id, answer_id);



ALTER TABLE ONLY public.lead_capture
    ADD CONSTRAINT lead_capture_pkey PRIMARY KEY (account_id, lead_capture_id);



ALTER TABLE ONLY public.lead_change
    ADD CONSTRAINT lead_change_pkey PRIMARY KEY (account_id, lead_id, lead_change_id);



ALTER TABLE ONLY public.lead_counter
    ADD CONSTRAINT lead_counter_pkey PRIMARY KEY (account_id, lead_counter_id) INCLUDE (campaign_id, status, has_linkedin, change);



ALTER TABLE ONLY public.lead_erasure
    ADD CONSTRAINT lead_erasure_pkey PRIMARY KEY (account_id, lead_id);



ALTER TABLE ONLY public.lead_export
    ADD CONSTRAINT lead_export_pkey PRIMARY KEY (account_id, lead_export_id);



ALTER TABLE ONLY public.lead_follower
    ADD CONSTRAINT lead_follower_pkey PRIMARY KEY (account_id);



ALTER TABLE ONLY public.lead_generation_run
    ADD CONSTRAINT lead_generation_run_pkey PRIMARY KEY (account_id);



ALTER TABLE ONLY public.lead_generation_track
    ADD CONSTRAINT lead_generation_track_account_id_campaign_id_key UNIQUE NULLS NOT DISTINCT (account_id, campaign_id);



ALTER TABLE ONLY public.lead_generation_track
    ADD CONSTRAINT lead_generation_track_pkey PRIMARY KEY (account_id, lead_generation_track_id);



ALTER TABLE ONLY public.lead_import
    ADD CONSTRAINT lead_import_pkey PRIMARY KEY (account_id, lead_import_id);



ALTER TABLE ONLY public.lead_import_row
    ADD CONSTRAINT lead_import_row_pkey PRIMARY KEY (account_id, lead_import_id, row_number);



ALTER TABLE ONLY public.lead_lifecycle_event
    ADD CONSTRAINT lead_lifecycle_event_pkey PRIMARY KEY (account_id, lead_lifecycle_event_id);



ALTER TABLE ONLY public.lead_past_change
    ADD CONSTRAINT lead_past_change_pkey PRIMARY KEY (account_id, lead_id, lead_past_change_id);



ALTER TABLE ONLY public.lead_past_follower
    ADD CONSTRAINT lead_past_follower_pkey PRIMARY KEY (account_id);



ALTER TABLE ONLY public.lead
    ADD CONSTRAINT lead_pkey PRIMARY KEY (account_id, lead_id);



ALTER TABLE ONLY public.lead_place_backlog
    ADD CONSTRAINT lead_place_backlog_pkey PRIMARY KEY (account_id);



ALTER TABLE ONLY public.lead_rescheduling
    ADD CONSTRAINT lead_rescheduling_account_id_job_id_key UNIQUE (account_id, job_id);



ALTER TABLE ONLY public.lead_rescheduling
    ADD CONSTRAINT lead_rescheduling_pkey PRIMARY KEY (account_id, lead_rescheduling_id);



ALTER TABLE ONLY public.lead_source_contact
    ADD CONSTRAINT lead_source_contact_pkey PRIMARY KEY (account_id, contact_id);



ALTER TABLE ONLY public.lead_source
    ADD CONSTRAINT lead_source_pkey PRIMARY KEY (account_id);



ALTER TABLE ONLY public.lead_tombstone
    ADD CONSTRAINT lead_tombstone_pkey PRIMARY KEY (account_id, contact_digest);



ALTER TABLE ONLY public.learning_look
    ADD CONSTRAINT learning_look_pkey PRIMARY KEY (account_id);



ALTER TABLE ONLY public.mail_access
    ADD CONSTRAINT mail_access_pkey PRIMARY KEY (provider);



ALTER TABLE ONLY public.mail_domain
    ADD CONSTRAINT mail_domain_pkey PRIMARY KEY (domain);



ALTER TABLE ONLY public.mail_mailbox
    ADD CONSTRAINT mail_mailbox_pkey PRIMARY KEY (mailbox);



ALTER TABLE ONLY public.mail_recipient
    ADD CONSTRAINT mail_recipient_pkey PRIMARY KEY (address_digest);



ALTER TABLE ONLY public.media_generation
    ADD CONSTRAINT media_generation_pkey PRIMARY KEY (account_id, generation_id);



ALTER TABLE ONLY public.meeting_invitation
    ADD CONSTRAINT meeting_invitation_pkey PRIMARY KEY (account_id, meeting_id);



ALTER TABLE ONLY public.meeting
    ADD CONSTRAINT meeting_pkey PRIMARY KEY (account_id, meeting_id);



ALTER TABLE ONLY public.member
    ADD CONSTRAINT member_account_id_phone_key UNIQUE (account_id, phone);



ALTER TABLE ONLY public.member
    ADD CONSTRAINT member_pkey PRIMARY KEY (account_id, member_id);



ALTER TABLE ONLY public.member_welcome
    ADD CONSTRAINT member_welcome_pkey PRIMARY KEY (account_id, member_welcome_id);



ALTER TABLE ONLY public.message_embedding
    ADD CONSTRAINT message_embedding_pkey PRIMARY KEY (account_id, message_embedding_id);



ALTER TABLE ONLY public.model_outage_notice
    ADD CONSTRAINT model_outage_notice_pkey PRIMARY KEY (account_id);



ALTER TABLE ONLY public.model_outage
    ADD CONSTRAINT model_outage_pkey PRIMARY KEY (clock);



ALTER TABLE ONLY public.named_recipient_count
    ADD CONSTRAINT named_recipient_count_pkey PRIMARY KEY (account_id);



ALTER TABLE ONLY public.notification_address
    ADD CONSTRAINT notification_address_account_id_email_key UNIQUE (account_id, email);



ALTER TABLE ONLY public.notification_address
    ADD CONSTRAINT notification_address_pkey PRIMARY KEY (account_id, notification_address_id);



ALTER TABLE ONLY public.notification
    ADD CONSTRAINT notification_pkey PRIMARY KEY (account_id, notification_id);



ALTER TABLE ONLY public.oauth_code
    ADD CONSTRAINT oauth_code_pkey PRIMARY KEY (account_id, code_hash);



ALTER TABLE ONLY public.oauth_refresh
    ADD CONSTRAINT oauth_refresh_pkey PRIMARY KEY (account_id, refresh_hash);



ALTER TABLE ONLY public.oauth_state
    ADD CONSTRAINT oauth_state_pkey PRIMARY KEY (account_id, state_hash);



ALTER TABLE ONLY public.online_search
    ADD CONSTRAINT online_search_pkey PRIMARY KEY (account_id, online_search_id);



ALTER TABLE ONLY public.open_question_lead
    ADD CONSTRAINT open_question_lead_pkey PRIMARY KEY (account_id, open_question_id, lead_id);



ALTER TABLE ONLY public.open_question
    ADD CONSTRAINT open_question_pkey PRIMARY KEY (account_id, open_question_id);



ALTER TABLE ONLY public.operator_mail
    ADD CONSTRAINT operator_mail_pkey PRIMARY KEY (account_id, support_request_id, about);



ALTER TABLE ONLY public.platform_reply_time
    ADD CONSTRAINT platform_reply_time_pkey PRIMARY KEY (weekday, hour);



ALTER TABLE ONLY public.prospecting_adjustment
    ADD CONSTRAINT prospecting_adjustment_pkey PRIMARY KEY (account_id, campaign, setting);



ALTER TABLE ONLY public.prospecting_config
    ADD CONSTRAINT prospecting_config_pkey PRIMARY KEY (account_id);



ALTER TABLE ONLY public.prospecting_file
    ADD CONSTRAINT prospecting_file_pkey PRIMARY KEY (account_id, prospecting_file_id);



ALTER TABLE ONLY public.prospecting_learning
    ADD CONSTRAINT prospecting_learning_account_id_learning_key_key UNIQUE (account_id, learning_key);



ALTER TABLE ONLY public.prospecting_learning
    ADD CONSTRAINT prospecting_learning_pkey PRIMARY KEY (account_id, learning_id);



ALTER TABLE ONLY public.prospecting_optimization
    ADD CONSTRAINT prospecting_optimization_pkey PRIMARY KEY (account_id, optimization_id);



ALTER TABLE ONLY public.prospecting_trial
    ADD CONSTRAINT prospecting_trial_pkey PRIMARY KEY (account_id, campaign);



ALTER TABLE ONLY public.released_company
    ADD CONSTRAINT released_company_pkey PRIMARY KEY (account_id, company_digest);



ALTER TABLE ONLY public.report_day
    ADD CONSTRAINT report_day_pkey PRIMARY KEY (account_id, day);



ALTER TABLE ONLY public.report_figure
    ADD CONSTRAINT report_figure_pkey PRIMARY KEY (account_id, figure, day, report_figure_id) INCLUDE (campaign_id, key, to_day, from_day, count, until);



ALTER TABLE ONLY public.report_group
    ADD CONSTRAINT report_group_pkey PRIMARY KEY (account_id, day, report_group_id);



ALTER TABLE ONLY public.report_stale_day
    ADD CONSTRAINT report_stale_day_pkey PRIMARY KEY (account_id, day, report_stale_day_id);



ALTER TABLE ONLY public.request_entry
    ADD CONSTRAINT request_entry_pkey PRIMARY KEY (account_id, at, request_entry_id);



ALTER TABLE ONLY public.sandbox_ads_account
    ADD CONSTRAINT sandbox_ads_account_pkey PRIMARY KEY (account_id);



ALTER TABLE ONLY public.sandbox_ads_record
    ADD CONSTRAINT sandbox_ads_record_pkey PRIMARY KEY (account_id, record_id);



ALTER TABLE ONLY public.sandbox_calendar_channel
    ADD CONSTRAINT sandbox_calendar_channel_pkey PRIMARY KEY (account_id, channel_id);



ALTER TABLE ONLY public.sandbox_calendar_event
    ADD CONSTRAINT sandbox_calendar_event_pkey PRIMARY KEY (account_id, event_id);



ALTER TABLE ONLY public.sandbox_calendar
    ADD CONSTRAINT sandbox_calendar_pkey PRIMARY KEY (account_id);



ALTER TABLE ONLY public.sandbox_chatapp_line
    ADD CONSTRAINT sandbox_chatapp_line_pkey PRIMARY KEY (account_id);



ALTER TABLE ONLY public.sandbox_chatapp_media
    ADD CONSTRAINT sandbox_chatapp_media_pkey PRIMARY KEY (account_id, media_id);



ALTER TABLE ONLY public.sandbox_chatapp_message
    ADD CONSTRAINT sandbox_chatapp_message_account_id_client_reference_key UNIQUE (account_id, client_reference);



ALTER TABLE ONLY public.sandbox_chatapp_message
    ADD CONSTRAINT sandbox_chatapp_message_pkey PRIMARY KEY (account_id, sandbox_chatapp_message_id);



ALTER TABLE ONLY public.sandbox_crm
    ADD CONSTRAINT sandbox_crm_pkey PRIMARY KEY (account_id, crm, tenant);



ALTER TABLE ONLY public.sandbox_crm_record
    ADD CONSTRAINT sandbox_crm_record_pkey PRIMARY KEY (account_id, crm, tenant, kind, record_id);



ALTER TABLE ONLY public.sandbox_dns_record
    ADD CONSTRAINT sandbox_dns_record_pkey PRIMARY KEY (name, type);



ALTER TABLE ONLY public.sandbox_lead_source
    ADD CONSTRAINT sandbox_lead_source_pkey PRIMARY KEY (account_id, tenant);



ALTER TABLE ONLY public.sandbox_lead_source_window
    ADD CONSTRAINT sandbox_lead_source_window_pkey PRIMARY KEY (account_id, tenant, endpoint, seconds);



ALTER TABLE ONLY public.sandbox_mail
    ADD CONSTRAINT sandbox_mail_pkey PRIMARY KEY (account_id, sandbox_mail_id);



ALTER TABLE ONLY public.sandbox_oauth_code
    ADD CONSTRAINT sandbox_oauth_code_pkey PRIMARY KEY (account_id, code_hash);



ALTER TABLE ONLY public.sandbox_oauth_grant
    ADD CONSTRAINT sandbox_oauth_grant_pkey PRIMARY KEY (account_id, grant_id);



ALTER TABLE ONLY public.sandbox_scheduler_booking
    ADD CONSTRAINT sandbox_scheduler_booking_pkey PRIMARY KEY (account_id, invitee_id);



ALTER TABLE ONLY public.sandbox_scheduler_link
    ADD CONSTRAINT sandbox_scheduler_link_pkey PRIMARY KEY (account_id, code);



ALTER TABLE ONLY public.sandbox_scheduler
    ADD CONSTRAINT sandbox_scheduler_pkey PRIMARY KEY (account_id, holder);



ALTER TABLE ONLY public.sandbox_scheduler_subscription
    ADD CONSTRAINT sandbox_scheduler_subscription_pkey PRIMARY KEY (account_id, subscription_id);



ALTER TABLE ONLY public.sandbox_voice_call
    ADD CONSTRAINT sandbox_voice_call_pkey PRIMARY KEY (account_id, client_reference);



ALTER TABLE ONLY public.sandbox_voice_script
    ADD CONSTRAINT sandbox_voice_script_pkey PRIMARY KEY (account_id, phone);



ALTER TABLE ONLY public.scheduler_account
    ADD CONSTRAINT scheduler_account_pkey PRIMARY KEY (account_id);



ALTER TABLE ONLY public.scheduler_booking
    ADD CONSTRAINT scheduler_booking_pkey PRIMARY KEY (account_id, event_id, invitee_id);



ALTER TABLE ONLY public.scheduler_link
    ADD CONSTRAINT scheduler_link_pkey PRIMARY KEY (account_id, lead_id);



ALTER TABLE ONLY public.sector_counter
    ADD CONSTRAINT sector_counter_pkey PRIMARY KEY (account_id, campaign_id, sector_counter_id);



ALTER TABLE ONLY public.sender_domain
    ADD CONSTRAINT sender_domain_account_id_kind_key UNIQUE (account_id, kind);



ALTER TABLE ONLY public.sender_domain_day
    ADD CONSTRAINT sender_domain_day_pkey PRIMARY KEY (account_id, sender_domain_id, day);



ALTER TABLE ONLY public.sender_domain_name
    ADD CONSTRAINT sender_domain_name_pkey PRIMARY KEY (domain);



ALTER TABLE ONLY public.sender_domain
    ADD CONSTRAINT sender_domain_pkey PRIMARY KEY (account_id, sender_domain_id);



ALTER TABLE ONLY public.simulation_effect
    ADD CONSTRAINT simulation_effect_pkey PRIMARY KEY (account_id, simulation_lead_id, sequence);



ALTER TABLE ONLY public.simulation_lead
    ADD CONSTRAINT simulation_lead_pkey PRIMARY KEY (account_id, simulation_lead_id);



ALTER TABLE ONLY public.simulation_message
    ADD CONSTRAINT simulation_message_pkey PRIMARY KEY (account_id, simulation_lead_id, sequence);



ALTER TABLE ONLY public.site_form_count
    ADD CONSTRAINT site_form_count_pkey PRIMARY KEY (account_id, website_id, scope, place);



ALTER TABLE ONLY public.site_form_use
    ADD CONSTRAINT site_form_use_pkey PRIMARY KEY (account_id, website_id, nonce);



ALTER TABLE ONLY public.site_record_count
    ADD CONSTRAINT site_record_count_pkey PRIMARY KEY (account_id, website_id);



ALTER TABLE ONLY public.site_record
    ADD CONSTRAINT site_record_pkey PRIMARY KEY (account_id, site_record_id);



ALTER TABLE ONLY public.site_session
    ADD CONSTRAINT site_session_pkey PRIMARY KEY (account_id, website_id, session_digest);



ALTER TABLE ONLY public.site_sign_in
    ADD CONSTRAINT site_sign_in_pkey PRIMARY KEY (account_id, website_id, sign_in);



ALTER TABLE ONLY public.support_request
    ADD CONSTRAINT support_request_pkey PRIMARY KEY (account_id, support_request_id);



ALTER TABLE ONLY public.tax_info
    ADD CONSTRAINT tax_info_pkey PRIMARY KEY (account_id);



ALTER TABLE ONLY public.touch
    ADD CONSTRAINT touch_pkey PRIMARY KEY (account_id, touch_id);



ALTER TABLE ONLY public.visitor_salt
    ADD CONSTRAINT visitor_salt_pkey PRIMARY KEY (day);



ALTER TABLE ONLY public.voice_call
    ADD CONSTRAINT voice_call_account_id_client_reference_key UNIQUE (account_id, client_reference);



ALTER TABLE ONLY public.voice_call
    ADD CONSTRAINT voice_call_pkey PRIMARY KEY (account_id, voice_call_request_id);



ALTER TABLE ONLY public.volume_benchmark
    ADD CONSTRAINT volume_benchmark_pkey PRIMARY KEY (division);



ALTER TABLE ONLY public.webhook_attempt
    ADD CONSTRAINT webhook_attempt_pkey PRIMARY KEY (account_id, webhook_delivery_id, attempt_number);



ALTER TABLE ONLY public.webhook_delivery
    ADD CONSTRAINT webhook_delivery_pkey PRIMARY KEY (account_id, webhook_delivery_id);



ALTER TABLE ONLY public.webhook_replay
    ADD CONSTRAINT webhook_replay_pkey PRIMARY KEY (account_id, webhook_replay_id);



ALTER TABLE ONLY public.webhook_subscription
    ADD CONSTRAINT webhook_subscription_pkey PRIMARY KEY (account_id, webhook_subscription_id);



ALTER TABLE ONLY public.website_access_try
    ADD CONSTRAINT website_access_try_pkey PRIMARY KEY (account_id, website_access_try_id);



ALTER TABLE ONLY public.website_code
    ADD CONSTRAINT website_code_pkey PRIMARY KEY (account_id, website_code_id);



ALTER TABLE ONLY public.website_name
    ADD CONSTRAINT website_name_pkey PRIMARY KEY (name);



ALTER TABLE ONLY public.website_picture
    ADD CONSTRAINT website_picture_pkey PRIMARY KEY (account_id, website_id, order_digest);



ALTER TABLE ONLY public.website
    ADD CONSTRAINT website_pkey PRIMARY KEY (account_id, website_id);



ALTER TABLE ONLY public.website_report
    ADD CONSTRAINT website_report_pkey PRIMARY KEY (account_id, website_report_id);



ALTER TABLE ONLY public.website_traffic_day
    ADD CONSTRAINT website_traffic_day_pkey PRIMARY KEY (account_id, website_id, day);



ALTER TABLE ONLY public.worker_heartbeat
    ADD CONSTRAINT worker_heartbeat_pkey PRIMARY KEY (worker_id);



CREATE INDEX jobs_main_index ON graphile_worker._private_jobs USING btree (priority, run_at) INCLUDE (id, task_id, job_queue_id) WHERE (is_available = true);



CREATE INDEX jobs_no_queue_index ON graphile_worker._private_jobs USING btree (priority, run_at) INCLUDE (id, task_id) WHERE ((is_available = true) AND (job_queue_id IS NULL));



CREATE INDEX account_closing ON public.account USING btree (closes_at) WHERE (closes_at IS NOT NULL);



CREATE INDEX account_event_lead ON public.account_event USING btree (account_id, lead_id) WHERE (lead_id IS NOT NULL);



CREATE INDEX account_event_type ON public.account_event USING btree (account_id, event_type, account_event_id);



CREATE INDEX account_export_file ON public.account_export USING btree (account_id, customer_file_id) WHERE (customer_file_id IS NOT NULL);



CREATE INDEX account_export_job ON public.account_export USING btree (account_id, job_id);



CREATE UNIQUE INDEX account_phone_proved ON public.account_phone USING btree (phone) WHERE (proved_at IS NOT NULL);



CREATE INDEX acquired_company_lead ON public.acquired_company USING btree (account_id, lead_id);



CREATE INDEX ads_ad_campaign ON public.ads_ad USING btree (account_id, ads_campaign_id);



CREATE INDEX ads_campaign_due ON public.ads_campaign USING btree (due_at) WHERE (due_at IS NOT NULL);



CREATE UNIQUE INDEX ads_campaign_name ON public.ads_campaign USING btree (account_id, lower(name)) WHERE (wanted <> 'ended'::text);



CREATE INDEX ads_conversion_lead ON public.ads_conversion USING btree (account_id, lead_id);



CREATE INDEX ads_conversion_processing ON public.ads_conversion USING btree (account_id, request_id) WHERE (status = 'processing'::text);



CREATE INDEX ads_funding_entry_campaign ON public.ads_funding_entry USING btree (account_id, ads_campaign_id);



CREATE UNIQUE INDEX ads_keyword_once ON public.ads_keyword USING btree (account_id, ads_campaign_id, is_negative, match_type, lower(keyword_text));



CREATE INDEX agent_message_newest ON public.agent_message USING btree (account_id, created_at DESC);



CREATE INDEX agent_message_number ON public.agent_message USING btree (agent_message_id);



CREATE INDEX agent_message_recent ON public.agent_message USING btree (account_id, agent_message_id DESC);



CREATE INDEX agent_message_stems ON public.agent_message USING gin (account_id, stems);



CREATE INDEX audit_entry_position ON ONLY public.audit_entry USING btree (account_id, "position") WHERE ("position" IS NOT NULL);



CREATE INDEX background_job_recent ON public.background_job USING btree (account_id, created_at DESC, job_id);



CREATE INDEX background_job_status ON public.background_job USING btree (account_id, status, created_at DESC);



CREATE INDEX blacklist_entry_ending ON public.blacklist_entry USING btree (account_id, value) WHERE (match = 'ending'::text);



CREATE INDEX business_file_campaign ON public.business_file USING btree (account_id, campaign_id) WHERE (campaign_id IS NOT NULL);



CREATE UNIQUE INDEX business_file_content ON public.business_file USING btree (account_id, COALESCE(campaign_id, (0)::bigint), content_digest);



CREATE INDEX business_file_job ON public.business_file USING btree (account_id, job_id);



CREATE INDEX business_file_source ON public.business_file USING btree (account_id, customer_file_id) WHERE (customer_file_id IS NOT NULL);



CREATE INDEX business_passage_stems ON public.business_passage USING gin (account_id, stems);



CREATE INDEX calendar_event_name_external ON public.calendar_event_name USING btree (account_id, external_id);



CREATE INDEX calendar_event_time ON public.calendar_event USING btree (account_id, ends_at) WHERE is_busy;



CREATE INDEX calendar_mirror_due ON public.calendar_mirror USING btree (due_at);



CREATE UNIQUE INDEX campaign_name ON public.campaign USING btree (account_id, public.fold(name)) WHERE (archived_at IS NULL);



CREATE INDEX chatapp_message_deferred ON public.chatapp_message USING btree (account_id) WHERE ((status = 'queued'::text) AND (deferred_until IS NOT NULL));



CREATE INDEX chatapp_message_file ON public.chatapp_message USING btree (account_id, customer_file_id) WHERE (customer_file_id IS NOT NULL);



CREATE INDEX chatapp_message_followers ON public.chatapp_message USING btree (account_id, follows_message_id) WHERE (follows_message_id IS NOT NULL);



CREATE INDEX chatapp_message_lead ON public.chatapp_message USING btree (account_id, lead_id, direction, chatapp_message_id DESC);



CREATE INDEX chatapp_message_number ON public.chatapp_message USING btree (chatapp_message_id);



CREATE INDEX chatapp_message_of_no_lead ON public.chatapp_message USING btree (account_id, phone) WHERE ((lead_id IS NULL) AND (direction = 'outbound'::text));



CREATE UNIQUE INDEX chatapp_message_provider ON public.chatapp_message USING btree (account_id, provider_message_id) WHERE (provider_message_id IS NOT NULL);



CREATE INDEX chatapp_message_recent ON public.chatapp_message USING btree (account_id, COALESCE(occurred_at, created_at) DESC) WHERE ((lead_id IS NOT NULL) AND (status <> 'cancelled'::text));



CREATE INDEX chatapp_message_replies ON public.chatapp_message USING btree (account_id, occurred_at) INCLUDE (lead_id) WHERE ((direction = 'inbound'::text) AND (lead_id IS NOT NULL) AND (occurred_at > '-infinity'::timestamp with time zone));



CREATE INDEX chatapp_message_report ON public.chatapp_message USING btree (account_id, occurred_at) INCLUDE (lead_id, message_type) WHERE ((direction = 'outbound'::text) AND (status = ANY (ARRAY['sent'::text, 'delivered'::text, 'read'::text])) AND (lead_id IS NOT NULL) AND (occurred_at > '-infinity'::timestamp with time zone));



CREATE INDEX chatapp_message_sent ON public.chatapp_message USING btree (account_id, occurred_at DESC);



CREATE INDEX chatapp_message_stems ON public.chatapp_message USING gin (account_id, stems);



CREATE INDEX chatapp_message_touch ON public.chatapp_message USING btree (account_id, touch_id) WHERE (touch_id IS NOT NULL);



CREATE INDEX chatapp_message_unsettled ON public.chatapp_message USING btree (sending_at) WHERE (status = 'sending'::text);



CREATE INDEX chatapp_message_user ON public.chatapp_message USING btree (account_id, provider_user_id) WHERE (provider_user_id IS NOT NULL);



CREATE INDEX chatapp_message_waiting ON public.chatapp_message USING btree (created_at) WHERE (status = 'queued'::text);



CREATE INDEX client_question_expiry ON public.client_question USING btree (account_id, expires_at);



CREATE INDEX company_city ON ONLY public.company USING btree (city, cnae, cnpj) INCLUDE (size, founded);



CREATE UNIQUE INDEX company_edition_current ON public.company_edition USING btree (state) WHERE (state = 'current'::text);



CREATE UNIQUE INDEX company_edition_loading ON public.company_edition USING btree (state) WHERE (state = 'loading'::text);



CREATE INDEX company_founded ON ONLY public.company USING btree (founded, cnae, cnpj) INCLUDE (state, city, size);



CREATE INDEX company_state ON ONLY public.company USING btree (state, cnae, cnpj) INCLUDE (size, founded);



CREATE INDEX connection_at_work ON public.connection USING btree (service, account_id) WHERE (state = 'connected'::text);



CREATE INDEX crawled_page_age ON public.crawled_page USING btree (fetched_at);



CREATE INDEX crm_activity_lead ON public.crm_activity USING btree (account_id, lead_id);



CREATE INDEX crm_lead_due ON public.crm_lead USING btree (account_id, crm, can_wait, due_at) WHERE (state = 'pending'::text);



CREATE INDEX crm_lead_lead ON public.crm_lead USING btree (account_id, lead_id);



CREATE INDEX crm_lead_recent ON public.crm_lead USING btree (account_id, crm, synced_at DESC) WHERE (state = 'synced'::text);



CREATE INDEX crm_link_external ON public.crm_link USING btree (account_id, crm, crm_account, kind, external_id);



CREATE INDEX crm_link_lead ON public.crm_link USING btree (account_id, lead_id);



CREATE INDEX crm_link_recent ON public.crm_link USING btree (account_id, crm, crm_account, began_at) WHERE (kind = 'company'::text);



CREATE INDEX customer_file_unfinished ON public.customer_file USING btree (created_at) WHERE (completed_at IS NULL);



CREATE INDEX deferred_company_campaign ON public.deferred_company USING btree (account_id, campaign_id, retry_at);



CREATE INDEX dialed_number_account ON public.dialed_number USING btree (account_id);



CREATE INDEX dispatch_queue_account ON public.dispatch_queue USING btree (account_id, due_at);



CREATE INDEX dispatch_queue_time ON public.dispatch_queue USING btree (due_at);



CREATE INDEX email_message_lead ON public.email_message USING btree (account_id, lead_id, direction, COALESCE(occurred_at, created_at) DESC, email_message_id DESC);



CREATE INDEX email_message_number ON public.email_message USING btree (email_message_id);



CREATE INDEX email_message_of_no_lead ON public.email_message USING btree (account_id, to_address) WHERE ((lead_id IS NULL) AND (direction = 'outbound'::text));



CREATE INDEX email_message_queued ON public.email_message USING btree (email_message_id) WHERE (status = 'queued'::text);



CREATE INDEX email_message_recent ON public.email_message USING btree (account_id, COALESCE(occurred_at, created_at) DESC) WHERE ((lead_id IS NOT NULL) AND (status <> 'cancelled'::text));



CREATE INDEX email_message_replies ON public.email_message USING btree (account_id, occurred_at) INCLUDE (lead_id) WHERE ((direction = 'inbound'::text) AND (NOT is_auto_reply) AND (lead_id IS NOT NULL) AND (occurred_at > '-infinity'::timestamp with time zone));



CREATE INDEX email_message_report ON public.email_message USING btree (account_id, occurred_at) INCLUDE (lead_id, message_type, email_message_id) WHERE ((direction = 'outbound'::text) AND (status = 'sent'::text) AND (lead_id IS NOT NULL) AND (occurred_at > '-infinity'::timestamp with time zone));



CREATE INDEX email_message_sender ON public.email_message USING btree (account_id, from_address, created_at) WHERE (direction = 'inbound'::text);



CREATE INDEX email_message_sender_domain ON public.email_message USING btree (account_id, sender_domain_id, sending_at) WHERE (sender_domain_id IS NOT NULL);



CREATE INDEX email_message_sent ON public.email_message USING btree (account_id, occurred_at DESC);



CREATE INDEX email_message_stems ON public.email_message USING gin (account_id, stems);



CREATE INDEX email_message_touch ON public.email_message USING btree (account_id, touch_id) WHERE (touch_id IS NOT NULL);



CREATE INDEX email_message_unsettled ON public.email_message USING btree (sending_at) WHERE (status = 'sending'::text);



CREATE INDEX former_handle_account ON public.former_handle USING btree (account_id);



CREATE UNIQUE INDEX incident_automatic ON public.incident USING btree (automatic_key) WHERE (resolved_at IS NULL);



CREATE INDEX incident_past ON public.incident USING btree (resolved_at DESC, incident_id DESC);



CREATE INDEX lead_answer_delivery_answer ON public.lead_answer_delivery USING btree (account_id, answer_id);



CREATE INDEX lead_answer_delivery_lead ON public.lead_answer_delivery USING btree (account_id, lead_id);



CREATE INDEX lead_answer_delivery_waiting ON public.lead_answer_delivery USING btree (account_id, lead_id) WHERE (status = 'queued'::text);



CREATE INDEX lead_answer_question ON public.lead_answer USING btree (account_id, open_question_id, answer_id DESC);



CREATE UNIQUE INDEX lead_answer_request ON public.lead_answer USING btree (account_id, request_id) WHERE (request_id IS NOT NULL);



CREATE INDEX lead_answer_superseded ON public.lead_answer USING btree (account_id, superseded_by) WHERE (superseded_by IS NOT NULL);



CREATE INDEX lead_campaign ON public.lead USING btree (account_id, campaign_id, created_at DESC, lead_id DESC) WHERE (campaign_id IS NOT NULL);



CREATE INDEX lead_campaign_status ON public.lead USING btree (account_id, campaign_id, status, created_at DESC, lead_id DESC) WHERE (campaign_id IS NOT NULL);



CREATE INDEX lead_capture_lead ON public.lead_capture USING btree (account_id, lead_id, lead_capture_id DESC);



CREATE INDEX lead_check_in ON public.lead USING btree (next_check_in_at) WHERE (next_check_in_at IS NOT NULL);



CREATE INDEX lead_check_in_unset ON public.lead USING btree (account_id, lead_id) WHERE ((pipeline_state = 'user_controlled'::text) AND (next_check_in_at IS NULL) AND (check_ins_muted_at IS NULL));



CREATE INDEX lead_created ON public.lead USING btree (account_id, created_at DESC, lead_id DESC);



CREATE INDEX lead_due ON public.lead USING btree (account_id, COALESCE(campaign_id, (0)::bigint), next_touch_at) WHERE ((pipeline_state = 'in_pipeline'::text) AND (paused_at IS NULL) AND (next_touch_at IS NOT NULL));



CREATE INDEX lead_due_answer ON public.lead USING btree (account_id, next_touch_at) WHERE ((pipeline_state = 'in_pipeline'::text) AND (paused_at IS NULL) AND (next_touch_at IS NOT NULL) AND (last_inbound_at > COALESCE(last_outbound_at, '-infinity'::timestamp with time zone)));



CREATE UNIQUE INDEX lead_email ON public.lead USING btree (account_id, email) WHERE (email IS NOT NULL);



CREATE INDEX lead_export_file ON public.lead_export USING btree (account_id, customer_file_id) WHERE (customer_file_id IS NOT NULL);



CREATE INDEX lead_export_job ON public.lead_export USING btree (account_id, job_id);



CREATE INDEX lead_import_campaign ON public.lead_import USING btree (account_id, campaign_id) WHERE (campaign_id IS NOT NULL);



CREATE INDEX lead_import_job ON public.lead_import USING btree (account_id, job_id);



CREATE INDEX lead_import_origin ON public.lead USING btree (account_id, lead_import_id) WHERE (lead_import_id IS NOT NULL);



CREATE INDEX lead_import_row_lead ON public.lead_import_row USING btree (account_id, lead_id) WHERE (lead_id IS NOT NULL);



CREATE INDEX lead_last_message ON public.lead USING btree (account_id, last_message_at DESC NULLS LAST, lead_id DESC);



CREATE INDEX lead_lifecycle_event_interested ON public.lead_lifecycle_event USING btree (account_id, created_at) WHERE ((event_type = ANY (ARRAY['status_changed'::text, 'registered'::text])) AND (lower(COALESCE((data ->> 'to_status'::text), (data ->> 'status'::text))) = 'interested'::text) AND (created_at > '-infinity'::timestamp with time zone));



CREATE INDEX lead_lifecycle_event_lead ON public.lead_lifecycle_event USING btree (account_id, lead_id, lead_lifecycle_event_id DESC);



CREATE INDEX lead_lifecycle_event_outcomes ON public.lead_lifecycle_event USING btree (account_id, created_at) WHERE ((event_type = ANY (ARRAY['outcome_won'::text, 'outcome_lost'::text, 'outcome_gave_up'::text])) AND (created_at > '-infinity'::timestamp with time zone));



CREATE INDEX lead_lifecycle_event_recent ON public.lead_lifecycle_event USING btree (account_id, created_at) WHERE ((event_type = ANY (ARRAY['status_changed'::text, 'registered'::text, 'taken_over'::text, 'outcome_won'::text, 'outcome_lost'::text, 'outcome_gave_up'::text])) AND (created_at > '-infinity'::timestamp with time zone));



CREATE INDEX lead_linkedin ON public.lead USING btree (account_id, created_at DESC, lead_id DESC) WHERE (linkedin_url IS NOT NULL);



CREATE INDEX lead_paused ON public.lead USING btree (account_id, lead_id) WHERE (paused_at IS NOT NULL);



CREATE INDEX lead_pending_review ON public.lead USING btree (account_id, review_requested_at, lead_id) WHERE (pipeline_state = 'pending_review'::text);



CREATE UNIQUE INDEX lead_phone ON public.lead USING btree (account_id, phone) WHERE (phone IS NOT NULL);



CREATE INDEX lead_phone_ending ON public.lead USING btree (account_id, "right"(phone, 8)) WHERE (phone IS NOT NULL);



CREATE INDEX lead_presentation ON public.lead USING btree (account_id, presentation_file_id) WHERE (presentation_file_id IS NOT NULL);



CREATE INDEX lead_referrals ON public.lead USING btree (account_id, referred_by_lead_id) WHERE (referred_by_lead_id IS NOT NULL);



CREATE INDEX lead_rescheduling_unfinished ON public.lead_rescheduling USING btree (account_id, customer_file_id) WHERE (last_lead_id < until_lead_id);



CREATE INDEX lead_search ON public.lead USING gin (public.search_grams(account_id, search_text));
ALTER INDEX public.lead_search ALTER COLUMN 1 SET STATISTICS 0;



CREATE INDEX lead_source_due ON public.lead_source USING btree (next_read_at);



CREATE INDEX lead_status ON public.lead USING btree (account_id, status, created_at DESC, lead_id DESC);



CREATE INDEX lead_unscheduled ON public.lead USING btree (account_id, lead_id) WHERE ((pipeline_state = 'in_pipeline'::text) AND (next_touch_at IS NULL) AND (touch_count < 6));



CREATE INDEX lead_won ON public.lead USING btree (account_id, campaign_id) WHERE (final_outcome = 'won'::text);



CREATE INDEX mail_domain_checked ON public.mail_domain USING btree (checked_at);



CREATE INDEX media_generation_file ON public.media_generation USING btree (account_id, customer_file_id) WHERE (customer_file_id IS NOT NULL);



CREATE INDEX media_generation_job ON public.media_generation USING btree (account_id, job_id);



CREATE INDEX media_generation_recent ON public.media_generation USING btree (account_id, kind, generation_id DESC);



CREATE INDEX media_generation_vector ON public.media_generation USING btree (account_id, vector_file_id) WHERE (vector_file_id IS NOT NULL);



CREATE INDEX meeting_announcement ON public.meeting USING btree (announce_at) WHERE ((announced_for IS DISTINCT FROM starts_at) AND (status = ANY (ARRAY['scheduled'::text, 'confirmed'::text])));



CREATE INDEX meeting_cancelled ON public.meeting USING btree (account_id, cancelled_at) WHERE (cancelled_at IS NOT NULL);



CREATE INDEX meeting_created ON public.meeting USING btree (account_id, created_at);



CREATE UNIQUE INDEX meeting_external ON public.meeting USING btree (account_id, booked_through, external_id) WHERE (external_id IS NOT NULL);



CREATE UNIQUE INDEX meeting_invitation_event ON public.meeting_invitation USING btree (account_id, event_id) WHERE (event_id IS NOT NULL);



CREATE UNIQUE INDEX meeting_invitation_uid ON public.meeting_invitation USING btree (account_id, uid);



CREATE INDEX meeting_lead ON public.meeting USING btree (account_id, lead_id, starts_at DESC);



CREATE INDEX meeting_lead_reminder ON public.meeting USING btree (starts_at) WHERE ((lead_reminded_for IS DISTINCT FROM starts_at) AND (status = ANY (ARRAY['scheduled'::text, 'confirmed'::text])));



CREATE INDEX meeting_reminder ON public.meeting USING btree (starts_at) WHERE ((reminded_at IS NULL) AND (status = ANY (ARRAY['scheduled'::text, 'confirmed'::text])));



CREATE INDEX meeting_start ON public.meeting USING btree (account_id, starts_at);



CREATE INDEX member_welcome_chatapp ON public.member_welcome USING btree (account_id, chatapp_message_id) WHERE (chatapp_message_id IS NOT NULL);



CREATE INDEX member_welcome_email ON public.member_welcome USING btree (account_id, email_message_id) WHERE (email_message_id IS NOT NULL);



CREATE INDEX member_welcome_latest ON public.member_welcome USING btree (account_id, member_id, channel, member_welcome_id DESC);



CREATE UNIQUE INDEX message_embedding_agent ON public.message_embedding USING btree (account_id, agent_message_id, model) WHERE (agent_message_id IS NOT NULL);



CREATE UNIQUE INDEX message_embedding_chatapp ON public.message_embedding USING btree (account_id, chatapp_message_id, model) WHERE (chatapp_message_id IS NOT NULL);



CREATE UNIQUE INDEX message_embedding_email ON public.message_embedding USING btree (account_id, email_message_id, model) WHERE (email_message_id IS NOT NULL);



CREATE INDEX notification_pending ON public.notification USING btree (account_id, notification_id) WHERE ((processed_at IS NULL) AND (acknowledged_at IS NULL));



CREATE INDEX oauth_code_token ON public.oauth_code USING btree (account_id, access_token_id);



CREATE INDEX oauth_refresh_token ON public.oauth_refresh USING btree (account_id, access_token_id);



CREATE INDEX online_search_job ON public.online_search USING btree (account_id, job_id);



CREATE INDEX open_question_lead_lead ON public.open_question_lead USING btree (account_id, lead_id);



CREATE UNIQUE INDEX open_question_text ON public.open_question USING btree (account_id, public.fold(question_text)) WHERE (status = 'open'::text);



CREATE INDEX prospecting_file_campaign ON public.prospecting_file USING btree (account_id, campaign_id) WHERE (campaign_id IS NOT NULL);



CREATE INDEX prospecting_file_source ON public.prospecting_file USING btree (account_id, customer_file_id) WHERE (customer_file_id IS NOT NULL);



CREATE INDEX prospecting_optimization_campaign ON public.prospecting_optimization USING btree (account_id, campaign_id, optimization_id DESC) WHERE (campaign_id IS NOT NULL);



CREATE INDEX request_entry_failed ON ONLY public.request_entry USING btree (account_id, at) WHERE (reason IS NOT NULL);



CREATE INDEX request_entry_id ON ONLY public.request_entry USING btree (account_id, request_id);



CREATE INDEX sandbox_ads_record_kind ON public.sandbox_ads_record USING btree (account_id, kind, parent_id);



CREATE INDEX sandbox_mail_message ON public.sandbox_mail USING btree (account_id, email_message_id);



CREATE UNIQUE INDEX sandbox_mail_sent ON public.sandbox_mail USING btree (account_id, message_id) WHERE (direction = 'outbound'::text);



CREATE INDEX sandbox_oauth_grant_by_access ON public.sandbox_oauth_grant USING btree (account_id, access_hash);



CREATE INDEX sandbox_oauth_grant_by_refresh ON public.sandbox_oauth_grant USING btree (account_id, refresh_hash);



CREATE INDEX scheduler_booking_calendar ON public.scheduler_booking USING btree (account_id, calendar_event_id) WHERE (calendar_event_id IS NOT NULL);



CREATE INDEX scheduler_booking_lead ON public.scheduler_booking USING btree (account_id, lead_id) WHERE (lead_id IS NOT NULL);



CREATE INDEX scheduler_booking_meeting ON public.scheduler_booking USING btree (account_id, meeting_id) WHERE (meeting_id IS NOT NULL);



CREATE INDEX sender_domain_by_name ON public.sender_domain USING btree (domain);



CREATE INDEX sender_domain_name_account ON public.sender_domain_name USING btree (account_id);



CREATE INDEX simulation_lead_call ON public.simulation_lead USING btree (account_id, voice_call_request_id) WHERE (voice_call_request_id IS NOT NULL);



CREATE INDEX simulation_lead_campaign ON public.simulation_lead USING btree (account_id, campaign_id) WHERE (campaign_id IS NOT NULL);



CREATE INDEX site_form_count_expired ON public.site_form_count USING btree (expires_at);



CREATE INDEX site_form_use_expired ON public.site_form_use USING btree (expires_at);



CREATE INDEX site_record_collection ON public.site_record USING btree (account_id, website_id, collection, site_record_id DESC);



CREATE INDEX site_record_lead ON public.site_record USING btree (account_id, lead_id) WHERE (lead_id IS NOT NULL);



CREATE INDEX site_record_time ON public.site_record USING btree (account_id, website_id, created_at);



CREATE INDEX site_record_visitor ON public.site_record USING btree (account_id, website_id, visitor_email) WHERE (visitor_email IS NOT NULL);



CREATE INDEX site_session_expired ON public.site_session USING btree (expires_at);



CREATE INDEX site_sign_in_expired ON public.site_sign_in USING btree (expires_at);



CREATE INDEX support_request_pending ON public.support_request USING btree (created_at) WHERE (status = 'pending'::text);



CREATE INDEX touch_holding_line ON public.touch USING btree (account_id, lead_id) WHERE (notice = 'holding_line'::text);



CREATE INDEX touch_lead ON public.touch USING btree (account_id, lead_id, touch_id);



CREATE INDEX touch_notice ON public.touch USING btree (account_id, meeting_id) WHERE (meeting_id IS NOT NULL);



CREATE INDEX touch_recent ON public.touch USING btree (account_id, created_at DESC);



CREATE UNIQUE INDEX touch_unfinished ON public.touch USING btree (account_id, lead_id) WHERE ((status = ANY (ARRAY['writing'::text, 'queued'::text])) AND (meeting_id IS NULL));



CREATE UNIQUE INDEX touch_unfinished_notice ON public.touch USING btree (account_id, meeting_id) WHERE ((status = ANY (ARRAY['writing'::text, 'queued'::text])) AND (meeting_id IS NOT NULL));



CREATE INDEX touch_writing ON public.touch USING btree (created_at) WHERE (status = 'writing'::text);



CREATE INDEX voice_call_lead ON public.voice_call USING btree (account_id, lead_id, voice_call_request_id DESC);



CREATE INDEX voice_call_open ON public.voice_call USING btree (account_id, kind) WHERE (finished_at IS NULL);



CREATE INDEX voice_call_provider ON public.voice_call USING btree (provider, provider_call_id) WHERE (provider_call_id IS NOT NULL);



CREATE INDEX voice_call_recent ON public.voice_call USING btree (account_id, kind, voice_call_request_id DESC);



CREATE INDEX voice_call_touch ON public.voice_call USING btree (account_id, touch_id) WHERE (touch_id IS NOT NULL);



CREATE INDEX voice_call_unsettled ON public.voice_call USING btree (dialed_at) WHERE (status = ANY (ARRAY['dialing'::text, 'in_progress'::text]));



CREATE INDEX voice_call_waiting ON public.voice_call USING btree (public.phone_key(phone), voice_call_request_id) WHERE (status = 'queued'::text);



CREATE INDEX webhook_attempt_time ON public.webhook_attempt USING btree (account_id, attempted_at, webhook_delivery_id, attempt_number);



CREATE INDEX webhook_delivery_age ON public.webhook_delivery USING brin (created_at);



CREATE INDEX webhook_delivery_event ON public.webhook_delivery USING btree (account_id, account_event_id) WHERE (account_event_id IS NOT NULL);



CREATE INDEX webhook_delivery_pending ON public.webhook_delivery USING btree (account_id, webhook_subscription_id, next_attempt_at, webhook_delivery_id) WHERE (status = 'pending'::text);



CREATE INDEX webhook_delivery_ping ON public.webhook_delivery USING btree (account_id, webhook_subscription_id, webhook_delivery_id) WHERE ((status = 'pending'::text) AND (event_type = 'ping'::text));



CREATE INDEX webhook_delivery_recent ON public.webhook_delivery USING btree (account_id, webhook_subscription_id, webhook_delivery_id DESC);



CREATE INDEX webhook_replay_job ON public.webhook_replay USING btree (account_id, job_id);



CREATE INDEX webhook_replay_subscription ON public.webhook_replay USING btree (account_id, webhook_subscription_id);



CREATE INDEX webhook_subscription_deleted ON public.webhook_subscription USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);



CREATE INDEX website_access_try_recent ON public.website_access_try USING btree (account_id, website_id, created_at);



CREATE INDEX website_code_day ON public.website_code USING btree (account_id, created_at);



CREATE INDEX website_code_job ON public.website_code USING btree (account_id, job_id) WHERE (job_id IS NOT NULL);



CREATE INDEX website_code_of_site ON public.website_code USING btree (account_id, website_id, website_code_id DESC);



CREATE UNIQUE INDEX website_editor ON public.website USING btree (account_id, editor_key);



CREATE INDEX website_name_site ON public.website_name USING btree (account_id, website_id);



CREATE INDEX website_picture_digest ON public.website_picture USING btree (account_id, website_id, digest);



CREATE INDEX website_picture_order ON public.website_picture USING btree (account_id, order_digest) WHERE (digest IS NOT NULL);



CREATE INDEX website_recent ON public.website USING btree (account_id, website_id DESC) WHERE (archived_at IS NULL);



CREATE INDEX website_report_recent ON public.website_report USING btree (account_id, website_id, created_at);



CREATE INDEX website_traffic_open ON public.website_traffic_day USING btree (account_id, day) WHERE (sketch IS NOT NULL);



ALTER TABLE ONLY public.access_token
    ADD CONSTRAINT access_token_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.account_event
    ADD CONSTRAINT account_event_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.account_export
    ADD CONSTRAINT account_export_account_id_customer_file_id_fkey FOREIGN KEY (account_id, customer_file_id) REFERENCES public.customer_file(account_id, customer_file_id);



ALTER TABLE ONLY public.account_export
    ADD CONSTRAINT account_export_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.account_export
    ADD CONSTRAINT account_export_account_id_job_id_fkey FOREIGN KEY (account_id, job_id) REFERENCES public.background_job(account_id, job_id);



ALTER TABLE ONLY public.account_lock
    ADD CONSTRAINT account_lock_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.account_phone
    ADD CONSTRAINT account_phone_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.acquired_company
    ADD CONSTRAINT acquired_company_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.acquired_company
    ADD CONSTRAINT acquired_company_account_id_lead_id_fkey FOREIGN KEY (account_id, lead_id) REFERENCES public.lead(account_id, lead_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.ads_ad
    ADD CONSTRAINT ads_ad_account_id_ads_campaign_id_fkey FOREIGN KEY (account_id, ads_campaign_id) REFERENCES public.ads_campaign(account_id, ads_campaign_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.ads_ad_group
    ADD CONSTRAINT ads_ad_group_account_id_ads_campaign_id_fkey FOREIGN KEY (account_id, ads_campaign_id) REFERENCES public.ads_campaign(account_id, ads_campaign_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.ads_audience
    ADD CONSTRAINT ads_audience_account_id_ads_campaign_id_fkey FOREIGN KEY (account_id, ads_campaign_id) REFERENCES public.ads_campaign(account_id, ads_campaign_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.ads_audience_member
    ADD CONSTRAINT ads_audience_member_account_id_ads_campaign_id_fkey FOREIGN KEY (account_id, ads_campaign_id) REFERENCES public.ads_audience(account_id, ads_campaign_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.ads_campaign
    ADD CONSTRAINT ads_campaign_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.ads_conversion
    ADD CONSTRAINT ads_conversion_account_id_lead_id_fkey FOREIGN KEY (account_id, lead_id) REFERENCES public.lead(account_id, lead_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.ads_conversion_action
    ADD CONSTRAINT ads_conversion_action_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.ads_customer(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.ads_customer
    ADD CONSTRAINT ads_customer_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.ads_funding_entry
    ADD CONSTRAINT ads_funding_entry_account_id_ads_campaign_id_fkey FOREIGN KEY (account_id, ads_campaign_id) REFERENCES public.ads_campaign(account_id, ads_campaign_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.ads_keyword
    ADD CONSTRAINT ads_keyword_account_id_ads_campaign_id_fkey FOREIGN KEY (account_id, ads_campaign_id) REFERENCES public.ads_campaign(account_id, ads_campaign_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.ads_keyword_idea
    ADD CONSTRAINT ads_keyword_idea_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.ads_spend_day
    ADD CONSTRAINT ads_spend_day_account_id_ads_campaign_id_fkey FOREIGN KEY (account_id, ads_campaign_id) REFERENCES public.ads_campaign(account_id, ads_campaign_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.agent_message
    ADD CONSTRAINT agent_message_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.approved_subdomain
    ADD CONSTRAINT approved_subdomain_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.audit_checkpoint
    ADD CONSTRAINT audit_checkpoint_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE public.audit_entry
    ADD CONSTRAINT audit_entry_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.audit_head
    ADD CONSTRAINT audit_head_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.background_job
    ADD CONSTRAINT background_job_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.blacklist_entry
    ADD CONSTRAINT blacklist_entry_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.business_assessment
    ADD CONSTRAINT business_assessment_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.business_file
    ADD CONSTRAINT business_file_account_id_campaign_id_fkey FOREIGN KEY (account_id, campaign_id) REFERENCES public.campaign(account_id, campaign_id);



ALTER TABLE ONLY public.business_file
    ADD CONSTRAINT business_file_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.business_file
    ADD CONSTRAINT business_file_account_id_job_id_fkey FOREIGN KEY (account_id, job_id) REFERENCES public.background_job(account_id, job_id);



ALTER TABLE ONLY public.business_passage
    ADD CONSTRAINT business_passage_account_id_business_file_id_fkey FOREIGN KEY (account_id, business_file_id) REFERENCES public.business_file(account_id, business_file_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.business_passage_embedding
    ADD CONSTRAINT business_passage_embedding_account_id_business_file_id_seq_fkey FOREIGN KEY (account_id, business_file_id, sequence) REFERENCES public.business_passage(account_id, business_file_id, sequence) ON DELETE CASCADE;



ALTER TABLE ONLY public.business_profile
    ADD CONSTRAINT business_profile_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.calendar_event
    ADD CONSTRAINT calendar_event_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.calendar_mirror(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.calendar_event_name
    ADD CONSTRAINT calendar_event_name_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.calendar_mirror(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.calendar_mirror
    ADD CONSTRAINT calendar_mirror_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.call_count
    ADD CONSTRAINT call_count_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.campaign
    ADD CONSTRAINT campaign_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.cancelled_call
    ADD CONSTRAINT cancelled_call_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.chatapp_budget
    ADD CONSTRAINT chatapp_budget_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.chatapp_line
    ADD CONSTRAINT chatapp_line_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.chatapp_message
    ADD CONSTRAINT chatapp_message_account_id_customer_file_id_fkey FOREIGN KEY (account_id, customer_file_id) REFERENCES public.customer_file(account_id, customer_file_id);



ALTER TABLE ONLY public.chatapp_message
    ADD CONSTRAINT chatapp_message_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.chatapp_message
    ADD CONSTRAINT chatapp_message_account_id_follows_message_id_fkey FOREIGN KEY (account_id, follows_message_id) REFERENCES public.chatapp_message(account_id, chatapp_message_id);



ALTER TABLE ONLY public.chatapp_message
    ADD CONSTRAINT chatapp_message_account_id_lead_id_fkey FOREIGN KEY (account_id, lead_id) REFERENCES public.lead(account_id, lead_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.chatapp_message
    ADD CONSTRAINT chatapp_message_account_id_touch_id_fkey FOREIGN KEY (account_id, touch_id) REFERENCES public.touch(account_id, touch_id);



ALTER TABLE ONLY public.chatapp_provider_line
    ADD CONSTRAINT chatapp_provider_line_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.chatapp_spend
    ADD CONSTRAINT chatapp_spend_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.client_question
    ADD CONSTRAINT client_question_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.confirmed_address
    ADD CONSTRAINT confirmed_address_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.connection
    ADD CONSTRAINT connection_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.connection_bucket
    ADD CONSTRAINT connection_bucket_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.crawled_page
    ADD CONSTRAINT crawled_page_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.crawled_page_block
    ADD CONSTRAINT crawled_page_block_account_id_crawled_page_id_fkey FOREIGN KEY (account_id, crawled_page_id) REFERENCES public.crawled_page(account_id, crawled_page_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.crm_activity
    ADD CONSTRAINT crm_activity_account_id_lead_id_fkey FOREIGN KEY (account_id, lead_id) REFERENCES public.lead(account_id, lead_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.crm_custom_field
    ADD CONSTRAINT crm_custom_field_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.crm_integration
    ADD CONSTRAINT crm_integration_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.crm_lead
    ADD CONSTRAINT crm_lead_account_id_lead_id_fkey FOREIGN KEY (account_id, lead_id) REFERENCES public.lead(account_id, lead_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.crm_link
    ADD CONSTRAINT crm_link_account_id_lead_id_fkey FOREIGN KEY (account_id, lead_id) REFERENCES public.lead(account_id, lead_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.crm_setting
    ADD CONSTRAINT crm_setting_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.crm_source
    ADD CONSTRAINT crm_source_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.crm_webhook_removal
    ADD CONSTRAINT crm_webhook_removal_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.customer_file
    ADD CONSTRAINT customer_file_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.customer_file_chunk
    ADD CONSTRAINT customer_file_chunk_account_id_customer_file_id_fkey FOREIGN KEY (account_id, customer_file_id) REFERENCES public.customer_file(account_id, customer_file_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.daily_report
    ADD CONSTRAINT daily_report_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.deferred_company
    ADD CONSTRAINT deferred_company_account_id_campaign_id_fkey FOREIGN KEY (account_id, campaign_id) REFERENCES public.campaign(account_id, campaign_id);



ALTER TABLE ONLY public.deferred_company
    ADD CONSTRAINT deferred_company_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.dialed_number
    ADD CONSTRAINT dialed_number_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.dispatch_queue
    ADD CONSTRAINT dispatch_queue_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.email_message
    ADD CONSTRAINT email_message_account_id_lead_id_fkey FOREIGN KEY (account_id, lead_id) REFERENCES public.lead(account_id, lead_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.email_message
    ADD CONSTRAINT email_message_account_id_touch_id_fkey FOREIGN KEY (account_id, touch_id) REFERENCES public.touch(account_id, touch_id);



ALTER TABLE ONLY public.email_suppression
    ADD CONSTRAINT email_suppression_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.followed_resource
    ADD CONSTRAINT followed_resource_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.former_handle
    ADD CONSTRAINT former_handle_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE public.keyed_write
    ADD CONSTRAINT keyed_write_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.language_usage
    ADD CONSTRAINT language_usage_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.lead
    ADD CONSTRAINT lead_account_id_campaign_id_fkey FOREIGN KEY (account_id, campaign_id) REFERENCES public.campaign(account_id, campaign_id);



ALTER TABLE ONLY public.lead
    ADD CONSTRAINT lead_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.lead
    ADD CONSTRAINT lead_account_id_lead_import_id_fkey FOREIGN KEY (account_id, lead_import_id) REFERENCES public.lead_import(account_id, lead_import_id);



ALTER TABLE ONLY public.lead
    ADD CONSTRAINT lead_account_id_presentation_file_id_fkey FOREIGN KEY (account_id, presentation_file_id) REFERENCES public.customer_file(account_id, customer_file_id);



ALTER TABLE ONLY public.lead
    ADD CONSTRAINT lead_account_id_referred_by_lead_id_fkey FOREIGN KEY (account_id, referred_by_lead_id) REFERENCES public.lead(account_id, lead_id);



ALTER TABLE ONLY public.lead_answer
    ADD CONSTRAINT lead_answer_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.lead_answer
    ADD CONSTRAINT lead_answer_account_id_open_question_id_fkey FOREIGN KEY (account_id, open_question_id) REFERENCES public.open_question(account_id, open_question_id);



ALTER TABLE ONLY public.lead_answer
    ADD CONSTRAINT lead_answer_account_id_superseded_by_fkey FOREIGN KEY (account_id, superseded_by) REFERENCES public.lead_answer(account_id, answer_id);



ALTER TABLE ONLY public.lead_answer_delivery
    ADD CONSTRAINT lead_answer_delivery_account_id_answer_id_fkey FOREIGN KEY (account_id, answer_id) REFERENCES public.lead_answer(account_id, answer_id);



ALTER TABLE ONLY public.lead_answer_delivery
    ADD CONSTRAINT lead_answer_delivery_account_id_lead_id_fkey FOREIGN KEY (account_id, lead_id) REFERENCES public.lead(account_id, lead_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.lead_answer_delivery
    ADD CONSTRAINT lead_answer_delivery_account_id_open_question_id_fkey FOREIGN KEY (account_id, open_question_id) REFERENCES public.open_question(account_id, open_question_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.lead_capture
    ADD CONSTRAINT lead_capture_account_id_lead_id_fkey FOREIGN KEY (account_id, lead_id) REFERENCES public.lead(account_id, lead_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.lead_change
    ADD CONSTRAINT lead_change_account_id_lead_id_fkey FOREIGN KEY (account_id, lead_id) REFERENCES public.lead(account_id, lead_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.lead_erasure
    ADD CONSTRAINT lead_erasure_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.lead_export
    ADD CONSTRAINT lead_export_account_id_customer_file_id_fkey FOREIGN KEY (account_id, customer_file_id) REFERENCES public.customer_file(account_id, customer_file_id);



ALTER TABLE ONLY public.lead_export
    ADD CONSTRAINT lead_export_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.lead_export
    ADD CONSTRAINT lead_export_account_id_job_id_fkey FOREIGN KEY (account_id, job_id) REFERENCES public.background_job(account_id, job_id);



ALTER TABLE ONLY public.lead_follower
    ADD CONSTRAINT lead_follower_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.lead_generation_run
    ADD CONSTRAINT lead_generation_run_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.lead_generation_track
    ADD CONSTRAINT lead_generation_track_account_id_campaign_id_fkey FOREIGN KEY (account_id, campaign_id) REFERENCES public.campaign(account_id, campaign_id);



ALTER TABLE ONLY public.lead_generation_track
    ADD CONSTRAINT lead_generation_track_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.lead_import
    ADD CONSTRAINT lead_import_account_id_campaign_id_fkey FOREIGN KEY (account_id, campaign_id) REFERENCES public.campaign(account_id, campaign_id);



ALTER TABLE ONLY public.lead_import
    ADD CONSTRAINT lead_import_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.lead_import
    ADD CONSTRAINT lead_import_account_id_job_id_fkey FOREIGN KEY (account_id, job_id) REFERENCES public.background_job(account_id, job_id);



ALTER TABLE ONLY public.lead_import_row
    ADD CONSTRAINT lead_import_row_account_id_lead_import_id_fkey FOREIGN KEY (account_id, lead_import_id) REFERENCES public.lead_import(account_id, lead_import_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.lead_lifecycle_event
    ADD CONSTRAINT lead_lifecycle_event_account_id_lead_id_fkey FOREIGN KEY (account_id, lead_id) REFERENCES public.lead(account_id, lead_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.lead_past_change
    ADD CONSTRAINT lead_past_change_account_id_lead_id_fkey FOREIGN KEY (account_id, lead_id) REFERENCES public.lead(account_id, lead_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.lead_past_follower
    ADD CONSTRAINT lead_past_follower_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.lead_place_backlog
    ADD CONSTRAINT lead_place_backlog_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.lead_rescheduling
    ADD CONSTRAINT lead_rescheduling_account_id_job_id_fkey FOREIGN KEY (account_id, job_id) REFERENCES public.background_job(account_id, job_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.lead_source
    ADD CONSTRAINT lead_source_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.lead_source_contact
    ADD CONSTRAINT lead_source_contact_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.lead_source(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.lead_tombstone
    ADD CONSTRAINT lead_tombstone_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.learning_look
    ADD CONSTRAINT learning_look_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.media_generation
    ADD CONSTRAINT media_generation_account_id_customer_file_id_fkey FOREIGN KEY (account_id, customer_file_id) REFERENCES public.customer_file(account_id, customer_file_id);



ALTER TABLE ONLY public.media_generation
    ADD CONSTRAINT media_generation_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.media_generation
    ADD CONSTRAINT media_generation_account_id_job_id_fkey FOREIGN KEY (account_id, job_id) REFERENCES public.background_job(account_id, job_id);



ALTER TABLE ONLY public.media_generation
    ADD CONSTRAINT media_generation_account_id_vector_file_id_fkey FOREIGN KEY (account_id, vector_file_id) REFERENCES public.customer_file(account_id, customer_file_id);



ALTER TABLE ONLY public.meeting
    ADD CONSTRAINT meeting_account_id_lead_id_fkey FOREIGN KEY (account_id, lead_id) REFERENCES public.lead(account_id, lead_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.meeting_invitation
    ADD CONSTRAINT meeting_invitation_account_id_meeting_id_fkey FOREIGN KEY (account_id, meeting_id) REFERENCES public.meeting(account_id, meeting_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.member
    ADD CONSTRAINT member_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.member_welcome
    ADD CONSTRAINT member_welcome_account_id_chatapp_message_id_fkey FOREIGN KEY (account_id, chatapp_message_id) REFERENCES public.chatapp_message(account_id, chatapp_message_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.member_welcome
    ADD CONSTRAINT member_welcome_account_id_email_message_id_fkey FOREIGN KEY (account_id, email_message_id) REFERENCES public.email_message(account_id, email_message_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.member_welcome
    ADD CONSTRAINT member_welcome_account_id_member_id_fkey FOREIGN KEY (account_id, member_id) REFERENCES public.member(account_id, member_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.message_embedding
    ADD CONSTRAINT message_embedding_account_id_agent_message_id_fkey FOREIGN KEY (account_id, agent_message_id) REFERENCES public.agent_message(account_id, agent_message_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.message_embedding
    ADD CONSTRAINT message_embedding_account_id_chatapp_message_id_fkey FOREIGN KEY (account_id, chatapp_message_id) REFERENCES public.chatapp_message(account_id, chatapp_message_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.message_embedding
    ADD CONSTRAINT message_embedding_account_id_email_message_id_fkey FOREIGN KEY (account_id, email_message_id) REFERENCES public.email_message(account_id, email_message_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.message_embedding
    ADD CONSTRAINT message_embedding_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.model_outage_notice
    ADD CONSTRAINT model_outage_notice_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.named_recipient_count
    ADD CONSTRAINT named_recipient_count_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.notification
    ADD CONSTRAINT notification_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.notification_address
    ADD CONSTRAINT notification_address_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.oauth_code
    ADD CONSTRAINT oauth_code_account_id_access_token_id_fkey FOREIGN KEY (account_id, access_token_id) REFERENCES public.access_token(account_id, access_token_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.oauth_code
    ADD CONSTRAINT oauth_code_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.oauth_refresh
    ADD CONSTRAINT oauth_refresh_account_id_access_token_id_fkey FOREIGN KEY (account_id, access_token_id) REFERENCES public.access_token(account_id, access_token_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.oauth_refresh
    ADD CONSTRAINT oauth_refresh_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.oauth_state
    ADD CONSTRAINT oauth_state_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.online_search
    ADD CONSTRAINT online_search_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.online_search
    ADD CONSTRAINT online_search_account_id_job_id_fkey FOREIGN KEY (account_id, job_id) REFERENCES public.background_job(account_id, job_id);



ALTER TABLE ONLY public.open_question
    ADD CONSTRAINT open_question_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.open_question_lead
    ADD CONSTRAINT open_question_lead_account_id_lead_id_fkey FOREIGN KEY (account_id, lead_id) REFERENCES public.lead(account_id, lead_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.open_question_lead
    ADD CONSTRAINT open_question_lead_account_id_open_question_id_fkey FOREIGN KEY (account_id, open_question_id) REFERENCES public.open_question(account_id, open_question_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.operator_mail
    ADD CONSTRAINT operator_mail_account_id_support_request_id_fkey FOREIGN KEY (account_id, support_request_id) REFERENCES public.support_request(account_id, support_request_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.prospecting_adjustment
    ADD CONSTRAINT prospecting_adjustment_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.prospecting_config
    ADD CONSTRAINT prospecting_config_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.prospecting_file
    ADD CONSTRAINT prospecting_file_account_id_campaign_id_fkey FOREIGN KEY (account_id, campaign_id) REFERENCES public.campaign(account_id, campaign_id);



ALTER TABLE ONLY public.prospecting_file
    ADD CONSTRAINT prospecting_file_account_id_customer_file_id_fkey FOREIGN KEY (account_id, customer_file_id) REFERENCES public.customer_file(account_id, customer_file_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.prospecting_file
    ADD CONSTRAINT prospecting_file_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.prospecting_learning
    ADD CONSTRAINT prospecting_learning_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.prospecting_optimization
    ADD CONSTRAINT prospecting_optimization_account_id_campaign_id_fkey FOREIGN KEY (account_id, campaign_id) REFERENCES public.campaign(account_id, campaign_id);



ALTER TABLE ONLY public.prospecting_optimization
    ADD CONSTRAINT prospecting_optimization_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.prospecting_trial
    ADD CONSTRAINT prospecting_trial_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.released_company
    ADD CONSTRAINT released_company_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.report_day
    ADD CONSTRAINT report_day_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.report_figure
    ADD CONSTRAINT report_figure_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.report_group
    ADD CONSTRAINT report_group_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.report_stale_day
    ADD CONSTRAINT report_stale_day_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.sandbox_ads_account
    ADD CONSTRAINT sandbox_ads_account_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.sandbox_ads_record
    ADD CONSTRAINT sandbox_ads_record_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.sandbox_ads_account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.sandbox_calendar
    ADD CONSTRAINT sandbox_calendar_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.sandbox_calendar_channel
    ADD CONSTRAINT sandbox_calendar_channel_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.sandbox_calendar(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.sandbox_calendar_event
    ADD CONSTRAINT sandbox_calendar_event_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.sandbox_calendar(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.sandbox_chatapp_line
    ADD CONSTRAINT sandbox_chatapp_line_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.sandbox_chatapp_media
    ADD CONSTRAINT sandbox_chatapp_media_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.sandbox_chatapp_message
    ADD CONSTRAINT sandbox_chatapp_message_account_id_client_reference_fkey FOREIGN KEY (account_id, client_reference) REFERENCES public.chatapp_message(account_id, client_reference) ON DELETE CASCADE;



ALTER TABLE ONLY public.sandbox_crm
    ADD CONSTRAINT sandbox_crm_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.sandbox_crm_record
    ADD CONSTRAINT sandbox_crm_record_account_id_crm_tenant_fkey FOREIGN KEY (account_id, crm, tenant) REFERENCES public.sandbox_crm(account_id, crm, tenant) ON DELETE CASCADE;



ALTER TABLE ONLY public.sandbox_lead_source
    ADD CONSTRAINT sandbox_lead_source_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.sandbox_lead_source_window
    ADD CONSTRAINT sandbox_lead_source_window_account_id_tenant_fkey FOREIGN KEY (account_id, tenant) REFERENCES public.sandbox_lead_source(account_id, tenant) ON DELETE CASCADE;



ALTER TABLE ONLY public.sandbox_mail
    ADD CONSTRAINT sandbox_mail_account_id_email_message_id_fkey FOREIGN KEY (account_id, email_message_id) REFERENCES public.email_message(account_id, email_message_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.sandbox_mail
    ADD CONSTRAINT sandbox_mail_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.sandbox_oauth_code
    ADD CONSTRAINT sandbox_oauth_code_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.sandbox_oauth_grant
    ADD CONSTRAINT sandbox_oauth_grant_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.sandbox_scheduler
    ADD CONSTRAINT sandbox_scheduler_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.sandbox_scheduler_booking
    ADD CONSTRAINT sandbox_scheduler_booking_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.sandbox_scheduler_link
    ADD CONSTRAINT sandbox_scheduler_link_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.sandbox_scheduler_subscription
    ADD CONSTRAINT sandbox_scheduler_subscription_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.sandbox_voice_call
    ADD CONSTRAINT sandbox_voice_call_account_id_client_reference_fkey FOREIGN KEY (account_id, client_reference) REFERENCES public.voice_call(account_id, client_reference) ON DELETE CASCADE;



ALTER TABLE ONLY public.sandbox_voice_script
    ADD CONSTRAINT sandbox_voice_script_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.scheduler_account
    ADD CONSTRAINT scheduler_account_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.scheduler_booking
    ADD CONSTRAINT scheduler_booking_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.scheduler_booking
    ADD CONSTRAINT scheduler_booking_account_id_lead_id_fkey FOREIGN KEY (account_id, lead_id) REFERENCES public.lead(account_id, lead_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.scheduler_booking
    ADD CONSTRAINT scheduler_booking_account_id_meeting_id_fkey FOREIGN KEY (account_id, meeting_id) REFERENCES public.meeting(account_id, meeting_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.scheduler_link
    ADD CONSTRAINT scheduler_link_account_id_lead_id_fkey FOREIGN KEY (account_id, lead_id) REFERENCES public.lead(account_id, lead_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.sender_domain
    ADD CONSTRAINT sender_domain_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.sender_domain_day
    ADD CONSTRAINT sender_domain_day_account_id_sender_domain_id_fkey FOREIGN KEY (account_id, sender_domain_id) REFERENCES public.sender_domain(account_id, sender_domain_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.sender_domain_name
    ADD CONSTRAINT sender_domain_name_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.simulation_effect
    ADD CONSTRAINT simulation_effect_account_id_simulation_lead_id_fkey FOREIGN KEY (account_id, simulation_lead_id) REFERENCES public.simulation_lead(account_id, simulation_lead_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.simulation_lead
    ADD CONSTRAINT simulation_lead_account_id_campaign_id_fkey FOREIGN KEY (account_id, campaign_id) REFERENCES public.campaign(account_id, campaign_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.simulation_lead
    ADD CONSTRAINT simulation_lead_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.simulation_lead
    ADD CONSTRAINT simulation_lead_account_id_voice_call_request_id_fkey FOREIGN KEY (account_id, voice_call_request_id) REFERENCES public.voice_call(account_id, voice_call_request_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.simulation_message
    ADD CONSTRAINT simulation_message_account_id_simulation_lead_id_fkey FOREIGN KEY (account_id, simulation_lead_id) REFERENCES public.simulation_lead(account_id, simulation_lead_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.site_form_count
    ADD CONSTRAINT site_form_count_account_id_website_id_fkey FOREIGN KEY (account_id, website_id) REFERENCES public.website(account_id, website_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.site_form_use
    ADD CONSTRAINT site_form_use_account_id_website_id_fkey FOREIGN KEY (account_id, website_id) REFERENCES public.website(account_id, website_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.site_record
    ADD CONSTRAINT site_record_account_id_lead_id_fkey FOREIGN KEY (account_id, lead_id) REFERENCES public.lead(account_id, lead_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.site_record
    ADD CONSTRAINT site_record_account_id_website_id_fkey FOREIGN KEY (account_id, website_id) REFERENCES public.website(account_id, website_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.site_record_count
    ADD CONSTRAINT site_record_count_account_id_website_id_fkey FOREIGN KEY (account_id, website_id) REFERENCES public.website(account_id, website_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.site_session
    ADD CONSTRAINT site_session_account_id_website_id_fkey FOREIGN KEY (account_id, website_id) REFERENCES public.website(account_id, website_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.site_sign_in
    ADD CONSTRAINT site_sign_in_account_id_website_id_fkey FOREIGN KEY (account_id, website_id) REFERENCES public.website(account_id, website_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.support_request
    ADD CONSTRAINT support_request_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.tax_info
    ADD CONSTRAINT tax_info_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.touch
    ADD CONSTRAINT touch_account_id_lead_id_fkey FOREIGN KEY (account_id, lead_id) REFERENCES public.lead(account_id, lead_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.touch
    ADD CONSTRAINT touch_account_id_meeting_id_fkey FOREIGN KEY (account_id, meeting_id) REFERENCES public.meeting(account_id, meeting_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.voice_call
    ADD CONSTRAINT voice_call_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.voice_call
    ADD CONSTRAINT voice_call_account_id_lead_id_fkey FOREIGN KEY (account_id, lead_id) REFERENCES public.lead(account_id, lead_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.voice_call
    ADD CONSTRAINT voice_call_account_id_touch_id_fkey FOREIGN KEY (account_id, touch_id) REFERENCES public.touch(account_id, touch_id);



ALTER TABLE ONLY public.webhook_attempt
    ADD CONSTRAINT webhook_attempt_account_id_webhook_delivery_id_fkey FOREIGN KEY (account_id, webhook_delivery_id) REFERENCES public.webhook_delivery(account_id, webhook_delivery_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.webhook_delivery
    ADD CONSTRAINT webhook_delivery_account_id_account_event_id_fkey FOREIGN KEY (account_id, account_event_id) REFERENCES public.account_event(account_id, account_event_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.webhook_delivery
    ADD CONSTRAINT webhook_delivery_account_id_webhook_subscription_id_fkey FOREIGN KEY (account_id, webhook_subscription_id) REFERENCES public.webhook_subscription(account_id, webhook_subscription_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.webhook_replay
    ADD CONSTRAINT webhook_replay_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.webhook_replay
    ADD CONSTRAINT webhook_replay_account_id_job_id_fkey FOREIGN KEY (account_id, job_id) REFERENCES public.background_job(account_id, job_id);



ALTER TABLE ONLY public.webhook_replay
    ADD CONSTRAINT webhook_replay_account_id_webhook_subscription_id_fkey FOREIGN KEY (account_id, webhook_subscription_id) REFERENCES public.webhook_subscription(account_id, webhook_subscription_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.webhook_subscription
    ADD CONSTRAINT webhook_subscription_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.website_access_try
    ADD CONSTRAINT website_access_try_account_id_website_id_fkey FOREIGN KEY (account_id, website_id) REFERENCES public.website(account_id, website_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.website
    ADD CONSTRAINT website_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.website_code
    ADD CONSTRAINT website_code_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.website_code
    ADD CONSTRAINT website_code_account_id_job_id_fkey FOREIGN KEY (account_id, job_id) REFERENCES public.background_job(account_id, job_id);



ALTER TABLE ONLY public.website_code
    ADD CONSTRAINT website_code_account_id_website_id_fkey FOREIGN KEY (account_id, website_id) REFERENCES public.website(account_id, website_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.website_name
    ADD CONSTRAINT website_name_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.website_picture
    ADD CONSTRAINT website_picture_account_id_website_id_fkey FOREIGN KEY (account_id, website_id) REFERENCES public.website(account_id, website_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.website_report
    ADD CONSTRAINT website_report_account_id_website_id_fkey FOREIGN KEY (account_id, website_id) REFERENCES public.website(account_id, website_id) ON DELETE CASCADE;



ALTER TABLE ONLY public.website_traffic_day
    ADD CONSTRAINT website_traffic_day_account_id_website_id_fkey FOREIGN KEY (account_id, website_id) REFERENCES public.website(account_id, website_id) ON DELETE CASCADE;



ALTER TABLE graphile_worker._private_job_queues ENABLE ROW LEVEL SECURITY;


ALTER TABLE graphile_worker._private_jobs ENABLE ROW LEVEL SECURITY;


ALTER TABLE graphile_worker._private_known_crontabs ENABLE ROW LEVEL SECURITY;


ALTER TABLE graphile_worker._private_tasks ENABLE ROW LEVEL SECURITY;




