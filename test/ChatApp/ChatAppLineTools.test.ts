import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema, Stream } from "effect"
import { chatAppTaskHandlers } from "../../src/Layers/ChatApp/ChatAppTasks.ts"
import { ChatAppLines, chatAppLineProvisioningJob } from "../../src/Services/ChatApp/ChatAppLines.ts"
import { ChatAppLineView, RegisteredChatAppLine } from "../../src/Services/ChatApp/ChatAppModel.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { CustomerFiles } from "../../src/Services/Files/CustomerFiles.ts"
import { ChatAppLineGroup } from "../../src/Tools/ChatApp/ChatAppLine.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import { eventually, startEngine } from "../Jobs/support.ts"
import { chatAppServices } from "../support/channels/ChatAppServices.ts"
import { png } from "../support/Pictures.ts"
import { localHttpServer } from "../support/servers/LocalHttpServer.ts"
import { as, callTool, makeAccount } from "../support/TestAccount.ts"
import { answerOf } from "../support/ToolAnswer.ts"

const catalog = Catalog.make([ChatAppLineGroup])

/** The sandbox with an engine that runs its jobs. */
const Working = Layer.unwrapScoped(
  Effect.map(startEngine({ tasks: chatAppTaskHandlers, jobs: [chatAppLineProvisioningJob] }), Layer.succeedContext)
).pipe(Layer.provideMerge(chatAppServices()))

const line = Effect.map(answerOf(catalog, "get_chatapp_line"), Schema.decodeUnknownSync(ChatAppLineView))
const register = (args: object = {}) =>
  Effect.map(answerOf(catalog, "register_chatapp_line", args), Schema.decodeUnknownSync(RegisteredChatAppLine))
const refusal = (name: string, args: object) => Effect.flip(callTool(catalog, name, args))

const live = Effect.gen(function* () {
  const me = as(yield* makeAccount())
  yield* me(register())
  yield* me(eventually(line, ({ status }) => status === "live"))
  return me
})

