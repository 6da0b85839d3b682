import type { Migration } from "../Platform/Postgres/Migration.ts"

/** The tables of learnings, and of the optimizer's changes. */
export const learningsMigration: Migration = {
  name: "learnings",
  sql: `
create table prospecting_learning (
  account_id bigint not null references account on delete cascade,
  learning_id bigint generated always as identity,
  -- Identifies the claim, such as reply_hour:10:higher. The next night replaces its figures.
  learning_key text not null,
  kind text not null check (kind in ('reply_day', 'reply_hour', 'refusal_reason', 'region', 'sector', 'message_type', 'opening')),
  content text not null,
  summary jsonb not null,
  -- Differences come first, the most certain before the others.
  place integer not null,
  -- The embedding of the content, if there is a service: float32 numbers of a vector of length one, little-endian.
  vector bytea,
  vector_model text,
  made_at timestamptz not null,
  -- Whether the last evaluation still proves it.
  is_current boolean not null default true,
  dismissed_at timestamptz,
  dismiss_reason text,
  primary key (account_id, learning_id),
  unique (account_id, learning_key)
);

-- When an account's results were last evaluated.
create table learning_look (
  account_id bigint primary key references account on delete cascade,
  looked_at timestamptz not null
);

create table prospecting_optimization (
  account_id bigint not null references account on delete cascade,
  optimization_id bigint generated always as identity,
  -- Null for leads without a campaign.
  campaign_id bigint,
  ran_at timestamptz not null default instant(),
  outcome text not null check (outcome in ('changed', 'kept', 'undone')),
  -- [{"setting", "from", "to", "how_to_undo"}]
  changes jsonb not null default '[]',
  reasons jsonb not null default '[]',
  primary key (account_id, optimization_id),
  foreign key (account_id, campaign_id) references campaign
);
create index prospecting_optimization_campaign on prospecting_optimization (account_id, campaign_id, optimization_id desc)
  where campaign_id is not null;

-- Campaigns whose leads the optimizer compares, assigned at random. 0 means leads without a campaign.
create table prospecting_trial (
  account_id bigint not null references account on delete cascade,
  campaign bigint not null,
  begun_at timestamptz not null,
  primary key (account_id, campaign)
);

-- The optimizer's present and undone choices for a campaign's leads.
create table prospecting_adjustment (
  account_id bigint not null references account on delete cascade,
  campaign bigint not null,
  -- opening, send_hours, pauses, or channel_order for all leads or for a sector's: channel_order:62.
  setting text not null,
  -- The present choice. Null after it was undone.
  choice text,
  chosen_at timestamptz,
  -- When it was undone. Earlier evidence does not count again.
  undone_at timestamptz,
  primary key (account_id, campaign, setting)
);
`
}
