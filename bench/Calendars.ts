import { createHash } from "node:crypto"
import { Agent, request } from "node:http"
import { NodeRuntime } from "@effect/platform-node"
import { SqlClient } from "@effect/sql/SqlClient"
import { Config, Console, Effect, Layer, Logger, LogLevel, Redacted } from "effect"
import { transient } from "../src/Errors.ts"
import { AccountsPostgres } from "../src/Layers/Accounts/AccountsPostgres.ts"
import { CalendarSettingsLive } from "../src/Layers/Calendar/CalendarSettings.ts"
import { CalendarTransport } from "../src/Layers/Calendar/CalendarTransport.ts"
import { CalendarConnection } from "../src/Layers/Calendar/Google/CalendarConnection.ts"
import { calendarScopes } from "../src/Layers/Calendar/Google/CalendarScopes.ts"
import { makeGoogleCalendar } from "../src/Layers/Calendar/Google/GoogleCalendar.ts"
import { makeCalendarMirror } from "../src/Layers/Calendar/Syncing/CalendarMirror.ts"
import { connectionOwner, secretsText } from "../src/Layers/Connections/ConnectionsPostgres.ts"
import { secretsOf } from "../src/Layers/Connections/OAuthTokens.ts"
import { RateLimitsPostgres } from "../src/Layers/Connections/RateLimitsPostgres.ts"
import { TaskQueuePostgres } from "../src/Layers/Platform/Jobs/TaskQueue.ts"
import { DatabaseLayer, DatabaseLocation } from "../src/Layers/Platform/Postgres/Database.ts"
import { makeSealing } from "../src/Layers/Platform/Sealing.ts"
import { AccountId } from "../src/Services/Accounts/Ids.ts"
import { calendarService } from "../src/Services/Calendar/Calendar.ts"
import { EarlyServices } from "../test/support/EarlyServices.ts"
import { TestSettings } from "../test/support/TestSettings.ts"
import { type BenchDatabase, makeDatabase, startServer } from "./support/BenchDatabase.ts"
import { positive } from "./support/BenchSettings.ts"
import { startGateway } from "./support/Gateway.ts"
import { conditions, figure, table } from "./support/Report.ts"
import { startProcess } from "./support/ServerProcess.ts"

/**
 * Measures 200 notices of changed calendars per second next to requests that must be answered at once, and how up to
 * date 10 000 calendars stay.
 */

const settings = Config.all({
  calendars: Config.withDefault(positive("BENCH_CALENDARS"), 10_000),
  perSecond: Config.withDefault(positive("BENCH_NOTICES"), 200),
  seconds: Config.withDefault(positive("BENCH_SECONDS"), 15),
  /** On the simulated clock. */
  minutes: Config.withDefault(positive("BENCH_MINUTES"), 30)
})

const token = "a token of the benchmark"

const seed = (database: BenchDatabase, calendars: number) =>
  Effect.promise(async () => {
    const { client } = database
    await client.query(
      `insert into account (name, email, handle, plan, is_prospecting_active)
        select 'Account ' || i, 'owner' || i || '@example.com', 'account' || i, 'paid', false
        from generate_series(1, $1::int) i`,
      [calendars]
    )
    // The last reads are distributed over the last half hour, and the channels' ends over the next week.
    await client.query(
      `insert into calendar_mirror (account_id, time_zone, sync_token, synced_at, read_whole_at, due_at, channel_id,
          channel_token_hash, channel_resource_id, channel_expires_at)
        select account_id, 'America/Sao_Paulo', 's1', instant() - make_interval(secs => 1800 * share),
          instant() - make_interval(secs => 86400 * 6 * share), instant() + make_interval(secs => 1800 * (1 - share)),
          'pgw-' || account_id || '-0123456789abcdef', $1, 'resource', instant() + make_interval(secs => 86400 * (1 + 6 * share))
        from account, lateral (select (account_id * 7919 % 10007)::float8 / 10007) s (share)`,
      [createHash("sha256").update(token).digest()]
    )
    await client.query("analyze")
  })

const at = (values: ReadonlyArray<number>, share: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

const answeredIn = (url: string, headers: { readonly [name: string]: string }, status: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const began = performance.now()
    const sent = request(url, { method: status === 200 ? "GET" : "POST", agent, headers }, (response) => {
      response.resume()
      response.once("end", () =>
        response.statusCode === status
          ? resolve(performance.now() - began)
          : reject(new Error(`${url}: ${response.statusCode ?? 0}`))
      )
    })
    sent.once("error", reject)
    sent.end()
  })

