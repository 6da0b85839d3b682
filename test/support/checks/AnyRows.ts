import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { type AccountTable, accountTables } from "../../../src/Layers/Platform/Postgres/AccountTables.ts"

interface Column {
  readonly name: string
  readonly type: string
  /** What a check of the column allows, if it lists texts. */
  readonly allowed: ReadonlyArray<string>
}

interface Reference {
  readonly columns: ReadonlyArray<string>
  readonly target: string
  readonly targetColumns: ReadonlyArray<string>
}

/** Columns that a new row must have a value for. */
const requiredColumns = (table: string) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql<Column>`
      select a.attname::text as name, format_type(a.atttypid, null) as type, coalesce((
        select array_agg(m.text[1]) from pg_constraint k
          cross join lateral regexp_matches(pg_get_constraintdef(k.oid), '''([^'']*)''::text', 'g') m (text)
        where k.conrelid = a.attrelid and k.contype = 'c' and k.conkey = array[a.attnum]), '{}') as allowed
      from pg_attribute a
      where a.attrelid = ${table}::regclass and a.attnum > 0 and not a.attisdropped and a.attnotnull and not a.atthasdef
        and a.attidentity = '' and a.attgenerated = '' and a.attname <> 'account_id'`
  )

const referencesOf = (table: string) =>
  Effect.flatMap(SqlClient, (sql) => {
    const names = (relation: string, numbers: string) =>
      sql.literal(`(select array_agg(a.attname::text order by c.place) from unnest(${numbers}) with ordinality c (number, place)
        join pg_attribute a on a.attrelid = ${relation} and a.attnum = c.number)`)
    return sql<Reference>`
      select ${names("k.conrelid", "k.conkey")} as columns, k.confrelid::regclass::text as target,
        ${names("k.confrelid", "k.confkey")} as "targetColumns"
      from pg_constraint k where k.conrelid = ${table}::regclass and k.contype = 'f'`
  })

/** Some value of the type. Variants differ in which of the allowed texts they take. */
const valueOf = ({ allowed, type }: Column, variant: number): string | number | boolean | Uint8Array => {
  const listed = allowed[variant % Math.max(allowed.length, 1)]
  if (listed !== undefined) return listed
  if (type === "text") return `any ${variant}`
  if (type === "boolean") return true
  if (type === "bytea") return Buffer.alloc(32, 1)
  if (type === "uuid") return "01890000-0000-7000-8000-000000000001"
  if (type === "date") return "2026-01-02"
  if (type.startsWith("timestamp")) return "2026-01-02T10:00:00Z"
  if (type === "jsonb") return "{}"
  return type.endsWith("[]") ? "{}" : 1
}

const variants = [0, 1, 2, 3]

const addRow = (accountId: number, { name }: AccountTable) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const columns = yield* requiredColumns(name)
    const referenced: { [column: string]: unknown } = {}
    for (const { columns: referring, target, targetColumns } of yield* referencesOf(name)) {
      const rows = yield* sql<{ readonly [column: string]: unknown }>`
        select * from ${sql(target)} where account_id = ${accountId} limit 1`
      for (const [index, column] of referring.entries()) {
        const value = rows[0]?.[targetColumns[index] ?? ""]
        if (column !== "account_id" && value !== undefined) referenced[column] = value
      }
    }
    for (const variant of variants) {
      const row: { [column: string]: unknown } = { account_id: accountId }
      for (const column of columns) row[column.name] = referenced[column.name] ?? valueOf(column, variant)
      const inserted = yield* Effect.option(sql.withTransaction(sql`insert into ${sql(name)} ${sql.insert(row)}`))
      if (inserted._tag === "Some") return true
    }
    return false
  })

/** Makes a row in each table of the account that has none. Returns the tables where no row can be made like this. */
export const fillTables = (accountId: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    let empty: ReadonlyArray<AccountTable> = yield* accountTables(sql)
    // A row may refer to one of a table that comes later.
    for (const _ of variants) {
      const left: Array<AccountTable> = []
      for (const table of empty) {
        const rows = yield* sql`select from ${sql(table.name)} where account_id = ${accountId} limit 1`
        if (rows.length === 0 && !(yield* addRow(accountId, table))) left.push(table)
      }
      empty = left
    }
    return empty.map(({ name }) => name)
  })
