import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { directories, spreadBy } from "../../../src/Layers/Platform/Postgres/cluster/Distribution.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

/**
 * Tables without an account, or whose rows are found before the account is known. Such directories are rarely written.
 */
const acrossAccounts = [
  "account",
  "account_phone",
  "account_seal",
  "access_token",
  "chatapp_provider_line",
  "company",
  "company_city_frequency",
  "company_division_frequency",
  "company_edition",
  "company_frequency",
  "company_year_frequency",
  "dialed_number",
  "embedding_progress",
  "former_handle",
  "gateway_migration",
  "incident",
  "mail_access",
  "mail_domain",
  "mail_mailbox",
  "mail_recipient",
  "model_outage",
  "platform_reply_time",
  "sandbox_dns_record",
  "sender_domain_name",
  "test_account",
  "visitor_salt",
  "volume_benchmark",
  "website_name",
  "worker_heartbeat"
]

/** Tests the schema in the system catalog, so that they also apply to future tables. */
layer(TestDatabase)("Schema", (it) => {
  const names = (statement: string) =>
    Effect.flatMap(SqlClient, (sql) =>
      Effect.map(sql.unsafe<{ readonly name: string }>(statement), (rows) => rows.map(({ name }) => name))
    )
  const tables = `select c.oid, c.relname from pg_class c
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace`
  const firstColumn = (relation: string, numbers: string) =>
    `coalesce((select attname from pg_attribute where attrelid = ${relation} and attnum = ${numbers}), '')`

  it.effect("the list of tables across accounts names tables that are there", () =>
    Effect.gen(function* () {
      const all = yield* names(`select relname as name from (${tables}) t`)
      assert.deepStrictEqual(
        acrossAccounts.filter((table) => !all.includes(table)),
        []
      )
    })
  )

  it.effect("every table has a primary key", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        yield* names(`select relname as name from (${tables}) t
          where not exists (select from pg_index where indrelid = t.oid and indisprimary) order by 1`),
        []
      )
    })
  )

  it.effect("every unique key begins with the account", () =>
    Effect.gen(function* () {
      const keys = yield* names(`select relname as name from (${tables}) t join pg_index i on i.indrelid = t.oid
        where i.indisunique and ${firstColumn("i.indrelid", "i.indkey[0]")} <> 'account_id' order by 1`)
      assert.deepStrictEqual(
        // A cluster has one more table, which stays empty.
        keys.filter((table) => !acrossAccounts.includes(table) && table !== "coordinator_write"),
        []
      )
    })
  )

  // Otherwise a cluster could not enforce uniqueness.
  it.effect(
    "a table of accounts with a key that is unique over all of them is a directory, or spread by that key",
    () =>
      Effect.gen(function* () {
        const stuck =
          yield* names(`select distinct relname as name from (${tables}) t join pg_index i on i.indrelid = t.oid
        where i.indisunique
          and exists (select from pg_attribute a where a.attrelid = t.oid and a.attname = 'account_id')
          and not exists (select from pg_attribute a where a.attrelid = t.oid and a.attnum = any (i.indkey::int2[])
            and a.attname = 'account_id') order by 1`)
        assert.deepStrictEqual(
          stuck.filter((table) => !directories.includes(table) && !spreadBy.has(table)),
          []
        )
      })
  )

  it.effect("every foreign key begins with the account", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        yield* names(`select k.conname as name from (${tables}) t join pg_constraint k on k.conrelid = t.oid
          where k.contype = 'f' and (${firstColumn("k.conrelid", "k.conkey[1]")} <> 'account_id'
            or ${firstColumn("k.confrelid", "k.confkey[1]")} <> 'account_id') order by 1`),
        []
      )
    })
  )

  // Without it, deleting a row reads all of each referring table.
  it.effect("every foreign key has an index on its referring side", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        yield* names(`select k.conrelid::regclass || ': ' || pg_get_constraintdef(k.oid) as name
          from (${tables}) t join pg_constraint k on k.conrelid = t.oid
          where k.contype = 'f' and not exists (
            select from pg_index i
            where i.indrelid = k.conrelid and i.indisvalid
              and (select array_agg(c order by c) from unnest(k.conkey) c)
                = (select array_agg(c order by c) from unnest((i.indkey::int2[])[0:cardinality(k.conkey) - 1]) c)
              -- An index of those that refer to something at all does as well.
              and (i.indpred is null or exists (
                select from pg_attribute a where a.attrelid = k.conrelid and a.attnum = any (k.conkey)
                  and pg_get_expr(i.indpred, i.indrelid) = format('(%I IS NOT NULL)', a.attname)))
          ) order by 1`),
        []
      )
    })
  )

  it.effect("nothing happens behind a statement: no triggers, no keys that are set to null", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        yield* names(`select tgname as name from (${tables}) t join pg_trigger g on g.tgrelid = t.oid
          where not g.tgisinternal order by 1`),
        []
      )
      assert.deepStrictEqual(
        yield* names(`select k.conname as name from (${tables}) t join pg_constraint k on k.conrelid = t.oid
          where k.contype = 'f' and (k.confdeltype in ('n', 'd') or k.confupdtype <> 'a') order by 1`),
        []
      )
    })
  )
})