/** An open loop: the next request is sent on time, whether or not the previous one was answered. */
const paced = async (count: number, perSecond: number, send: (index: number) => Promise<number>) => {
  const began = performance.now()
  const times: Array<Promise<number>> = []
  for (let index = 0; index < count; index++) {
    const wait = began + (index * 1000) / perSecond - performance.now()
    if (wait > 1) await new Promise((resolve) => setTimeout(resolve, wait))
    times.push(send(index))
  }
  return Promise.all(times)
}

/** Each account's stored consent. */
const connect = (database: BenchDatabase, calendars: number, sealingKey: string) =>
  Effect.promise(async () => {
    const { seal } = makeSealing([Redacted.make(sealingKey)])
    const scopes = [calendarScopes.events, calendarScopes.busy]
    const secrets = secretsText(
      secretsOf({
        accessToken: Redacted.make("access"),
        refreshToken: Redacted.make("refresh"),
        expiresAt: Date.now() + 86_400_000,
        scopes
      })
    )
    const accounts = Array.from({ length: calendars }, (_, index) => index + 1)
    await database.client.query(
      `insert into connection (account_id, service, state, identity, secrets, is_verified, is_sandbox)
        select account_id, $1, 'connected', 'owner' || account_id || '@example.com', secrets, true, false
        from unnest($2::bigint[], $3::bytea[]) as c (account_id, secrets)`,
      [
        calendarService,
        accounts,
        accounts.map((accountId) => Buffer.from(seal(secrets, connectionOwner(accountId, calendarService))))
      ]
    )
    // Channels that were opened in an earlier phase have tokens that this process does not know.
    await database.client.query(
      `update calendar_mirror set channel_id = 'pgw-' || account_id || '-0123456789abcdef', channel_token_hash = $1,
        last_message_number = null, channel_expires_at = instant() + interval '7 days'`,
      [createHash("sha256").update(token).digest()]
    )
    await database.client.query("analyze")
  })

const notices = (database: BenchDatabase, calendars: number, perSecond: number, seconds: number) =>
  Effect.gen(function* () {
    const sealingKey = "a key of the benchmark, long enough for all"
    yield* connect(database, calendars, sealingKey)
    const provider = yield* startProcess({
      name: "provider of calendars",
      args: ["--import", "tsx", "bench/support/crm/CalendarServer.ts"],
      env: {}
    })
    const { url } = yield* startGateway(database, {
      SEALING_KEY: sealingKey,
      OUTBOUND_ALLOW_LOOPBACK: "true",
      CALENDAR_MODE: "live",
      CALENDAR_CLIENT_ID: "client",
      CALENDAR_CLIENT_SECRET: "secret",
      CALENDAR_API_URL: `${provider.url}/calendar/v3`,
      CALENDAR_TOKEN_URL: `${provider.url}/token`
    })
    const lists = () =>
      Effect.promise(async () => {
        const { lists } = (await (await fetch(provider.url)).json()) as { readonly lists: number }
        return lists
      })
    const notice = (index: number) => {
      const account = 1 + ((index * 7919) % calendars)
      return answeredIn(
        `${url}/calendar/notices`,
        {
          "x-goog-channel-id": `pgw-${account}-0123456789abcdef`,
          "x-goog-channel-token": token,
          "x-goog-resource-state": "exists",
          "x-goog-message-number": `${index + 10}`
        },
        204
      )
    }
    const live = () => answeredIn(`${url}/health/live`, {}, 200)
    yield* Effect.promise(() => paced(perSecond * 2, perSecond, live))
    const floor = yield* Effect.promise(() => paced(perSecond * 5, perSecond, live))
    yield* Effect.promise(() => paced(perSecond * 2, perSecond, notice))
    const before = yield* lists()
    const times = yield* Effect.promise(() =>
      paced(perSecond * seconds, perSecond, (index) => notice(perSecond * 2 + index))
    )
    const reads = (yield* lists()) - before
    yield* Console.log(
      table(
        [`${perSecond} a second`, "p50 ms", "p99 ms"],
        [
          ["a route that does nothing", figure(at(floor, 0.5)), figure(at(floor, 0.99))],
          ["notices", figure(at(times, 0.5)), figure(at(times, 0.99))]
        ]
      )
    )
    yield* Console.log(`Calendars read meanwhile, a second: ${figure(reads / seconds)}`)
  }).pipe(Effect.scoped)

/** Counts the provider's calls. Every fourth list contains a change, and channels open on request. */

const calls = { lists: 0, watches: 0, stops: 0 }

