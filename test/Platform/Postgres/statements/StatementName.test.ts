import { assert, it } from "@effect/vitest"
import { statementName } from "../../../../src/Layers/Platform/Postgres/statements/StatementName.ts"

const cases: ReadonlyArray<readonly [text: string, name: string]> = [
  ["select * from lead l where l.account_id = $1", "SELECT lead"],
  ["select count(*) from (select from touch where status = 'writing' limit 5) waiting", "SELECT touch"],
  ["insert into touch (account_id) values ($1) on conflict do update set status = 'x'", "INSERT touch"],
  ["update lead set name = $1 where lead_id = (select max(lead_id) from campaign)", "UPDATE lead"],
  ["delete from public.lead where account_id = $1", "DELETE lead"],
  ['select job.id from "graphile_worker"."_private_jobs" job', "SELECT _private_jobs"],
  ["with due as (select * from lead), first as (select * from due limit 1) select * from first", "SELECT lead"],
  ["with due as materialized (select * from lead) select * from due join campaign c using (account_id)", "SELECT lead"],
  [
    "with recursive w as (select 1 from webhook_delivery) update webhook_subscription s set a = 1",
    "UPDATE webhook_subscription"
  ],
  [
    "with gone as (delete from worker_heartbeat returning *) select pg_notify('a', 'from lead') from gone",
    "DELETE worker_heartbeat"
  ],
  ["select extract(epoch from l.created_at) from lead l", "SELECT lead"],
  ["select * from unnest($1::bigint[]) given (id) join lead l on l.lead_id = given.id for update of l", "SELECT lead"],
  ["select lead_id from lead where lead_id = $1 for update", "SELECT lead"],
  ["-- select from nothing\n/* delete from lead */ select 'insert into x' as a, b from account", "SELECT account"],
  ["/* no prepared plan */ select * from lead", "SELECT lead"],
  ["select append_account_events($1, $2::jsonb)", "SELECT append_account_events"],
  ["select 1", "SELECT"],
  ["BEGIN", "BEGIN"],
  ["set local statement_timeout = 0", "SET"],
  ["", "STATEMENT"]
]

for (const [text, name] of cases) {
  it(`${JSON.stringify(text)} is ${name}`, () => {
    const { operation, target } = statementName(text)
    assert.strictEqual(target === undefined ? operation : `${operation} ${target}`, name)
  })
}