layer(Working, { excludeTestServices: true })("the Messaging-app line tools", (it) => {
  it.effect("an account without a line gets that answer, with its spend", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      assert.deepInclude(yield* me(line), {
        status: "not_registered",
        is_ready: false,
        mode: "sandbox",
        phone: null,
        spend: {
          today_brl: 0,
          month_brl: 0,
          daily_cap_brl: null,
          monthly_cap_brl: null,
          opening_price_brl: 0.35,
          openings_paused_until: null
        }
      })
    })
  )

  it.effect("a line needs the paid plan", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount("free_trial"))
      const failure = yield* me(refusal("register_chatapp_line", {}))
      assert.deepInclude(failure, { _tag: "PlanRequired", reason: "paid_plan_required" })
    })
  )

  it.effect("a dedicated line is provisioned in the background, and registering again returns it", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const first = yield* me(register())
      assert.deepInclude(first, { created: true, uses_own_number: false })
      assert.include(["provisioning", "live"], first.status)
      const ready = yield* me(eventually(line, ({ status }) => status !== "provisioning"))
      assert.deepInclude(ready, { status: "live", is_ready: true, quality_rating: "green", signup_url: null })
      assert.match(ready.phone ?? "", /^\+55009\d{8}$/)
      assert.isNotNull(ready.refreshed_at)
      const again = yield* me(register({ use_own_number: true }))
      assert.deepInclude(again, { created: false, status: "live", uses_own_number: false, job_id: first.job_id })
    })
  )

  it.effect("an owner's number waits for the sign-up and works after it", () =>
    Effect.gen(function* () {
      const lines = yield* ChatAppLines
      const me = as(yield* makeAccount())
      yield* me(register({ use_own_number: true }))
      const pending = yield* me(eventually(line, ({ status }) => status === "pending_signup"))
      assert.isFalse(pending.is_ready)
      const url = new URL(pending.signup_url ?? "")
      const key = url.searchParams.get("state") ?? ""
      assert.deepStrictEqual(yield* lines.completeSignup("x".repeat(43), "code"), { _tag: "UnknownLink" })
      assert.deepStrictEqual(yield* lines.completeSignup(key, "code"), { _tag: "Connected" })
      assert.deepStrictEqual(yield* lines.completeSignup(key, "code"), { _tag: "UnknownLink" })
      const ready = yield* me(eventually(line, ({ status }) => status === "live"))
      assert.deepInclude(ready, { uses_own_number: true, signup_url: null, is_ready: true })
    })
  )

  it.effect("ten simultaneous registrations create one line and one job", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const answers = yield* as(caller)(
        Effect.all(
          Array.from({ length: 10 }, () => register()),
          { concurrency: 10 }
        )
      )
      assert.lengthOf(
        answers.filter(({ created }) => created),
        1
      )
      assert.lengthOf(yield* sql`select from background_job where account_id = ${caller.accountId}`, 1)
    })
  )

  it.effect("a line whose job was cancelled is shown as failed and can be registered again", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const me = as(caller)
      yield* sql`
        with job as (
          insert into background_job (account_id, kind, status) values (${caller.accountId}, 'chatapp_line_provisioning', 'cancelled')
          returning job_id
        )
        insert into chatapp_line (account_id, status, uses_own_number, job_id)
        select ${caller.accountId}, 'provisioning', false, job_id from job`
      assert.deepInclude(yield* me(line), { status: "failed", failure_reason: "It was cancelled." })
      assert.deepInclude(yield* me(register()), { created: true, failure_reason: null })
      yield* me(eventually(line, ({ status }) => status === "live"))
    })
  )

  it.effect("caps are set and removed, exact to the cent", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const daily = (daily_cap_brl: number | string) =>
        me(answerOf(catalog, "set_chatapp_daily_cost_cap", { daily_cap_brl }))
      assert.deepInclude(yield* daily(12.34), { daily_cap_brl: 12.34, monthly_cap_brl: null })
      assert.deepInclude(yield* me(answerOf(catalog, "set_chatapp_monthly_cost_cap", { monthly_cap_brl: 300 })), {
        daily_cap_brl: 12.34,
        monthly_cap_brl: 300
      })
      assert.deepInclude((yield* me(line)).spend, { daily_cap_brl: 12.34, monthly_cap_brl: 300 })
      assert.deepInclude(yield* daily("0"), { daily_cap_brl: null, monthly_cap_brl: 300 })
      assert.deepInclude(yield* daily(-1), { daily_cap_brl: null })
      for (const [cap, reason] of [
        [0.001, "not_whole_cents"],
        [10.005, "not_whole_cents"],
        [1e12, "out_of_range"]
      ] as const) {
        const failure = yield* me(refusal("set_chatapp_daily_cost_cap", { daily_cap_brl: cap }))
        assert.deepInclude(failure, { _tag: "Refused", reason })
      }
    })
  )

  it.effect("a cap below the price of an opening pauses openings until the next day", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const spend = yield* me(answerOf(catalog, "set_chatapp_daily_cost_cap", { daily_cap_brl: 0.34 }))
      assert.match(JSON.stringify(spend), /"openings_paused_until":"\d{4}/)
      const enough = yield* me(answerOf(catalog, "set_chatapp_daily_cost_cap", { daily_cap_brl: 0.35 }))
      assert.deepInclude(enough, { openings_paused_until: null })
    })
  )

  it.effect("the profile changes only in the fields that are sent", () =>
    Effect.gen(function* () {
      const me = yield* live
      const update = (args: object) =>
        Effect.map(
          me(answerOf(catalog, "update_chatapp_line_profile", args)),
          (answer) => Schema.decodeUnknownSync(ChatAppLineView)(answer).profile
        )
      yield* update({ about: " Software ", description: "Para clínicas", email: "OI@Ondas.example" })
      const profile = yield* update({
        websites: "ondas.example, https://b.example/x,https://c.example",
        vertical: "HEALTH"
      })
      assert.deepStrictEqual(profile, {
        about: "Software",
        description: "Para clínicas",
        address: null,
        email: "oi@ondas.example",
        websites: ["https://ondas.example", "https://b.example/x"],
        vertical: "HEALTH",
        profile_picture_url: null
      })
      assert.deepInclude(yield* update({ description: "", websites: "" }), {
        description: null,
        websites: [],
        about: "Software"
      })
      const cases: ReadonlyArray<readonly [object, string]> = [
        [{}, "nothing_to_change"],
        [{ about: "x".repeat(140) }, "text_too_long"],
        [{ about: " " }, "text_empty"],
        [{ description: "x".repeat(513) }, "text_too_long"],
        [{ vertical: "health" }, "value_not_accepted"],
        [{ websites: "javascript:alert(1)" }, "invalid_website"],
        [{ email: "nobody" }, "invalid_email"]
      ]
      for (const [args, reason] of cases) {
        assert.deepInclude(yield* me(refusal("update_chatapp_line_profile", args)), { _tag: "Refused", reason })
      }
    })
  )

  it.effect("the picture comes from a file or an address, and is checked", () =>
    Effect.gen(function* () {
      const me = yield* live
      const files = yield* CustomerFiles
      const upload = (bytes: Buffer) =>
        Effect.map(files.write({ fileName: "p.png", bytes: Stream.make(bytes) }), (file) => file.customer_file_id)
      const set = (args: object) => me(answerOf(catalog, "set_chatapp_line_profile_picture", args))
      const good = yield* me(upload(png(200, 200)))
      const answer = Schema.decodeUnknownSync(ChatAppLineView)(yield* set({ customer_file_id: good }))
      assert.match(answer.profile?.profile_picture_url ?? "", /\/sandbox\/chatapp\/pictures\/[\w-]{43}$/)

      const server = yield* localHttpServer((request, response) =>
        request.url === "/wide.png" ? response.end(png(300, 200)) : response.end(png(300, 300))
      )
      yield* set({ image_url: `${server.url}/good.png` })
      const oblong = yield* me(upload(png(200, 300)))
      const cases: ReadonlyArray<readonly [object, "Refused" | "NotFound", string]> = [
        [{}, "Refused", "one_source_required"],
        [{ customer_file_id: good, image_url: "https://a.example/p.png" }, "Refused", "one_source_required"],
        [{ customer_file_id: oblong }, "Refused", "picture_not_square"],
        [{ image_url: `${server.url}/wide.png` }, "Refused", "picture_not_square"],
        [{ image_url: "http://169.254.169.254/p.png" }, "Refused", "address_not_public"],
        [{ image_url: "https://10.0.0.1/p.png" }, "Refused", "address_not_public"],
        [{ customer_file_id: 987654 }, "NotFound", "customer_file_not_found"]
      ]
      for (const [args, _tag, reason] of cases) {
        assert.deepInclude(yield* me(refusal("set_chatapp_line_profile_picture", args)), { _tag, reason })
      }
    }).pipe(Effect.scoped)
  )

  it.effect("tools that need a live line refuse without one, before anything is downloaded", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const server = yield* localHttpServer((_, response) => response.end(png(300, 300)))
      for (const [name, args] of [
        ["update_chatapp_line_profile", { about: "x" }],
        ["set_chatapp_line_profile_picture", { image_url: server.url }]
      ] as const) {
        assert.deepInclude(yield* me(refusal(name, args)), { _tag: "Refused", reason: "chatapp_line_not_live" })
      }
      assert.isEmpty(server.requests)
    }).pipe(Effect.scoped)
  )

  it.effect("reading the line writes nothing", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const me = yield* live
      const { accountId } = yield* me(Caller)
      const stored = sql`select *, xmin::text from chatapp_line where account_id = ${accountId}`
      const before = yield* stored
      yield* me(line)
      assert.deepStrictEqual(yield* stored, before)
    })
  )
})
