import { assert, it } from "@effect/vitest"
import { planLines, planOf, statementsIn } from "../../src/Services/Core/MigrationPlan.ts"

it("a script is cut at the semicolons that end statements", () => {
  const script = `
    -- One; with a comment.
    create table a (b text default 'x;y'); /* c; */
    create function f() returns int language plpgsql as $$ begin return 1; end $$;
    create function g() returns int language sql begin atomic select 1; select 2; end;
    create function h() returns text language sql as $body$ select ';' $body$;
    select "odd;name" from a -- the last; one`
  assert.deepStrictEqual(
    statementsIn(script).map((statement) => statement.slice(0, 18)),
    ["create table a (b ", "create function f(", "create function g(", "create function h(", `select "odd;name" `]
  )
  assert.deepStrictEqual(statementsIn(" ;; -- nothing"), [])
})

for (const [statement, lock] of [
  ["alter table lead add column note text", "brief"],
  ["alter table lead add column note text not null default ''", "brief"],
  ["alter table lead add column seen timestamptz default clock_timestamp()", "all wait"],
  ["alter table lead add column key uuid default gen_random_uuid()", "all wait"],
  ["alter table lead add column twice int generated always as (1 + 1) stored", "all wait"],
  ["alter table lead drop column note", "brief"],
  ["alter table lead rename column a to b", "brief"],
  ["alter table lead alter column a type bigint", "all wait"],
  ["alter table lead alter a set data type bigint", "all wait"],
  ["alter table lead alter column a set not null", "all wait"],
  ["alter table only lead add constraint c check (a > 0)", "all wait"],
  ["alter table lead add constraint c check (a > 0) not valid", "brief"],
  ["alter table lead validate constraint c", "none"],
  ["alter table lead add primary key (a)", "all wait"],
  ["create index on lead (a)", "writes wait"],
  ["create unique index lead_a on lead (a)", "writes wait"],
  ["create index concurrently lead_a on lead (a)", "none"],
  ["update lead set a = 1", "writes wait"],
  ["delete from lead where a = 1", "writes wait"],
  ["drop table lead", "brief"],
  ["create table fresh (a int)", "none"],
  ["create table fresh (a int references lead)", "brief"],
  ["create or replace function f() returns int language sql as 'select 1'", "none"],
  ["vacuum full lead", "all wait"]
] as const) {
  it(`${statement}: ${lock}`, () => {
    assert.strictEqual(planOf([{ name: "step", sql: statement }])[0]?.statements[0]?.lock, lock)
  })
}

it("what a plan makes itself is empty, so that nothing waits for its changes", () => {
  const [, second] = planOf([
    { name: "tables", sql: "create table fresh (a int); create index on fresh (a)" },
    { name: "more", sql: "alter table fresh alter column a set not null; create index on lead (a)" }
  ])
  assert.deepStrictEqual(
    second?.statements.map(({ lock }) => lock),
    ["none", "writes wait"]
  )
})

it("the lines name what waits, and say when nothing does", () => {
  assert.deepStrictEqual(planLines([]), ["The database is at the newest version."])
  assert.deepStrictEqual(
    planLines(planOf([{ name: "one", sql: "create table a (b int); create index on lead (a)" }])),
    [
      "one: 2 statements",
      "  WRITES WAIT  lead  create index on lead (a)",
      "Locks a table for as long as the statement reads it: 1 statement. Plan a quiet hour if the table is large."
    ]
  )
  assert.include(planLines(planOf([{ name: "one", sql: "create table a (b int)" }])).at(-1), "Gateways keep answering")
})
