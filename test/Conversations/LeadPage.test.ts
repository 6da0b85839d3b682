import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Layer, Option } from "effect"
import { ConversationsPostgres } from "../../src/Layers/Conversations/ConversationsPostgres.ts"
import { leadPageEndpoint } from "../../src/Layers/Conversations/LeadPage.ts"
import { NoEmbeddings } from "../../src/Layers/Models/Embeddings/NoEmbeddings.ts"
import type { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import type { LeadId } from "../../src/Services/Leads/Ids.ts"
import { leadPagePath, leadPageToken, readLeadPage } from "../../src/Services/Leads/LeadPageLink.ts"
import { insertLead, LeadServices } from "../support/leads/LeadServices.ts"
import { serveEndpoints } from "../support/servers/ServedEndpoints.ts"
import { as, makeAccount } from "../support/TestAccount.ts"

const Services = ConversationsPostgres.pipe(Layer.provide(NoEmbeddings), Layer.provideMerge(LeadServices))

const serve = Effect.flatMap(leadPageEndpoint, (endpoint) => serveEndpoints([endpoint]))

const open = (url: string, action?: string) =>
  Effect.promise(async () => {
    const body = action === undefined ? {} : { method: "POST", body: new URLSearchParams({ action }) }
    const response = await fetch(url, { redirect: "manual", ...body })
    return { status: response.status, text: await response.text() }
  })

const day = 86_400_000

const linkOf = (base: string, { accountId }: Caller["Type"], leadId: LeadId, days = 14) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const [row] = yield* sql<{ readonly key: Uint8Array }>`
      select mail_key as key from account where account_id = ${accountId}`
    const expiresAt = (yield* Clock.currentTimeMillis) + days * day
    const token = leadPageToken(row?.key ?? new Uint8Array(), { accountId, leadId, expiresAt })
    return `${base}${leadPagePath(leadId)}${token}`
  })

const setUp = (columns: { readonly [column: string]: string } = {}) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const caller = yield* makeAccount()
    const me = as(caller)
    const leadId = yield* me(insertLead({ name: "Ana <b>Souza</b>", company: "Clínica Sol", ...columns }))
    yield* sql`
      insert into email_message (account_id, lead_id, direction, status, message_id, from_address, to_address, subject,
        body_text, occurred_at)
      values (${caller.accountId}, ${leadId}, 'inbound', 'received', ${`<page-${leadId}@x.example>`}, 'a@x.example',
        'b@x.example', 'Re', 'Tenho interesse!', '2026-03-02T15:30:00Z')`
    const state = Effect.map(
      sql<{ readonly state: string }>`select pipeline_state as state from lead where lead_id = ${leadId}`,
      (rows) => rows[0]?.state
    )
    return { caller, leadId, me, state }
  })

layer(Services, { excludeTestServices: true })("a lead's page", (it) => {
  it.scoped("shows who wrote what, at the account's own time, and changes nothing by being opened", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const base = yield* serve
      const { caller, leadId, state } = yield* setUp({ pipeline_state: "pending_review" })
      yield* sql`update account set time_zone = 'America/Sao_Paulo' where account_id = ${caller.accountId}`
      const { status, text } = yield* open(yield* linkOf(base, caller, leadId))
      assert.strictEqual(status, 200)
      assert.include(text, "Ana &lt;b&gt;Souza&lt;/b&gt; (Clínica Sol)")
      assert.include(text, "Tenho interesse!")
      assert.include(text, "12:30")
      assert.include(text, "Assumir a conversa")
      assert.include(text, "Deixar a plataforma continuar")
      assert.notMatch(text, /[a-z]+_lead/)
      assert.strictEqual(yield* state, "pending_review")
    })
  )

  it.scoped("does what its buttons say", () =>
    Effect.gen(function* () {
      const base = yield* serve
      const { caller, leadId, state } = yield* setUp({ pipeline_state: "pending_review" })
      const link = yield* linkOf(base, caller, leadId)
      assert.strictEqual((yield* open(link, "return_to_pipeline")).status, 200)
      assert.strictEqual(yield* state, "in_pipeline")
      assert.strictEqual((yield* open(link, "take_over")).status, 200)
      assert.strictEqual(yield* state, "user_controlled")
      assert.strictEqual((yield* open(link, "return_to_pipeline")).status, 409)
      assert.strictEqual((yield* open(link, "stop")).status, 200)
      assert.strictEqual(yield* state, "finished")
      assert.strictEqual((yield* open(link, "recover")).status, 404)
    })
  )

  it.scoped("opens by the account's own link alone, for that lead and for two weeks", () =>
    Effect.gen(function* () {
      const base = yield* serve
      const { caller, leadId, me } = yield* setUp()
      const other = yield* me(insertLead())
      const link = yield* linkOf(base, caller, leadId)
      const stranger = yield* makeAccount()
      const links = [
        link.replace(leadPagePath(leadId), leadPagePath(other)),
        link.slice(0, -1),
        `${base}/lead/nonsense`,
        yield* linkOf(base, caller, leadId, -1),
        yield* linkOf(base, stranger, leadId)
      ]
      for (const wrong of links) {
        assert.strictEqual((yield* open(wrong)).status, 404, wrong)
        assert.strictEqual((yield* open(wrong, "stop")).status, 404, wrong)
      }
      assert.isTrue(Option.isNone(readLeadPage("1-1-1-short")))
    })
  )
})
