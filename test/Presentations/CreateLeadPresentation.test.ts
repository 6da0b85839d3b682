import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Chunk, Effect, Layer, Option, Schema, Stream } from "effect"
import { AccountsPostgres } from "../../src/Layers/Accounts/AccountsPostgres.ts"
import { PresentationsPostgres } from "../../src/Layers/Presentations/PresentationsPostgres.ts"
import { ProspectingConfigPostgres } from "../../src/Layers/Prospecting/ProspectingConfigPostgres.ts"
import { OfferableFilesPostgres } from "../../src/Layers/ProspectingFiles/ProspectingFilesPostgres.ts"
import { CustomerFiles, GeneratedFiles } from "../../src/Services/Files/CustomerFiles.ts"
import { MailDomain } from "../../src/Services/Leads/Email/LeadEmails.ts"
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
  Layer.provideMerge(OfferableFilesPostgres),
  Layer.provideMerge(AccountsPostgres),
  Layer.provideMerge(ProspectingConfigPostgres),
  Layer.provide(Layer.succeed(MailDomain, "mail.example")),
  Layer.provideMerge(LeadServices)
)

/** One white pixel. */
const logo = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==",
  "base64"
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

  it.effect("is made again at its address when what it shows has changed", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const files = yield* CustomerFiles
      const { refresh } = yield* GeneratedFiles
      const caller = yield* makeAccount()
      const me = as(caller)
      const { accountId } = caller
      const lead = yield* me(insertLead({ language: "en" }))
      const first = yield* me(create(lead))
      const id = first.file.customer_file_id
      assert.isFalse(yield* refresh(accountId, id))
      const digests = new Set([first.file.sha256])
      for (const change of [
        sql`insert into prospecting_file (account_id, title, description, is_description_generated, url)
          values (${accountId}, 'Catalogue', 'All our products.', false, 'https://client.example/catalogue.pdf')`,
        sql`insert into business_profile (account_id, business_description)
          values (${accountId}, 'We install solar panels for clinics. They pay for themselves in four years.')
          on conflict (account_id) do update set business_description = excluded.business_description`,
        sql`with question as (insert into open_question (account_id, question_text, status, created_at)
            values (${accountId}, 'Is there a guarantee?', 'answered', instant()) returning open_question_id)
          insert into lead_answer (account_id, open_question_id, question_text, answer_text, is_reusable)
          select ${accountId}, open_question_id, 'Is there a guarantee?', 'Yes, it lasts for ten years.', true
          from question`
      ]) {
        yield* change
        assert.isTrue(yield* refresh(accountId, id))
        assert.isFalse(yield* refresh(accountId, id))
        const file = yield* me(files.get(id))
        assert.strictEqual(file.download_url, first.presentation_url)
        assert.isFalse(digests.has(file.sha256))
        digests.add(file.sha256)
        const bytes = Buffer.concat(Chunk.toReadonlyArray(yield* me(Stream.runCollect(files.read(id)))))
        assert.strictEqual(bytes.length, file.size_bytes)
      }
      // The tool answers the one that there is, as it is now.
      yield* sql`update prospecting_file set title = 'Catalogue 2027' where account_id = ${accountId}`
      const again = yield* me(create(lead))
      assert.deepInclude(again, { created: false, presentation_url: first.presentation_url })
      assert.isFalse(digests.has(again.file.sha256))
      // Where presentations are off, none is made again.
      yield* sql`update prospecting_config set generate_presentations = false where account_id = ${accountId}`
      yield* sql`update prospecting_file set title = 'Catalogue 2028' where account_id = ${accountId}`
      assert.isFalse(yield* refresh(accountId, id))
      assert.isFalse(yield* refresh((yield* makeAccount()).accountId, id))
    })
  )

  it.effect("shows the lead no question of its own, and the account's logo", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const files = yield* CustomerFiles
      const { refresh } = yield* GeneratedFiles
      const caller = yield* makeAccount()
      const me = as(caller)
      const { accountId } = caller
      const [asking, other] = [yield* me(insertLead({ language: "en" })), yield* me(insertLead({ language: "en" }))]
      const [ofAsking, ofOther] = [yield* me(create(asking)), yield* me(create(other))]
      yield* sql`with question as (insert into open_question (account_id, question_text, status, created_at)
          values (${accountId}, 'Is there a guarantee?', 'answered', instant()) returning open_question_id), asked as (
          insert into open_question_lead (account_id, open_question_id, lead_id, asked_at)
          select ${accountId}, open_question_id, ${asking}, instant() from question)
        insert into lead_answer (account_id, open_question_id, question_text, answer_text, is_reusable)
        select ${accountId}, open_question_id, 'Is there a guarantee?', 'Yes, it lasts for ten years.', true
        from question`
      assert.isFalse(yield* refresh(accountId, ofAsking.file.customer_file_id))
      assert.isTrue(yield* refresh(accountId, ofOther.file.customer_file_id))
      // A picture that is none costs nothing but the logo.
      for (const bytes of [logo, Buffer.from("no picture")]) {
        yield* me(files.write({ fileName: "our-logo.png", mediaType: "image/png", bytes: Stream.make(bytes) }))
        assert.isTrue(yield* refresh(accountId, ofAsking.file.customer_file_id))
      }
      yield* me(files.write({ fileName: "catalogo.png", mediaType: "image/png", bytes: Stream.make(logo) }))
      assert.isFalse(yield* refresh(accountId, ofAsking.file.customer_file_id))
    })
  )
})
