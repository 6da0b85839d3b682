import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { optimizeAccount } from "../../src/Layers/Learnings/OptimizerPostgres.ts"
import type { AccountId } from "../../src/Services/Accounts/Ids.ts"
import { CampaignId } from "../../src/Services/Campaigns/Ids.ts"
import { TouchSteering } from "../../src/Services/Outreach/TouchSteering.ts"
import { OptimizationRun } from "../../src/Services/Reports/ReportModel.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import { ReportsGroup } from "../../src/Tools/Reports/Reports.ts"
import { claimTouches, composeAll, TestEngine } from "../Outreach/support/touches.ts"
import { insertCampaign } from "../support/leads/LeadServices.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { answerOf } from "../support/ToolAnswer.ts"

const catalog = Catalog.make([ReportsGroup])
const Runs = Schema.Struct({ optimizations: Schema.Array(OptimizationRun), total: Schema.Int })
const runs = Effect.map(answerOf(catalog, "list_prospecting_optimizations"), Schema.decodeUnknownSync(Runs))

const campaignOf = (name: string) => Effect.map(insertCampaign(name), (id) => CampaignId.make(id))

const choicesOf = (accountId: AccountId, campaignId: CampaignId) =>
  Effect.flatMap(TouchSteering, ({ choices }) => choices({ accountId, campaignId }))

/**
 * First contacts of the last `weeks` weeks, 90 a week, a third with each opening. Of those with an introduction every
 * `introduction`th gets a reply a day later, of the others every `others`th.
 */
const insertContacts = (
  accountId: AccountId,
  campaignId: CampaignId,
  { introduction, others, weeks }: { readonly weeks: number; readonly introduction: number; readonly others: number }
) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql`
      with made as (
        insert into lead (account_id, name, email, status, pipeline_state, campaign_id)
        select ${accountId}, 'Lead ' || n, 'o' || n || '.' || ${campaignId} || '@opt.example', 'Cold', 'finished', ${campaignId}
        from generate_series(0, ${weeks * 90 - 1}) n
        returning lead_id, split_part(substring(email from 2), '.', 1)::int as n
      ), contacted as (
        insert into touch (account_id, lead_id, touch_number, channel, message_type, status, created_at, trial)
        select ${accountId}, lead_id, 1, 'email', 'first_contact', 'done', instant() - make_interval(days => 1 + 7 * (n / 90)),
          json_build_object('opening', (array['offer', 'introduction', 'greeting'])[1 + n % 3], 'send_hours', 'usual',
            'pauses', 'usual', 'channel_order', null, 'sector', null)
        from made returning lead_id, created_at
      )
      insert into email_message (account_id, lead_id, direction, status, message_id, from_address, to_address, subject,
        body_text, occurred_at, classification)
      select ${accountId}, lead_id, 'inbound', 'received', '<o' || n || '.' || ${campaignId} || '@opt.example>', 'b@x', 'a@x', 'Re', 'Yes',
        created_at + interval '1 day', '{"class": "interested"}'
      from contacted join made using (lead_id)
      where (n / 3) % case when n % 3 = 1 then ${introduction}::int else ${others}::int end = 0`
  })

const begin = (accountId: AccountId, campaignId: CampaignId) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql`
      insert into prospecting_trial (account_id, campaign, begun_at)
      values (${accountId}, ${campaignId}, instant() - interval '300 days')`
  )

