import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { refreshAccount } from "../../src/Layers/Learnings/LearningsPostgres.ts"
import { Learning } from "../../src/Services/Learnings/Learnings.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import { ProspectingLearningsGroup } from "../../src/Tools/Learnings/ProspectingLearnings.ts"
import { TestEngine } from "../Outreach/support/touches.ts"
import { as, callTool, makeAccount } from "../support/TestAccount.ts"
import { answerOf } from "../support/ToolAnswer.ts"

const catalog = Catalog.make([ProspectingLearningsGroup])
const Listed = Schema.Struct({
  learnings: Schema.Array(Learning),
  total: Schema.Int,
  as_of: Schema.NullOr(Schema.String)
})
const list = Effect.map(answerOf(catalog, "list_prospecting_learnings"), Schema.decodeUnknownSync(Listed))
const search = (query: string) =>
  Effect.map(
    answerOf(catalog, "search_prospecting_learnings", { query }),
    Schema.decodeUnknownSync(Schema.Struct({ learnings: Schema.Array(Learning), mode: Schema.String }))
  )

/**
 * First contacts of `accountId` at 9:00 and 15:00 of its time zone, on weekdays of the last month, with every `nth` of
 * each hour answered. The leads are in two states, which makes no difference.
 */
const insertMails = (accountId: number, answeredEvery: { readonly nine: number; readonly fifteen: number }) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql`
      with made as (
        insert into lead (account_id, name, email, status, pipeline_state, state)
        select ${accountId}, 'Lead ' || n, 'l' || n || '@learn.example', 'Cold', 'in_pipeline', case when n % 10 < 5 then 'SP' else 'MG' end
        from generate_series(1, 800) n returning lead_id, substring(email from 2 for position('@' in email) - 2)::int as n
      ), sent as (
        insert into email_message (account_id, lead_id, direction, message_type, status, message_id, from_address,
          to_address, subject, body_text, occurred_at)
        select ${accountId}, lead_id, 'outbound', 'first_contact', 'sent', '<s' || n || '.' || ${accountId} || '@x>', 'a@x', 'b@x', 'S', 'B',
          (date_trunc('day', now() at time zone a.time_zone) - make_interval(days => 10 + n % 40)
            + make_interval(hours => case when n % 2 = 0 then 9 else 15 end, mins => n % 60)) at time zone a.time_zone
        from made join account a on a.account_id = ${accountId}
        returning lead_id, occurred_at
      )
      insert into email_message (account_id, lead_id, direction, status, message_id, from_address, to_address, subject,
        body_text, occurred_at, classification)
      select ${accountId}, lead_id, 'inbound', 'received', '<r' || n || '.' || ${accountId} || '@x>', 'b@x', 'a@x', 'Re: S', 'No.', occurred_at + interval '3 hours',
        case when n % 3 = 0 then '{"class": "not_interested", "refusalReason": "price"}'::jsonb else '{"class": "interested"}' end
      from (select sent.*, made.n, (n / 2) as k from sent join made using (lead_id)) s
      where s.k % case when s.n % 2 = 0 then ${answeredEvery.nine}::int else ${answeredEvery.fifteen}::int end = 0`
  })

