import type { Migration } from "../Platform/Postgres/Migration.ts"

/** Simulated leads and the messages to them. Prospecting reads none of this. */
export const simulationMigration: Migration = {
  name: "simulation",
  sql: `
create table simulation_lead (
  account_id bigint not null references account on delete cascade,
  simulation_lead_id bigint generated always as identity,
  campaign_id bigint,
  -- The profile as given in the call.
  profile jsonb not null,
  -- The lead's state in the simulation.
  state jsonb not null,
  -- Why the agent did not write in the last turn.
  silent_reason text,
  -- The call to the owner's number, for a simulated call.
  voice_call_request_id bigint,
  -- Parallel turns would continue from the same message. This version lets only one of them succeed.
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

-- What prospecting would have done in addition to writing.
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
