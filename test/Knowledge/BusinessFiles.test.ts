import { utils, write } from "@e965/xlsx"
import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { BusinessFilesPostgres } from "../../src/Layers/Knowledge/BusinessFilesPostgres.ts"
import { BusinessPostgres } from "../../src/Layers/Knowledge/BusinessPostgres.ts"
import { NoEmbeddings } from "../../src/Layers/Models/Embeddings/NoEmbeddings.ts"
import { LeadQuestionsPostgres } from "../../src/Layers/Outcomes/LeadQuestionsPostgres.ts"
import { OutboundHttpNode } from "../../src/Layers/Platform/Outbound/OutboundHttp.ts"
import { CampaignId } from "../../src/Services/Campaigns/Ids.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { uploadCustomerFile } from "../../src/Services/Files/CustomerFileUpload.ts"
import { JobId } from "../../src/Services/Jobs/Ids.ts"
import { BusinessFiles } from "../../src/Services/Knowledge/BusinessFiles.ts"
import { maximumPassages } from "../../src/Services/Knowledge/Passages.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import { BusinessKnowledgeGroup } from "../../src/Tools/Knowledge/BusinessKnowledge.ts"
import { insertCampaign, insertLead, LeadServices } from "../support/leads/LeadServices.ts"
import { as, callTool, makeAccount } from "../support/TestAccount.ts"
import { answerOf } from "../support/ToolAnswer.ts"

const catalog = Catalog.make([BusinessKnowledgeGroup])
const Services = Layer.mergeAll(BusinessPostgres, BusinessFilesPostgres, LeadQuestionsPostgres).pipe(
  Layer.provideMerge(NoEmbeddings),
  Layer.provideMerge(OutboundHttpNode),
  Layer.provideMerge(LeadServices)
)

const withAccount = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  Effect.flatMap(makeAccount(), (caller) => as(caller)(test))

const Registered = Schema.Struct({ business_file_id: Schema.Int, job_id: JobId, is_repeat: Schema.Boolean })
const register = (args: object) =>
  Effect.flatMap(answerOf(catalog, "register_business_file", args), Schema.decodeUnknown(Registered))

/** Runs the indexing job as the engine does. Returns the file afterwards. */
const index = ({ business_file_id, job_id }: typeof Registered.Type) =>
  Effect.gen(function* () {
    const files = yield* BusinessFiles
    const { accountId } = yield* Caller
    const job = {
      accountId,
      jobId: job_id,
      subjectId: business_file_id,
      attempt: 1,
      setProgress: () => Effect.void,
      checkpoint: Effect.void
    }
    yield* Effect.either(files.run(job))
    return (yield* files.list).find((file) => file.business_file_id === business_file_id)
  })

const upload = (fileName: string, bytes: Buffer) =>
  uploadCustomerFile({ fileName, text: undefined, contentBase64: bytes.toString("base64"), url: undefined })

const indexed = (fileName: string, bytes: Buffer) =>
  Effect.gen(function* () {
    const { customer_file_id } = yield* upload(fileName, bytes)
    return yield* index(yield* register({ title: fileName, customer_file_id }))
  })

const titlesFound = (question: string, campaignId: CampaignId | null = null) =>
  Effect.gen(function* () {
    const files = yield* BusinessFiles
    const { accountId } = yield* Caller
    return yield* files.find({ accountId, campaignId }, question, 3)
  })

