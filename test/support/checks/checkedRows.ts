import { Either, ParseResult, Schema } from "effect"
import Result from "pg/lib/result.js"
import { afterEach } from "vitest"
import { CampaignView } from "../../../src/Services/Campaigns/CampaignModel.ts"
import { OutgoingMailRow, TouchFactsRow, VoiceCallRowSchema } from "./wideRows.ts"

/** A row of a wide statement: its columns, and its first problem, if there is one. */
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
 * The product's widest rows. Their types only claim what the driver returns. Each such row that any test reads is
 * checked against its schema, so that an unexpected null or type fails the test.
 */
const rowSchemas: ReadonlyArray<RowSchema> = [
  rowSchema("campaign", CampaignView),
  rowSchema("outgoing mail", OutgoingMailRow),
  rowSchema("voice call", VoiceCallRowSchema),
  rowSchema("touch facts", TouchFactsRow)
]

const schemaOfColumns = new Map<string, RowSchema | undefined>()

/** The schema whose columns are all in the result. */
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

/** What is wrong with a row. Undefined if no schema applies to its columns. */
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
  const currentFaults = faults.splice(0)
  if (currentFaults.length > 0) throw new Error(`A row is not what its type says. ${currentFaults[0]}`)
})
