import { SqlClient } from "@effect/sql/SqlClient"
import { assert, describe, layer, it as test } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { ConversationsPostgres } from "../../src/Layers/Conversations/ConversationsPostgres.ts"
import { NoEmbeddings } from "../../src/Layers/Models/Embeddings/NoEmbeddings.ts"
import { snippetOf } from "../../src/Services/Conversations/Conversations.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import type { LeadId } from "../../src/Services/Leads/Ids.ts"
import type { Language } from "../../src/Services/Text/Language.ts"
import { ConversationsGroup } from "../../src/Tools/Conversations/Conversations.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import { insertLead, LeadServices } from "../support/leads/LeadServices.ts"
import { as, callTool, makeAccount } from "../support/TestAccount.ts"
import { answerOf } from "../support/ToolAnswer.ts"

const catalog = Catalog.make([ConversationsGroup])
const tool = (name: string, args: object = {}) => answerOf(catalog, name, args)
const refusalOf = (name: string, args: object) => Effect.flip(callTool(catalog, name, args))

const Services = ConversationsPostgres.pipe(Layer.provide(NoEmbeddings), Layer.provideMerge(LeadServices))

/** A test with a new account. */
const withAccount = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(makeAccount(), (caller) => as(caller)(effect))

let messages = 0

const email = (
  leadId: LeadId,
  direction: "outbound" | "inbound",
  body: string,
  at: string,
  { language = null, subject = "Hello" }: { readonly language?: Language | null; readonly subject?: string } = {}
) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    const row = {
      account_id: accountId,
      lead_id: leadId,
      direction,
      status: direction === "inbound" ? "received" : "sent",
      message_id: `<talk-${++messages}@example.com>`,
      from_address: "a@example.com",
      to_address: "b@example.com",
      subject,
      body_text: body,
      language,
      occurred_at: at
    }
    const rows = yield* sql<{ readonly id: number }>`
      insert into email_message ${sql.insert(row)} returning email_message_id as id`
    return rows[0]?.id ?? 0
  })

const chat = (
  leadId: LeadId,
  direction: "outbound" | "inbound",
  body: string,
  at: string,
  status = direction === "inbound" ? "received" : "read"
) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    const row = {
      account_id: accountId,
      lead_id: leadId,
      direction,
      kind: "text",
      status,
      phone: "+5511980000001",
      body,
      occurred_at: at
    }
    const rows = yield* sql<{ readonly id: number }>`
      insert into chatapp_message ${sql.insert(row)} returning chatapp_message_id as id`
    return rows[0]?.id ?? 0
  })

const call = (leadId: LeadId, at: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    yield* sql`
      insert into voice_call (account_id, lead_id, kind, phone, goal, status, was_picked_up, goal_achieved, summary,
        transcript, duration_seconds, dialed_at)
      values (${accountId}, ${leadId}, 'prospecting', '+5511980000001', 'Meet', 'completed', true, false, 'Asks for prices',
        '[{"role": "person", "text": "Hello?", "at_seconds": 1}]', 42, ${at})`
  })

const agent = (role: "owner" | "agent", body: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    yield* sql`insert into agent_message (account_id, role, body) values (${accountId}, ${role}, ${body})`
  })

interface Timeline {
  readonly items: ReadonlyArray<{
    readonly channel: string
    readonly body: string | null
    readonly transcript?: unknown
  }>
  readonly total: number
}
const timeline = (args: object) => Effect.map(tool("get_lead_conversation", args), (answer) => answer as Timeline)

interface Results {
  readonly results: ReadonlyArray<{
    readonly lead_id: number
    readonly message_id: number
    readonly channel: string
    readonly direction: string
    readonly score: number
    readonly snippet: string
  }>
  readonly search_mode: string
}
const search = (args: object) => Effect.map(tool("search_lead_conversations", args), (answer) => answer as Results)
const idsFound = (args: object) =>
  Effect.map(search(args), ({ results }) => results.map(({ message_id }) => message_id))

