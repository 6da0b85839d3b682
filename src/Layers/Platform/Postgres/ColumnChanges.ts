import type { SqlClient } from "@effect/sql/SqlClient"
import { type Schema, Struct } from "effect"

/** Returns the columns of a schema's fields. They have the fields' names. */
export const columnsOf = (schema: { readonly fields: Schema.Struct.Fields }): ReadonlyArray<string> =>
  Struct.keys(schema.fields)

/**
 * Returns the select list for this schema, from the table `alias` or from the only table. Fields that are computed,
 * renamed or in another table get the SQL of their value.
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

/**
 * Returns the select list of rows without a schema, from the SQL of each field. The compiler ensures that none is
 * missing.
 */
export const selectedAs = <Row extends object>(values: { readonly [K in keyof Row]-?: string }): string =>
  Object.entries<string>(values)
    .map(([name, value]) => `${value} as "${name}"`)
    .join(", ")

/**
 * Returns the assignments that write `changes` to the row `alias`. A column whose value is `undefined` keeps its value.
 * The text is the same for any set of changes, so that sessions prepare a single statement.
 */
export const assign = (sql: SqlClient, alias: string, columns: ReadonlyArray<string>, changes: object) =>
  sql`(${sql.literal(columns.join(", "))}) = (
    select ${sql.literal(columns.map((column) => `changed.${column}`).join(", "))}
    from jsonb_populate_record(${sql.literal(alias)}, ${JSON.stringify(changes)}::jsonb) changed)`
