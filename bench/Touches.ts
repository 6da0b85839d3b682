import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Array, Clock, ConfigProvider, Console, Effect, Layer, Logger, LogLevel, Option, Schedule } from "effect"
import type pg from "pg"
import { Domain, rooms } from "../src/Layers/App.ts"
import { touchLoop } from "../src/Layers/Outreach/ClaimTouches.ts"
import { EventLoopLive } from "../src/Layers/Platform/Fairness/BackgroundScheduler.ts"
import { jobEngineLayer } from "../src/Layers/Platform/Jobs/Engine.ts"
import type { TaskHandler } from "../src/Layers/Platform/Jobs/TaskHandler.ts"
import { DatabaseLayer, DatabaseLocation } from "../src/Layers/Platform/Postgres/Database.ts"
import { Settings, SettingsLive } from "../src/Layers/Platform/Settings.ts"
import type { OutreachChannel } from "../src/Services/Outreach/Ids.ts"
import { composeTouch } from "../src/Services/Outreach/TouchTasks.ts"
import { type BenchDatabase, makeDatabase } from "./support/BenchDatabase.ts"
import { benchSettings } from "./support/BenchSettings.ts"
import { databaseUse, prepareUse, startCountingServer, usePerOperation } from "./support/DatabaseUse.ts"
import { conditions, figure, median, table, writeResults } from "./support/Report.ts"
import { processorMicros } from "./support/ServerProcess.ts"

/** Touches per second, from the claim of a due lead to the end of its message in the sandbox; see README.md. */

/**
 * A Monday at noon in the leads' time zone, far in the future: within every send window, and follow-ups never become
 * due.
 */
const monday = Date.parse("2091-03-05T12:00:00Z")
const onMonday: Clock.Clock = Object.assign(Clock.make(), {
  unsafeCurrentTimeMillis: () => monday,
  currentTimeMillis: Effect.succeed(monday)
})

const planned = <R>(handlers: ReadonlyArray<TaskHandler<R>>): ReadonlyArray<TaskHandler<R>> =>
  handlers.map((handler) =>
    handler.task.name === composeTouch.name
      ? { ...handler, run: (stored, info) => Effect.withClock(handler.run(stored, info), onMonday) }
      : handler
  )

type TasksNeed<T> = T extends ReadonlyArray<TaskHandler<infer R>> ? R : never

/** Calls have already ended at the first check. */
const environment = new Map([
  ["VOICE_SANDBOX_RING_SECONDS", "0"],
  ["VOICE_SANDBOX_TALK_SECONDS", "0"]
])

/** The gateway's loop and engine, without servers. */
const Gateway = Layer.unwrapEffect(
  Effect.gen(function* () {
    const { jobConcurrency } = yield* Settings
    const { jobs, recurring } = rooms
    const tasks = yield* rooms.tasks
    const engine = jobEngineLayer({
      tasks: planned<TasksNeed<typeof tasks>>(tasks),
      jobs,
      recurring,
      concurrency: { quick: 8 * jobConcurrency, long: jobConcurrency },
      isSampled: () => false
    })
    return Layer.merge(engine, Layer.scopedDiscard(touchLoop))
  })
).pipe(Layer.provide(Domain), Layer.provide(EventLoopLive))

const accounts = 20

/** Leads of twenty accounts, all reached on the channel, or each on the first available one. */
const insertLeads = (client: pg.Client, channel: OutreachChannel, leads: number) =>
  Effect.promise(async () => {
    await client.query("truncate account cascade")
    await client.query("truncate graphile_worker._private_jobs")
    await client.query(
      `with created as (
          insert into account (name, handle, plan, email, mail_display_name)
          select 'Account ' || n, 'account' || n, 'paid', 'owner@account' || n || '.example', 'Sender ' || n
          from generate_series(1, $1) n returning account_id, name
        )
        insert into business_profile (account_id, business_name) select account_id, name from created`,
      [accounts]
    )
    await client.query("insert into prospecting_config (account_id) select account_id from account")
    if (channel === "chatapp") {
      await client.query(`insert into chatapp_line (account_id, status, uses_own_number, phone, provider_line_id)
        select account_id, 'live', false, '+5500900000001', 'sandbox-' || account_id from account`)
    }
    await client.query("update prospecting_config set voice_calling_active = $1", [channel === "voice"])
    await client.query(
      `insert into lead (account_id, name, company, city, status, pipeline_state, next_touch_at, time_zone, email, phone)
        select account_id, 'Ana Souza', 'Metalúrgica ' || n, 'Campinas', 'Cold', 'in_pipeline',
          instant() - make_interval(secs => n), 'UTC',
          case when $1 = 'email' then 'ana' || n || '@client' || n % 1000 || '.example' end,
          case when $1 <> 'email' then '+55119' || 60000000 + n end
        from generate_series(1, $2::integer) n
          join (select account_id, row_number() over () as place from account) a on a.place = 1 + n % $3`,
      [channel, leads, accounts]
    )
    await client.query("insert into dispatch_queue (account_id, due_at) select account_id, instant() from account")
    await client.query("vacuum analyze")
  })

