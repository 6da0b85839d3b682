import type { Migration } from "../Platform/Postgres/Migration.ts"

/** What results prove, and what the optimizer did with it. */
export const learningsMigration: Migration = {
  name: "learnings",
  sql: `
create table prospecting_learning (
  account_id bigint not null references account on delete cascade,
  learning_id bigint generated always as identity,
  -- Names what it is about, such as reply_hour:10: the next night's figures replace these.
  learning_key text not null,
  kind text not null check (kind in ('reply_day', 'reply_hour', 'refusal_reason', 'region', 'sector', 'message_type', 'opening')),
  content text not null,
  summary jsonb not null,
  stems tsvector not null,
  made_at timestamptz not null default instant(),
  -- Whether the last look at the results still proves it.
  is_current boolean not null default true,
  dismissed_at timestamptz,
  dismiss_reason text,
  primary key (account_id, learning_id),
  unique (account_id, learning_key)
);

create table prospecting_optimization (
  account_id bigint not null references account on delete cascade,
  optimization_id bigint generated always as identity,
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
`
}