layer(Services, { excludeTestServices: true })("business files", (it) => {
  it.effect("a text is indexed, found by its words, and gone with its removal", () =>
    withAccount(
      Effect.gen(function* () {
        const file = yield* register({ title: "Preços", text: "# Planos\nO plano básico custa R$ 199 por mês." })
        assert.deepStrictEqual(yield* titlesFound("quanto custa o plano básico?"), [])
        assert.deepInclude(yield* index(file), { status: "finished", passage_count: 1 })
        const [passage] = yield* titlesFound("quanto custa o plano básico?")
        assert.deepInclude(passage, { title: "Preços", heading: "Planos" })
        assert.isAbove(passage?.score ?? 0, 0.25)
        yield* answerOf(catalog, "remove_business_file", { business_file_id: file.business_file_id })
        assert.deepStrictEqual(yield* titlesFound("quanto custa o plano básico?"), [])
      })
    )
  )

  it.effect.each([
    [
      "A implantação dos equipamentos é cobrada à parte, e não há mensalidades.",
      ["implantacao", "implantações", "mensalidade"]
    ],
    [
      "La instalación del equipo se cobra aparte, y usted no paga mensualidades.",
      ["instalacion", "instalaciones", "mensualidad"]
    ],
    [
      "The installation of your machines is charged, and there are no monthly fees.",
      ["installations", "machine", "fee"]
    ],
    ["XK-9000 / 220V", ["xk-9000", "220V"]]
  ] as const)("is found with and without accents, in singular and plural: %s", ([text, questions]) =>
    withAccount(
      Effect.gen(function* () {
        yield* index(yield* register({ title: "Manual", text }))
        for (const question of questions) assert.lengthOf(yield* titlesFound(question), 1, question)
      })
    )
  )

  it.effect("the same content again is the same file, in each scope", () =>
    withAccount(
      Effect.gen(function* () {
        yield* insertCampaign("North")
        const first = yield* register({ title: "A", text: "We ship on Mondays." })
        const again = yield* register({ title: "B", text: "We ship on Mondays.\u200b" })
        assert.deepInclude(again, { business_file_id: first.business_file_id, is_repeat: true })
        const scoped = yield* register({ title: "A", text: "We ship on Mondays.", campaign: "North" })
        assert.notStrictEqual(scoped.business_file_id, first.business_file_id)
      })
    )
  )

  it.effect("what a campaign knows is not quoted elsewhere, and other accounts know nothing of it", () =>
    Effect.gen(function* () {
      yield* withAccount(
        Effect.gen(function* () {
          const north = yield* insertCampaign("North")
          yield* index(yield* register({ title: "N", text: "Delivery takes three days.", campaign: "North" }))
          assert.lengthOf(yield* titlesFound("how long does delivery take", CampaignId.make(north)), 1)
          assert.lengthOf(yield* titlesFound("how long does delivery take"), 0)
        })
      )
      yield* withAccount(Effect.map(titlesFound("how long does delivery take"), (none) => assert.lengthOf(none, 0)))
    })
  )

  it.effect("a workbook and a page are read; formulas and scripts are not", () =>
    withAccount(
      Effect.gen(function* () {
        const book = utils.book_new()
        utils.book_append_sheet(
          book,
          utils.aoa_to_sheet([
            ["Plan", "Price"],
            ["Gold", "R$ 900"]
          ]),
          "Prices"
        )
        const sheet: Buffer = Buffer.from(write(book, { type: "buffer", bookType: "xlsx" }) as Uint8Array)
        assert.deepInclude(yield* indexed("prices.xlsx", sheet), { status: "finished" })
        assert.deepInclude((yield* titlesFound("price of the gold plan"))[0], {
          heading: "Prices",
          body: "Plan: Gold; Price: R$ 900"
        })
        const page = Buffer.from("<html><h1>Returns</h1><script>steal()</script><p>Within thirty days.</p></html>")
        assert.deepInclude(yield* indexed("returns.html", page), { status: "finished" })
        const all = yield* titlesFound("returns steal script thirty days")
        assert.notInclude(JSON.stringify(all), "steal()")
      })
    )
  )

  it.effect("documents that cannot be read end in a clear state, and nothing of them is indexed", () =>
    withAccount(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        const blank = Buffer.from("<html><script>only()</script></html>")
        assert.deepInclude(yield* indexed("blank.html", blank), {
          status: "failed",
          failure_reason: "document_without_text"
        })
        const notZip = Buffer.concat([Buffer.from("504b0304", "hex"), Buffer.alloc(500, 1)])
        assert.deepInclude(yield* indexed("broken.docx", notZip), {
          status: "failed",
          failure_reason: "document_broken"
        })
        const passages = Array.from({ length: maximumPassages + 1 }, (_, number) => `# ${number}\nx\n`).join("")
        assert.deepInclude(yield* indexed("long.md", Buffer.from(passages)), {
          status: "failed",
          failure_reason: "document_too_large"
        })
        const rows = yield* sql`select from business_passage where account_id = ${accountId}`
        assert.lengthOf(rows, 0)
        const refusal = yield* Effect.flatMap(
          upload("price list.png", Buffer.from("89504e470d0a1a0a0000000d49484452", "hex")),
          ({ customer_file_id }) =>
            Effect.flip(callTool(catalog, "register_business_file", { title: "x", customer_file_id }))
        )
        assert.deepInclude(refusal, { reason: "format_not_supported" })
        const none = yield* Effect.flip(callTool(catalog, "register_business_file", { title: "x" }))
        assert.deepInclude(none, { reason: "knowledge_source_required" })
      })
    )
  )

  it.effect("an answer for every lead is corrected with its history kept, and ended for those who wait", () =>
    withAccount(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        const lead = yield* insertLead()
        const lookUps = yield* sql<{ readonly id: number }>`
          insert into open_question (account_id, question_text) values (${accountId}, 'Do you deliver?')
          returning open_question_id as id`
        const open_question_id = lookUps[0]?.id ?? 0
        yield* sql`insert into open_question_lead (account_id, open_question_id, lead_id)
          values (${accountId}, ${open_question_id}, ${lead})`
        assert.deepInclude(yield* answerOf(catalog, "list_open_lead_questions"), { total: 1 })
        const early = yield* Effect.flip(
          callTool(catalog, "update_business_faq", { open_question_id, answer_text: "Yes." })
        )
        assert.deepInclude(early, { _tag: "NotFound", reason: "faq_entry_not_found" })
        yield* sql`
          insert into lead_answer (account_id, open_question_id, question_text, answer_text, is_reusable)
          values (${accountId}, ${open_question_id}, 'Do you deliver?', 'Yes.', true)`
        yield* answerOf(catalog, "update_business_faq", { open_question_id, answer_text: "Only in Brazil." })
        const faq = yield* answerOf(catalog, "list_business_faq")
        assert.nestedPropertyVal(faq, "faq[0].answer_text", "Only in Brazil.")
        assert.nestedPropertyVal(faq, "faq[0].corrections[0].answer_text", "Yes.")
        const removed = yield* answerOf(catalog, "remove_business_faq", { open_question_id })
        assert.deepInclude(removed, { kept_back_deliveries: 1 })
        assert.deepInclude(yield* answerOf(catalog, "list_business_faq"), { total: 0 })
      })
    )
  )
})
