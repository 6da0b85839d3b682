import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/** One digest per table of all data of an account. Two digests are equal only if nothing has changed. */
export const accountDigest = (accountId: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const tables = yield* sql<{ readonly name: string }>`
      select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id'
      -- A partition's rows are its table's, and one may be made meanwhile.
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') and not c.relispartition
      order by 1`
    // One statement for all tables, so that all are read at the same moment.
    const digests = tables.map(
      ({ name }) => sql`
        select ${name} as name, md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as digest
        from ${sql(name)} t where account_id = ${accountId}`
    )
    const rows = yield* sql<{ readonly name: string; readonly digest: string }>`
      ${digests.reduce((all, digest) => sql`${all} union all ${digest}`)}`
    return Object.fromEntries(rows.map(({ digest, name }) => [name, digest]))
  })
