import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Chunk, Effect, Layer, Option, Schema, Stream } from "effect"
import { PresentationsPostgres } from "../../src/Layers/Presentations/PresentationsPostgres.ts"
import { ProspectingConfigPostgres } from "../../src/Layers/Prospecting/ProspectingConfigPostgres.ts"
import { CustomerFiles } from "../../src/Services/Files/CustomerFiles.ts"
import { MailDomain } from "../../src/Services/Leads/LeadEmails.ts"
import { LeadPresentation } from "../../src/Services/Presentations/Presentations.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import * as Tool from "../../src/Tools/Core/Tool.ts"
import { createLeadPresentation } from "../../src/Tools/Presentations/CreateLeadPresentation.ts"
import { insertCampaign, insertLead, LeadServices } from "../support/leads/LeadServices.ts"
import { as, callTool, makeAccount } from "../support/TestAccount.ts"
import { testBaseUrl } from "../support/TestSettings.ts"
import { answerOf } from "../support/ToolAnswer.ts"

const catalog = Catalog.make([Tool.group("Lead operations", "", [createLeadPresentation])])
const create = (lead_id: number) =>
  Effect.flatMap(answerOf(catalog, "create_lead_presentation", { lead_id }), Schema.decodeUnknown(LeadPresentation))
const failure = (lead_id: number) => Effect.flip(callTool(catalog, "create_lead_presentation", { lead_id }))

const Services = PresentationsPostgres.pipe(
  Layer.provideMerge(ProspectingConfigPostgres),
  Layer.provide(Layer.succeed(MailDomain, "mail.example")),
  Layer.provideMerge(LeadServices)
)

const filesOf = (accountId: number) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql<{ readonly id: number }>`
      select customer_file_id as id from customer_file where account_id = ${accountId}`
  )

layer(Services, { excludeTestServices: true })("create_lead_presentation", (it) => {
  it.effect("makes a PDF that whoever has the address can read, once for a lead", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const me = as(caller)
      const lead = yield* me(insertLead({ name: "Ana/Souza", company: "Clínica <b>Sorriso</b>" }))
      const first = yield* me(create(lead))
      assert.deepInclude(first, { lead_id: lead, created: true })
      assert.deepInclude(first.file, { media_type: "application/pdf" })
      assert.match(first.presentation_url, new RegExp(`^${testBaseUrl}/files/[A-Za-z0-9_-]{43}/[^/]+\\.pdf$`))
      const key = first.presentation_url.split("/").at(-2) ?? ""
      const files = yield* CustomerFiles
      const found = Option.getOrThrow(yield* files.findByDownloadKey(key))
      const bytes = Buffer.concat(Chunk.toReadonlyArray(yield* Stream.runCollect(found.bytes)))
      assert.strictEqual(bytes.subarray(0, 5).toString(), "%PDF-")
      assert.strictEqual(bytes.length, first.file.size_bytes)
      assert.deepStrictEqual(yield* me(create(lead)), { ...first, created: false })
      assert.lengthOf(yield* filesOf(caller.accountId), 1)
    })
  )

  it.effect("leaves one file where several calls make it at once", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const me = as(caller)
      const lead = yield* me(insertLead())
      const made = yield* Effect.all([me(create(lead)), me(create(lead)), me(create(lead))], {
        concurrency: "unbounded"
      })
      assert.strictEqual(new Set(made.map(({ presentation_url }) => presentation_url)).size, 1)
      assert.strictEqual(made.filter(({ created }) => created).length, 1)
      assert.lengthOf(yield* filesOf(caller.accountId), 1)
    })
  )

  it.effect("makes another one where the file was removed", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const lead = yield* me(insertLead())
      const first = yield* me(create(lead))
      const files = yield* CustomerFiles
      yield* me(files.remove(first.file.customer_file_id))
      const second = yield* me(create(lead))
      assert.isTrue(second.created)
      assert.notStrictEqual(second.presentation_url, first.presentation_url)
    })
  )

  it.effect("is refused where presentations are off, the campaign's word before the account's", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const me = as(caller)
      const off = yield* me(insertCampaign("Off", { generate_custom_presentations: false }))
      const on = yield* me(insertCampaign("On", { generate_custom_presentations: true }))
      const ofAccount = yield* me(insertLead())
      const ofOff = yield* me(insertLead({ campaign_id: off }))
      const ofOn = yield* me(insertLead({ campaign_id: on }))
      assert.deepInclude(yield* me(failure(ofOff)), { _tag: "Refused", reason: "presentations_off" })
      yield* sql`update prospecting_config set generate_presentations = false where account_id = ${caller.accountId}`
      assert.deepInclude(yield* me(failure(ofAccount)), { _tag: "Refused", reason: "presentations_off" })
      assert.isTrue((yield* me(create(ofOn))).created)
      assert.lengthOf(yield* filesOf(caller.accountId), 1)
    })
  )

  it.effect("finds no lead of another account", () =>
    Effect.gen(function* () {
      const lead = yield* as(yield* makeAccount())(insertLead())
      const stranger = as(yield* makeAccount())
      assert.deepInclude(yield* stranger(failure(lead)), { _tag: "NotFound", reason: "lead_not_found" })
    })
  )
})
