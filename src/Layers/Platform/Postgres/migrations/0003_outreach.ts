import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/**
 * What prospecting does and hears: touches, mail, messaging app, calls, meetings, owner's questions, usage of models.
 * An outbound record is the intent, written before the effect: `queued`, then `sending` when the last check passed, then
 * what became of it. `unknown` is an effect whose outcome nobody can tell: it is shown, and never repeated.
 */
export default Effect.flatMap(SqlClient, (sql) =>
  sql.unsafe(`
alter table account
  -- IANA name, for the send window of leads whose own time zone is not known.
  add column time_zone text not null default 'America/Sao_Paulo',
  add column mail_display_name text,
  -- Keys the tags of reply addresses and the tokens of unsubscribe links.
  add column mail_key bytea not null default uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());

alter table lead
  add column language text check (language in ('pt-BR', 'en', 'es')),
  add column time_zone text,
  add column touch_count integer not null default 0,
  -- A person talks to the lead, and said so; a lead with a meeting is handed over without that.
  add column is_taken_over boolean not null default false,
  add column instructions text,
  add column first_message_instructions text,
  add column owner_context text,
  add column referred_by_lead_id bigint,
  add column check_ins_muted_at timestamptz,
  add column check_ins_snoozed_until timestamptz,
  add column next_check_in_at timestamptz,
  add column email_failed_at timestamptz,
  add column chatapp_failed_at timestamptz,
  add column presentation_file_id bigint,
  add foreign key (account_id, referred_by_lead_id) references lead on delete set null (referred_by_lead_id),
  add foreign key (account_id, presentation_file_id) references customer_file on delete set null (presentation_file_id);
create index lead_check_in on lead (next_check_in_at) where next_check_in_at is not null;
create index lead_check_in_unset on lead (account_id, lead_id)
  where pipeline_state = 'user_controlled' and next_check_in_at is null and check_ins_muted_at is null;
create index lead_referrals on lead (account_id, referred_by_lead_id) where referred_by_lead_id is not null;

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
  primary key (account_id, touch_id),
  foreign key (account_id, lead_id) references lead on delete cascade,
  check (num_nulls(notice, meeting_id, meeting_starts_at) in (0, 3))
);
create unique index touch_unfinished on touch (account_id, lead_id)
  where status in ('writing', 'queued') and meeting_id is null;
create unique index touch_unfinished_notice on touch (account_id, meeting_id)
  where status in ('writing', 'queued') and meeting_id is not null;
create index touch_notice on touch (account_id, meeting_id) where meeting_id is not null;
create index touch_recent on touch (account_id, created_at desc);
create index touch_writing on touch (created_at) where status = 'writing';

-- By campaign, since those that are paused are passed over without looking at their leads.
drop index lead_due;
create index lead_due on lead (account_id, (coalesce(campaign_id, 0)), next_touch_at)
  where pipeline_state = 'in_pipeline' and paused_at is null and next_touch_at is not null;

alter table email_message
  add column touch_id bigint,
  add column body_html text,
  -- Message-ID of the message answered, and of the whole thread, oldest first.
  add column in_reply_to text,
  add column thread_references text[] not null default '{}',
  -- What the sender wrote, without the quoted message and the signature.
  add column reply_text text,
  add column classification jsonb,
  add column is_auto_reply boolean not null default false,
  add column provider_response text,
  add column sending_at timestamptz,
  -- Names the attempt that sends: one that was given up for dead and wakes up finds another's here, and stops.
  add column sending_claim uuid,
  -- When the provider had all but the end of the message. Before it, nothing can have been sent.
  add column handed_over_at timestamptz,
  add column sent_at timestamptz,
  -- How often the recipient's server said that it cannot take the message for now.
  add column soft_bounces smallint not null default 0,
  -- Of an inbound message: tells a second delivery from another message under the same Message-ID.
  add column content_digest bytea,
  add foreign key (account_id, touch_id) references touch on delete set null (touch_id);
create index email_message_sender on email_message (account_id, from_address, created_at) where direction = 'inbound';
create index email_message_sent on email_message (account_id, occurred_at desc);
create index email_message_of_no_lead on email_message (account_id, to_address)
  where lead_id is null and direction = 'outbound';
create index email_message_unsettled on email_message (sending_at) where status = 'sending';

-- What a message brought goes with it.
create function drop_email_attachments() returns trigger language plpgsql as $$
begin
  delete from customer_file where account_id = old.account_id and customer_file_id in (
    select (attachment ->> 'customer_file_id')::bigint from jsonb_array_elements(old.attachments) attachment
  );
  return null;
end $$;
create trigger email_message_attachments after delete on email_message
  for each row when (old.attachments <> '[]') execute function drop_email_attachments();

-- Addresses that no message may go to, whoever they belong to; kept as digests after a lead is erased.
create table email_suppression (
  account_id bigint not null references account on delete cascade,
  email text not null,
  reason text not null check (reason in ('unsubscribed', 'hard_bounce', 'complaint')),
  created_at timestamptz not null default instant(),
  primary key (account_id, email)
);

-- What decides whether something may be sent to a lead now; locks the lead, as does whoever changes a meeting. Each statement of a volatile function sees
-- what was committed before that statement: the second one judges by what holds once the wait for the lock is over.
create function send_guard(account bigint, lead bigint, is_email boolean, touch_of_it bigint) returns table (
  pipeline_state text, is_paused boolean, is_unsubscribed boolean, has_contact boolean, is_suppressed boolean,
  is_blacklisted boolean, is_campaign_paused boolean, is_prospecting_active boolean, is_notice boolean,
  notice_block text
) language plpgsql volatile as $$
begin
  perform from lead l where l.account_id = account and l.lead_id = lead for update;
  return query
    select l.pipeline_state, l.paused_at is not null, l.unsubscribed_at is not null, contact.email is not null
        or contact.phone is not null,
      exists (select from email_suppression s where s.account_id = account and s.email = contact.email),
      exists (select from blacklist_match(account, contact.email, contact.phone)),
      exists (select from campaign c where c.account_id = account and c.campaign_id = l.campaign_id
        and c.archived_at is null and not c.is_active),
      a.is_prospecting_active, n.touch_id is not null,
      case when n.touch_id is null then null
        when m.status = 'cancelled' then 'meeting_cancelled'
        when m.status not in ('scheduled', 'confirmed') or m.starts_at <= instant() then 'meeting_over'
        when m.starts_at <> n.meeting_starts_at then 'meeting_moved'
        when n.notice = 'meeting_booked' and l.is_taken_over then 'user_controlled' end
    from lead l join account a on a.account_id = l.account_id
      left join touch n on n.account_id = account and n.touch_id = touch_of_it and n.meeting_id is not null
      left join meeting m on m.account_id = n.account_id and m.meeting_id = n.meeting_id,
      lateral (select case when is_email then l.email end as email, case when not is_email then l.phone end as phone) contact
    where l.account_id = account and l.lead_id = lead;
end $$;

-- How far each mailbox was read, and which gateway reads it now.
create table mail_mailbox (
  mailbox text primary key,
  uid_validity bigint not null default 0,
  last_uid bigint not null default 0,
  held_by text,
  held_until timestamptz
);

-- What a gateway without a mail server did: its outbox, and what a developer put into its inbox.
create table sandbox_mail (
  account_id bigint not null references account on delete cascade,
  sandbox_mail_id bigint generated always as identity,
  email_message_id bigint,
  direction text not null check (direction in ('outbound', 'inbound')),
  message_id text,
  from_address text not null,
  to_address text not null,
  subject text not null,
  body_text text not null,
  raw bytea not null,
  created_at timestamptz not null default instant(),
  primary key (account_id, sandbox_mail_id),
  foreign key (account_id, email_message_id) references email_message on delete cascade
);
create unique index sandbox_mail_sent on sandbox_mail (account_id, message_id) where direction = 'outbound';
create index sandbox_mail_message on sandbox_mail (account_id, email_message_id);

-- The number that an account writes from on the messaging app.
create table chatapp_line (
  account_id bigint primary key references account on delete cascade,
  status text not null check (status in ('provisioning', 'pending_signup', 'live', 'failed')),
  uses_own_number boolean not null,
  phone text,
  -- The number as the provider names it, and the provider's account that it belongs to.
  provider_line_id text unique,
  provider_account_id text,
  -- What the provider wants to see for a number of the customer's own, sealed; null for the platform's numbers.
  credential bytea,
  display_name text,
  quality_rating text,
  profile jsonb not null default '{}',
  -- Names the line in the one-click link by which the owner connects a number.
  signup_key text unique,
  health_issue text,
  health_fix text,
  job_id uuid,
  failure_reason text,
  checked_at timestamptz,
  created_at timestamptz not null default instant(),
  check (status <> 'live' or provider_line_id is not null)
);

create table chatapp_message (
  account_id bigint not null,
  chatapp_message_id bigint generated always as identity,
  lead_id bigint,
  touch_id bigint,
  direction text not null check (direction in ('outbound', 'inbound')),
  kind text not null check (kind in ('text', 'template', 'media')),
  message_type text,
  status text not null check (status in ('queued', 'sending', 'sent', 'delivered', 'read', 'unknown', 'failed', 'cancelled', 'received')),
  failure_reason text,
  phone text not null,
  body text not null,
  reply_text text,
  template_name text,
  template_language text,
  media_url text,
  -- image, video, audio, document or sticker.
  media_type text,
  media_name text,
  -- Of an inbound file: where the provider has it, whether it was fetched, and where it is kept.
  provider_media_id text,
  media_status text check (media_status in ('pending', 'stored', 'failed')),
  media_failure text,
  customer_file_id bigint,
  -- Sent only after this one was.
  follows_message_id bigint,
  -- What the owner wrote for the lead's next touch: it goes out whole or waits on.
  is_verbatim boolean not null default false,
  -- Ours, made before sending; the provider hands it back.
  client_reference uuid not null default gen_random_uuid(),
  provider_message_id text,
  -- What it costs: reserved before it is sent, corrected when the provider says what it charges.
  cost_brl numeric(12, 4) not null default 0,
  -- The day of the account's calendar that the cost counts in.
  spend_day date,
  price_category text,
  -- A paid opening that waits for a cost cap to have room again.
  deferred_until timestamptz,
  classification jsonb,
  created_at timestamptz not null default instant(),
  sending_at timestamptz,
  -- When it was sent, or when the lead wrote it.
  occurred_at timestamptz,
  primary key (account_id, chatapp_message_id),
  unique (account_id, client_reference),
  foreign key (account_id) references account on delete cascade,
  foreign key (account_id, lead_id) references lead on delete cascade,
  foreign key (account_id, touch_id) references touch on delete set null (touch_id),
  foreign key (account_id, customer_file_id) references customer_file on delete set null (customer_file_id),
  foreign key (account_id, follows_message_id) references chatapp_message on delete set null (follows_message_id)
);
create unique index chatapp_message_provider on chatapp_message (account_id, provider_message_id) where provider_message_id is not null;
create index chatapp_message_lead on chatapp_message (account_id, lead_id, direction, chatapp_message_id desc);
create index chatapp_message_sent on chatapp_message (account_id, occurred_at desc);
create index chatapp_message_unsettled on chatapp_message (sending_at) where status = 'sending';
create index chatapp_message_deferred on chatapp_message (account_id) where status = 'queued' and deferred_until is not null;
create index chatapp_message_followers on chatapp_message (account_id, follows_message_id) where follows_message_id is not null;

-- What paid openings may cost; null is no cap. The row's lock is what makes the caps hold.
create table chatapp_budget (
  account_id bigint primary key references account on delete cascade,
  daily_cap_brl numeric(12, 2) check (daily_cap_brl > 0),
  monthly_cap_brl numeric(12, 2) check (monthly_cap_brl > 0)
);

-- What messages cost, per day of the account's own calendar.
create table chatapp_spend (
  account_id bigint not null references account on delete cascade,
  day date not null,
  spent_brl numeric(14, 4) not null default 0,
  primary key (account_id, day)
);

-- What a gateway without a messaging-app provider did: its simulated numbers, what it sent, and files of simulated leads.
create table sandbox_chatapp_line (
  account_id bigint primary key references account on delete cascade,
  phone text not null,
  profile jsonb not null default '{}',
  picture bytea,
  picture_media_type text,
  picture_key text unique
);
create table sandbox_chatapp_message (
  account_id bigint not null,
  sandbox_chatapp_message_id bigint generated always as identity,
  client_reference uuid not null,
  provider_message_id text not null,
  phone text not null,
  content jsonb not null,
  created_at timestamptz not null default instant(),
  primary key (account_id, sandbox_chatapp_message_id),
  unique (account_id, client_reference),
  foreign key (account_id, client_reference) references chatapp_message (account_id, client_reference) on delete cascade
);
create table sandbox_chatapp_media (
  account_id bigint not null references account on delete cascade,
  media_id text not null,
  file_name text,
  bytes bytea not null,
  created_at timestamptz not null default instant(),
  primary key (account_id, media_id)
);

create table voice_call (
  account_id bigint not null,
  voice_call_request_id bigint generated always as identity,
  lead_id bigint,
  touch_id bigint,
  kind text not null check (kind in ('goal_driven', 'prospecting')),
  phone text not null,
  -- What the caller says first; null leaves that to the agent.
  opening_line text,
  goal text not null,
  context text,
  status text not null default 'queued' check (status in ('queued', 'dialing', 'in_progress', 'completed', 'no_answer',
    'busy', 'failed', 'cancelled')),
  -- How far the request to the provider came: a begun one may have arrived, a refused one certainly did not.
  dial_request text check (dial_request in ('begun', 'refused', 'placed')),
  failure_reason text,
  was_picked_up boolean,
  goal_achieved boolean,
  summary text,
  -- [{"role": "agent" | "person", "text", "at_seconds"}]
  transcript jsonb not null default '[]',
  classification jsonb,
  duration_seconds integer,
  cost_brl numeric(12, 4),
  -- Ours, made before dialing; the provider hands it back.
  client_reference uuid not null default gen_random_uuid() unique,
  provider text check (provider in ('elevenlabs', 'twilio', 'sandbox')),
  provider_call_id text,
  -- What a provider says that plays a message and holds no conversation.
  spoken_text text,
  created_at timestamptz not null default instant(),
  dialed_at timestamptz,
  -- The last attempt to dial.
  begun_at timestamptz,
  finished_at timestamptz,
  primary key (account_id, voice_call_request_id),
  foreign key (account_id) references account on delete cascade,
  foreign key (account_id, lead_id) references lead on delete cascade,
  foreign key (account_id, touch_id) references touch on delete set null (touch_id)
);
create unique index voice_call_provider on voice_call (provider, provider_call_id) where provider_call_id is not null;
-- Whichever account calls: a telephone rings once at a time.
create unique index voice_call_one_per_number on voice_call (phone_key(phone)) where status in ('dialing', 'in_progress');
create index voice_call_waiting on voice_call (phone_key(phone), voice_call_request_id) where status = 'queued';
create index voice_call_open on voice_call (account_id, kind) where status in ('queued', 'dialing', 'in_progress');
create index voice_call_recent on voice_call (account_id, kind, voice_call_request_id desc);
create index voice_call_lead on voice_call (account_id, lead_id, voice_call_request_id desc);
create index voice_call_unsettled on voice_call (dialed_at) where status in ('dialing', 'in_progress');

-- What the simulated telephone network did. Nothing of it happened outside.
create table sandbox_voice_call (
  client_reference uuid primary key,
  account_id bigint not null references account on delete cascade,
  call_order jsonb not null,
  outcome text not null,
  -- Null: as the outcome has it.
  person_says text[],
  placed_at timestamptz not null default instant()
);
create function forget_sandbox_voice_call() returns trigger language plpgsql as $$
begin
  delete from sandbox_voice_call where client_reference = old.client_reference;
  return null;
end $$;
create trigger voice_call_forgotten after delete on voice_call
  for each row execute function forget_sandbox_voice_call();

-- How the next simulated call of an account to a number shall end.
create table sandbox_voice_script (
  account_id bigint not null references account on delete cascade,
  phone text not null,
  outcome text not null,
  person_says text[],
  created_at timestamptz not null default instant(),
  primary key (account_id, phone)
);

create table meeting (
  account_id bigint not null,
  meeting_id bigint generated always as identity,
  lead_id bigint not null,
  status text not null default 'scheduled' check (status in ('scheduled', 'confirmed', 'cancelled', 'held', 'no_show')),
  title text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  meeting_url text,
  booked_through text not null check (booked_through in ('conversation', 'scheduler', 'calendar', 'voice')),
  external_id text,
  customer_accepted_at timestamptz,
  has_customer_attended boolean,
  has_lead_attended boolean,
  notes text,
  cancelled_at timestamptz,
  cancel_reason text,
  reminded_at timestamptz,
  -- When the lead is to be told by the platform that the meeting stands; null where whoever booked it tells.
  announce_at timestamptz,
  -- The beginnings that the lead was told and reminded of: a meeting that is moved has another one.
  announced_for timestamptz,
  lead_reminded_for timestamptz,
  -- The lead is reminded then: it was due outside of the send window.
  remind_lead_at timestamptz,
  created_at timestamptz not null default instant(),
  primary key (account_id, meeting_id),
  foreign key (account_id, lead_id) references lead on delete cascade,
  check (ends_at > starts_at)
);
create index meeting_lead on meeting (account_id, lead_id, starts_at desc);
create index meeting_start on meeting (account_id, starts_at);
create index meeting_reminder on meeting (starts_at) where reminded_at is null and status in ('scheduled', 'confirmed');
create index meeting_announcement on meeting (announce_at)
  where announced_for is distinct from starts_at and status in ('scheduled', 'confirmed');
create index meeting_lead_reminder on meeting (starts_at)
  where lead_reminded_for is distinct from starts_at and status in ('scheduled', 'confirmed');
alter table touch add foreign key (account_id, meeting_id) references meeting on delete cascade;
create unique index meeting_external on meeting (account_id, booked_through, external_id) where external_id is not null;

-- What leads asked and only the owner can answer. The same question of several leads is one entry.
create table open_question (
  account_id bigint not null references account on delete cascade,
  open_question_id bigint generated always as identity,
  question_text text not null,
  status text not null default 'open' check (status in ('open', 'answered', 'withdrawn')),
  created_at timestamptz not null default instant(),
  answered_at timestamptz,
  primary key (account_id, open_question_id)
);
create unique index open_question_text on open_question (account_id, fold(question_text)) where status = 'open';

create table open_question_lead (
  account_id bigint not null,
  open_question_id bigint not null,
  lead_id bigint not null,
  asked_at timestamptz not null default instant(),
  primary key (account_id, open_question_id, lead_id),
  foreign key (account_id, open_question_id) references open_question on delete cascade,
  foreign key (account_id, lead_id) references lead on delete cascade
);

create table lead_answer (
  account_id bigint not null references account on delete cascade,
  answer_id bigint generated always as identity,
  open_question_id bigint,
  question_text text not null,
  answer_text text not null,
  -- Whether the owner allowed its use for other leads.
  is_reusable boolean not null,
  valid_until timestamptz,
  request_id uuid,
  -- The answer that corrected this one.
  superseded_by bigint,
  created_at timestamptz not null default instant(),
  primary key (account_id, answer_id),
  foreign key (account_id, open_question_id) references open_question,
  foreign key (account_id, superseded_by) references lead_answer
);
create unique index lead_answer_request on lead_answer (account_id, request_id) where request_id is not null;
create index lead_answer_question on lead_answer (account_id, open_question_id, answer_id desc);

-- An answer on its way to a lead that waits for it: one per lead and question, whatever is repeated.
create table lead_answer_delivery (
  account_id bigint not null,
  open_question_id bigint not null,
  lead_id bigint not null,
  answer_id bigint not null,
  status text not null default 'queued' check (status in ('queued', 'delivered', 'expired', 'cancelled')),
  created_at timestamptz not null default instant(),
  delivered_at timestamptz,
  primary key (account_id, open_question_id, lead_id),
  foreign key (account_id, answer_id) references lead_answer,
  foreign key (account_id, open_question_id) references open_question on delete cascade,
  foreign key (account_id, lead_id) references lead on delete cascade
);
create index lead_answer_delivery_waiting on lead_answer_delivery (account_id, lead_id) where status = 'queued';

-- What the owner and the platform's agent said to each other.
create table agent_message (
  account_id bigint not null references account on delete cascade,
  agent_message_id bigint generated always as identity,
  role text not null check (role in ('owner', 'agent')),
  body text not null,
  created_at timestamptz not null default instant(),
  primary key (account_id, agent_message_id)
);
create index agent_message_recent on agent_message (account_id, agent_message_id desc);

-- When people answer, of all accounts together: what a lead is judged by of whose account too little is known.
create table platform_reply_time (
  -- 0 is Sunday; both as the lead's own clocks show.
  weekday smallint not null,
  hour smallint not null,
  replies bigint not null,
  -- Of those that were the first after a message: how many, and how long they took together.
  responses bigint not null,
  response_seconds bigint not null,
  primary key (weekday, hour)
);

create table language_usage (
  account_id bigint not null references account on delete cascade,
  day date not null,
  purpose text not null,
  model text not null,
  calls bigint not null default 0,
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  cost_micro_usd bigint not null default 0,
  primary key (account_id, day, purpose, model)
);
`)
)
