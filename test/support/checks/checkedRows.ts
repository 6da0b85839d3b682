import { Either, ParseResult, Schema } from "effect"
import Result from "pg/lib/result.js"
import { afterEach } from "vitest"
import { CampaignView } from "../../../src/Services/Campaigns/CampaignModel.ts"
import { OutgoingMailRow, TouchFactsRow, VoiceCallRowSchema } from "./wideRows.ts"

/** A row that a wide statement reads: its columns, and what is wrong with one, if anything. */
interface RowSchema {
  readonly name: string
  readonly columns: ReadonlyArray<string>
  readonly faultOf: (row: unknown) => string | undefined
}

const rowSchema = <Fields extends Schema.Struct.Fields>(name: string, schema: Schema.Struct<Fields>): RowSchema => {
  const validate = ParseResult.validateEither(Schema.typeSchema(Schema.Struct(schema.fields)))
  return {
    name,
    columns: Object.keys(schema.fields),
    faultOf: (row) =>
      Either.match(validate(row), {
        onLeft: (error) =>
          ParseResult.ArrayFormatter.formatIssueSync(error)
            .map(({ message, path }) => `${path.join(".")}: ${message}`)
            .join("; "),
        onRight: () => undefined
      })
  }
}

/**
 * The widest rows of the product. Their types only claim what the driver answers. Each such row that any test reads is
 * held against its schema, so that a column that is null, or a text where a number is expected, fails the test.
 */
const rowSchemas: ReadonlyArray<RowSchema> = [
  rowSchema("campaign", CampaignView),
  rowSchema("outgoing mail", OutgoingMailRow),
  rowSchema("voice call", VoiceCallRowSchema),
  rowSchema("touch facts", TouchFactsRow)
]

const schemaOfColumns = new Map<string, RowSchema | undefined>()

/** The schema all of whose columns a result has. */
const schemaOf = (columns: ReadonlyArray<string>): RowSchema | undefined => {
  const key = columns.join()
  if (!schemaOfColumns.has(key)) {
    const names = new Set(columns)
    schemaOfColumns.set(
      key,
      rowSchemas.find((schema) => schema.columns.every((column) => names.has(column)))
    )
  }
  return schemaOfColumns.get(key)
}

const faults: Array<string> = []

/** What is wrong with a row; nothing where its columns are none of a checked row. */
export const faultOfRow = (columns: ReadonlyArray<string>, row: unknown): string | undefined => {
  const schema = schemaOf(columns)
  const fault = schema?.faultOf(row)
  return schema === undefined || fault === undefined ? undefined : `${schema.name}: ${fault}`
}

Result.prototype.addRow = function addRow(row) {
  this.rows.push(row)
  const fault = faultOfRow(
    this.fields.map(({ name }) => name),
    row
  )
  if (fault !== undefined) faults.push(fault)
}

afterEach(() => {
  const found = faults.splice(0)
  if (found.length > 0) throw new Error(`A row is not what its type says. ${found[0]}`)
})