layer(Services, { excludeTestServices: true })("the Conversations tools", (it) => {
  it.effect("merges the channels into one timeline, from either end, page by page", () =>
    withAccount(
      Effect.gen(function* () {
        const lead_id = yield* insertLead()
        yield* email(lead_id, "outbound", "First", "2026-01-01T10:00:00Z")
        yield* chat(lead_id, "inbound", "Second", "2026-01-02T10:00:00Z")
        yield* call(lead_id, "2026-01-03T10:00:00Z")
        yield* email(lead_id, "inbound", "Fourth", "2026-01-04T10:00:00Z")
        yield* chat(lead_id, "outbound", "Never sent", "2026-01-05T10:00:00Z", "cancelled")
        yield* chat(yield* insertLead(), "inbound", "Of another lead", "2026-01-02T10:00:00Z")

        const newest = yield* timeline({ lead_id })
        assert.strictEqual(newest.total, 4)
        assert.deepStrictEqual(
          newest.items.map(({ body, channel }) => [channel, body]),
          [
            ["email", "Fourth"],
            ["voice", "Asks for prices"],
            ["chatapp", "Second"],
            ["email", "First"]
          ]
        )
        assert.isFalse(newest.items.some((item) => "transcript" in item))
        const oldest = yield* timeline({
          lead_id,
          order: "oldest_first",
          page: 1,
          page_size: 2,
          include_transcripts: true
        })
        assert.deepStrictEqual(
          oldest.items.map(({ channel }) => channel),
          ["voice", "email"]
        )
        assert.deepStrictEqual(oldest.items[0]?.transcript, [{ role: "person", text: "Hello?", at_seconds: 1 }])
        assert.isFalse("transcript" in (oldest.items[1] ?? {}))
        assert.nestedPropertyVal(oldest, "items[0].was_picked_up", true)
        assert.nestedPropertyVal(oldest, "items[0].duration_seconds", 42)
        assert.nestedPropertyVal(oldest, "items[0].at", "2026-01-03T10:00:00Z")
        assert.deepInclude(yield* timeline({ lead_id, page: 2_000_000_000 }), { items: [], total: 4 })
      })
    )
  )

  it.effect("lists messages of the messaging app with totals of each direction", () =>
    withAccount(
      Effect.gen(function* () {
        const lead_id = yield* insertLead()
        for (const day of [1, 2, 3]) yield* chat(lead_id, "outbound", `Out ${day}`, `2026-01-0${day}T10:00:00Z`)
        yield* chat(lead_id, "inbound", "In", "2026-01-02T12:00:00Z")
        const page = yield* tool("list_lead_chatapp_messages", { lead_id, page_size: 2 })
        assert.deepInclude(page, { total: 4, outbound_total: 3, inbound_total: 1, page: 0, page_size: 2 })
        const bodies = (page as { readonly messages: ReadonlyArray<{ readonly body: string }> }).messages
        assert.deepStrictEqual(
          bodies.map(({ body }) => body),
          ["Out 1", "Out 2", "In"]
        )
        const without = yield* tool("list_lead_chatapp_messages", {
          lead_id,
          page: 1,
          page_size: 2,
          include_bodies: false
        })
        assert.nestedPropertyVal(without, "messages.length", 1)
        assert.notNestedProperty(without, "messages[0].body")
      })
    )
  )

  it.effect.each([true, false])(
    "finds words in any form, with and without accents, in the three languages (language of the texts known: %s)",
    (isKnown) =>
      withAccount(
        Effect.gen(function* () {
          const lead = yield* insertLead()
          const at = "2026-01-01T10:00:00Z"
          const pt = yield* email(lead, "inbound", "Quais são as opções de preços para clínicas?", at, {
            language: isKnown ? "pt-BR" : null
          })
          const es = yield* email(lead, "inbound", "Necesitamos las cotizaciones mañana", at, {
            language: isKnown ? "es" : null
          })
          const en = yield* email(lead, "outbound", "Our shipments arrive within days", at, {
            language: isKnown ? "en" : null
          })
          assert.deepStrictEqual(yield* idsFound({ query: "opcao preco" }), [pt])
          assert.deepStrictEqual(yield* idsFound({ query: "opção" }), [pt])
          assert.deepStrictEqual(yield* idsFound({ query: "cotización" }), [es])
          assert.deepStrictEqual(yield* idsFound({ query: "shipment" }), [en])
          assert.deepStrictEqual(yield* idsFound({ query: "shipmnts arrive" }), [en])
          assert.deepStrictEqual(yield* idsFound({ query: "helicóptero" }), [])
          const { results, search_mode } = yield* search({ query: "preços clínicas" })
          assert.strictEqual(search_mode, "text")
          assert.lengthOf(results, 1)
          for (const result of results) {
            assert.deepInclude(result, { lead_id: lead, channel: "email", direction: "inbound", score: 1 })
          }
          assert.include(results[0]?.snippet, "opções de preços")
        })
      )
  )

  it.effect("keeps to the lead, the channel, the direction, the number and the score that are asked for", () =>
    withAccount(
      Effect.gen(function* () {
        const [one, two] = [yield* insertLead(), yield* insertLead()]
        const mail = yield* email(one, "outbound", "delivery and warranty", "2026-01-01T10:00:00Z")
        const messageId = yield* chat(two, "inbound", "delivery", "2026-01-02T10:00:00Z")
        const query = "delivery warranty"
        assert.deepStrictEqual(yield* idsFound({ query }), [mail, messageId])
        const { results } = yield* search({ query })
        assert.deepStrictEqual(
          results.map(({ score }) => score),
          [1, 0.5]
        )
        assert.lengthOf(yield* idsFound({ query, min_score: 0.6 }), 1)
        assert.lengthOf(yield* idsFound({ query, top_k: 1 }), 1)
        assert.deepStrictEqual(yield* idsFound({ query, lead_id: two }), [messageId])
        assert.deepStrictEqual(yield* idsFound({ query, channel: "chatapp" }), [messageId])
        assert.deepStrictEqual(yield* idsFound({ query, channel: "email_inbound" }), [])
        assert.deepStrictEqual(yield* idsFound({ query, channel: "email_outbound" }), [mail])
        assert.deepStrictEqual(yield* withAccount(idsFound({ query })), [])
        assert.deepInclude(yield* withAccount(refusalOf("search_lead_conversations", { query, lead_id: one })), {
          _tag: "NotFound"
        })
      })
    )
  )

  it.effect("takes any query as text", () =>
    withAccount(
      Effect.gen(function* () {
        const lead = yield* insertLead()
        yield* email(lead, "inbound", "https://example.com/?a=1&b=2 is it", "2026-01-01T10:00:00Z")
        for (const query of ["' | & !", "(", "a:* & b", "\\", "de o a", "\u200b", "🙂", "x".repeat(1000), "a&b=2'"]) {
          assert.strictEqual((yield* search({ query })).search_mode, "text")
        }
        assert.deepInclude(yield* refusalOf("search_lead_conversations", { query: " " }), { reason: "text_empty" })
      })
    )
  )

  it.effect("searches what owner and agent said", () =>
    withAccount(
      Effect.gen(function* () {
        yield* agent("owner", "Give dental clinics a discount of ten percent")
        yield* agent("agent", "I will mention the warranty")
        const answer = yield* tool("search_my_agent_conversation", { query: "discounts for clinics" })
        assert.deepInclude(answer, { search_mode: "text" })
        assert.nestedPropertyVal(answer, "results.length", 1)
        assert.nestedPropertyVal(answer, "results[0].role", "owner")
        assert.deepInclude(yield* withAccount(tool("search_my_agent_conversation", { query: "discount" })), {
          results: []
        })
      })
    )
  )

  it.effect("leads of another account have no conversation", () =>
    Effect.gen(function* () {
      const lead_id = yield* withAccount(insertLead())
      for (const name of ["get_lead_conversation", "list_lead_chatapp_messages"]) {
        assert.deepInclude(yield* withAccount(refusalOf(name, { lead_id })), {
          _tag: "NotFound",
          reason: "lead_not_found"
        })
      }
    })
  )
})

describe("snippets", () => {
  test("show the first word of the query that there is", () => {
    const text = `${"word ".repeat(100)}the price is 10 ${"word ".repeat(100)}`
    assert.include(snippetOf(text, "PRÍCE"), "the price is 10")
    assert.isAtMost(snippetOf(text, "price").length, 302)
    assert.strictEqual(snippetOf("short\n text", "nothing"), "short text")
  })
})