layer(TestEngine, { excludeTestServices: true })("prospecting learnings", (it) => {
  it.effect("show which hour gets more replies, why leads refuse, and that regions do not differ, in Portuguese", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      yield* insertMails(caller.accountId, { nine: 4, fifteen: 16 })
      yield* Effect.gen(function* () {
        assert.deepInclude(yield* list, { learnings: [], as_of: null })
        yield* refreshAccount(caller.accountId)
        const { as_of, learnings } = yield* list
        assert.isNotNull(as_of)
        const nine = learnings.find(({ Content }) => Content.startsWith("E-mails enviados entre 09:00 e 10:00"))
        assert.isDefined(nine)
        assert.include(nine?.Content, "recebem mais respostas: 25% (100 de 400 e-mails) contra 6,3%")
        assert.deepInclude(nine?.Summary.rate, { replies: 100, sample_size: 400, rate_pct: 25 })
        assert.isBelow(nine?.Summary.probability_of_chance ?? 1, 0.001)
        assert.deepInclude(nine?.advice, { is_applied: true, tool: null })
        const refusal = learnings.find(({ kind }) => kind === "refusal_reason")
        assert.deepInclude(refusal?.advice, { is_applied: false, tool: "register_business_file" })
        assert.match(refusal?.Content ?? "", /^\d+ leads recusaram por preço: 100% das \d+ recusas registradas\.$/)
        assert.include(
          learnings.find(({ kind }) => kind === "region")?.Content,
          "Nenhuma região se destaca: de 800 leads"
        )
      }).pipe(as(caller))
    })
  )

  it.effect(
    "that are dismissed stay hidden when results are looked at again, with their reason; others keep their ids",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const caller = yield* makeAccount()
        yield* insertMails(caller.accountId, { nine: 4, fifteen: 16 })
        yield* Effect.gen(function* () {
          yield* refreshAccount(caller.accountId)
          const before = yield* list
          const [first] = before.learnings
          const learning_id = first?.learning_id ?? 0
          const reason = "We had a fair in those weeks."
          const dismissed = yield* answerOf(catalog, "dismiss_prospecting_learning", { learning_id, reason })
          assert.deepInclude(dismissed, { learning_id, reason })
          yield* answerOf(catalog, "dismiss_prospecting_learning", { learning_id, reason: `${reason} Really.` })
          yield* refreshAccount(caller.accountId)
          const after = yield* list
          assert.deepStrictEqual(
            after.learnings.map((learning) => learning.learning_id),
            before.learnings.map((learning) => learning.learning_id).slice(1)
          )
          assert.isFalse((yield* search("09:00")).learnings.some((learning) => learning.learning_id === learning_id))
          const storedRows = yield* sql`
          select dismiss_reason as reason from prospecting_learning
          where account_id = ${caller.accountId} and learning_id = ${learning_id}`
          assert.deepStrictEqual(storedRows, [{ reason: `${reason} Really.` }])
        }).pipe(as(caller))
      })
  )

  it.effect("that no longer hold are not listed any more", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      yield* insertMails(caller.accountId, { nine: 4, fifteen: 16 })
      yield* refreshAccount(caller.accountId)
      yield* sql`update email_message set occurred_at = occurred_at - interval '120 days' where account_id = ${caller.accountId}`
      yield* refreshAccount(caller.accountId)
      assert.deepInclude(yield* as(caller)(list), { learnings: [], total: 0 })
    })
  )

  it.effect(
    "are found by a question in any of the three languages, and by nothing that has nothing to do with them",
    () =>
      Effect.gen(function* () {
        const caller = yield* makeAccount()
        yield* insertMails(caller.accountId, { nine: 4, fifteen: 16 })
        yield* Effect.gen(function* () {
          yield* refreshAccount(caller.accountId)
          for (const query of [
            "melhor horário para enviar e-mails",
            "best hour to send",
            "mejor horario para enviar"
          ]) {
            const { learnings, mode } = yield* search(query)
            assert.strictEqual(learnings[0]?.kind, "reply_hour", query)
            assert.strictEqual(mode, "text")
          }
          assert.strictEqual((yield* search("por que recusam? objeções")).learnings[0]?.kind, "refusal_reason")
          assert.lengthOf((yield* search("receita de bolo de cenoura")).learnings, 0)
        }).pipe(as(caller))
      })
  )

  it.effect("of another account do not exist", () =>
    Effect.gen(function* () {
      const owner = yield* makeAccount()
      yield* insertMails(owner.accountId, { nine: 4, fifteen: 16 })
      yield* refreshAccount(owner.accountId)
      const learning_id = (yield* as(owner)(list)).learnings[0]?.learning_id
      const stranger = as(yield* makeAccount())
      const failure = yield* stranger(
        Effect.flip(callTool(catalog, "dismiss_prospecting_learning", { learning_id, reason: "No." }))
      )
      assert.deepInclude(failure, { _tag: "NotFound", reason: "learning_not_found" })
      assert.lengthOf((yield* stranger(list)).learnings, 0)
    })
  )
})
