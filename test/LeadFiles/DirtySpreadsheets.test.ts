import * as fs from "node:fs"
import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Layer, Schema } from "effect"
import { AccountEventsPostgres } from "../../src/Layers/Events/AccountEventsPostgres.ts"
import { defaultLimits } from "../../src/Layers/LeadFiles/LeadFileReader/Limits.ts"
import { make as makeReader } from "../../src/Layers/LeadFiles/LeadFileReader.ts"
import { LeadImportsPostgres } from "../../src/Layers/LeadFiles/LeadImportsPostgres.ts"
import { UnitOfWork } from "../../src/Services/Core/UnitOfWork.ts"
import { uploadCustomerFile } from "../../src/Services/Files/CustomerFileUpload.ts"
import { LeadFileReader } from "../../src/Services/LeadFiles/LeadFile.ts"
import { LeadImports } from "../../src/Services/LeadFiles/LeadImports.ts"
import { OutboundHttp } from "../../src/Services/Outbound/OutboundHttp.ts"
import { LeadServices } from "../support/leads/LeadServices.ts"
import { as, makeAccount } from "../support/TestAccount.ts"

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

/** The owner's phone says the account's country. */
const ownerPhones = {
  BR: "+5511999990000",
  ES: "+34600000000",
  MX: "+525512345678",
  US: "+14155550100",
  GB: "+447700900000"
}

const noInternet = Layer.succeed(
  OutboundHttp,
  OutboundHttp.of({ stream: () => Effect.dieMessage("no request"), request: () => Effect.dieMessage("no request") })
)

// The thread that reads workbooks has a low priority, and tests run next to each other.
const reader = Layer.effect(LeadFileReader, makeReader({ ...defaultLimits, batchTimeout: Duration.minutes(10) }))

const services = LeadImportsPostgres.pipe(
  Layer.provideMerge(AccountEventsPostgres),
  Layer.provideMerge(reader),
  Layer.provideMerge(noInternet),
  Layer.provideMerge(LeadServices)
)

interface StoredLead {
  readonly lead_id: number
  readonly email: string | null
  readonly phone: string | null
  readonly country: string | null
  readonly state: string | null
  readonly city: string | null
}

/** Imports a spreadsheet into a fresh account, and returns its leads by the file's row. */
const importSpreadsheet = (fileName: string, country: keyof typeof ownerPhones) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const unit = yield* UnitOfWork
    const imports = yield* LeadImports
    const caller = yield* makeAccount()
    const me = as(caller)
    yield* sql`
      update account set phone = ${ownerPhones[country]} where account_id = ${caller.accountId}`
    const contentBase64 = fs.readFileSync(new URL(fileName, folder)).toString("base64")
    const file = yield* me(uploadCustomerFile({ fileName, text: undefined, contentBase64, url: undefined }))
    const { job_id, lead_import_id } = yield* me(
      unit.write(
        imports.start({
          source: { _tag: "File", customerFileId: file.customer_file_id },
          status: "Cold",
          campaign: undefined,
          preferredChannel: undefined,
          instructions: undefined,
          firstMessageInstructions: undefined,
          background: undefined,
          goal: undefined
        })
      )
    )
    yield* me(
      imports.run({
        accountId: caller.accountId,
        jobId: job_id,
        subjectId: undefined,
        attempt: 1,
        setProgress: () => Effect.void,
        checkpoint: Effect.void
      })
    )
    const { rows } = yield* me(imports.rows(lead_import_id, { page: 0, pageSize: 1000 }))
    const columns = yield* me(imports.columns(lead_import_id))
    const leads = yield* sql<StoredLead>`
      select lead_id, email, phone, country, state, city from lead where account_id = ${caller.accountId}`
    const leadById = new Map(leads.map((lead) => [lead.lead_id, lead]))
    return { rows, columns, leadById }
  })

/** Counts from the first row of the file. A title above the header is the only line that is left out before it. */
const headerRows: { readonly [file: string]: number } = {
  "brazil-clinics.csv": 4,
  "brazil-law-offices.csv": 1,
  "spanish-and-mexican-shops.xlsx": 2,
  "mexico-shops.xlsx": 3,
  "us-and-uk-agencies.csv": 3,
  "uk-agencies.csv": 1
}

layer(services, { excludeTestServices: true })("a spreadsheet as people keep it", (it) => {
  for (const fileName of spreadsheets) {
    it.effect(`keeps its usable rows: ${fileName}`, () =>
      Effect.gen(function* () {
        const expectedFile = new URL(fileName.replace(/\.\w+$/, ".expected.json"), folder)
        const expected = yield* Schema.decode(Expected)(fs.readFileSync(expectedFile, "utf8"))
        const { columns, leadById, rows } = yield* importSpreadsheet(fileName, expected.account_country)
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
