import { Effect } from "effect"
import type { ClientBase } from "pg"
import { type BackupError, systemError } from "../../Services/Backups/BackupError.ts"
import type { TableDigest } from "../../Services/Backups/BackupManifest.ts"

/** With these settings, rows have the same text on every server. */
const canonical = `
set statement_timeout = 0;
set search_path = pg_catalog;
set timezone = 'UTC';
set datestyle = 'ISO, YMD';
set intervalstyle = 'iso_8601';
set bytea_output = 'hex';
set extra_float_digits = 1;`

/**
 * Tables that store rows. Unlogged tables are left out, because a crash empties them. Tables of extensions are left out
 * too.
 */
const tablesWithRows = `
select format('%I.%I', n.nspname, c.relname) as table
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relkind = 'r' and c.relpersistence = 'p'
  and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
  and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
order by 1`

/** The sum of the rows' hashes. Hashing them in order would require a sort. */
const digestOf = (table: string) => `
select count(*)::text as rows,
  coalesce(sum(('x' || left(h, 16))::bit(64)::bigint::numeric), 0) || ':' ||
  coalesce(sum(('x' || right(h, 16))::bit(64)::bigint::numeric), 0) as digest
from (select md5(digested_row::text) as h from only ${table} digested_row) hashed`

/** The digests of all tables, as the session's transaction sees them. */
export const digestTables = (client: ClientBase): Effect.Effect<ReadonlyArray<TableDigest>, BackupError> =>
  Effect.tryPromise({
    try: async () => {
      await client.query(canonical)
      const { rows: tables } = await client.query<{ readonly table: string }>(tablesWithRows)
      const digests: Array<TableDigest> = []
      for (const { table } of tables) {
        const { rows } = await client.query<{ readonly rows: string; readonly digest: string }>(digestOf(table))
        for (const { digest, rows: count } of rows) digests.push({ table, rows: count, digest })
      }
      return digests
    },
    catch: systemError("The tables cannot be compared")
  })
