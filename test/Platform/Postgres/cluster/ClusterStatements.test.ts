import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { StatementRewriter } from "../../../../src/Layers/Platform/Postgres/cluster/ClusterStatements.ts"
import { tableFunctionsOf } from "../../../../src/Layers/Platform/Postgres/cluster/TableFunctions.ts"

/** In the order in which the server lists them. */
const functions = tableFunctionsOf([
  [
    "is_open",
    "account",
    "sql",
    "false",
    "RETURN (EXISTS ( SELECT\n FROM account a WHERE (a.account_id = is_open.account)))"
  ],
  ["fits", "wanted", "sql", "false", "select fits.wanted <> ''"],
  [
    "named",
    "account,wanted",
    "plpgsql",
    "true",
    `declare
  folded text := fold(named.wanted);
  pattern text := containing(folded);
begin
  return query select l.lead_id from lead l where l.account_id = named.account and l.name like pattern;
end`
  ]
])

const rewriter = new StatementRewriter(functions)

describe("a statement, said to a cluster,", () => {
  for (const [what, text, values, expected] of [
    [
      "names the account of a table that is joined by it",
      "select 1 from lead l join campaign c on c.account_id = l.account_id where l.account_id = $1",
      [7],
      "select 1 from lead l join campaign c on c.account_id = l.account_id and c.account_id = $1 where l.account_id = $1"
    ],
    [
      "is told the time also where it begins with a query in brackets",
      "(select 1 from lead where next_touch_at < instant()) union all (select 2)",
      [],
      "(select 1 from lead where next_touch_at < $1::timestamptz) union all (select 2)"
    ],
    [
      "names it where neither table needs an alias",
      "select (select count(*) from touch where account_id = l.account_id) from lead l where account_id = $1",
      [7],
      "select (select count(*) from touch where account_id = l.account_id and account_id = $1) from lead l where account_id = $1"
    ],
    [
      "names it for what is joined to a part of one table",
      "select 1 from (select * from lead where account_id = $1 limit 9) l join campaign c on c.account_id = l.account_id",
      [7],
      "select 1 from (select * from lead where account_id = $1 limit 9) l join campaign c on c.account_id = l.account_id and c.account_id = $1"
    ],
    [
      "names it for what is joined to a part, where it names one account alone",
      "with changed as (update lead l set name = $3 where l.account_id = $1 returning l.account_id) select 1 from changed c join lead_follower f on f.account_id = c.account_id, touch t where t.account_id = $2",
      [7, 7, "Ana"],
      "with changed as (update lead l set name = $3 where l.account_id = $1 returning l.account_id) select 1 from changed c join lead_follower f on f.account_id = c.account_id and f.account_id = $1, touch t where t.account_id = $2"
    ],
    [
      "leaves what is joined to a part where it names two",
      "with changed as (update lead l set name = $3 where l.account_id = $1 returning l.account_id) select 1 from changed c join lead_follower f on f.account_id = c.account_id, touch t where t.account_id = $2",
      [7, 8, "Ana"],
      "with changed as (update lead l set name = $3 where l.account_id = $1 returning l.account_id) select 1 from changed c join lead_follower f on f.account_id = c.account_id, touch t where t.account_id = $2"
    ],
    [
      "names it for what is joined to a query in brackets",
      "select 1 from (select m.account_id from email_message m where m.account_id = $1) reply join lead l on l.account_id = reply.account_id",
      [7],
      "select 1 from (select m.account_id from email_message m where m.account_id = $1) reply join lead l on l.account_id = reply.account_id and l.account_id = $1"
    ],
    [
      "names it for what is joined to a list of one account",
      "select 1 from unnest($1::uuid[], $2::bigint[]) with ordinality as w (reference, account_id) join lead l on l.account_id = w.account_id",
      [
        ["a", "b"],
        [7, 7]
      ],
      "select 1 from unnest($1::uuid[], $2::bigint[]) with ordinality as w (reference, account_id) join lead l on l.account_id = w.account_id and l.account_id = ($2::bigint[])[1]"
    ],
    [
      "names it also where the list has its columns on several lines",
      "update touch t set status = done.status from unnest($1::bigint[],\n $2::text[]) as done (account_id,\n status) where t.account_id = done.account_id",
      [[7], ["done"]],
      "update touch t set status = done.status from unnest($1::bigint[],\n $2::text[]) as done (account_id,\n status) where t.account_id = done.account_id and t.account_id = ($1::bigint[])[1]"
    ],
    [
      "leaves what is joined to a list of two",
      "select 1 from unnest($1::bigint[]) w (account_id) join lead l on l.account_id = w.account_id",
      [[7, 8]],
      "select 1 from unnest($1::bigint[]) w (account_id) join lead l on l.account_id = w.account_id"
    ],
    [
      "names it for what is joined to a row of values",
      "select 1 from (select $1::bigint, $2::bigint) as what (account_id, lead_id) join lead l on l.account_id = what.account_id",
      [7, 9],
      "select 1 from (select $1::bigint, $2::bigint) as what (account_id, lead_id) join lead l on l.account_id = what.account_id and l.account_id = $1"
    ],
    [
      "hands on rows that have a column",
      "select 1 from lead l where l.account_id = $1 and exists (select from model_outage)",
      [7],
      "select 1 from lead l where l.account_id = $1 and exists (select 1 from model_outage)"
    ],
    [
      "has the query of a function in place of its call",
      "with m as (select * from named($1, $2) where status = $3) select 1 from m",
      [7, "ana", "Cold"],
      "with m as (select * from (select l.lead_id from lead l where l.account_id = $1 and l.name like containing(fold($2))) named where status = $3) select 1 from m"
    ],
    [
      "keeps the alias of such a call",
      "select 1 from named($1, (select 'a, b')) n",
      [7],
      "select 1 from (select l.lead_id from lead l where l.account_id = $1 and l.name like containing(fold((select 'a, b')))) n"
    ],
    [
      "has the expression of a function that answers one value, and leaves functions that read no table",
      "select 1 from lead l where is_open(l.account_id) and fits(l.name)",
      [],
      "select 1 from lead l where ((EXISTS ( select 1 from account a WHERE (a.account_id = l.account_id)))) and fits(l.name)"
    ],
    [
      "compares in each branch of a case, where it writes",
      "update lead set name = case status when 'Cold' then (case $2 when 1 then 'a' end) when fold($3) then case when true then 'b' end end, \"end\" = 1 where account_id = $1",
      [7, 1, "x"],
      "update lead set name = case when (status) = ( 'Cold' ) then (case when ($2) = ( 1 ) then 'a' end) when (status) = ( fold($3) ) then case when true then 'b' end end, \"end\" = 1 where account_id = $1"
    ],
    [
      "moves times of columns by an operation that no setting changes",
      "update meeting m set starts_at = m.starts_at - interval '1 hour', created_at = created_at + make_interval(secs => $2) where m.account_id = $1",
      [7, 9],
      "update meeting m set starts_at = shifted(m.starts_at, -interval '1 hour'), created_at = shifted(created_at, make_interval(secs => $2)) where m.account_id = $1"
    ],
    [
      "is asked of one account where its list has one",
      "select 1 from lead where account_id = any ($1::bigint[])",
      [[7]],
      "select 1 from lead where account_id = ($1::bigint[])[1]"
    ]
  ] as const) {
    it.effect(what, () => Effect.sync(() => assert.strictEqual(rewriter.rewrite(text, values).text, expected)))
  }

  it.effect("has the time and the clock as parameters after its own", () =>
    Effect.sync(() => {
      const { addedValues, text } = rewriter.rewrite(
        "select instant() - interval '1 day', test_clock() from lead where a = $1",
        [1]
      )
      assert.deepStrictEqual(addedValues, ["instant", "clock"])
      assert.strictEqual(text, "select shifted($2::timestamptz, -interval '1 day'), $3::text from lead where a = $1")
    })
  )
})
