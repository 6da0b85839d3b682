import type { SqlClient } from "@effect/sql/SqlClient"
import { type Schema, Struct } from "effect"

/** The columns of a schema's fields, which have the same names. */
export const columnsOf = (schema: { readonly fields: Schema.Struct.Fields }): ReadonlyArray<string> =>
  Struct.keys(schema.fields)

/**
 * The select list of the table `alias`, or of the only table, for this schema. Fields that are computed, renamed or in
 * another table get the SQL of their value.
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

/** The select list of rows without a schema: the SQL of each field. The compiler ensures that none is missing. */
export const selectedAs = <Row extends object>(values: { readonly [K in keyof Row]-?: string }): string =>
  Object.entries<string>(values)
    .map(([name, value]) => `${value} as "${name}"`)
    .join(", ")

/**
 * The assignments that write `changes` to the row `alias`. A column whose value is `undefined` keeps its value. The
 * text is the same for any set of changes, so that sessions prepare a single statement.
 */
export const assign = (sql: SqlClient, alias: string, columns: ReadonlyArray<string>, changes: object) =>
  sql`(${sql.literal(columns.join(", "))}) = (
    select ${sql.literal(columns.map((column) => `changed.${column}`).join(", "))}
    from jsonb_populate_record(${sql.literal(alias)}, ${JSON.stringify(changes)}::jsonb) changed)`
