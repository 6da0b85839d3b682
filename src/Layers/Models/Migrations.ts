import type { Migration } from "../Platform/Postgres/Migration.ts"

/** The table of the language models' usage and cost, per day of the account. */
export const modelsMigration: Migration = {
  name: "models",
  sql: `
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

-- The time in which the model cannot be had, by whose clock: there is a row as long as that lasts.
create table model_outage (
  clock text primary key,
  began_at timestamptz not null,
  tried_at timestamptz not null
);
-- The last outage that an account was told of.
create table model_outage_notice (
  account_id bigint primary key references account on delete cascade,
  began_at timestamptz not null
);
`
}
