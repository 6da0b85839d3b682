import type { Migration } from "../Platform/Postgres/Migration.ts"

/**
 * Questions of leads that only the owner can answer, and the conversation between the owner and the platform's agent.
 */
export const outcomesMigration: Migration = {
  name: "outcomes",
  sql: `
-- Questions of leads that only the owner can answer. The same question of several leads is one entry.
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
create index open_question_lead_lead on open_question_lead (account_id, lead_id);

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
create index lead_answer_superseded on lead_answer (account_id, superseded_by) where superseded_by is not null;

-- The delivery of an answer to a waiting lead, at most one per lead and question.
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
create index lead_answer_delivery_lead on lead_answer_delivery (account_id, lead_id);
create index lead_answer_delivery_answer on lead_answer_delivery (account_id, answer_id);

-- The conversation between the owner and the platform's agent.
create table agent_message (
  account_id bigint not null references account on delete cascade,
  agent_message_id bigint generated always as identity,
  role text not null check (role in ('owner', 'agent')),
  body text not null,
  created_at timestamptz not null default instant(),
  -- The language of its words; null if the text does not tell.
  language text check (language in ('pt-BR', 'en', 'es')),
  stems tsvector generated always as (text_stems(language, body)) stored,
  primary key (account_id, agent_message_id)
);
create index agent_message_recent on agent_message (account_id, agent_message_id desc);
create index agent_message_stems on agent_message using gin (account_id, stems);
create index agent_message_newest on agent_message (account_id, created_at desc);
create index agent_message_number on agent_message (agent_message_id);
`
}

/** Adds members' words to the conversation with the agent, and the channel of each part. */
export const agentConversationMigration: Migration = {
  name: "agent_conversation",
  sql: `
alter table agent_message drop constraint agent_message_role_check;
alter table agent_message add check (role in ('owner', 'member', 'agent'));
alter table agent_message add column channel text not null default 'check_in'
  check (channel in ('email', 'chatapp', 'voice', 'tool', 'check_in'));
`
}
