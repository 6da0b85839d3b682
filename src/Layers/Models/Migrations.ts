import type { Migration } from "../Platform/Postgres/Migration.ts"

/** What the language models cost, per day of the account. */
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
`
}
