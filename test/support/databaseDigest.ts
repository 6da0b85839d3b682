import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/** One digest per table of everything an account has: two digests are equal only if nothing of it changed. */
export const accountDigest = (accountId: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const tables = yield* sql<{ readonly name: string }>`
      select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'account_id' order by 1`
    // One statement for all tables: one round trip, and one moment.
    const digests = tables.map(
      ({ name }) => sql`
        select ${name} as name, md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as digest
        from ${sql(name)} t where account_id = ${accountId}`
    )
    const rows = yield* sql<{ readonly name: string; readonly digest: string }>`
      ${digests.reduce((all, digest) => sql`${all} union all ${digest}`)}`
    return Object.fromEntries(rows.map(({ digest, name }) => [name, digest]))
  })