layer(TestEngine, { excludeTestServices: true })("the optimizer's runs", (it) => {
  it.effect("begin to compare once a campaign contacts enough leads, and not before", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const { accountId } = caller
      const busy = yield* as(caller)(campaignOf("Busy"))
      const quiet = yield* as(caller)(campaignOf("Quiet"))
      yield* insertContacts(accountId, busy, { weeks: 1, introduction: 5, others: 5 })
      yield* optimizeAccount(accountId)
      assert.deepStrictEqual(yield* choicesOf(accountId, busy), {})
      assert.isUndefined(yield* choicesOf(accountId, quiet))
      const { optimizations } = yield* as(caller)(runs)
      assert.lengthOf(optimizations, 1)
      assert.deepInclude(optimizations[0], { campaign_name: "Busy", outcome: "kept", changes: [] })
      assert.include(optimizations[0]?.reasons[0], "contatou 90 leads em quatro semanas")
    })
  )

  it.effect("find what makes a difference, say on what numbers and how to undo it, and steer the next touches", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const { accountId } = caller
      const campaign = yield* as(caller)(campaignOf("Dentists"))
      yield* insertContacts(accountId, campaign, { weeks: 20, introduction: 4, others: 16 })
      yield* begin(accountId, campaign)
      yield* optimizeAccount(accountId)
      assert.deepStrictEqual(yield* choicesOf(accountId, campaign), { opening: "introduction" })
      const [run] = (yield* as(caller)(runs)).optimizations
      assert.deepInclude(run, { campaign_name: "Dentists", outcome: "changed" })
      assert.deepInclude(run?.changes[0], {
        setting: "Abertura da primeira mensagem",
        from: "todas, alternadas",
        to: "apresentação e pergunta"
      })
      assert.match(
        run?.reasons[0] ?? "",
        /“apresentação e pergunta”, \d+ de \d+ leads responderam \(2\d[\d,]*%\), contra \d+ de [\d.]+/
      )
      assert.include(run?.changes[0]?.how_to_undo, "sem otimizador")

      // A second run in the same week, after a crash or by hand, changes and writes nothing.
      yield* optimizeAccount(accountId)
      assert.strictEqual((yield* as(caller)(runs)).total, 1)

      const digest = yield* as(caller)(answerOf(catalog, "what_changed_since", { since_date: "2026-01-01" }))
      assert.nestedPropertyVal(digest, "optimizer_adjustments.total_count", 1)

      yield* sql`
        insert into lead (account_id, name, email, company, status, pipeline_state, next_touch_at, time_zone, campaign_id)
        select ${accountId}, 'Ana ' || n, 'new' || n || '@client.example', 'Company ' || n, 'Cold', 'in_pipeline',
          instant() - interval '1 hour', 'UTC', ${campaign} from generate_series(1, 40) n`
      yield* claimTouches
      yield* composeAll
      const sentOpenings = yield* sql<{ readonly opening: string; readonly body: string }>`
        select t.trial ->> 'opening' as opening, m.body_text as body from touch t
          join email_message m on m.account_id = t.account_id and m.touch_id = t.touch_id
        where t.account_id = ${accountId} and t.status = 'queued'`
      assert.lengthOf(sentOpenings, 40)
      const introduced = sentOpenings.filter(({ opening }) => opening === "introduction")
      assert.isAtLeast(introduced.length, 20)
      assert.isBelow(introduced.length, 40)
      for (const { body, opening } of sentOpenings) {
        assert.strictEqual(body.includes("Escrevo para me apresentar"), opening === "introduction", body)
      }
    })
  )

  it.effect("stop where the strategy says so: what was changed is taken back, the owner's words stay", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const { accountId } = caller
      const campaign = yield* as(caller)(campaignOf("Lawyers"))
      yield* insertContacts(accountId, campaign, { weeks: 20, introduction: 4, others: 16 })
      yield* begin(accountId, campaign)
      yield* optimizeAccount(accountId)
      const strategy = "Conversa franca. Sem otimizador, por favor."
      yield* sql`update campaign set strategy = ${strategy} where account_id = ${accountId} and campaign_id = ${campaign}`
      yield* sql`
        insert into lead (account_id, name, email, company, status, pipeline_state, next_touch_at, time_zone, campaign_id)
        values (${accountId}, 'Ana', 'off@client.example', 'Company', 'Cold', 'in_pipeline', instant() - interval '1 hour',
          'UTC', ${campaign})`
      // Even before the next run, no trial continues.
      yield* claimTouches
      yield* composeAll
      const trials = yield* sql`select trial from touch where account_id = ${accountId} and status = 'queued'`
      assert.deepStrictEqual(trials, [{ trial: null }])

      yield* optimizeAccount(accountId)
      assert.isUndefined(yield* choicesOf(accountId, campaign))
      const { optimizations } = yield* as(caller)(runs)
      assert.deepInclude(optimizations[0], { outcome: "undone" })
      assert.deepInclude(optimizations[0]?.changes[0], { from: "apresentação e pergunta", to: "todas, alternadas" })
      const unchangedRun =
        yield* sql`select strategy from campaign where account_id = ${accountId} and campaign_id = ${campaign}`
      assert.deepStrictEqual(unchangedRun, [{ strategy }])
      yield* optimizeAccount(accountId)
      assert.strictEqual((yield* as(caller)(runs)).total, optimizations.length)
    })
  )

  it.effect(
    "leave alone what makes no difference, and say how far a change is; another account sees nothing of it",
    () =>
      Effect.gen(function* () {
        const caller = yield* makeAccount()
        const campaign = yield* as(caller)(campaignOf("Even"))
        yield* insertContacts(caller.accountId, campaign, { weeks: 20, introduction: 8, others: 8 })
        yield* begin(caller.accountId, campaign)
        yield* optimizeAccount(caller.accountId)
        const [run] = (yield* as(caller)(runs)).optimizations
        assert.deepInclude(run, { outcome: "kept", changes: [] })
        assert.match(run?.reasons[0] ?? "", /^De 1\.\d{3} leads comparados, nenhuma diferença ficou provada/)
        assert.deepStrictEqual(yield* choicesOf(caller.accountId, campaign), {})
        assert.strictEqual((yield* as(yield* makeAccount())(runs)).total, 0)
      })
  )
})
