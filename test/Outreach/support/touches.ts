import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, ConfigProvider, Effect, Layer } from "effect"
import { AccountsPostgres } from "../../../src/Layers/Accounts/AccountsPostgres.ts"
import { Domain } from "../../../src/Layers/App.ts"
import { claimTouches as claim } from "../../../src/Layers/Outreach/ClaimTouches.ts"
import { makeComposeTouchHandler } from "../../../src/Layers/Outreach/Composing/ComposeTouch.ts"
import { TouchComposerLive } from "../../../src/Layers/Outreach/Composing/TouchComposerLive.ts"
import { SettingsLive } from "../../../src/Layers/Platform/Settings.ts"
import type { LanguageModelFailed } from "../../../src/Services/Models/LanguageModel.ts"
import { Writer } from "../../../src/Services/Writing/Writer.ts"
import { withoutFallbacks } from "../../support/checks/Fallbacks.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"
import { testBaseUrl } from "../../support/TestSettings.ts"

/** Files of messages are on this machine. */
const settings = new Map([
  ["BASE_URL", testBaseUrl],
  ["OUTBOUND_ALLOW_LOOPBACK", "true"]
])

/** Everything that prospecting uses over a database, outside services in their sandboxes. No engine runs. */
export const engineOver = (database: typeof TestDatabase) =>
  Domain.pipe(
    Layer.provideMerge(AccountsPostgres),
    Layer.provideMerge(database),
    Layer.provideMerge(SettingsLive.pipe(Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(settings)))))
  )

export const TestEngine = engineOver(TestDatabase)

/** A Monday at noon, so that the tests do not depend on when they run. */
const monday = Date.parse("2026-03-02T12:00:00Z")
const clockAt = (millis: number): Clock.Clock =>
  Object.assign(Clock.make(), {
    unsafeCurrentTimeMillis: () => millis,
    currentTimeMillis: Effect.succeed(millis)
  })
export const onMonday = clockAt(monday)

type ComposeHandler = Effect.Effect.Success<typeof makeComposeTouchHandler>

/** Runs a handler for each task that waits to be composed. */
export const runWith = (handler: ComposeHandler, concurrency: 1 | "unbounded" = 1, clock = onMonday) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const waiting = yield* sql<{ readonly stored: unknown }>`
      select json_build_object('accountId', account_id, 'leadId', lead_id, 'touchId', touch_id) as stored
      from touch where status = 'writing'`
    yield* Effect.forEach(waiting, ({ stored }) => handler.run(stored, { id: "1", attempt: 1, maxAttempts: 6 }), {
      concurrency
    })
  }).pipe(Effect.withClock(clock))

const composeBy = (concurrency: 1 | "unbounded", clock = onMonday) =>
  Effect.flatMap(makeComposeTouchHandler, (handler) => runWith(handler, concurrency, clock))

/** Runs the tasks that wait to be composed, as the job engine would. */
export const composeAll = composeBy(1)
/** The same at night, when the send window is closed. */
export const composeAtNight = composeBy(1, clockAt(Date.parse("2026-03-03T02:00:00Z")))
/** All of them side by side. */
export const composeAtOnce = withoutFallbacks(composeBy("unbounded"))

/** Runs every task that waits to be composed so many times, with a model that fails. */
export const composeWithout = (failure: LanguageModelFailed, attempts: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const handler = yield* makeComposeTouchHandler.pipe(
      Effect.provide(TouchComposerLive),
      Effect.provideService(Writer, { write: () => Effect.fail(failure) })
    )
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const waiting = yield* sql<{ readonly stored: unknown }>`
        select json_build_object('accountId', account_id, 'leadId', lead_id, 'touchId', touch_id) as stored
        from touch where status = 'writing'`
      yield* Effect.forEach(waiting, ({ stored }) =>
        Effect.ignore(handler.run(stored, { id: "1", attempt, maxAttempts: 6 }))
      )
    }
  }).pipe(Effect.withClock(onMonday))

/**
 * As if whoever set the leads' next touches had noted them: tests insert and change leads by themselves. The newest account
 * comes first, since a look takes a hundred of them and a file of tests makes more. Accounts whose leads wait are left out,
 * as the directory has them: on a cluster each account that it names is asked by itself.
 */
export const noteAll = Effect.flatMap(
  SqlClient,
  (sql) => sql`
    insert into dispatch_queue (account_id, due_at)
    select distinct account_id, instant() - make_interval(secs => account_id) from lead where next_touch_at <= instant()`
)

/** A claim that looks at every account. */
export const claimTouches = Effect.zipRight(noteAll, claim)
