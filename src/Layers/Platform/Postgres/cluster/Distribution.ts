import { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import { Effect } from "effect"
import { type Refused, refused } from "../../../../Errors.ts"
import { extensions } from "../PlatformMigration.ts"
import { single } from "../Sql.ts"
import { knownTable } from "./TwoPhases.ts"

/**
 * Tables that are searched before the account is known, or that rows of all accounts refer to. Each node has a copy, so
 * a change to one waits for all nodes.
 */
export const directories: ReadonlyArray<string> = [
  "access_token",
  "account",
  "account_phone",
  "chatapp_provider_line",
  "former_handle",
  "mail_recipient",
  "model_outage",
  "platform_reply_time",
  "sender_domain_name",
  "test_account",
  "website_name"
]

/** Tables that are distributed by a column other than the account. */
export const spreadBy: ReadonlyMap<string, string> = new Map([["dialed_number", "phone_key"]])

interface Table {
  readonly name: string
  readonly hasAccount: boolean
  /** Unique keys that lack the distribution column. */
  readonly obstacles: ReadonlyArray<string>
}

interface ForeignKey {
  readonly table: string
  readonly name: string
  readonly definition: string
}

const notCitus = refused(
  "not_citus",
  "This database is no Citus coordinator.",
  "Create the extension citus in this database and in the workers' databases of the same name, and add the workers with citus_add_node."
)

const noWorkers = refused(
  "no_workers",
  "The coordinator knows no worker.",
  "Add the workers with citus_set_coordinator_host and citus_add_node."
)

const cannotSpread = ({ name, obstacles }: Table) =>
  refused(
    "cannot_distribute",
    `The table ${name} cannot be spread over the nodes: ${obstacles.join(", ")} has no account_id.`,
    "Put account_id into the key, or make the table a directory."
  )

/** Returns whether the server can distribute the tables of this database. */
export const isCoordinator: Effect.Effect<boolean, SqlError, SqlClient> = Effect.flatMap(SqlClient, (sql) =>
  Effect.map(
    sql<{ readonly found: boolean }>`select exists (select from pg_extension where extname = 'citus') as found`,
    (rows) => single(rows).found
  )
)

const workersOf = (sql: SqlClient) => sql`select node_name from citus_get_active_worker_nodes()`

/** Returns whether there are nodes to distribute tables to. */
export const hasWorkers: Effect.Effect<boolean, SqlError, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  return (yield* isCoordinator) && (yield* workersOf(sql)).length > 0
})

/** Reads where each table is. */
const placements = (sql: SqlClient) =>
  Effect.map(
    sql<{ readonly name: string; readonly spread_by: string | null }>`
      select logicalrelid::text as name,
        case when partmethod = 'h' then column_to_column_name(logicalrelid, partkey) end as spread_by
      from pg_dist_partition where logicalrelid::regclass::text not like '%.%' and (partmethod, repmodel) <> ('n', 's') order by 2 nulls first, 1`,
    (rows) =>
      rows.map(({ name, spread_by }) => `${name}: ${spread_by === null ? "on every node" : `spread by ${spread_by}`}`)
  )

/**
 * Reads the tables that are not distributed yet. Tables without an account that are not directories stay on the
 * coordinator.
 */
const unplaced = (sql: SqlClient) =>
  sql<Table>`
    select c.relname as name,
      exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'account_id' and not a.attisdropped)
        as "hasAccount",
      array(
        select i.indexrelid::regclass::text from pg_index i where i.indrelid = c.oid and i.indisunique and not exists (
          select from pg_attribute a where a.attrelid = c.oid and a.attnum = any (i.indkey::int2[])
            and a.attname = 'account_id')
      ) as obstacles
    from pg_class c
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
      and not exists (select from pg_dist_partition d where d.logicalrelid = c.oid)
    order by c.relname`

const foreignKeysOf = (sql: SqlClient, tables: ReadonlyArray<string>) =>
  sql<ForeignKey>`
    select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace
      and conrelid::regclass::text = any(${tables}) order by 1, 2`

/**
 * Distributes the functions that statements on the nodes may call. Those `of tables`, which indexes, columns and checks
 * use, must exist before the tables. The others read tables, so they must come after them.
 */
