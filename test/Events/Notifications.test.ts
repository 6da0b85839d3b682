import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { NotificationsPostgres } from "../../src/Layers/Events/NotificationsPostgres.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { NotificationId, Notifications } from "../../src/Services/Events/Notifications.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

const TestLayer = NotificationsPostgres.pipe(Layer.provideMerge(TestDatabase))

const notify = (message: string) =>
  Effect.flatMap(Notifications, (notifications) =>
    notifications.notify({ kind: "import_finished", message, data: { lead_import_id: 7, rows: [1, { ok: true }] } })
  )

const messages = (page: { readonly notifications: ReadonlyArray<{ readonly message: string }> }) =>
  page.notifications.map(({ message }) => message)

layer(TestLayer, { excludeTestServices: true })("Notifications", (it) => {
  it.effect("pending ones come oldest first, with their data as it was given", () =>
    Effect.gen(function* () {
      const notifications = yield* Notifications
      const me = as(yield* makeAccount())
      const id = yield* me(notify("first"))
      yield* me(notify("second"))
      const page = yield* me(notifications.pending)
      assert.deepStrictEqual(messages(page), ["first", "second"])
      assert.strictEqual(page.total, 2)
      assert.deepInclude(page.notifications[0], {
        notification_id: id,
        kind: "import_finished",
        data: { lead_import_id: 7, rows: [1, { ok: true }] },
        processed_at: null,
        acknowledged_at: null
      })
    })
  )

  it.effect("delivered and acknowledged ones are pending no more, and stay in the history, newest first", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const notifications = yield* Notifications
      const me = as(yield* makeAccount())
      const delivered = yield* me(notify("delivered"))
      const acknowledged = yield* me(notify("acknowledged"))
      yield* me(notify("new"))
      yield* sql`update notification set processed_at = now() where notification_id = ${delivered}`
      yield* me(notifications.acknowledge(acknowledged))
      assert.deepStrictEqual(messages(yield* me(notifications.pending)), ["new"])
      const first = yield* me(notifications.history({ page: 0, pageSize: 2 }))
      assert.deepStrictEqual([messages(first), first.total], [["new", "acknowledged"], 3])
      const second = yield* me(notifications.history({ page: 1, pageSize: 2 }))
      assert.deepStrictEqual([messages(second), second.total], [["delivered"], 3])
      assert.deepStrictEqual(yield* me(notifications.history({ page: 9, pageSize: 2 })), {
        notifications: [],
        total: 3
      })
    })
  )

  it.effect("acknowledging again answers the very same", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const notifications = yield* Notifications
      const me = as(yield* makeAccount())
      const id = yield* me(notify("once"))
      yield* sql`update notification set acknowledged_at = '2026-01-02T03:04:05Z' where notification_id = ${id}`
      const again = yield* me(notifications.acknowledge(id))
      assert.strictEqual(again.acknowledged_at, "2026-01-02T03:04:05Z")
      assert.deepStrictEqual(yield* me(notifications.acknowledge(id)), again)
    })
  )

  it.effect("an unknown id and another account's are not found, and differ in nothing", () =>
    Effect.gen(function* () {
      const notifications = yield* Notifications
      const theirs = yield* as(yield* makeAccount())(notify("theirs"))
      const me = as(yield* makeAccount())
      const failure = yield* Effect.flip(me(notifications.acknowledge(theirs)))
      assert.deepInclude(failure, {
        _tag: "NotFound",
        reason: "notification_not_found",
        fields: { notification_id: theirs }
      })
      const unknown = yield* Effect.flip(me(notifications.acknowledge(NotificationId.make(theirs + 1000))))
      assert.deepInclude(unknown, { _tag: "NotFound", detail: failure.detail })
      assert.deepStrictEqual(yield* me(notifications.history({ page: 0, pageSize: 20 })), {
        notifications: [],
        total: 0
      })
    })
  )

  it.effect("more than 200 pending ones are counted, and the oldest 200 answered", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const notifications = yield* Notifications
      const caller = yield* makeAccount()
      yield* sql`
        insert into notification (account_id, kind, message)
        select ${caller.accountId}, 'note', n::text from generate_series(1, 205) n`
      const page = yield* as(caller)(notifications.pending)
      assert.deepStrictEqual([page.notifications.length, page.total], [200, 205])
      assert.strictEqual(page.notifications[0]?.message, "1")
    })
  )

  it.effect("a notification of a transaction that fails never appears", () =>
    Effect.gen(function* () {
      const notifications = yield* Notifications
      const unit = yield* UnitOfWork
      const me = as(yield* makeAccount())
      yield* Effect.flip(unit.write(Effect.zipRight(me(notify("undone")), Effect.fail("no"))))
      assert.strictEqual((yield* me(notifications.pending)).total, 0)
    })
  )
})
