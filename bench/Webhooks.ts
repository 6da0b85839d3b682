import { NodeRuntime } from "@effect/platform-node"
import { SqlClient } from "@effect/sql/SqlClient"
import { Array, Clock, Config, Console, Effect, Layer, Logger, Random, Ref } from "effect"
import type pg from "pg"
import { AccountEventsPostgres } from "../src/Layers/Events/AccountEventsPostgres.ts"
import { NotificationsPostgres } from "../src/Layers/Events/NotificationsPostgres.ts"
import { dispatchWebhooks } from "../src/Layers/Events/Webhooks/Dispatcher.ts"
import { WebhooksPostgres } from "../src/Layers/Events/WebhooksPostgres.ts"
import { OutboundHttpNode } from "../src/Layers/Platform/Outbound/OutboundHttp.ts"
import { OutboundPolicy } from "../src/Layers/Platform/Outbound/OutboundPolicy.ts"
import { DatabaseLayer, DatabaseLocation } from "../src/Layers/Platform/Postgres/Database.ts"
import { AccountId } from "../src/Services/Accounts/Ids.ts"
import { Caller } from "../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../src/Services/Core/Calls/UnitOfWork.ts"
import { AccountEvents, type NewAccountEvent } from "../src/Services/Events/AccountEvents.ts"
import { Webhooks } from "../src/Services/Events/Webhooks.ts"
import { makeDatabase } from "./support/BenchDatabase.ts"
import { benchSettings, positive } from "./support/BenchSettings.ts"
import { databaseUse, prepareUse, startCountingServer, usePerOperation } from "./support/DatabaseUse.ts"
import { conditions, median } from "./support/Report.ts"
import { processorMicros, startProcess } from "./support/ServerProcess.ts"

/** Webhook deliveries per second, reads of a long and a short feed, and a feed with many simultaneous writers. */

const settings = Config.all({
  shared: benchSettings,
  subscriptions: Config.withDefault(positive("BENCH_SUBSCRIPTIONS"), 50),
  events: Config.withDefault(positive("BENCH_EVENTS"), 1_000_000),
  writtenEvents: Config.withDefault(positive("BENCH_WRITTEN_EVENTS"), 100_000)
})

const print = (result: object) => Console.log(JSON.stringify(result))

const callerOf = (accountId: number) => Caller.forTask(AccountId.make(accountId), "paid", "bench")

const makeAccount = (name: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const rows = yield* sql<{ readonly account_id: number }>`
      insert into account (name, handle, plan) values (${name}, ${name}, 'paid') returning account_id`
    const accountId = rows[0]?.account_id ?? 0
    yield* sql`insert into prospecting_config (account_id) values (${accountId})`
    return callerOf(accountId)
  })

const eventOf = (number: number): NewAccountEvent => ({
  type: "support_request_answered",
  data: { support_request_id: number }
})

/** At most this many deliveries wait at a time, so that the gateway is busy but not behind. */
const backlog = 2_000
const eventsPerTransaction = 10

const deliveries = (client: pg.Client, receiverUrl: string, subscriptions: number, seconds: number) =>
  Effect.gen(function* () {
    const caller = yield* makeAccount("deliveries")
    const webhooks = yield* Webhooks
    const events = yield* AccountEvents
    const unit = yield* UnitOfWork
    const urls = Array.makeBy(subscriptions, (index) => `${receiverUrl}/${index === 0 ? "dead" : index}`)
    yield* Effect.forEach(urls, (url) => webhooks.create({ url, eventTypes: [], description: null })).pipe(
      Effect.provideService(Caller, caller)
    )
    const received = Effect.promise(async (): Promise<number> => {
      const response = await fetch(`${receiverUrl}/count`)
      return Number(Object.values((await response.json()) as object)[0])
    })

    const appended = yield* Ref.make(0)
    const produce = Effect.gen(function* () {
      const soFar = yield* Ref.get(appended)
      if (soFar * (subscriptions - 1) - (yield* received) > backlog) return yield* Effect.sleep("5 millis")
      const batch = Array.makeBy(eventsPerTransaction, (index) => eventOf(soFar + index))
      yield* unit.write(events.appendMany(batch)).pipe(Effect.provideService(Caller, caller))
      yield* Ref.set(appended, soFar + eventsPerTransaction)
    })
    yield* Effect.forkScoped(Effect.forever(produce))
    yield* dispatchWebhooks({ isSampled: () => false })

    yield* Effect.sleep("2 seconds")
    const usedBefore = yield* databaseUse(client)
    const before = { count: yield* received, at: yield* Clock.currentTimeMillis, micros: yield* ownMicros }
    yield* Effect.sleep(seconds * 1000)
    const after = { count: yield* received, at: yield* Clock.currentTimeMillis, micros: yield* ownMicros }
    const count = after.count - before.count
    const use = usePerOperation(usedBefore, yield* databaseUse(client), count)
    yield* print({
      benchmark: "webhook deliveries",
      subscriptions,
      dead: 1,
      seconds: (after.at - before.at) / 1000,
      per_second: Math.round((count * 1000) / (after.at - before.at)),
      cpu_micros_each: Math.round((after.micros - before.micros) / count),
      database_micros_each: Math.round(use.databaseMicros),
      wal_bytes_each: Math.round(use.walBytes),
      statements_each: use.statements
    })
  }).pipe(Effect.scoped)

const ownMicros = Effect.promise(() => processorMicros(process.pid))

