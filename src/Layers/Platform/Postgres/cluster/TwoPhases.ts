/**
 * Citus commits on the node first and then on the coordinator. A crash in between would keep an account's rows but lose
 * the tasks of the same transaction, which are on the coordinator. If the transaction also writes to a coordinator
 * table that Citus knows, Citus uses a two-phase commit. This table is for that purpose, and stays empty.
 */
const table = "coordinator_write"

/** Creates the table and registers it with Citus. */
export const knownTable: ReadonlyArray<string> = [
  `create table if not exists ${table} (coordinator_write_id integer primary key)`,
  `select citus_add_local_table_to_metadata('${table}')
    where not exists (select from pg_dist_partition where logicalrelid = '${table}'::regclass)`
]

/** Runs before a commit. It makes the commit two-phase if the transaction has written on the coordinator. */
export const inTwoPhases = `do $$ begin
  if pg_current_xact_id_if_assigned() is not null and to_regclass('${table}') is not null then
    delete from ${table} where coordinator_write_id = 0;
  end if;
end $$`
