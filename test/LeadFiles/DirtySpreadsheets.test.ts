import * as fs from "node:fs"
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { importServices, importSpreadsheet } from "./importSpreadsheet.ts"

/**
 * Spreadsheets as people keep them, written before the code that reads them. Each has a file with what every row should
 * become. `held_out` files were not looked at while the code was written.
 */
const Expected = Schema.parseJson(
  Schema.Struct({
    account_country: Schema.Literal("BR", "ES", "MX", "US", "GB"),
    held_out: Schema.Boolean,
    rows: Schema.Array(
      Schema.Union(
        Schema.Struct({
          row: Schema.Int,
          outcome: Schema.Literal("created"),
          /** Each of them is right. */
          emails: Schema.Array(Schema.NullOr(Schema.String)),
          phones: Schema.Array(Schema.NullOr(Schema.String)),
          country: Schema.optional(Schema.String),
          state: Schema.optional(Schema.String),
          city: Schema.optional(Schema.String)
        }),
        Schema.Struct({ row: Schema.Int, outcome: Schema.Literal("duplicate", "no_contact") })
      )
    )
  })
)

const folder = new URL("./spreadsheets/", import.meta.url)
const spreadsheets = fs.readdirSync(folder).filter((name) => !name.endsWith(".json"))

/** Counts from the first row of the file. A title above the header is the only line that is left out before it. */
const headerRows: { readonly [file: string]: number } = {
  "brazil-clinics.csv": 4,
  "brazil-law-offices.csv": 1,
  "spanish-and-mexican-shops.xlsx": 2,
  "mexico-shops.xlsx": 3,
  "us-and-uk-agencies.csv": 3,
  "uk-agencies.csv": 1
}

layer(importServices, { excludeTestServices: true })("a spreadsheet as people keep it", (it) => {
  for (const fileName of spreadsheets) {
    it.effect(`keeps its usable rows: ${fileName}`, () =>
      Effect.gen(function* () {
        const expectedFile = new URL(fileName.replace(/\.\w+$/, ".expected.json"), folder)
        const expected = yield* Schema.decode(Expected)(fs.readFileSync(expectedFile, "utf8"))
        const { columns, leadById, rows } = yield* importSpreadsheet(
          new URL(fileName, folder),
          expected.account_country
        )
        const offset = headerRows[fileName] ?? assert.fail("the header's row is not listed")
        const importedRows = new Map(rows.map((row) => [row.row_number + offset, row]))
        const faults: Array<string> = []
        for (const expectedRow of expected.rows) {
          const importedRow = importedRows.get(expectedRow.row)
          const lead = leadById.get(importedRow?.lead_id ?? 0)
          const outcome = importedRow?.outcome === "invalid" ? "no_contact" : importedRow?.outcome
          if (outcome !== expectedRow.outcome) faults.push(`row ${expectedRow.row} is ${outcome}`)
          if (expectedRow.outcome !== "created" || lead === undefined) continue
          const { city, country, emails, phones, state } = expectedRow
          if (!emails.includes(lead.email)) faults.push(`row ${expectedRow.row} has the e-mail ${lead.email}`)
          if (!phones.includes(lead.phone)) faults.push(`row ${expectedRow.row} has the phone ${lead.phone}`)
          const place = [lead.country, lead.state, lead.city]
          const isPlace = [country, state, city].every(
            (part, index) => part === undefined || part === "*" || part === place[index]
          )
          if (!isPlace) faults.push(`row ${expectedRow.row} is in ${place.join(", ")}`)
        }
        assert.deepStrictEqual(faults, [])
        const expectedCount = expected.rows.filter((row) => row.outcome === "created").length
        assert.strictEqual(leadById.size, expectedCount)
        assert.deepStrictEqual(
          columns.filter(({ taken_for }) => taken_for === "email").length > 0 &&
            columns.every(({ header, samples }) => header !== null || samples.length > 0),
          true
        )
      })
    )
  }
})
