import { spawnSync } from "node:child_process"
import { SqlClient } from "@effect/sql/SqlClient"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { makeCounter } from "../../../src/Services/Core/Counter.ts"
import { OutsideHealth } from "../../../src/Services/Core/Outside/OutsideHealth.ts"
import { readReply } from "../../../src/Services/Outreach/OutreachTasks.ts"
import { makeTokenHolder, send, testGateway } from "../../support/servers/TestServer.ts"
import { as } from "../../support/TestAccount.ts"
import { promlint } from "./promlint.ts"

const hasPromtool = spawnSync("promtool", ["--version"]).status === 0

const page = Effect.map(send("/metrics"), ({ text }) => text)

const figure = (text: string, name: string): number =>
  Number(new RegExp(`^${name.replace(/[{}"]/g, "\\$&")} (\\S+)$`, "m").exec(text)?.[1] ?? Number.NaN)

layer(testGateway(), { excludeTestServices: true })("the page of figures", (it) => {
  it.effect("has nothing that Prometheus' linter finds fault with, whatever was counted", () =>
    Effect.gen(function* () {
      const { token } = yield* makeTokenHolder()
      yield* send("/rest/v1/tools/whoami", { method: "POST", body: "{}", token })
      const { watch } = yield* OutsideHealth
      yield* (yield* watch("mail.smtp")).worked
      yield* (yield* watch("language_model")).failed("timed_out")
      const odd = makeCounter({
        name: "gateway_odd_total",
        help: 'A "line"\nand \\ more.',
        label: "of",
        known: ['a"b\\c\nd']
      })
      yield* odd.begin
      const text = yield* page
      assert.deepStrictEqual(promlint(text), [])
      if (!hasPromtool) return
      const judged = spawnSync("promtool", ["check", "metrics"], { input: text, encoding: "utf8" })
      assert.strictEqual(`${judged.stdout}${judged.stderr}`, "")
    })
  )

  it.effect("has counts from the beginning, so that the first of a kind is seen as an increase", () =>
    Effect.gen(function* () {
      const text = yield* page
      for (const name of [
        'gateway_mails_total{outcome="sent"}',
        'gateway_mails_total{outcome="failed"}',
        'gateway_replies_read_total{channel="email"}',
        'gateway_replies_read_total{channel="voice"}',
        'gateway_webhook_attempts_total{outcome="delivered"}'
      ]) {
        assert.isAtLeast(figure(text, name), 0, name)
      }
    })
  )

  it.effect("tells how long the oldest reply waits to be read and the oldest webhook to be delivered", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const reply = "gateway_oldest_unread_reply_age_seconds"
      const webhook = "gateway_oldest_undelivered_webhook_age_seconds"
      const before = yield* page
      assert.strictEqual(figure(before, reply), 0)
      assert.strictEqual(figure(before, webhook), 0)
      assert.strictEqual(figure(before, "gateway_oldest_due_task_age_seconds"), 3)

      const { caller } = yield* makeTokenHolder()
      const { accountId } = caller
      yield* as(caller)(
        Effect.gen(function* () {
          yield* sql`select graphile_worker.add_job(${readReply.name}, '{}'::json)`
          yield* sql`update graphile_worker._private_jobs set created_at = now() - interval '90 seconds'`
          // An abandoned task no longer counts as waiting.
          yield* sql`select graphile_worker.add_job(${readReply.name}, '{}'::json, max_attempts := 1)`
          yield* sql`update graphile_worker._private_jobs set created_at = now() - interval '5 hours', attempts = 1
            where max_attempts = 1`
          for (const isHeld of [false, true]) {
            yield* sql`
              with subscription as (
                insert into webhook_subscription (account_id, url, secret, held_until)
                values (${accountId}, 'https://receiver.example', '\\x00',
                  ${isHeld ? sql`instant() + interval '1 hour'` : sql`null`})
                returning account_id, webhook_subscription_id
              )
              insert into webhook_delivery (account_id, webhook_subscription_id, ping_key, event_type, created_at)
              select account_id, webhook_subscription_id, gen_random_uuid(), 'ping',
                instant() - make_interval(secs => ${isHeld ? 900 : 40}::integer)
              from subscription`
          }
        })
      )
      const after = yield* page
      assert.closeTo(figure(after, reply), 90, 30)
      assert.closeTo(figure(after, webhook), 40, 30)
    })
  )
})

describe("the linter of the test", () => {
  const good = "# HELP gateway_calls_total Calls.\n# TYPE gateway_calls_total counter\ngateway_calls_total 1\n"
  it("passes what is good", () => assert.deepStrictEqual(promlint(good), []))

  for (const [fault, bad] of [
    ["a counter without its suffix", good.replaceAll("_total", "")],
    ["a gauge that is called a total", good.replace("counter", "gauge")],
    ["no help", good.replace(/^# HELP.*\n/, "")],
    ["no type", good.replace(/^# TYPE.*\n/m, "")],
    ["milliseconds", good.replaceAll("calls", "wait_milliseconds")],
    ["an abbreviated unit", good.replaceAll("calls", "wait_ms")],
    ["a series twice", `${good}gateway_calls_total 2\n`],
    [
      "a family in two places",
      `${good}# HELP other Other.\n# TYPE other gauge\nother 1\ngateway_calls_total{a="b"} 2\n`
    ],
    ["help twice", `${good}# HELP gateway_calls_total Calls.\n`],
    ["a label of histograms", good.replace(" 1\n", '{le="1"} 1\n')],
    ["camel case", good.replaceAll("calls", "toolCalls")],
    ["what cannot be read", good.replace(" 1\n", ' {a="b} 1\n')]
  ] as const) {
    it(`finds ${fault}`, () => assert.isNotEmpty(promlint(bad)))
  }
})
