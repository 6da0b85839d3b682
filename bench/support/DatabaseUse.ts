import { Effect } from "effect"
import type pg from "pg"
import { startServerWith } from "./BenchDatabase.ts"
import { processorMicros } from "./ServerProcess.ts"

/** The name that a gateway's sessions have in the database. Those of its job engine begin with it. */
export const applicationName = "prospecting-gateway"

/** Settings of a server that counts statements. */
const countingStatements = {
  shared_preload_libraries: "pg_stat_statements",
  "pg_stat_statements.track": "top"
}

/** A separate server whose work per operation can be read by `databaseUse`. */
export const startCountingServer = startServerWith(countingStatements)

/** What a database has done so far. */
export interface DatabaseUse {
  /** Processor time of the processes that serve sessions, in microseconds, by process id. */
  readonly sessions: ReadonlyMap<number, number>
  /** Bytes of the write-ahead log, of the whole server. */
  readonly walBytes: number
  /** With `begin` and `commit`; without those inside functions. */
  readonly statements: number
}

/** Call it once for each database, before `databaseUse`. */
export const prepareUse = (client: pg.Client) =>
  Effect.promise(() => client.query("create extension if not exists pg_stat_statements"))

/** What the sessions whose name begins with `name` have used, and what the server wrote. */
export const databaseUse = (client: pg.Client, name: string = applicationName) =>
  Effect.promise(async (): Promise<DatabaseUse> => {
    const { rows } = await client.query<{ pids: Array<number>; wal: string; statements: string }>(
      `select array(select pid from pg_stat_activity where application_name like $1 || '%') as pids,
        pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as wal,
        (select coalesce(sum(s.calls), 0) from pg_stat_statements s join pg_database d on d.oid = s.dbid
          where d.datname = current_database()) as statements`,
      [name]
    )
    const [row] = rows
    const pids = row?.pids ?? []
    const sessions = new Map(await Promise.all(pids.map(async (pid) => [pid, await processorMicros(pid)] as const)))
    return { sessions, walBytes: Number(row?.wal), statements: Number(row?.statements) }
  })

/** What each of `operations` used. */
export interface UsePerOperation {
  readonly databaseMicros: number
  readonly walBytes: number
  readonly statements: number
}

/** Sessions that were opened in between count from their start. Sessions that were closed are not counted. */
export const usePerOperation = (before: DatabaseUse, after: DatabaseUse, operations: number): UsePerOperation => {
  const micros = [...after.sessions].reduce((sum, [pid, spent]) => sum + spent - (before.sessions.get(pid) ?? 0), 0)
  return {
    databaseMicros: micros / operations,
    walBytes: (after.walBytes - before.walBytes) / operations,
    statements: (after.statements - before.statements) / operations
  }
}
