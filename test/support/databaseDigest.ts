import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/** One digest per table of everything an account has: two digests are equal only if nothing of it changed. */
export const accountDigest = (accountId: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const tables = yield* sql<{ readonly name: string }>`
      select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'account_id' order by 1`
    const digests: Record<string, string> = {}
    for (const { name } of tables) {
      const rows = yield* sql<{ readonly digest: string }>`
        select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as digest
        from ${sql(name)} t where account_id = ${accountId}`
      digests[name] = rows[0]?.digest ?? ""
    }
    return digests
  })
