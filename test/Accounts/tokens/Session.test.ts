import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { AccountProfilePostgres } from "../../../src/Layers/Accounts/AccountProfilePostgres.ts"
import { NotificationsPostgres } from "../../../src/Layers/Events/NotificationsPostgres.ts"
import { IntegrationModes } from "../../../src/Services/Core/Outside/IntegrationModes.ts"
import { Notifications } from "../../../src/Services/Events/Notifications.ts"
import * as Catalog from "../../../src/Tools/Core/Catalog.ts"
import { SessionGroup } from "../../../src/Tools/Groups/Session.ts"
import { as, callTool, makeAccount } from "../../support/TestAccount.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"
import { answerOf } from "../../support/ToolAnswer.ts"

const catalog = Catalog.make([SessionGroup])
const TestLayer = Layer.mergeAll(AccountProfilePostgres, NotificationsPostgres).pipe(Layer.provideMerge(TestDatabase))

const notify = (message: string) =>
  Effect.flatMap(Notifications, (notifications) => notifications.notify({ kind: "note", message, data: {} }))

const Listed = Schema.Struct({
  notifications: Schema.Array(Schema.Struct({ message: Schema.String })),
  total: Schema.Number
})
const messagesOf = (answer: unknown) =>
  Schema.decodeUnknownSync(Listed)(answer).notifications.map(({ message }) => message)

layer(TestLayer, { excludeTestServices: true })("the Session tools", (it) => {
  it.effect("whoami answers the profile and the mode of each outside service", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount("free_trial")
      const answer = yield* as(caller)(answerOf(catalog, "whoami")).pipe(
        Effect.provideService(IntegrationModes, { mail: "sandbox", voice: "live" })
      )
      assert.deepInclude(answer, {
        account_id: caller.accountId,
        plan: "free_trial",
        timezone_offset_utc_hours: -3,
        prospecting_eligibility: { is_eligible: true, reasons: [], fixes: [] },
        outside_services: { mail: "sandbox", voice: "live" }
      })
    })
  )

  it.effect("a notification is pending until it is acknowledged, and stays in the history", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const id = yield* me(notify("hello"))
      const pending = yield* me(answerOf(catalog, "list_pending_notifications"))
      assert.deepStrictEqual(messagesOf(pending), ["hello"])
      const first = yield* me(answerOf(catalog, "acknowledge_notification", { notification_id: id }))
      const again = yield* me(answerOf(catalog, "acknowledge_notification", { notification_id: `${id}` }))
      assert.deepStrictEqual(again, first)
      assert.deepStrictEqual(messagesOf(yield* me(answerOf(catalog, "list_pending_notifications"))), [])
      const history = yield* me(answerOf(catalog, "list_notification_history"))
      assert.deepInclude(history, { page: 0, page_size: 20, total: 1 })
      assert.deepStrictEqual(messagesOf(history), ["hello"])
    })
  )

  it.effect("a page size over the maximum is lowered and stated; bad pages and unknown ids are refused", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const answer = yield* me(answerOf(catalog, "list_notification_history", { page: 3, page_size: 1000 }))
      assert.deepStrictEqual(answer, { notifications: [], page: 3, page_size: 100, total: 0 })
      const negative = yield* Effect.flip(me(callTool(catalog, "list_notification_history", { page: -1 })))
      assert.deepInclude(negative, { _tag: "Refused", reason: "out_of_range" })
      const unknown = yield* Effect.flip(me(callTool(catalog, "acknowledge_notification", { notification_id: 404 })))
      assert.deepInclude(unknown, { _tag: "NotFound", reason: "notification_not_found" })
    })
  )
})
