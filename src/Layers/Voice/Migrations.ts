import type { Migration } from "../Platform/Postgres/Migration.ts"

/** The tables of telephone calls. */
export const voiceMigration: Migration = {
  name: "voice",
  sql: `
create table voice_call (
  account_id bigint not null,
  voice_call_request_id bigint generated always as identity,
  lead_id bigint,
  touch_id bigint,
  kind text not null check (kind in ('goal_driven', 'prospecting', 'simulation')),
  phone text not null,
  -- What the caller says first; null leaves that to the agent.
  opening_line text,
  goal text not null,
  context text,
  -- Of a simulation's call to the owner: who is played, and what the campaign tried has. {"personName", "companyName",
  -- "businessName", "instructions", "language"}
  staged jsonb,
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
  -- Ours, made before dialing, with the account in it; the provider hands it back.
  client_reference uuid not null default gen_random_uuid(),
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
  unique (account_id, client_reference),
  check ((kind = 'simulation') = (staged is not null)),
  foreign key (account_id) references account on delete cascade,
  foreign key (account_id, lead_id) references lead on delete cascade,
  foreign key (account_id, touch_id) references touch
);
create index voice_call_provider on voice_call (provider, provider_call_id) where provider_call_id is not null;

create index voice_call_waiting on voice_call (phone_key(phone), voice_call_request_id) where status = 'queued';
-- By the end that they have not: by the status, of which a look at an idle moment finds none, it would look as good as
-- the one above for who waits for a number, and all open calls of all accounts would be gone through.
create index voice_call_open on voice_call (account_id, kind) where finished_at is null;
create index voice_call_recent on voice_call (account_id, kind, voice_call_request_id desc);
create index voice_call_lead on voice_call (account_id, lead_id, voice_call_request_id desc);
create index voice_call_touch on voice_call (account_id, touch_id) where touch_id is not null;
create index voice_call_unsettled on voice_call (dialed_at) where status in ('dialing', 'in_progress');

-- Whichever account calls: a telephone rings once at a time. Who holds a number holds it as long as its call is under way.
create table dialed_number (
  phone_key text primary key,
  account_id bigint not null references account on delete cascade,
  voice_call_request_id bigint not null
);
create index dialed_number_account on dialed_number (account_id);

-- What the simulated telephone network did. Nothing of it happened outside.
create table sandbox_voice_call (
  account_id bigint not null,
  client_reference uuid not null,
  call_order jsonb not null,
  outcome text not null,
  -- Null: as the outcome has it.
  person_says text[],
  placed_at timestamptz not null default instant(),
  primary key (account_id, client_reference),
  foreign key (account_id, client_reference) references voice_call (account_id, client_reference) on delete cascade
);

-- How the next simulated call of an account to a number shall end.
create table sandbox_voice_script (
  account_id bigint not null references account on delete cascade,
  phone text not null,
  outcome text not null,
  person_says text[],
  created_at timestamptz not null default instant(),
  primary key (account_id, phone)
);
`
}
