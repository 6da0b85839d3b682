/**
 * A cluster commits first on the node that a transaction has written on, then on the coordinator: who dies in between leaves
 * an account's rows without the tasks of the same transaction, which are the coordinator's own. Where a table of the
 * coordinator's that the cluster knows is written as well, it prepares the node first: this one, which stays empty.
 */
const table = "coordinator_write"

/** Makes the table, and makes the cluster know it. */
export const knownTable: ReadonlyArray<string> = [
  `create table if not exists ${table} (coordinator_write_id integer primary key)`,
  `select citus_add_local_table_to_metadata('${table}')
    where not exists (select from pg_dist_partition where logicalrelid = '${table}'::regclass)`
]

/** Before a commit: where the transaction has written on the coordinator, it is one of two phases. */
export const inTwoPhases = `do $$ begin
  if pg_current_xact_id_if_assigned() is not null and to_regclass('${table}') is not null then
    delete from ${table} where coordinator_write_id = 0;
  end if;
end $$`
