import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { BusinessFilesPostgres } from "../../src/Layers/Knowledge/BusinessFilesPostgres.ts"
import { NoEmbeddings } from "../../src/Layers/Models/Embeddings/NoEmbeddings.ts"
import { OutboundHttpNode } from "../../src/Layers/Platform/Outbound/OutboundHttp.ts"
import {
  OfferableFilesPostgres,
  ProspectingFilesPostgres
} from "../../src/Layers/ProspectingFiles/ProspectingFilesPostgres.ts"
import { CampaignId } from "../../src/Services/Campaigns/Ids.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { uploadCustomerFile } from "../../src/Services/Files/CustomerFileUpload.ts"
import { OfferableFiles } from "../../src/Services/ProspectingFiles/OfferableFiles.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import { ProspectingFilesGroup } from "../../src/Tools/ProspectingFiles/ProspectingFiles.ts"
import { insertCampaign, insertLead, LeadServices } from "../support/leads/LeadServices.ts"
import { as, callTool, makeAccount } from "../support/TestAccount.ts"
import { answerOf } from "../support/ToolAnswer.ts"

const catalog = Catalog.make([ProspectingFilesGroup])
const Services = Layer.merge(ProspectingFilesPostgres, OfferableFilesPostgres).pipe(
  Layer.provideMerge(BusinessFilesPostgres),
  Layer.provideMerge(NoEmbeddings),
  Layer.provideMerge(OutboundHttpNode),
  Layer.provideMerge(LeadServices)
)
const withAccount = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  Effect.flatMap(makeAccount(), (caller) => as(caller)(test))
const Registered = Schema.Struct({ prospecting_file_id: Schema.Int, url: Schema.String })

layer(Services, { excludeTestServices: true })("prospecting files", (it) => {
  it.effect("are offered to a lead who asks for something like them, in their campaign, and never twice", () =>
    withAccount(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        const offerable = yield* OfferableFiles
        const north = CampaignId.make(yield* insertCampaign("North"))
        const leadId = yield* insertLead()
        const file = yield* Effect.flatMap(
          answerOf(catalog, "register_prospecting_file", {
            title: "Catálogo de produtos",
            description: "Preços e fotos de todos os produtos",
            url: "client.example/catalogo.pdf",
            campaign: "North"
          }),
          Schema.decodeUnknown(Registered)
        )
        const ask = (campaignId: CampaignId | null, question: string) =>
          offerable.to({ accountId, leadId, campaignId }, question)
        assert.lengthOf(yield* ask(north, "Pode mandar o catálogo com preços?"), 1)
        assert.lengthOf(yield* ask(north, "Onde fica o escritório?"), 0)
        assert.lengthOf(yield* ask(null, "Pode mandar o catálogo com preços?"), 0)
        yield* answerOf(catalog, "update_prospecting_file", {
          prospecting_file_id: file.prospecting_file_id,
          campaign: "all"
        })
        assert.lengthOf(yield* ask(null, "Pode mandar o catálogo com preços?"), 1)
        yield* sql`
          insert into email_message (account_id, lead_id, direction, status, message_id, from_address, to_address, subject,
            body_text) values (${accountId}, ${leadId}, 'outbound', 'queued', '<f@x>', 'a@x', 'b@x', 'S', ${`Veja ${file.url}`})`
        assert.lengthOf(yield* ask(null, "Pode mandar o catálogo com preços?"), 0)
      })
    )
  )

  it.effect("a blank description is made from the content, and the owner's replaces it", () =>
    withAccount(
      Effect.gen(function* () {
        const { customer_file_id } = yield* uploadCustomerFile({
          fileName: "case.txt",
          text: "# Caso Sorriso\nA clínica reduziu as faltas em 40%.",
          contentBase64: undefined,
          url: undefined
        })
        const registered = yield* answerOf(catalog, "register_prospecting_file", { title: "Caso", customer_file_id })
        assert.deepInclude(registered, {
          description: "Caso Sorriso: A clínica reduziu as faltas em 40%.",
          is_description_generated: true
        })
        const { prospecting_file_id } = yield* Schema.decodeUnknown(Registered)(registered)
        const changed = yield* answerOf(catalog, "update_prospecting_file", {
          prospecting_file_id,
          description: "Meu texto"
        })
        assert.deepInclude(changed, { description: "Meu texto", is_description_generated: false, title: "Caso" })
        yield* answerOf(catalog, "remove_prospecting_file", { prospecting_file_id })
        assert.deepInclude(yield* answerOf(catalog, "list_prospecting_files"), { total: 0 })
      })
    )
  )

  it.effect("a call without a file, with two, or that changes nothing is refused", () =>
    withAccount(
      Effect.gen(function* () {
        const none = yield* Effect.flip(callTool(catalog, "register_prospecting_file", { title: "A" }))
        assert.deepInclude(none, { reason: "file_source_required" })
        const wrong = yield* Effect.flip(
          callTool(catalog, "register_prospecting_file", { title: "A", url: "javascript:1" })
        )
        assert.deepInclude(wrong, { _tag: "Refused" })
        const nothing = yield* Effect.flip(callTool(catalog, "update_prospecting_file", { prospecting_file_id: 1 }))
        assert.deepInclude(nothing, { reason: "nothing_to_change" })
      })
    )
  )
})
