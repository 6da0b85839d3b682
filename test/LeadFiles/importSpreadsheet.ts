import * as fs from "node:fs"
import * as path from "node:path"
import { SqlClient } from "@effect/sql/SqlClient"
import { Duration, Effect, Layer } from "effect"
import { AccountEventsPostgres } from "../../src/Layers/Events/AccountEventsPostgres.ts"
import { defaultLimits } from "../../src/Layers/LeadFiles/LeadFileReader/Limits.ts"
import { make as makeReader } from "../../src/Layers/LeadFiles/LeadFileReader.ts"
import { LeadImportsPostgres } from "../../src/Layers/LeadFiles/LeadImportsPostgres.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { uploadCustomerFile } from "../../src/Services/Files/CustomerFileUpload.ts"
import { LeadFileReader } from "../../src/Services/LeadFiles/LeadFile.ts"
import { LeadImports } from "../../src/Services/LeadFiles/LeadImports.ts"
import { OutboundHttp } from "../../src/Services/Outbound/OutboundHttp.ts"
import { LeadServices } from "../support/leads/LeadServices.ts"
import { as, makeAccount } from "../support/TestAccount.ts"

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

/** Imports without internet. */
export const importServices = LeadImportsPostgres.pipe(
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

/** Imports a spreadsheet into a fresh account of this country. Returns its rows, columns and leads. */
export const importSpreadsheet = (file: URL, country: keyof typeof ownerPhones) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const unit = yield* UnitOfWork
    const imports = yield* LeadImports
    const caller = yield* makeAccount()
    const me = as(caller)
    yield* sql`
      update account set phone = ${ownerPhones[country]} where account_id = ${caller.accountId}`
    const contentBase64 = fs.readFileSync(file).toString("base64")
    const uploaded = yield* me(
      uploadCustomerFile({ fileName: path.basename(file.pathname), text: undefined, contentBase64, url: undefined })
    )
    const { job_id, lead_import_id } = yield* me(
      unit.write(
        imports.start({
          source: { _tag: "File", customerFileId: uploaded.customer_file_id },
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
