import { SqlClient } from "@effect/sql/SqlClient"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { isCluster } from "../../support/isCluster.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"
import { type PlanNode, unboundTables } from "./accountFilters.ts"
import { type SourceFile, sources } from "./tableUse.ts"

/** Expressions for the server's time. */
const serverClock =
  /(?<![.\w])(?:now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday)\s*\(\)|\b(?:current_(?:date|time|timestamp)|localtime(?:stamp)?)\b|'(?:now|today|tomorrow|yesterday)'\s*::/gi

/** The expressions inside a file's templates, which contain SQL. In other code, a call has an object before it. */
const serverTimes = ({ text }: SourceFile): ReadonlyArray<string> =>
  [...text.matchAll(/`(?:[^`\\]|\\.)*`/g)].flatMap(([template]) =>
    [...template.replace(/\$\{[^}]*\}/g, "").matchAll(serverClock)].map(([call]) => call)
  )

/** Code that uses the server's clock: heartbeats of processes, and the library's queue, which does so itself. */
const byServerClock = new Set([
  // It compares the server's clock with the gateway's.
  "Platform/DatabaseChecks.ts",
  "Platform/DueTasks.ts",
  "Platform/EngineTables.ts",
  "Platform/FailedTasks.ts",
  "Platform/JobCounts.ts",
  "Platform/OldestTask.ts",
  "Platform/PlatformMigration.ts",
  "Support/WatchServices.ts"
])

describe("the time of statements", () => {
  it("is the one that instant() or a parameter tells, but for the engine's own", () => {
    const files = sources.filter((file) => !byServerClock.has(`${file.room}/${file.name}`))
    assert.deepStrictEqual(
      files.flatMap((file) => serverTimes(file).map((call) => `${file.room}/${file.name}: ${call}`)),
      []
    )
  })

  it("is found where it is the server's", () => {
    const planted = "sql`update lead set at = now(), day = current_date, then = '${clock.now()}', name = 'now()'`"
    assert.deepStrictEqual(serverTimes({ room: "Leads", name: "Planted.ts", text: planted }), [
      "now()",
      "current_date",
      "now()"
    ])
  })
})

describe("advisory locks of transactions", () => {
  it("are taken for a key of a repeated write alone, which says at once that the key is in use", () => {
    const takers = sources.filter(({ text }) => /advisory_xact_lock/.test(text))
    assert.deepStrictEqual(
      takers.map(({ name, room }) => `${room}/${name}`),
      ["Accounts/KeyedWriteRows.ts"]
    )
  })
})

layer(TestDatabase)("statements", (it) => {
  const unbound = (statement: string) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const rows = yield* sql.unsafe<{ readonly "QUERY PLAN": ReadonlyArray<{ readonly Plan: PlanNode }> }>(
        `explain (verbose, generic_plan, format json) ${statement}`
      )
      const plan = rows[0]?.["QUERY PLAN"][0]?.Plan
      return plan === undefined ? ["no plan"] : unboundTables(plan, new Set(["account", "campaign", "lead", "touch"]))
    })

  it.effect("of the schema keep to instant() too: defaults, checks and functions", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const rows = yield* sql<{ readonly place: string }>`
        with written as (
          select d.adrelid::regclass::text as place, pg_get_expr(d.adbin, d.adrelid) as text
          from pg_attrdef d join pg_class c on c.oid = d.adrelid
          where c.relnamespace = 'public'::regnamespace
          union all
          select conrelid::regclass::text, pg_get_constraintdef(oid) from pg_constraint where contype = 'c'
          union all
          select p.oid::regproc::text, p.prosrc from pg_proc p
          where p.pronamespace = 'public'::regnamespace and p.prolang in (
            select oid from pg_language where lanname in ('sql', 'plpgsql'))
          union all
          select p.oid::regproc::text, pg_get_function_sqlbody(p.oid) from pg_proc p
          where p.pronamespace = 'public'::regnamespace and p.prosqlbody is not null
        )
        select distinct place from written
        where text ~* '\\m(now|clock_timestamp|statement_timestamp|transaction_timestamp)\\(\\)|\\mcurrent_(date|timestamp)\\M'
        order by place`
      assert.deepStrictEqual(
        rows.map(({ place }) => place),
        ["gateway_migration", "instant", "worker_heartbeat"]
      )
    })
  )

  // The cluster's plans show no tables, so bench/citus checks those statements separately.

  const forgetting = [
    ["select 1 from lead where lead_id = $1::bigint", ["lead"]],
    ["select 1 from lead l join campaign c on c.campaign_id = l.campaign_id where l.account_id = $1", ["campaign"]],
    [
      "select 1 from lead l join campaign c on c.account_id = l.account_id and c.campaign_id = l.campaign_id",
      ["campaign", "lead"]
    ],
    [
      "update lead set name = 'x' where account_id = $1 and exists (select from touch t where t.lead_id = lead.lead_id)",
      ["touch"]
    ],
    [
      "with gone as (delete from touch where lead_id = $2::bigint returning 1) select 1 from lead where account_id = $1",
      ["touch"]
    ],
    ["select (select count(*) from touch) from lead where account_id = $1", ["touch"]]
  ] as const
  it.effect.skipIf(isCluster)("that forget the account are found", () =>
    Effect.forEach(forgetting, ([statement, tables]) =>
      Effect.map(unbound(statement), (unboundTables) => assert.deepStrictEqual(unboundTables, [...tables], statement))
    )
  )

  const naming = [
    "select 1 from lead where account_id = $1 and lead_id = $2",
    "select 1 from lead l left join campaign c on c.account_id = l.account_id and c.campaign_id = l.campaign_id where l.account_id = $1",
    "select 1 from lead where account_id = any ($1::bigint[])",
    "with mine as (select account_id, lead_id from lead where account_id = $1) select 1 from touch join mine using (account_id, lead_id)",
    "select 1 from account a cross join lateral (select from lead l where l.account_id = a.account_id limit 1) d where a.account_id = $1",
    "insert into touch (account_id, lead_id, touch_number, status) values ($1, $2, 1, 'writing')"
  ]
  it.effect.skipIf(isCluster)("that name it on each table are not", () =>
    Effect.forEach(naming, (statement) =>
      Effect.map(unbound(statement), (unboundTables) => assert.deepStrictEqual(unboundTables, [], statement))
    )
  )
})