const readsPerFeed = 1_000
const rowsPerStatement = 50_000

const feedReads = (events: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const feed = yield* AccountEvents
    const feeds = yield* Effect.forEach([10_000, events], (length) =>
      Effect.gen(function* () {
        const caller = yield* makeAccount(`feed${length}`)
        for (let from = 0; from < length; from += rowsPerStatement) {
          yield* sql`
          insert into account_event (account_id, event_type, data)
          select ${caller.accountId}, case when n % 100 = 0 then 'meeting_booked' else 'support_request_answered' end,
            jsonb_build_object('support_request_id', n)
          from generate_series(${from + 1}::integer, ${Math.min(from + rowsPerStatement, length)}::integer) n`
        }
        const rows = yield* sql<{ readonly first: number; readonly last: number }>`
          select min(account_event_id) as first, max(account_event_id) as last from account_event
          where account_id = ${caller.accountId}`
        return { caller, length, first: rows[0]?.first ?? 0, last: rows[0]?.last ?? 0 }
      })
    )
    yield* sql`vacuum analyze account_event`
    for (const types of [[], ["meeting_booked"]] as const) {
      const times = new Map<number, Array<number>>(feeds.map(({ length }) => [length, []]))
      for (let round = 0; round < readsPerFeed; round++) {
        for (const { caller, first, last, length } of feeds) {
          const since = yield* Random.nextIntBetween(first, last)
          const start = yield* Clock.currentTimeNanos
          yield* feed.read({ since, types, limit: 50 }).pipe(Effect.provideService(Caller, caller))
          times.get(length)?.push(Number((yield* Clock.currentTimeNanos) - start) / 1e6)
        }
      }
      const [short, long] = feeds.map(({ length }) => median(times.get(length) ?? []))
      yield* print({
        benchmark: "feed reads",
        types: types.length === 0 ? "all" : types.join(),
        p50_ms_at_10000: short,
        [`p50_ms_at_${events}`]: long,
        ratio: (long ?? 0) / (short ?? 1)
      })
    }
  })

const writers = 20

/** A reader follows the feed while 20 clients write to it. It must get each event once. */
const feedUnderWriters = (total: number) =>
  Effect.gen(function* () {
    const caller = yield* makeAccount("writers")
    const feed = yield* AccountEvents
    const unit = yield* UnitOfWork
    const perWriter = Math.ceil(total / writers)
    const start = yield* Clock.currentTimeMillis
    const writing = yield* Effect.fork(
      Effect.forEach(
        Array.range(0, writers - 1),
        (writer) =>
          Effect.forEach(
            Array.range(0, perWriter - 1),
            (index) => unit.write(feed.append(eventOf(writer * perWriter + index))),
            { discard: true }
          ),
        { concurrency: writers, discard: true }
      ).pipe(Effect.provideService(Caller, caller))
    )
    const timesSeen = new Map<number, number>()
    let cursor = 0
    while (true) {
      const wasOver = (yield* writing.poll)._tag === "Some"
      const page = yield* feed
        .read({ since: cursor, types: [], limit: 200 })
        .pipe(Effect.provideService(Caller, caller))
      for (const event of page.events) {
        const number = event.type === "support_request_answered" ? event.data.support_request_id : -1
        timesSeen.set(number, (timesSeen.get(number) ?? 0) + 1)
      }
      if (wasOver && page.nextCursor === cursor) break
      cursor = page.nextCursor
    }
    yield* writing.await
    const seconds = ((yield* Clock.currentTimeMillis) - start) / 1000
    yield* print({
      benchmark: "feed under writers",
      writers,
      events: perWriter * writers,
      missed: perWriter * writers - timesSeen.size,
      repeated: [...timesSeen.values()].filter((times) => times > 1).length,
      per_second: Math.round((perWriter * writers) / seconds)
    })
  })

const program = Effect.gen(function* () {
  const { events, shared, subscriptions, writtenEvents } = yield* settings
  yield* Console.error(conditions())
  const server = yield* startCountingServer
  const { client, url } = yield* makeDatabase(server, "webhooks")
  yield* prepareUse(client)
  const receiver = yield* startProcess({
    name: "receiver",
    args: ["--import", "tsx", "bench/support/WebhookReceiver.ts"],
    env: {}
  })

  const Services = Layer.mergeAll(
    AccountEventsPostgres,
    WebhooksPostgres,
    NotificationsPostgres,
    OutboundHttpNode
  ).pipe(
    Layer.provide(
      Layer.effect(
        OutboundPolicy,
        Effect.map(OutboundPolicy, (policy) => ({ ...policy, allowLoopback: true }))
      )
    ),
    Layer.provideMerge(DatabaseLayer),
    Layer.provide(Layer.succeed(DatabaseLocation, { connection: { connectionString: url }, poolSize: 10 }))
  )
  yield* Effect.gen(function* () {
    if (shared.only === "" || "deliveries".includes(shared.only)) {
      yield* deliveries(client, receiver.url, subscriptions, shared.seconds)
    }
    if (shared.only === "" || "reads".includes(shared.only)) yield* feedReads(events)
    if (shared.only === "" || "writers".includes(shared.only)) yield* feedUnderWriters(writtenEvents)
  }).pipe(Effect.provide(Services), Effect.withTracerEnabled(false))
})

NodeRuntime.runMain(Effect.scoped(program).pipe(Effect.provide(Logger.json)))
