import type { SqlClient } from "@effect/sql/SqlClient"
import { type Schema, Struct } from "effect"

/** The columns that a schema's fields are stored in, which have the same names. */
export const columnsOf = (schema: { readonly fields: Schema.Struct.Fields }): ReadonlyArray<string> =>
  Struct.keys(schema.fields)

/**
 * What to select from the table `alias`, or from the only one, for an answer of this schema: the columns of the same
 * names, and for fields that are computed, have another name, or stand in another table, the SQL of their value.
 */
export const selectedColumns = <F extends Schema.Struct.Fields>(
  schema: { readonly fields: F },
  alias: string | undefined,
  computed: { readonly [K in keyof F]?: string } = {}
): string =>
  Struct.keys(schema.fields)
    .map((field) => {
      const name = String(field)
      const value = computed[field]
      if (value !== undefined) return `${value} as "${name}"`
      return alias === undefined ? name : `${alias}.${name}`
    })
    .join(", ")

/** What to select for rows that no schema has the fields of: the SQL of each of them, of which the compiler misses none. */
export const selectedAs = <Row extends object>(values: { readonly [K in keyof Row]-?: string }): string =>
  Object.entries<string>(values)
    .map(([name, value]) => `${value} as "${name}"`)
    .join(", ")

/**
 * The assignment that writes `changes` over the row `alias`: columns whose value is `undefined` stay as they are. One
 * text for any set of changes, so that sessions prepare one statement and not one for each combination.
 */
export const assign = (sql: SqlClient, alias: string, columns: ReadonlyArray<string>, changes: object) =>
  sql`(${sql.literal(columns.join(", "))}) = (
    select ${sql.literal(columns.map((column) => `changed.${column}`).join(", "))}
    from jsonb_populate_record(${sql.literal(alias)}, ${JSON.stringify(changes)}::jsonb) changed)`
