import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { AccountsPostgres } from "../../src/Layers/Accounts/AccountsPostgres.ts"
import { AccountEventsPostgres } from "../../src/Layers/Events/AccountEventsPostgres.ts"
import { NotificationsPostgres } from "../../src/Layers/Events/NotificationsPostgres.ts"
import { migrateEngine } from "../../src/Layers/Platform/Jobs/EngineSchema.ts"
import { TaskQueuePostgres } from "../../src/Layers/Platform/Jobs/TaskQueue.ts"
import { SupportDeskPostgres, SupportRequestsPostgres } from "../../src/Layers/Support/SupportRequestsPostgres.ts"
import { AccountEvents } from "../../src/Services/Events/AccountEvents.ts"
import { Notifications } from "../../src/Services/Events/Notifications.ts"
import { SupportRequestId } from "../../src/Services/Support/Ids.ts"
import { maximumPendingRequests, SupportDesk, SupportRequestView } from "../../src/Services/Support/SupportRequests.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import { SupportGroup } from "../../src/Tools/Support/Support.ts"
import { as, callTool, makeAccount } from "../support/TestAccount.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { answerOf } from "../support/ToolAnswer.ts"

const catalog = Catalog.make([SupportGroup])
const TestLayer = SupportDeskPostgres.pipe(
  Layer.provideMerge(
    Layer.mergeAll(SupportRequestsPostgres, AccountsPostgres, AccountEventsPostgres, NotificationsPostgres)
  ),
  Layer.provideMerge(TaskQueuePostgres),
  Layer.provideMerge(Layer.effectDiscard(migrateEngine)),
  Layer.provideMerge(TestDatabase)
)

const Created = Schema.Struct({ ...SupportRequestView.fields, created: Schema.Boolean })
const Listed = Schema.Struct({ support_requests: Schema.Array(SupportRequestView), total: Schema.Int })

const newRequest = { message: "Exports end early.", type: "technical", severity: "high" } as const
const create = (request: object = newRequest) =>
  Effect.map(answerOf(catalog, "create_support_request", request), Schema.decodeUnknownSync(Created))
const list = (status?: string) =>
  Effect.map(
    answerOf(catalog, "list_support_requests", status === undefined ? {} : { status }),
    Schema.decodeUnknownSync(Listed)
  )

layer(TestLayer, { excludeTestServices: true })("support requests", (it) => {
  it.effect(
    "wait until the team answers; the account gets an event and a notification, and no other account sees them",
    () =>
      Effect.gen(function* () {
        const caller = yield* makeAccount()
        const me = as(caller)
        const other = as(yield* makeAccount())
        const desk = yield* SupportDesk
        const request = yield* me(create())
        assert.deepInclude(request, { ...newRequest, status: "pending", answer: null, created: true })
        assert.include(
          (yield* desk.list("pending")).map(({ support_request_id }) => support_request_id),
          request.support_request_id
        )

        const answered = yield* desk.answer(caller.accountId, request.support_request_id, "  Fixed in the next hour.  ")
        assert.deepInclude(answered, { status: "answered", answer: "Fixed in the next hour." })
        // The same answer again notifies no one.
        yield* desk.answer(caller.accountId, request.support_request_id, "Fixed in the next hour.")

        const answeredRequests = yield* me(list("answered"))
        assert.deepStrictEqual(
          answeredRequests.support_requests.map(({ answer }) => answer),
          ["Fixed in the next hour."]
        )
        const events = yield* AccountEvents
        const { events: answerEvents } = yield* me(
          events.read({ since: 0, types: ["support_request_answered"], limit: 10 })
        )
        assert.deepStrictEqual(
          answerEvents.map(({ data }) => data),
          [{ support_request_id: request.support_request_id }]
        )
        const notifications = yield* Notifications
        assert.strictEqual((yield* me(notifications.pending)).total, 1)
        assert.strictEqual((yield* other(list())).total, 0)
      })
  )

  it.effect("are answered and closed by their own account's id alone, and not after they were closed", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const stranger = yield* makeAccount()
      const desk = yield* SupportDesk
      const { support_request_id: id } = yield* as(caller)(create())
      assert.strictEqual(
        (yield* Effect.flip(desk.answer(stranger.accountId, id, "hi"))).reason,
        "support_request_not_found"
      )
      assert.strictEqual((yield* Effect.flip(desk.answer(caller.accountId, id, "   "))).reason, "answer_empty")
      assert.strictEqual(
        (yield* Effect.flip(desk.close(caller.accountId, SupportRequestId.make(987_654)))).reason,
        "support_request_not_found"
      )
      const closed = yield* desk.close(caller.accountId, id)
      assert.strictEqual(closed.status, "closed")
      assert.strictEqual((yield* desk.close(caller.accountId, id)).closed_at, closed.closed_at)
      assert.strictEqual(
        (yield* Effect.flip(desk.answer(caller.accountId, id, "late"))).reason,
        "support_request_closed"
      )
    })
  )

  it.effect("that twenty callers make at once are one, and another message is another", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const requests = yield* Effect.forEach(Array.from({ length: 20 }), () => me(create()), {
        concurrency: "unbounded"
      })
      assert.strictEqual(requests.filter(({ created }) => created).length, 1)
      assert.strictEqual(new Set(requests.map(({ support_request_id }) => support_request_id)).size, 1)
      assert.isTrue((yield* me(create({ ...newRequest, severity: "low" }))).created)
    })
  )

  it.effect("are bounded: by number, by length, by the words of type and severity", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const refusalOf = (request: object) =>
        Effect.map(Effect.flip(me(callTool(catalog, "create_support_request", request))), (error) =>
          error._tag === "Refused" ? error.reason : error._tag
        )
      for (let number = 0; number < maximumPendingRequests; number++) {
        yield* me(create({ ...newRequest, message: `Request ${number}` }))
      }
      assert.strictEqual(yield* refusalOf(newRequest), "too_many_support_requests")
      assert.strictEqual(yield* refusalOf({ ...newRequest, message: " \n " }), "text_empty")
      assert.strictEqual(yield* refusalOf({ ...newRequest, message: "x".repeat(10_001) }), "text_too_long")
      assert.strictEqual(yield* refusalOf({ ...newRequest, type: "Technical" }), "value_not_accepted")
    })
  )
})
