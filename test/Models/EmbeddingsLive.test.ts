import type { RequestListener } from "node:http"
import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Option, Redacted } from "effect"
import { ConversationsPostgres } from "../../src/Layers/Conversations/ConversationsPostgres.ts"
import { embedNewMessages } from "../../src/Layers/Conversations/MessageEmbeddings.ts"
import { loadEmbeddingsSettings, makeEmbeddings } from "../../src/Layers/Models/Embeddings/Live.ts"
import { OutboundHttpNode } from "../../src/Layers/Platform/Outbound/OutboundHttp.ts"
import { Conversations } from "../../src/Services/Conversations/Conversations.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import type { LeadId } from "../../src/Services/Leads/Ids.ts"
import { Embeddings } from "../../src/Services/Models/Embeddings.ts"
import { insertLead, LeadServices } from "../support/leads/LeadServices.ts"
import { localHttpServer } from "../support/servers/LocalHttpServer.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { vendorJudge } from "../support/VendorJudge.ts"

const judge = vendorJudge("openai")

/** A service that knows two meanings: money, and everything else. Answers in the opposite order. */
const twoMeanings: RequestListener = (request, response) => {
  const parts: Array<Buffer> = []
  request.on("data", (part: Buffer) => parts.push(part))
  request.on("end", () => {
    const body = JSON.parse(Buffer.concat(parts).toString()) as { readonly input: ReadonlyArray<string> }
    const { input } = body
    const judgedRequest = { method: request.method ?? "", path: request.url ?? "", headers: request.headers, body }
    const data = input.map((text, index) => ({
      object: "embedding",
      index,
      embedding: /price|cost|custa/i.test(text) ? [3, 4] : [-4, 3]
    }))
    const usage = { prompt_tokens: 1, total_tokens: 1 }
    const answer = { object: "list", model: "tiny", data: data.reverse(), usage }
    const faults = [
      ...judge.faultsOfRequest(judgedRequest),
      ...judge.faultsOfAnswer(judgedRequest, { status: 200, body: answer })
    ]
    const isAllowed = request.headers.authorization === "Bearer secret"
    response.writeHead(faults.length > 0 ? 400 : isAllowed ? 200 : 401, { "content-type": "application/json" })
    response.end(JSON.stringify(faults.length > 0 ? { faults } : answer))
  })
}

const serviceAt = (url: string) => makeEmbeddings({ url, apiKey: Option.some(Redacted.make("secret")), model: "tiny" })

let messages = 0

const email = (leadId: LeadId, body: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    const rows = yield* sql<{ readonly id: number }>`
      insert into email_message (account_id, lead_id, direction, status, message_id, from_address, to_address, subject,
        body_text, occurred_at, created_at)
      values (${accountId}, ${leadId}, 'inbound', 'received', ${`<meaning-${++messages}@example.com>`}, 'a@example.com',
        'b@example.com', 'Hello', ${body}, '2026-01-01', '2026-01-01')
      returning email_message_id as id`
    return rows[0]?.id ?? 0
  })

const search = (query: string, leadId?: LeadId) =>
  Effect.flatMap(Conversations, (conversations) =>
    conversations.search({ query, leadId, channel: undefined, limit: 5, minimumScore: undefined })
  )

/** What a search answers while the service is `embeddings`. */
const searching = <A, E, R>(embeddings: Embeddings["Type"], effect: Effect.Effect<A, E, R>) =>
  Effect.provide(effect, Layer.provideMerge(ConversationsPostgres, Layer.succeed(Embeddings, embeddings)))

layer(Layer.merge(OutboundHttpNode, LeadServices), { excludeTestServices: true })("embeddings", (it) => {
  it.scoped("vectors have length one and the order of the texts", () =>
    Effect.gen(function* () {
      const { url } = yield* localHttpServer(twoMeanings)
      const { embed } = yield* serviceAt(`${url}/v1`)
      const [money, other] = yield* embed(["the price", "the weather"])
      assert.deepStrictEqual(money, Float32Array.from([0.6, 0.8]))
      assert.deepStrictEqual(other, Float32Array.from([-0.8, 0.6]))
    })
  )

  it.scoped("what is no answer is passing trouble", () =>
    Effect.gen(function* () {
      const answers = ["", "{}", '{"data": []}', '{"data": [{"embedding": []}]}', '{"data": [{"embedding": ["x"]}]}']
      for (const answer of answers) {
        const { url } = yield* localHttpServer((_, response) => response.end(answer))
        const { embed } = yield* serviceAt(url)
        assert.deepInclude(yield* Effect.flip(embed(["text"])), {
          _tag: "Transient",
          reason: "embeddings_unavailable"
        })
      }
    })
  )

  it.scoped("messages are found by their meaning, and forgotten with the message", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* localHttpServer(twoMeanings)
      const embeddings = yield* serviceAt(`${url}/v1`)
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      yield* Effect.gen(function* () {
        const [one, two] = [yield* insertLead(), yield* insertLead()]
        const costs = yield* email(one, "Quanto custa?")
        yield* email(two, "Nice to meet you")
        yield* embedNewMessages
        const { mode, results } = yield* search("price")
        assert.strictEqual(mode, "hybrid")
        assert.deepStrictEqual(
          results.map(({ message_id, score }) => [message_id, score]),
          [[costs, 1]]
        )
        assert.deepInclude(yield* search("price", two), { results: [] })
        assert.deepInclude(yield* Effect.flatMap(makeAccount(), (other) => as(other)(search("price"))), { results: [] })

        const asked = requests.length
        yield* embedNewMessages
        assert.lengthOf(requests, asked)
        yield* sql`delete from email_message where account_id = ${caller.accountId}`
        const left = yield* sql`select from message_embedding where account_id = ${caller.accountId}`
        assert.lengthOf(left, 0)
      }).pipe(as(caller), (effect) => searching(embeddings, effect))
    })
  )

  it.scoped("words alone are searched, and the answer says so, while the service is away", () =>
    Effect.gen(function* () {
      const { url } = yield* localHttpServer((_, response) => response.writeHead(503).end())
      const caller = yield* makeAccount()
      const found = yield* Effect.gen(function* () {
        yield* email(yield* insertLead(), "What is the price?")
        return yield* search("price")
      }).pipe(
        as(caller),
        Effect.provide(ConversationsPostgres),
        Effect.provideService(Embeddings, yield* serviceAt(url))
      )
      assert.deepInclude(found, { mode: "text" })
      assert.lengthOf(found.results, 1)
    })
  )

  it.effect("the settings ask for a model once there is a service", () =>
    Effect.gen(function* () {
      const settings = (entries: Iterable<readonly [string, string]>) =>
        Effect.withConfigProvider(loadEmbeddingsSettings, ConfigProvider.fromMap(new Map(entries)))
      assert.isTrue(Option.isNone(yield* settings([])))
      assert.strictEqual((yield* Effect.flip(settings([["EMBEDDINGS_API_KEY", "x"]])))._op, "MissingData")
      const wrong = settings([["EMBEDDINGS_URL", "ftp://x"]])
      assert.strictEqual((yield* Effect.flip(wrong))._op, "InvalidData")
      const found = yield* settings([
        ["EMBEDDINGS_URL", "http://localhost:1/v1/"],
        ["EMBEDDINGS_MODEL", "tiny"]
      ])
      assert.deepInclude(Option.getOrThrow(found), { url: "http://localhost:1/v1", model: "tiny" })
    })
  )
})