const provider = Layer.succeed(CalendarTransport, {
  mode: "live",
  request: ({ method, url }) =>
    Effect.sync(() => {
      const answer = (body: object) => ({ status: 200, headers: {}, body: Buffer.from(JSON.stringify(body)) })
      if (method === "POST" && url.endsWith("/watch")) {
        calls.watches += 1
        return answer({ resourceId: "resource" })
      }
      if (method === "POST") {
        calls.stops += 1
        return { status: 204, headers: {}, body: Buffer.alloc(0) }
      }
      calls.lists += 1
      const start = new Date(Date.now() + 86_400_000).toISOString()
      const items =
        calls.lists % 4 === 0
          ? [{ id: `held${calls.lists}`, status: "confirmed", start: { dateTime: start }, end: { dateTime: start } }]
          : []
      return answer({ timeZone: "America/Sao_Paulo", accessRole: "owner", items, nextSyncToken: "s1" })
    })
})

const never = transient("none", "None.", 1)
const connection = Layer.effect(
  CalendarConnection,
  Effect.map(makeGoogleCalendar, (google) => {
    const access = {
      accessToken: Effect.succeed(Redacted.make("token")),
      reject: () => Effect.void,
      loseAccess: () => never
    }
    return CalendarConnection.of({
      connectionLinks: Effect.succeed([]),
      disconnect: Effect.succeed({ changed: false, atService: "nothing_to_do" as const }),
      calendar: google(access, true),
      inBackground: google(access, false)
    })
  })
)

const stepMinutes = 5

const freshness = (database: BenchDatabase, calendars: number, minutes: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const mirror = yield* makeCalendarMirror(() => Effect.void)
    const perStep: Array<number> = []
    const ages: Array<number> = []
    const began = performance.now()
    for (let minute = 0; minute < minutes; minute += stepMinutes) {
      // Moves the clock: every stored time is five minutes older.
      yield* Effect.promise(() =>
        database.client.query(`update calendar_mirror set due_at = due_at - interval '${stepMinutes} minutes',
          synced_at = synced_at - interval '${stepMinutes} minutes',
          read_whole_at = read_whole_at - interval '${stepMinutes} minutes',
          channel_expires_at = channel_expires_at - interval '${stepMinutes} minutes'`)
      )
      const before = calls.lists + calls.watches + calls.stops
      yield* mirror.sweep
      const due = yield* Effect.promise(() =>
        database.client.query<{ id: string }>(
          `delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
            where t.id = j.task_id and t.identifier = 'sync_calendar' returning j.payload ->> 'accountId' as id`
        )
      )
      const [old] = yield* sql<{ readonly seconds: number }>`
        select max(extract(epoch from instant() - synced_at))::float8 as seconds from calendar_mirror`
      ages.push(old?.seconds ?? 0)
      yield* Effect.forEach(due.rows, ({ id }) => mirror.sync(AccountId.make(Number(id))), {
        concurrency: 8,
        discard: true
      })
      perStep.push(calls.lists + calls.watches + calls.stops - before)
    }
    const seconds = (performance.now() - began) / 1000
    const all = perStep.reduce((sum, one) => sum + one, 0)
    yield* Console.log(
      table(
        [`${calendars} calendars, ${minutes} minutes of the moved clock`, ""],
        [
          ["calls of the provider", figure(all)],
          ["calls a minute, on the whole", figure(all / minutes)],
          ["calls of the busiest five minutes", figure(Math.max(...perStep))],
          ["channels opened anew", figure(calls.watches)],
          ["oldest picture of a calendar, minutes", figure(Math.max(...ages) / 60)],
          ["milliseconds for each calendar that was read", figure((seconds * 1000) / Math.max(1, calls.lists))]
        ]
      )
    )
  })

const program = Effect.gen(function* () {
  const { calendars, minutes, perSecond, seconds } = yield* settings
  const server = yield* startServer
  const database = yield* makeDatabase(server, "calendars")
  yield* seed(database, calendars)
  yield* Console.log(conditions())
  const { host, port, user } = server
  const location = Layer.succeed(DatabaseLocation, {
    connection: { host, port, user, database: "calendars" },
    poolSize: 8
  })
  yield* freshness(database, calendars, minutes).pipe(
    Effect.provide(
      connection.pipe(
        Layer.provideMerge(Layer.mergeAll(provider, AccountsPostgres, RateLimitsPostgres, TaskQueuePostgres)),
        Layer.provideMerge(Layer.merge(CalendarSettingsLive, TestSettings)),
        Layer.provideMerge(EarlyServices),
        Layer.provideMerge(DatabaseLayer),
        Layer.provide(location),
        Layer.provide(Logger.minimumLogLevel(LogLevel.Error))
      )
    )
  )
  yield* notices(database, calendars, perSecond, seconds)
}).pipe(Effect.scoped)

NodeRuntime.runMain(program)
