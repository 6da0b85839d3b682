import type { SqlClient } from "@effect/sql/SqlClient"

/** A table whose rows belong to accounts, with its columns that may contain text from people. */
export interface AccountTable {
  readonly name: string
  readonly texts: ReadonlyArray<string>
  /** Columns that are arrays of texts. */
  readonly lists: ReadonlyArray<string>
  readonly json: ReadonlyArray<string>
  /** The columns of `texts` that are part of a key, so two rows cannot have the same value. */
  readonly keys: ReadonlyArray<string>
  readonly bytes: ReadonlyArray<string>
  /** True if the table's rows may belong to a lead. */
  readonly hasLead: boolean
}

/** A column of a table's primary key, with its type. */
export interface KeyColumn {
  readonly table: string
  readonly name: string
  readonly type: string
}

/** Reads the columns of primary keys, in the order of each key. */
export const keysOfTables = (sql: SqlClient) => sql<KeyColumn>`
  select c.relname::text as table, a.attname::text as name, format_type(a.atttypid, null) as type
  from pg_index i join pg_class c on c.oid = i.indrelid
    cross join lateral unnest(i.indkey::int2[]) with ordinality k (column_number, place)
    join pg_attribute a on a.attrelid = c.oid and a.attnum = k.column_number
  where i.indisprimary and c.relnamespace = 'public'::regnamespace and not c.relispartition
  order by c.relname, k.place`

/** Reads all tables of accounts from the database's catalog, without generated columns. */
export const accountTables = (sql: SqlClient) => {
  const columns = (condition: string) =>
    sql.literal(
      `coalesce(array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = '' and ${condition}), '{}')`
    )
  const isText = "a.atttypid in ('text'::regtype, 'varchar'::regtype)"
  return sql<AccountTable>`
    select c.relname::text as name, ${columns(isText)} as texts, ${columns("a.atttypid = 'text[]'::regtype")} as lists,
      ${columns("a.atttypid = 'jsonb'::regtype")} as json, ${columns("a.atttypid = 'bytea'::regtype")} as bytes,
      ${columns(`${isText} and exists (select from pg_index i where i.indrelid = c.oid and i.indisunique
        and a.attnum = any (i.indkey::int2[]))`)} as keys,
      bool_or(a.attname = 'lead_id') as "hasLead"
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and exists (select from pg_attribute o
        where o.attrelid = c.oid and o.attname = 'account_id' and not o.attisdropped)
    group by c.oid, c.relname order by c.relname`
}
