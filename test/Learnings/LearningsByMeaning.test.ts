import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { LearningsPostgres, refreshAccount } from "../../src/Layers/Learnings/LearningsPostgres.ts"
import { Learning } from "../../src/Services/Learnings/Learnings.ts"
import { Embeddings } from "../../src/Services/Models/Embeddings.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import { ProspectingLearningsGroup } from "../../src/Tools/Learnings/ProspectingLearnings.ts"
import { insertLead, LeadServices } from "../support/leads/LeadServices.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { answerOf } from "../support/ToolAnswer.ts"

const catalog = Catalog.make([ProspectingLearningsGroup])
let embeddingCalls = 0

/** Treats "dear" and "price" as the same meaning, and everything else as different. */
const Meaning = Layer.succeed(Embeddings, {
  model: "test",
  embed: (texts) =>
    Effect.sync(() => {
      embeddingCalls += texts.length
      return texts.map((text) => Float32Array.from(/preço|caro/.test(text) ? [1, 0] : [0, 1]))
    })
})
const Services = LearningsPostgres.pipe(Layer.provideMerge(Meaning), Layer.provideMerge(LeadServices))
const Found = Schema.Struct({ learnings: Schema.Array(Learning), mode: Schema.String })

layer(Services, { excludeTestServices: true })("learnings with an embedding service", (it) => {
  it.effect("are found by what they mean; the same content is not asked for again", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const { accountId } = caller
      for (const reason of ["price", "timing"]) {
        const lead = yield* as(caller)(insertLead())
        yield* sql`
          insert into email_message (account_id, lead_id, direction, status, message_id, from_address, to_address, subject,
            body_text, occurred_at, classification)
          values (${accountId}, ${lead}, 'inbound', 'received', ${`<${reason}.${accountId}@x>`}, 'a@x', 'b@x', 'Re', 'No.',
            now() - interval '2 days', ${JSON.stringify({ class: "not_interested", refusalReason: reason })}::jsonb)`
      }
      yield* refreshAccount(accountId)
      assert.strictEqual(embeddingCalls, 2)
      yield* refreshAccount(accountId)
      assert.strictEqual(embeddingCalls, 2)
      const answer = yield* as(caller)(answerOf(catalog, "search_prospecting_learnings", { query: "muito caro" }))
      const { learnings, mode } = Schema.decodeUnknownSync(Found)(answer)
      assert.strictEqual(mode, "hybrid")
      assert.deepStrictEqual(
        learnings.map(({ Content }) => Content),
        ["1 lead recusou por preço: 50% das 2 recusas registradas."]
      )
    })
  )
})
