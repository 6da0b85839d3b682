import { SqlClient } from "@effect/sql/SqlClient"
import { assert, describe, it, layer } from "@effect/vitest"
import { Array, Effect, Option } from "effect"
import pg from "pg"
import { inject } from "vitest"
import { limitedToAccounts } from "../../../../src/Layers/Platform/Postgres/cluster/ReachableNodes.ts"
import { DatabaseLocation, DatabasePools } from "../../../../src/Layers/Platform/Postgres/Database.ts"
import { fromSql } from "../../../../src/Layers/Platform/Postgres/Sql.ts"
import { UnitOfWork } from "../../../../src/Services/Core/Calls/UnitOfWork.ts"
import { isCluster } from "../../../support/isCluster.ts"
import { makeAccount } from "../../../support/TestAccount.ts"
import { TestDatabase } from "../../../support/TestDatabase.ts"

const tables = new Set(["lead", "touch"])
const limitedText = (text: string) => limitedToAccounts(text, tables, 3)

describe("a statement for accounts within reach", () => {
  const of = (alias: string) => `${alias}.account_id = any ($3::bigint[])`
  it.each<readonly [what: string, text: string, limited: string]>([
    [
      "reads each table's rows of theirs",
      "select 1 from lead l join account a on a.account_id = l.account_id left join touch on touch.account_id = l.account_id",
      `select 1 from (select * from lead where ${of("lead")}) l join account a on a.account_id = l.account_id left join (select * from touch where ${of("touch")}) touch on touch.account_id = l.account_id`
    ],
    [
      "reads them within others, and in a list of tables",
      "select (select count(*) from touch where status = 'from lead') from account a, lead as l, touch where exists (select from lead where lead_id = 1)",
      `select (select count(*) from (select * from touch where ${of("touch")}) touch where status = 'from lead') from account a, (select * from lead where ${of("lead")}) as l, (select * from touch where ${of("touch")}) touch where exists (select from (select * from lead where ${of("lead")}) lead where lead_id = 1)`
    ],
    [
      "takes no comma for one of tables, and no word for a table, that is none",
      "select greatest(a, touch), extract(epoch from lead.at - now()) from x where y is distinct from lead order by a, touch",
      "select greatest(a, touch), extract(epoch from lead.at - now()) from x where y is distinct from lead order by a, touch"
    ],
    [
      "changes theirs",
      "update lead l set a = 1, b = (select 1 from x where y) from touch t where t.a = l.a or b returning l.a",
      `update lead l set a = 1, b = (select 1 from x where y) from (select * from touch where ${of("touch")}) t where ${of("l")} and ( t.a = l.a or b )returning l.a`
    ],
    [
      "removes theirs",
      "with gone as (delete from touch using lead l where touch.a = l.a), all_gone as (delete from lead) select 1 from gone",
      `with gone as (delete from touch using (select * from lead where ${of("lead")}) l where ${of("touch")} and ( touch.a = l.a)), all_gone as (delete from lead where ${of("lead")} ) select 1 from gone`
    ],
    [
      "leaves its own parts, locks and conflicts",
      "with touch as (select 1 from lead for update of lead) insert into lead (a) select 1 from touch on conflict do update set a = 2",
      `with touch as (select 1 from (select * from lead where ${of("lead")}) lead for update of lead) insert into lead (a) select 1 from touch on conflict do update set a = 2`
    ]
  ])("%s", (_, text, limited) => {
    assert.strictEqual(limitedText(text), limited)
  })
})

/** The rows of `lead` and `touch` for tests of the results. */
const rows = `
  create temp table lead (account_id bigint, lead_id bigint, note text);
  create temp table touch (account_id bigint, lead_id bigint, status text);
  insert into lead select a, n, 'note ' || n from generate_series(1, 4) a, generate_series(1, 3) n;
  insert into touch select account_id, lead_id, case when lead_id = 2 then 'queued' else 'sent' end from lead`

const statements = [
  "select l.account_id, count(*) from lead l join touch t using (account_id, lead_id) where t.status = 'sent' group by 1",
  "select l.account_id, l.lead_id from lead l where not exists (select from touch t where t.account_id = l.account_id and t.lead_id = l.lead_id and t.status = 'queued')",
  "update lead l set note = t.status from touch t where t.account_id = l.account_id and t.lead_id = l.lead_id and (l.lead_id = 1 or t.status = 'queued') returning l.account_id, l.lead_id, note",
  "update touch set status = 'failed' where lead_id = 3 or status = 'queued' returning account_id, lead_id",
  "with old as (select account_id, lead_id from touch where status = 'queued' order by account_id limit 9), gone as (delete from lead using old where lead.account_id = old.account_id and lead.lead_id = old.lead_id returning lead.account_id, lead.lead_id) select * from gone",
  "delete from touch /* of a test */ returning account_id, lead_id"
]