const settled = (client: pg.Client) =>
  Effect.promise(async () => {
    const { rows } = await client.query<{ done: number; other: number; transactions: number }>(
      `select count(*) filter (where status = 'done')::int as done,
        count(*) filter (where status in ('skipped', 'failed', 'unknown'))::int as other,
        (select xact_commit from pg_stat_database where datname = current_database())::int as transactions from touch`
    )
    return rows[0] ?? { done: 0, other: 0, transactions: 0 }
  })

const warmUp = "3 seconds"

const measureChannel = (
  database: BenchDatabase,
  channel: OutreachChannel,
  leads: number,
  rounds: number,
  seconds: number
) =>
  Effect.gen(function* () {
    const { client } = database
    yield* insertLeads(client, channel, leads)
    yield* Layer.build(Gateway)
    yield* settled(client).pipe(
      Effect.repeat({ until: ({ done }) => done > 0, schedule: Schedule.spaced("20 millis") }),
      Effect.timeout("30 seconds")
    )
    yield* Effect.sleep(warmUp)
    const look = Effect.gen(function* () {
      const count = yield* settled(client)
      const micros = yield* Effect.promise(() => processorMicros(process.pid))
      return { ...count, at: yield* Clock.currentTimeMillis, micros, use: yield* databaseUse(client) }
    })
    return yield* Effect.forEach(Array.range(0, rounds - 1), (round) =>
      Effect.gen(function* () {
        const before = yield* look
        yield* Effect.sleep(seconds * 1000)
        const after = yield* look
        if (after.other > 0) return yield* Effect.dieMessage(`${after.other} touches came to another end`)
        if (after.done === leads) return yield* Effect.dieMessage("There are too few leads for so long a time.")
        const touches = after.done - before.done
        return {
          channel,
          round,
          leads,
          touches,
          perSecond: (touches * 1000) / (after.at - before.at),
          cpuMicros: (after.micros - before.micros) / touches,
          ...usePerOperation(before.use, after.use, touches),
          transactions: (after.transactions - before.transactions) / touches
        }
      })
    )
  }).pipe(Effect.scoped)

const columns = ["perSecond", "cpuMicros", "databaseMicros", "walBytes", "statements", "transactions"] as const

const program = Effect.gen(function* () {
  const settings = yield* benchSettings
  const leads = Option.getOrElse(settings.leads, () => 100_000)
  const started = conditions()
  const database = yield* makeDatabase(yield* startCountingServer, "touches")
  yield* prepareUse(database.client)
  const channels = (["email", "chatapp", "voice"] as const).filter((channel) => channel.includes(settings.only))
  const measurements = yield* Effect.forEach(channels, (channel) =>
    measureChannel(database, channel, leads, settings.rounds, settings.seconds)
  ).pipe(
    Effect.map(Array.flatten),
    Effect.provide(DatabaseLayer),
    Effect.provide(Layer.succeed(DatabaseLocation, { connection: { connectionString: database.url }, poolSize: 10 })),
    Effect.provide(SettingsLive),
    Effect.provide(Layer.setConfigProvider(ConfigProvider.fromMap(environment))),
    Effect.provide(NodeContext.layer),
    Effect.withTracerEnabled(false)
  )
  yield* writeResults(settings.results, measurements)
  const rows = channels.map((channel) => {
    const of = measurements.filter((measurement) => measurement.channel === channel)
    return [channel, ...columns.map((column) => figure(median(of.map((measurement) => measurement[column]))))]
  })
  yield* Console.log(
    `${started}\n${settings.rounds} rounds of ${settings.seconds} s, ${leads} due leads\n\n${table(
      ["channel", "touches/s", "CPU µs", "database CPU µs", "WAL bytes", "statements", "transactions"],
      rows
    )}`
  )
})

NodeRuntime.runMain(
  Effect.scoped(program).pipe(Effect.provide(Logger.json), Logger.withMinimumLogLevel(LogLevel.Warning))
)
