import { SqlClient } from "@effect/sql/SqlClient"
import { assert, describe, layer, it as plainIt } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as fc from "fast-check"
import { LanguageUsage } from "../../src/Services/Models/LanguageUsage.ts"
import { AccountUsageView, limitsOf } from "../../src/Services/Reports/AccountUsage.ts"
import { AllTools } from "../../src/Tools/AllTools.ts"
import { makeTokenHolder, send, testGateway } from "../support/servers/TestServer.ts"

const paidTools = AllTools.entries.filter(({ tool }) => tool.requiresPaidPlan).map(({ tool }) => tool.name)

const usageOf = (token: string) =>
  Effect.map(send("/rest/v1/call/get_account_usage", { token }), ({ json, status, text }) => {
    assert.strictEqual(status, 200, text)
    return Schema.decodeUnknownSync(AccountUsageView, { onExcessProperty: "error" })(json)
  })

const limitIn = (usage: AccountUsageView, name: string) => usage.limits.find((limit) => limit.name === name)

layer(testGateway({ accountStorageLimit: 1000 }), { excludeTestServices: true })("what an account uses", (it) => {
  it.effect("the trial names what it leaves out and the plan that has it; each of these answers so", () =>
    Effect.gen(function* () {
      const { token } = yield* makeTokenHolder("free_trial")
      const { plan } = yield* usageOf(token)
      assert.isNotEmpty(paidTools)
      assert.deepStrictEqual(plan, {
        name: "free_trial",
        includes_all_tools: false,
        tools_not_included: paidTools,
        plan_with_these_tools: "paid"
      })
      for (const name of plan.tools_not_included) {
        const { json, status } = yield* send(`/rest/v1/tools/${name}`, { method: "POST", token, body: "{}" })
        assert.strictEqual(status, 403, name)
        assert.deepInclude(json, { type: "PlanRequired", required_plan: "paid" })
      }
      const paid = yield* usageOf((yield* makeTokenHolder("paid")).token)
      assert.deepStrictEqual(paid.plan.tools_not_included, [])
    })
  )

  it.effect("counts this month's messages, calls, tokens, costs and storage, of this account alone", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const models = yield* LanguageUsage
      const other = yield* makeTokenHolder()
      const { caller, token } = yield* makeTokenHolder()
      const { accountId } = caller
      const empty = yield* usageOf(token)
      assert.deepInclude(empty, {
        email: { sent: 0, received: 0, failed: 0 },
        chatapp: { sent: 0, received: 0, failed: 0, paid_openings: 0, cost_brl: 0 },
        voice: { calls: 0, answered: 0, minutes: 0 },
        storage: { files: 0, bytes: 0 }
      })
      yield* sql`update account set time_zone = 'Pacific/Auckland' where account_id = ${accountId}`
      const start = sql`(date_trunc('month', instant() at time zone 'Pacific/Auckland') at time zone 'Pacific/Auckland')`
      const mail = (id: string, direction: string, status: string, before: string) => sql`
        insert into email_message (account_id, direction, status, message_id, from_address, to_address, subject,
          body_text, occurred_at)
        values (${accountId}, ${direction}, ${status}, ${id}, 'a@x.example', 'b@x.example', '', '',
          ${start} - ${before}::interval)`
      yield* mail("<1@x>", "outbound", "sent", "0 seconds")
      // The month before, by the account's own calendar.
      yield* mail("<2@x>", "outbound", "sent", "1 second")
      yield* mail("<3@x>", "outbound", "failed", "0 seconds")
      yield* mail("<4@x>", "inbound", "received", "0 seconds")
      yield* sql`
        insert into chatapp_message (account_id, direction, kind, status, phone, body)
        values (${accountId}, 'outbound', 'template', 'delivered', '+1', ''),
          (${accountId}, 'outbound', 'text', 'read', '+1', ''), (${accountId}, 'inbound', 'text', 'received', '+1', ''),
          (${accountId}, 'outbound', 'text', 'queued', '+1', '')`
      yield* sql`
        insert into chatapp_budget (account_id, daily_cap_brl, monthly_cap_brl) values (${accountId}, 2, null)`
      yield* sql`
        insert into chatapp_spend (account_id, day, spent_brl)
        values (${accountId}, (instant() at time zone 'Pacific/Auckland')::date, 1.75),
          (${accountId}, (${start} at time zone 'Pacific/Auckland')::date - 1, 9)`
      yield* sql`
        insert into voice_call (account_id, kind, phone, goal, status, was_picked_up, duration_seconds)
        values (${accountId}, 'goal_driven', '+1', 'x', 'completed', true, 90),
          (${accountId}, 'goal_driven', '+1', 'x', 'no_answer', false, null)`
      yield* models.add(accountId, "write_message", {
        inputTokens: 1000,
        outputTokens: 200,
        model: "m-1",
        costMicroUsd: 2500
      })
      yield* models.add(accountId, "write_message", { inputTokens: 10, outputTokens: 2, model: "m-1" })
      yield* sql`
        insert into customer_file (account_id, file_name, download_key, media_type, size_bytes, sha256, completed_at)
        values (${accountId}, 'a.txt', ${"k".repeat(43)}, 'text/plain', 850, sha256('a'), instant()),
          (${accountId}, 'unfinished.txt', ${"u".repeat(43)}, 'text/plain', 5, null, null)`

      const usage = yield* usageOf(token)
      assert.deepStrictEqual(usage.email, { sent: 1, received: 1, failed: 1 })
      assert.deepStrictEqual(usage.chatapp, { sent: 2, received: 1, failed: 0, paid_openings: 1, cost_brl: 1.75 })
      assert.deepStrictEqual(usage.voice, { calls: 2, answered: 1, minutes: 1.5 })
      assert.deepStrictEqual(usage.models, {
        calls: 2,
        input_tokens: 1010,
        output_tokens: 202,
        cost_usd: 0.0025,
        by_purpose: [
          {
            purpose: "write_message",
            model: "m-1",
            calls: 2,
            input_tokens: 1010,
            output_tokens: 202,
            cost_usd: 0.0025
          }
        ]
      })
      assert.deepStrictEqual(usage.storage, { files: 1, bytes: 850 })
      assert.deepInclude(limitIn(usage, "storage_bytes"), { used: 850, limit: 1000, used_percent: 85, is_near: true })
      assert.deepInclude(limitIn(usage, "chatapp_openings_today_brl"), { used: 1.75, limit: 2, is_near: true })
      // A cap that is not set is no limit.
      assert.isUndefined(limitIn(usage, "chatapp_openings_month_brl"))
      assert.deepInclude(limitIn(usage, "access_tokens"), { used: 1, is_near: false })
      assert.strictEqual(usage.outside_services.mail, "sandbox")
      assert.deepStrictEqual((yield* usageOf(other.token)).email, { sent: 0, received: 0, failed: 0 })
    })
  )
})

describe("limits", () => {
  plainIt("stand in the order of how full they are, and say what is near", () => {
    const amount = fc.integer({ min: 0, max: 1000 })
    const entry = fc.tuple(fc.constant("members" as const), amount, fc.option(fc.integer({ min: 0, max: 1000 })))
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 8 }), (used) => {
        const limits = limitsOf(used)
        assert.strictEqual(limits.length, used.filter(([, , limit]) => limit !== null && limit > 0).length)
        const shares = limits.map((limit) => limit.used / limit.limit)
        assert.deepStrictEqual(
          shares,
          [...shares].sort((one, other) => other - one)
        )
        for (const { is_near, limit, used: amountUsed } of limits)
          assert.strictEqual(is_near, amountUsed * 5 >= limit * 4)
      })
    )
  })
})
