import type { Migration } from "../Platform/Postgres/Migration.ts"

const ofCampaigns = `
      and (s.campaign_ids is null or (a.data ->> 'campaign_id')::bigint = any (s.campaign_ids))`

/**
 * The first release had no filter by campaign. A released migration must not change, so both versions of the function
 * come from here.
 */
const appendAccountEvents = (
  filtersCampaigns: boolean
): string => `create ${filtersCampaigns ? "or replace " : ""}function append_account_events(account bigint, events jsonb) returns void language plpgsql as $$
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
    returning account_event_id, event_type${filtersCampaigns ? ", data" : ""}
  )
  insert into webhook_delivery (account_id, webhook_subscription_id, account_event_id, event_type)
  select account, s.webhook_subscription_id, a.account_event_id, a.event_type
  from appended a join webhook_subscription s
    on s.account_id = account and s.is_active and (s.event_types is null or a.event_type = any (s.event_types))${filtersCampaigns ? ofCampaigns : ""}
  order by a.account_event_id, s.webhook_subscription_id;
end $$;`

/**
 * Notifications, the feed of an account's events, and its webhooks. A delivery sends one event to one subscription, and
 * each try is an attempt.
 */
export const eventsMigration: Migration = {
  name: "events",
  sql: `
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

create table account_event (
  account_id bigint not null references account on delete cascade,
  account_event_id bigint generated always as identity,
  event_key uuid not null default gen_random_uuid(),
  event_type text not null,
  data jsonb not null,
  occurred_at timestamptz not null default instant(),
  -- No foreign key: the event outlives its lead, without what tells who that was.
  lead_id bigint,
  primary key (account_id, account_event_id)
);

-- How the key of an event is written for callers.
create function event_id(key uuid) returns text language sql immutable strict parallel safe
  return 'evt_' || replace(key::text, '-', '');
create index account_event_type on account_event (account_id, event_type, account_event_id);
create index account_event_lead on account_event (account_id, lead_id) where lead_id is not null;

create table webhook_subscription (
  account_id bigint not null references account on delete cascade,
  webhook_subscription_id bigint generated always as identity,
  url text,
  -- Null for all, those that are added later included.
  event_types text[],
  description text,
  -- The key that deliveries are signed with. It cannot be a digest, since signing takes the key itself.
  secret bytea,
  -- Counts the changes after which what was fetched to be sent must not be.
  version integer not null default 1,
  is_active boolean not null default true,
  disabled_at timestamptz,
  disabled_reason text check (disabled_reason in ('owner', 'gone', 'failing')),
  created_at timestamptz not null default instant(),
  deleted_at timestamptz,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  last_failure_reason text,
  -- Since the last success: failed attempts, and the first of them.
  consecutive_failures integer not null default 0,
  failing_since timestamptz,
  -- Until then a failing receiver is left alone.
  held_until timestamptz,
  -- The holder of the latest lease alone sends to the receiver until it ends.
  lease_number bigint not null default 0,
  leased_until timestamptz,
  primary key (account_id, webhook_subscription_id),
  check (is_active = (disabled_at is null)),
  check ((disabled_at is null) = (disabled_reason is null)),
  check (case when deleted_at is null then url is not null and secret is not null
    else url is null and secret is null and not is_active end)
) with (fillfactor = 70);
create index webhook_subscription_deleted on webhook_subscription (deleted_at) where deleted_at is not null;

create table webhook_delivery (
  account_id bigint not null,
  webhook_delivery_id bigint generated always as identity,
  webhook_subscription_id bigint not null,
  -- Null for a ping, which is no event of the account and has an id of its own.
  account_event_id bigint,
  ping_key uuid,
  event_type text not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  -- Where the schedule of attempts stands; a redelivery starts it again.
  schedule_step integer not null default 0,
  attempt_count integer not null default 0,
  -- A first attempt is due since for ever, so that first attempts keep the order of the events.
  next_attempt_at timestamptz not null default '-infinity',
  created_at timestamptz not null default instant(),
  finished_at timestamptz,
  primary key (account_id, webhook_delivery_id),
  foreign key (account_id, webhook_subscription_id) references webhook_subscription on delete cascade,
  foreign key (account_id, account_event_id) references account_event on delete cascade,
  check ((account_event_id is null) = (event_type = 'ping') and (ping_key is null) = (event_type <> 'ping'))
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.1);
create index webhook_delivery_pending on webhook_delivery
  (account_id, webhook_subscription_id, next_attempt_at, webhook_delivery_id) where status = 'pending';
create index webhook_delivery_ping on webhook_delivery (account_id, webhook_subscription_id, webhook_delivery_id)
  where status = 'pending' and event_type = 'ping';
create index webhook_delivery_recent on webhook_delivery
  (account_id, webhook_subscription_id, webhook_delivery_id desc);
create index webhook_delivery_event on webhook_delivery (account_id, account_event_id) where account_event_id is not null;
create index webhook_delivery_age on webhook_delivery using brin (created_at);

create table webhook_attempt (
  account_id bigint not null,
  webhook_delivery_id bigint not null,
  attempt_number integer not null,
  attempted_at timestamptz not null,
  duration_ms integer not null,
  response_status integer,
  -- Null where the receiver took it.
  failure_reason text,
  primary key (account_id, webhook_delivery_id, attempt_number),
  foreign key (account_id, webhook_delivery_id) references webhook_delivery on delete cascade
);

-- Appends [{"type", "data", "occurred_at"}] in this order, with a delivery for each active subscription that wants it.
-- The lock is taken before the ids and held to the commit, so that within an account ids grow in the order of commits: who
-- sees an event sees all those below it, and a reader that goes on from the last one it saw misses none.
${appendAccountEvents(false)}
`
}

/** Adds filters by campaign, a second signing key during a rotation, replays, and the receivers' answers. */
export const webhookOperationsMigration: Migration = {
  name: "webhook_operations",
  releases: 1,
  sql: `
-- Null for all events. Otherwise only events of leads that were in one of these campaigns.
alter table webhook_subscription add column campaign_ids bigint[];
-- The key before the last rotation, which signs too until then.
alter table webhook_subscription add column previous_secret bytea;
alter table webhook_subscription add column previous_secret_until timestamptz;
-- Whether it sends an event again for a replay. Its outcome says nothing about the subscription's health.
alter table webhook_delivery add column is_replay boolean not null default false;
-- The beginning of what the receiver answered to a failed attempt.
alter table webhook_attempt add column response_excerpt text;
create index webhook_attempt_time on webhook_attempt (account_id, attempted_at, webhook_delivery_id, attempt_number);

create table webhook_replay (
  account_id bigint not null references account on delete cascade,
  webhook_replay_id bigint generated always as identity,
  job_id uuid not null,
  webhook_subscription_id bigint not null,
  events_since timestamptz not null,
  events_until timestamptz,
  -- Null for all types of the subscription.
  event_types text[],
  only_failed boolean not null,
  -- The newest event when it was requested. Later ones are not replayed.
  last_event_id bigint not null,
  -- Events up to here have a delivery. A resumed job continues here.
  after_event_id bigint not null default 0,
  event_count integer not null,
  queued_count integer not null default 0,
  created_at timestamptz not null default instant(),
  primary key (account_id, webhook_replay_id),
  foreign key (account_id, job_id) references background_job,
  foreign key (account_id, webhook_subscription_id) references webhook_subscription on delete cascade
);
create index webhook_replay_job on webhook_replay (account_id, job_id);
create index webhook_replay_subscription on webhook_replay (account_id, webhook_subscription_id);

${appendAccountEvents(true)}
`
}
