import type { Migration } from "../Platform/Postgres/Migration.ts"

/** Simulated leads and the messages to them. Prospecting reads none of this. */
export const simulationMigration: Migration = {
  name: "simulation",
  sql: `
create table simulation_lead (
  account_id bigint not null references account on delete cascade,
  simulation_lead_id bigint generated always as identity,
  campaign_id bigint,
  -- Who it is, as it was given.
  profile jsonb not null,
  -- How far the platform is with it.
  state jsonb not null,
  -- Why the agent did not write in the last turn.
  silent_reason text,
  -- Of a simulated call: the call to the owner's number.
  voice_call_request_id bigint,
  -- Turns that run at once would both go on from the same message: one of them is refused by this.
  version integer not null default 0,
  created_at timestamptz not null default instant(),
  finished_at timestamptz,
  primary key (account_id, simulation_lead_id),
  foreign key (account_id, campaign_id) references campaign on delete cascade,
  foreign key (account_id, voice_call_request_id) references voice_call on delete cascade
);
create index simulation_lead_campaign on simulation_lead (account_id, campaign_id) where campaign_id is not null;
create index simulation_lead_call on simulation_lead (account_id, voice_call_request_id)
  where voice_call_request_id is not null;

create table simulation_message (
  account_id bigint not null,
  simulation_lead_id bigint not null,
  sequence integer not null,
  channel text not null check (channel in ('email', 'chatapp')),
  author text not null check (author in ('agent', 'lead')),
  message_type text check (message_type in ('first_contact', 'follow_up', 'response', 'direct')),
  subject text,
  body text not null,
  -- By the simulation's own clock.
  at timestamptz not null,
  reading jsonb,
  rests_on jsonb not null default '[]',
  primary key (account_id, simulation_lead_id, sequence),
  foreign key (account_id, simulation_lead_id) references simulation_lead on delete cascade
);

-- What prospecting would have done beside writing.
create table simulation_effect (
  account_id bigint not null,
  simulation_lead_id bigint not null,
  sequence integer not null,
  kind text not null,
  detail text not null,
  at timestamptz not null,
  primary key (account_id, simulation_lead_id, sequence),
  foreign key (account_id, simulation_lead_id) references simulation_lead on delete cascade
);
`
}
