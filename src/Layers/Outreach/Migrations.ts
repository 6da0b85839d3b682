import { blacklistMatch } from "../Blacklist/Sql.ts"
import type { Migration } from "../Platform/Postgres/Migration.ts"

/** Touches: contacts with leads on the platform's own initiative. */
export const outreachMigration: Migration = {
  name: "outreach",
  sql: `
-- One contact that the platform makes of its own accord, from the decision to its end.
create table touch (
  account_id bigint not null,
  touch_id bigint generated always as identity,
  lead_id bigint not null,
  touch_number integer not null,
  -- Both null until the touch is written.
  channel text check (channel in ('email', 'chatapp', 'voice')),
  message_type text check (message_type in ('first_contact', 'follow_up', 'response', 'direct', 'user_written')),
  status text not null check (status in ('writing', 'queued', 'done', 'skipped', 'failed', 'unknown')),
  reason text,
  created_at timestamptz not null default instant(),
  finished_at timestamptz,
  -- Of a notice of a meeting, which is no outreach: which one it is, and the time that it tells.
  notice text check (notice in ('meeting_booked', 'meeting_reminder')),
  meeting_id bigint,
  meeting_starts_at timestamptz,
  -- What the lead wrote that this touch answers, and the cancelled meetings that it tells of, such as email:12.
  answers text[] not null default '{}',
  -- What of the owner's it hands on: {"answer_id", "context", "instructions"}; used up once the message was sent.
  carries jsonb,
  -- Where the facts stand that it tells: [{"kind": "faq", "answer_id"} | {"kind": "business_file", "business_file_id",
  -- "sequence", "title"}]. Once one of them is gone the message is written anew.
  rests_on jsonb not null default '[]',
  -- What of the optimizer's adjustments held for it: {"opening", "send_hours", "channel_order", "pauses"}; null where it is off.
  trial jsonb,
  primary key (account_id, touch_id),
  foreign key (account_id, lead_id) references lead on delete cascade,
  check (num_nulls(notice, meeting_id, meeting_starts_at) in (0, 3))
);
create unique index touch_unfinished on touch (account_id, lead_id)
  where status in ('writing', 'queued') and meeting_id is null;
create unique index touch_unfinished_notice on touch (account_id, meeting_id)
  where status in ('writing', 'queued') and meeting_id is not null;
create index touch_notice on touch (account_id, meeting_id) where meeting_id is not null;
create index touch_lead on touch (account_id, lead_id, touch_id);
create index touch_recent on touch (account_id, created_at desc);
create index touch_writing on touch (created_at) where status = 'writing';

-- What decides whether something may be sent to a lead now; locks the lead, as does whoever changes a meeting. Each statement of a volatile function sees
-- what was committed before that statement: the second one judges by what holds once the wait for the lock is over.
create function send_guard(account bigint, lead bigint, is_email boolean, touch_of_it bigint) returns table (
  pipeline_state text, is_paused boolean, is_unsubscribed boolean, has_contact boolean, is_suppressed boolean,
  is_blacklisted boolean, is_campaign_paused boolean, is_prospecting_active boolean, is_notice boolean,
  notice_block text, is_knowledge_changed boolean
) language plpgsql volatile as $$
begin
  perform from lead l where l.account_id = account and l.lead_id = lead for update;
  return query
    select l.pipeline_state, l.paused_at is not null, l.unsubscribed_at is not null, contact.email is not null
        or contact.phone is not null,
      exists (select from email_suppression s where s.account_id = account and s.email = contact.email),
      exists (${blacklistMatch("account", "contact.email", "contact.phone")}),
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
            and p.sequence = (source ->> 'sequence')::integer) end)
    -- Without outer joins, of which a cluster does not see within a function that they are one account's.
    from lead l join account a on a.account_id = l.account_id,
      lateral (select case when is_email then l.email end as email, case when not is_email then l.phone end as phone) contact
    where l.account_id = account and l.lead_id = lead;
end $$;

-- Large imports whose leads a background job moves, and how far it came.
create table lead_rescheduling (
  account_id bigint not null,
  lead_rescheduling_id bigint generated always as identity,
  job_id uuid not null,
  customer_file_id bigint not null,
  next_touch_at timestamptz,
  preferred_channel text check (preferred_channel in ('Email', 'ChatApp')),
  last_lead_id bigint not null default 0,
  until_lead_id bigint not null,
  total integer not null,
  updated_count integer not null default 0,
  skipped_count integer not null default 0,
  primary key (account_id, lead_rescheduling_id),
  unique (account_id, job_id),
  foreign key (account_id, job_id) references background_job on delete cascade
);
create index lead_rescheduling_unfinished on lead_rescheduling (account_id, customer_file_id)
  where last_lead_id < until_lead_id;
`
}

/** A holding line announces that a person will answer. It is neither outreach nor part of a meeting. */
export const holdingLinesMigration: Migration = {
  name: "holding_lines",
  releases: 1,
  sql: `
alter table touch drop constraint touch_notice_check;
alter table touch add check (notice in ('meeting_booked', 'meeting_reminder', 'holding_line'));
alter table touch drop constraint touch_check;
alter table touch add check (num_nulls(nullif(notice, 'holding_line'), meeting_id, meeting_starts_at) in (0, 3));
create index touch_holding_line on touch (account_id, lead_id) where notice = 'holding_line';

drop function send_guard(bigint, bigint, boolean, bigint);
-- What decides whether something may be sent to a lead now; locks the lead, as does whoever changes a meeting. Each statement of a volatile function sees
-- what was committed before that statement: the second one judges by what holds once the wait for the lock is over.
create function send_guard(account bigint, lead bigint, is_email boolean, touch_of_it bigint) returns table (
  pipeline_state text, is_paused boolean, is_unsubscribed boolean, has_contact boolean, is_suppressed boolean,
  is_blacklisted boolean, is_campaign_paused boolean, is_prospecting_active boolean, is_notice boolean,
  notice_block text, is_knowledge_changed boolean, is_holding_line boolean
) language plpgsql volatile as $$
begin
  perform from lead l where l.account_id = account and l.lead_id = lead for update;
  return query
    select l.pipeline_state, l.paused_at is not null, l.unsubscribed_at is not null, contact.email is not null
        or contact.phone is not null,
      exists (select from email_suppression s where s.account_id = account and s.email = contact.email),
      exists (${blacklistMatch("account", "contact.email", "contact.phone")}),
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
end $$;
`
}

/** Stores which of the owner's instructions a message did not follow. */
export const unappliedInstructionsMigration: Migration = {
  name: "unapplied_instructions",
  releases: 1,
  sql: `
-- What of the owner's instructions the message did not carry out, for the owner: [{"text", "reason"}].
alter table touch add column not_applied jsonb not null default '[]';
`
}