layer(TestDatabase, { excludeTestServices: true })("what is limited to accounts", (it) => {
  const ran = (client: pg.Client, text: string, values: ReadonlyArray<unknown>) =>
    Effect.promise(async () => {
      await client.query("begin")
      const answer = await client.query<{ readonly account_id: string }>(text, [...values])
      const after = await client.query<object>(
        "select 'lead' as of, * from lead union all select 'touch', * from touch order by 1, 2, 3"
      )
      await client.query("rollback")
      return { answer: answer.rows.map((row) => JSON.stringify(row)).toSorted(), after: after.rows }
    })

  it.effect("does for them what it does for all, and for nobody else anything", () =>
    Effect.gen(function* () {
      const { connection } = yield* DatabaseLocation
      const client = yield* Effect.acquireRelease(
        Effect.promise(async () => {
          const createdClient = new pg.Client(connection)
          await createdClient.connect()
          await createdClient.query(rows)
          return createdClient
        }),
        (createdClient) => Effect.promise(() => createdClient.end())
      )
      for (const text of statements) {
        const whole = yield* ran(client, text, [])
        const limited = limitedToAccounts(text, tables, 1)
        assert.deepStrictEqual(yield* ran(client, limited, [[1, 2, 3, 4]]), whole, limited)
        const nobody = yield* ran(client, limited, [[]])
        assert.deepStrictEqual(nobody.answer, [], limited)
        const two = yield* ran(client, limited, [[2, 4]])
        assert.deepStrictEqual(
          two.answer,
          whole.answer.filter((row) => /"account_id":"[24]"/.test(row)),
          limited
        )
        const others = ({ after }: typeof two) =>
          after.filter((row: object) => !/"account_id":"[24]"/.test(JSON.stringify(row)))
        assert.deepStrictEqual(others(two), others(nobody), limited)
      }
    }).pipe(Effect.scoped)
  )

  it.effect.skipIf(!isCluster)(
    "goes on for the accounts of nodes that are there, and for the others when theirs is back",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const unit = yield* UnitOfWork
        const { spread } = yield* DatabasePools
        const accounts = yield* Effect.forEach(Array.range(1, 12), () => makeAccount())
        const ids = accounts.map(({ accountId }) => accountId).toSorted((one, other) => one - other)
        const places = yield* sql<{ readonly account_id: number; readonly port: number }>`
          select account_id, (select n.nodeport from pg_dist_placement p join pg_dist_node n using (groupid)
            where p.shardid = get_shard_id_for_distribution_column('lead', account_id)) as port
          from unnest(${ids}::bigint[]) account_id`
        const [lost = 0] = inject("postgres").workerPorts
        const reached = places.filter(({ port }) => port !== lost).map(({ account_id }) => account_id)
        assert.isAbove(reached.length, 0)
        assert.isBelow(reached.length, ids.length)
        const look = unit
          .write(
            unit
              .acrossAccounts(sql<{ readonly account_id: number }>`
              update prospecting_config p set mode = p.mode from account a
              where a.account_id = p.account_id and p.account_id > 0 returning p.account_id`)
              .pipe(fromSql())
          )
          .pipe(Effect.map((rows) => rows.map(({ account_id }) => account_id).toSorted((one, other) => one - other)))
        assert.deepStrictEqual(yield* look, ids)
        const moveNode = (from: number, to: number) =>
          sql`update pg_dist_node set nodeport = ${to} where nodeport = ${from}`
        yield* moveNode(lost, 1)
        // The first attempt misses the node and is repeated.
        assert.deepStrictEqual(yield* look, [...reached])
        assert.isTrue(spread.nodes.isOneMissed)
        yield* moveNode(1, lost)
        yield* Effect.repeat(look, { until: (accountIds) => accountIds.length === ids.length })
        assert.isFalse(spread.nodes.isOneMissed)
        assert.isTrue(Option.isSome(Array.head(yield* look)))
      })
  )
})