const distributeFunctions = (sql: SqlClient, which: "of tables" | "all") =>
  sql`
    select create_distributed_function(p.oid::regprocedure) from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
      and not exists (select from pg_depend d
        where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
      and not exists (select from pg_dist_object o where o.classid = 'pg_proc'::regclass and o.objid = p.oid)
      and (${which === "all"} or exists (select from pg_depend d
        where d.refclassid = 'pg_proc'::regclass and d.refobjid = p.oid
          and d.classid in ('pg_class'::regclass, 'pg_attrdef'::regclass, 'pg_constraint'::regclass)))`

/**
 * Analyzes the tables. Nodes receive no statistics with the rows, so they would plan for empty tables until their next
 * automatic analyze.
 */
const lookedAt = (sql: SqlClient, tables: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const session = yield* sql.reserve
    const run = (text: string) => session.executeUnprepared(text, [], undefined)
    yield* Effect.acquireRelease(run("set statement_timeout = 0"), () => Effect.orDie(run("reset statement_timeout")))
    for (const table of tables) yield* run(`vacuum (analyze) "${table}"`)
  })

/**
 * Distributes the tables that are not distributed yet: directories are copied to all nodes, and all rows of an account
 * go to one node. It runs in one transaction, moves existing rows, and can be repeated. Returns where each table is.
 */
export const distribute: Effect.Effect<ReadonlyArray<string>, Refused | SqlError, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  if (!(yield* isCoordinator)) return yield* notCitus
  if ((yield* workersOf(sql)).length === 0) return yield* noWorkers

  const place = Effect.gen(function* () {
    yield* sql`set local statement_timeout = 0`
    yield* sql`set local citus.multi_shard_modify_mode to 'sequential'`
    const tables = yield* unplaced(sql)
    const copied = tables.filter(({ name }) => directories.includes(name))
    const others = tables.filter(({ name }) => spreadBy.has(name))
    const spread = tables.filter((table) => table.hasAccount && !copied.includes(table) && !others.includes(table))
    const stuck = spread.find(({ obstacles }) => obstacles.length > 0)
    if (stuck !== undefined) return yield* cannotSpread(stuck)
    const moved = [...copied, ...spread, ...others].map(({ name }) => name)
    if (moved.length === 0) return moved

    // If the database was filled before it had the Citus extension, its nodes do not have these functions yet.
    yield* distributeFunctions(sql, "of tables")
    const keys = yield* foreignKeysOf(sql, moved)
    for (const key of keys) yield* sql`alter table ${sql(key.table)} drop constraint ${sql(key.name)}`
    for (const { name } of copied) yield* sql`select create_reference_table(${name}::regclass)`
    const together = yield* sql<{ readonly name: string }>`
      select d.logicalrelid::text as name from pg_dist_partition d join pg_attribute a on a.attrelid = d.logicalrelid
      where d.partmethod = 'h' and a.attname = 'account_id' and d.logicalrelid::text <> all(${[...spreadBy.keys()]})
      order by 1 limit 1`
    let first = together[0]?.name
    for (const { name } of spread) {
      yield* sql`select create_distributed_table(${name}::regclass, 'account_id', colocate_with => ${first ?? "none"})`
      first ??= name
    }
    for (const { name } of others) {
      yield* sql`select create_distributed_table(${name}::regclass, ${spreadBy.get(name)}, colocate_with => 'none')`
    }
    for (const { definition, name, table } of keys) {
      yield* sql`alter table ${sql(table)} add constraint ${sql(name)} ${sql.literal(definition)}`
    }
    yield* distributeFunctions(sql, "all")
    return moved
  })

  // Extensions that were created before the database became a coordinator are missing on its nodes.
  for (const extension of extensions) yield* sql`create extension if not exists ${sql(extension)}`
  for (const statement of knownTable) yield* sql.unsafe(statement)
  const moved = yield* sql.withTransaction(place)
  // The coordinator's old copies of these rows are no longer visible but still use disk space.
  for (const name of moved) yield* sql`select truncate_local_data_after_distributing_table(${name}::regclass)`
  if (moved.length > 0) yield* Effect.scoped(lookedAt(sql, moved))
  return yield* placements(sql)
})
