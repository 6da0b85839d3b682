import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { RequestTrail } from "../../src/Services/Accounts/RequestTrail.ts"
import { send, testGateway } from "../support/servers/TestServer.ts"
import { as } from "../support/TestAccount.ts"
import { newConsole } from "./browsing.ts"

const Answers = Schema.decodeUnknown(
  Schema.Struct({
    answers: Schema.Array(Schema.Struct({ status: Schema.Number, request_id: Schema.String, body: Schema.Unknown }))
  })
)

const readsPath = (calls: unknown) => `/rest/v1/reads?calls=${encodeURIComponent(JSON.stringify(calls))}`

layer(testGateway({ trustedProxies: () => true }), { excludeTestServices: true })(
  "several calls in one request",
  (it) => {
    it.effect("are answered in their order, each as if it had come alone", () =>
      Effect.gen(function* () {
        const { console } = yield* newConsole
        const { json, status } = yield* console.get(
          readsPath([
            ["whoami", {}],
            ["search_leads", { page_size: 5 }],
            ["get_lead", { lead_id: 999_999 }],
            ["search_leads", { page_size: "many" }],
            ["no_such_tool", {}]
          ])
        )
        assert.strictEqual(status, 200)
        const { answers } = yield* Answers(json)
        assert.deepStrictEqual(
          answers.map((answer) => answer.status),
          [200, 200, 404, 400, 404]
        )
        const alone = yield* console.get("/rest/v1/call/whoami")
        assert.deepStrictEqual(answers[0]?.body, alone.json)
        assert.strictEqual(new Set(answers.map(({ request_id }) => request_id)).size, 5)
      })
    )

    it.effect("change nothing", () =>
      Effect.gen(function* () {
        const { console } = yield* newConsole
        const { json } = yield* console.get(
          readsPath([["create_webhook_subscription", { url: "https://hooks.example.com/a" }]])
        )
        const { answers } = yield* Answers(json)
        assert.strictEqual(answers[0]?.status, 405)
        const list = yield* console.get("/rest/v1/call/list_webhook_subscriptions")
        assert.notInclude(list.text, "hooks.example.com")
      })
    )

    it.effect("are each in the log of requests, under the id that the answer has", () =>
      Effect.gen(function* () {
        const { caller, console } = yield* newConsole
        const trail = yield* RequestTrail
        const { json } = yield* console.get(readsPath([["whoami", {}]]))
        const { answers } = yield* Answers(json)
        yield* trail.flush
        const [entry] = yield* as(caller)(trail.get(answers[0]?.request_id ?? ""))
        assert.strictEqual(entry?.tool, "whoami")
        assert.strictEqual(entry?.route, "GET /console/api/rest/v1/call/{name}")
      })
    )

    it.effect("must be a short list of calls", () =>
      Effect.gen(function* () {
        const { console } = yield* newConsole
        const many = Array.from({ length: 21 }, () => ["whoami", {}])
        for (const calls of [[], many, [["whoami"]], [["whoami", []]], "whoami", {}, [[1, {}]]]) {
          assert.strictEqual((yield* console.get(readsPath(calls))).status, 400, JSON.stringify(calls))
        }
        assert.strictEqual((yield* console.get("/rest/v1/reads")).status, 400)
        assert.strictEqual((yield* console.post("/rest/v1/reads", {})).status, 405)
      })
    )

    it.effect("need a session, the page's own origin, and are no route for programs", () =>
      Effect.gen(function* () {
        const { console, token } = yield* newConsole
        const calls = readsPath([["whoami", {}]])
        assert.strictEqual((yield* send(`/console/api${calls}`)).status, 401)
        assert.strictEqual((yield* console.get(calls, { "Sec-Fetch-Site": "cross-site" })).status, 403)
        assert.strictEqual((yield* send(calls, { token })).status, 404)
      })
    )
  }
)
