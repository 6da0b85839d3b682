import * as http from "node:http"
import { NodeRuntime } from "@effect/platform-node"
import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Config, Console, Effect, Layer, Logger, LogLevel, Option, Redacted } from "effect"
import { RateLimitsPostgres } from "../src/Layers/Connections/RateLimitsPostgres.ts"
import { adapters } from "../src/Layers/Crm/Adapters/Adapters.ts"
import { acceptedCredentials } from "../src/Layers/Crm/Calling/CrmAdapter.ts"
import { CrmTransport } from "../src/Layers/Crm/Calling/CrmTransport.ts"
import { DatabaseLayer, DatabaseLocation } from "../src/Layers/Platform/Postgres/Database.ts"
import { AccountId } from "../src/Services/Accounts/Ids.ts"
import { Caller } from "../src/Services/Core/Calls/Caller.ts"
import { Crm } from "../src/Services/Crm/Crm.ts"
import type { CrmName } from "../src/Services/Crm/Ids.ts"
import { LeadId } from "../src/Services/Leads/Ids.ts"
import { Leads } from "../src/Services/Leads/Leads.ts"
import { type Allowance, RateLimits } from "../src/Services/Outbound/RateLimits.ts"
import { crmLayers, Syncing } from "../test/Crm/support/CrmLayers.ts"
import { crmKinds } from "../test/Crm/support/crmKinds.ts"
import { EarlyServices } from "../test/support/EarlyServices.ts"
import { type BenchDatabase, makeDatabase, startServer } from "./support/BenchDatabase.ts"
import { benchSettings } from "./support/BenchSettings.ts"
import { makeProvider } from "./support/crm/CrmProvider.ts"
import { startGateway } from "./support/Gateway.ts"
import { conditions, median } from "./support/Report.ts"
import { seedAccounts } from "./support/SampleLeads.ts"
import { processorMicros } from "./support/ServerProcess.ts"
import { makeVirtualClock } from "./support/VirtualClock.ts"

/**
 * Sends leads to CRMs: at each provider's limit on a simulated clock, without limits, the delay until a change arrives,
 * and the cost of deliveries; see README.md.
 */

const settings = Config.all({
  shared: benchSettings,
  /** The CRMs to measure, by name. */
  crms: Config.array(Config.nonEmptyString(), "BENCH_CRMS").pipe(Config.withDefault(Object.keys(adapters)))
})

type Provider = ReturnType<typeof makeProvider>

const print = (result: object) => Console.log(JSON.stringify(result))

const rounded = (value: number): number => Math.round(value * 1000) / 1000

const quantile = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.ceil(values.length * share) - 1)] ?? Number.NaN

/** The gateway's CRM services over a database, with providers in this process. */
const layersOver = (
  { url }: BenchDatabase,
  providers: ReadonlyMap<string, Provider>,
  limits: Layer.Layer<RateLimits, never, SqlClient>
) => {
  const location = Layer.succeed(DatabaseLocation, { connection: { connectionString: url }, poolSize: 10 })
  const transport = Layer.succeed(CrmTransport, {
    mode: "sandbox" as const,
    request: (crm, request) => providers.get(crm)?.request(request) ?? Effect.dieMessage(`There is no ${crm}.`)
  })
  return crmLayers(limits).pipe(
    Layer.provideMerge(transport),
    Layer.provideMerge(EarlyServices.pipe(Layer.provideMerge(DatabaseLayer), Layer.provideMerge(location)))
  )
}

/** A thousand times the provider's limit. */
const wide = ({ amount, seconds }: Allowance): Allowance => ({ amount: amount * 1000, seconds })

const lifted = Layer.effect(
  RateLimits,
  Effect.map(RateLimits, (limits) => ({
    ...limits,
    take: (use) => limits.take({ ...use, allowance: wide(use.allowance) }),
    takeMany: (uses) =>
      limits.takeMany({
        ...uses,
        limits: uses.limits.map((limit) => ({ ...limit, allowance: wide(limit.allowance) }))
      }),
    left: (service, limit) => limits.left(service, { ...limit, allowance: wide(limit.allowance) })
  }))
).pipe(Layer.provide(RateLimitsPostgres))

let accounts = 0

const connectedAccount = (crm: CrmName) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const [row] = yield* sql<{ readonly account_id: number }>`
      insert into account (name, handle, plan, email) values (${crm}, ${`${crm}${++accounts}`}, 'paid', 'owner@ondas.example')
      returning account_id`
    const caller = Caller.forTask(AccountId.make(row?.account_id ?? 0), "paid", "bench")
    yield* sql`insert into prospecting_config (account_id) values (${caller.accountId})`
    const service = yield* Crm
    const credentialNames = acceptedCredentials(adapters[crm]).filter((name) => name !== "marketing_api_key")
    yield* service
      .connect({
        crmName: crm,
        credentials: new Map(
          credentialNames.map((name) => [name, Redacted.make(name === "url" ? "https://crm.example" : "sandbox-bench")])
        ),
        pipelineId: undefined,
        funnelId: undefined
      })
      .pipe(Effect.provideService(Caller, caller))
    // Polling for closed deals is not part of the measurement.
    yield* sql`update crm_integration set polled_at = 'infinity' where account_id = ${caller.accountId}`
    return caller
  })

const queueLeads = (accountId: AccountId, crm: CrmName, count: number, { after = 0, canWait = false } = {}) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql`
      with made as (
        insert into lead (account_id, name, email, phone, company, status, pipeline_state)
        select ${accountId}, 'Ana Souza ' || n, 'ana' || n || '@clinica' || n || '.example',
          case when n % 2 = 0 then '+55119' || lpad(n::text, 8, '0') end, 'Clínica ' || n, 'Cold', 'not_started'
        from generate_series(${after + 1}::int, ${after + count}::int) n returning account_id, lead_id
      )
      insert into crm_lead (account_id, crm, lead_id, state, can_wait, due_at)
      select account_id, ${crm}, lead_id, 'pending', ${canWait}, instant() from made`
  )

/** Runs until every lead is synchronised. Returns their states. */
const workedOff = (accountId: AccountId) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { round } = yield* Syncing
    const standing = sql<{ readonly state: string; readonly count: number }>`
      select state, count(*)::int as count from crm_lead where account_id = ${accountId} group by state`
    while (true) {
      yield* round
      const states = yield* standing
      if (!states.some(({ state }) => state === "pending")) {
        return Object.fromEntries(states.map(({ count, state }) => [state, count]))
      }
      // Nothing happens while the CRM is paused. A gateway checks every second.
      const [rest] = yield* sql<{ readonly seconds: number }>`
        select greatest(1, extract(epoch from resumes_at - instant()))::float8 as seconds from crm_integration
        where account_id = ${accountId}`
      yield* Effect.sleep((rest?.seconds ?? 1) * 1000)
    }
  })

const doubled = (crm: CrmName, provider: Provider, leads: number): number => {
  const { company, deal, isOf, person } = crmKinds[crm]
  const kinds = isOf === undefined ? [company, person, deal] : [company, deal]
  const recordCount = kinds.reduce((sum, kind) => sum + provider.count(kind), 0)
  return recordCount - 3 * leads
}

const atTheLimit = (database: BenchDatabase, crms: ReadonlyArray<CrmName>, leads: number) =>
  Effect.gen(function* () {
    const { clock, now } = yield* makeVirtualClock(database.client, Date.parse("2026-11-23T12:00:00Z"))
    // The data does not outlive the run, so it need not be flushed to disk.
    yield* Effect.promise(() =>
      database.client.query(
        `set synchronous_commit = off;
        do $$ begin execute format('alter database %I set synchronous_commit = off', current_database()); end $$`
      )
    )
    for (const crm of crms) {
      const provider = makeProvider(crm, now, { isLimited: true, isNarrowed: true })
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* connectedAccount(crm)
        yield* queueLeads(accountId, crm, leads)
        const before = { calls: provider.seen.calls, real: performance.now() }
        const standing = yield* workedOff(accountId)
        yield* sql`delete from crm_integration where account_id = ${accountId}`
        const used = provider.used().toSorted((a, b) => b.share - a.share)[0]
        yield* print({
          benchmark: "at the limit",
          crm,
          leads,
          ...standing,
          limit: used?.bucket,
          used: rounded(used?.share ?? 0),
          refusals_after_first_second: provider.seen.refusedLater,
          calls_per_lead: rounded((provider.seen.calls - before.calls) / leads),
          duplicates: doubled(crm, provider, leads),
          simulated_hours: rounded((provider.seen.last - provider.seen.first) / 3_600_000),
          seconds: rounded((performance.now() - before.real) / 1000)
        })
      }).pipe(
        Effect.provide(layersOver(database, new Map([[crm, provider]]), RateLimitsPostgres)),
        Effect.withClock(clock)
      )
    }
  })

const withoutLimits = (database: BenchDatabase, crms: ReadonlyArray<CrmName>, leads: number) =>
  Effect.forEach(
    crms,
    (crm) => {
      const provider = makeProvider(crm, Date.now, { isLimited: false, isNarrowed: true })
      return Effect.gen(function* () {
        const { accountId } = yield* connectedAccount(crm)
        yield* queueLeads(accountId, crm, leads)
        const before = { at: performance.now(), micros: yield* Effect.promise(() => processorMicros(process.pid)) }
        const standing = yield* workedOff(accountId)
        const seconds = (performance.now() - before.at) / 1000
        const micros = (yield* Effect.promise(() => processorMicros(process.pid))) - before.micros
        yield* print({
          benchmark: "limits lifted",
          crm,
          leads,
          ...standing,
          leads_per_second: Math.round(leads / seconds),
          cpu_micros_each: Math.round(micros / leads),
          simulator_micros_each: Math.round((1000 * provider.seen.millis) / leads),
          duplicates: doubled(crm, provider, leads)
        })
      }).pipe(Effect.provide(layersOver(database, new Map([[crm, provider]]), lifted)))
    },
    { discard: true }
  )

/** Changes per second for each CRM. Two calls per change must fit into the limit next to other calls. */
const changesPerSecond: { readonly [crm: string]: number } = { hubspot: 3, agendor: 1 }
/** Enough leads that a resync does not finish while changes are made. */
const leadsOfResync = 5000

/** The delay of status changes at the provider's limit, alone or during a resync. */
const changes = (database: BenchDatabase, crm: CrmName, seconds: number, isBesideResync: boolean) => {
  const provider = makeProvider(crm, Date.now, { isLimited: true, isNarrowed: true })
  const perSecond = changesPerSecond[crm] ?? 1
  const count = seconds * perSecond
  return Effect.gen(function* () {
    const sql = yield* SqlClient
    const leads = yield* Leads
    const { loop } = yield* Syncing
    const caller = yield* connectedAccount(crm)
    const { accountId } = caller
    yield* queueLeads(accountId, crm, count)
    yield* loop
    const pending = sql<{ readonly count: number }>`
      select count(*)::int as count from crm_lead where account_id = ${accountId} and state = 'pending' and not can_wait`
    const settled = Effect.repeat(Effect.delay(pending, "200 millis"), {
      until: ([row]) => row?.count === 0
    })
    yield* settled
    const rows = yield* sql<{ readonly lead_id: number }>`
      select lead_id from lead where account_id = ${accountId} order by lead_id`
    if (isBesideResync) yield* queueLeads(accountId, crm, leadsOfResync, { after: count, canWait: true })
    const began = new Map<number, number>()
    for (const { lead_id } of rows) {
      began.set(lead_id, yield* Clock.currentTimeMillis)
      yield* leads
        .update(LeadId.make(lead_id), { status: "Interested", goal: undefined, background: undefined })
        .pipe(Effect.provideService(Caller, caller))
      yield* Effect.sleep(1000 / perSecond)
    }
    yield* Effect.zipRight(Effect.sleep("1500 millis"), settled)
    const there = yield* sql<{ readonly lead_id: number; readonly millis: number }>`
      select lead_id, extract(epoch from synced_at)::float8 * 1000 as millis from crm_lead
      where account_id = ${accountId} and lead_id = any (${[...began.keys()]}::bigint[])`
    const [left] = yield* sql<{ readonly count: number }>`
      select count(*)::int as count from crm_lead where account_id = ${accountId} and state = 'pending'`
    yield* sql`delete from crm_integration where account_id = ${accountId}`
    const took = there.map(({ lead_id, millis }) => millis - (began.get(lead_id) ?? Number.NaN))
    yield* print({
      benchmark: isBesideResync ? "a change of status beside a resync" : "a change of status",
      crm,
      resync_left: left?.count,
      changes: count,
      p50_ms: Math.round(median(took)),
      p95_ms: Math.round(quantile(took, 0.95)),
      slowest_ms: Math.round(Math.max(...took)),
      refusals: provider.seen.refusals
    })
  }).pipe(Effect.provide(layersOver(database, new Map([[crm, provider]]), RateLimitsPostgres)), Effect.scoped)
}

const deliveriesPerSecond = 200

/** A CRM's deliveries to a gateway at a steady rate, whether or not earlier ones were answered. */
const deliveries = (database: BenchDatabase, seconds: number) =>
  Effect.gen(function* () {
    const [account] = yield* seedAccounts(database.client, [{ name: "Hooks", leads: 1000 }])
    if (account === undefined) return yield* Effect.dieMessage("There is no account.")
    const gateway = yield* startGateway(database, { BASE_URL: "https://gateway.example", CRM_MODE: "sandbox" })
    yield* Effect.promise(async () => {
      const answer = await fetch(`${gateway.url}/rest/v1/tools/connect_crm`, {
        method: "POST",
        headers: { authorization: `Bearer ${account.token}`, "content-type": "application/json" },
        body: JSON.stringify({ crm_name: "agendor", api_token: "sandbox-bench" })
      })
      if (!answer.ok) throw new Error(await answer.text())
    })
    // Every second delivery is about a deal of a lead.
    yield* Effect.promise(() =>
      database.client.query(
        `insert into crm_link (account_id, crm, crm_account, lead_id, kind, state, external_id)
          select account_id, crm, crm_account, lead_id, 'deal', 'linked', lead_id::text
          from crm_integration join lead using (account_id) where account_id = $1`,
        [account.accountId]
      )
    )
    const { rows } = yield* Effect.promise(() =>
      database.client.query<{ url: string }>(
        "select body ->> 'target_url' as url from sandbox_crm_record where account_id = $1 and kind = 'webhook'",
        [account.accountId]
      )
    )
    const path = new URL(rows[0]?.url ?? "").pathname
    const target = new URL(path, gateway.url)
    const agent = new http.Agent({ keepAlive: true, maxSockets: 100 })
    const statuses = new Map<number, number>()
    const deliver = (number: number) =>
      new Promise<number>((resolve) => {
        const began = performance.now()
        const lead = account.firstLeadId + (number % 1000)
        const body = JSON.stringify({
          data: { id: number % 2 === 0 ? lead : 10_000_000 + lead, dealStatus: { id: 2 } }
        })
        const request = http.request(
          target,
          { method: "POST", agent, headers: { "content-type": "application/json" } },
          (answer) => {
            answer.resume().once("end", () => {
              statuses.set(answer.statusCode ?? 0, (statuses.get(answer.statusCode ?? 0) ?? 0) + 1)
              resolve(performance.now() - began)
            })
          }
        )
        request.once("error", () => resolve(Number.POSITIVE_INFINITY))
        request.end(body)
      })
    const atPace = (count: number) =>
      Effect.promise(async () => {
        const began = performance.now()
        const all: Array<Promise<number>> = []
        while (all.length < count) {
          const due = Math.min(count, Math.ceil(((performance.now() - began) * deliveriesPerSecond) / 1000))
          while (all.length < due) all.push(deliver(all.length))
          await new Promise((resolve) => setTimeout(resolve, 2))
        }
        return Promise.all(all)
      })
    yield* atPace(deliveriesPerSecond * 2)
    statuses.clear()
    const took = yield* atPace(deliveriesPerSecond * seconds)
    agent.destroy()
    yield* print({
      benchmark: "deliveries",
      per_second: deliveriesPerSecond,
      statuses: Object.fromEntries(statuses),
      p50_ms: rounded(quantile(took, 0.5)),
      p99_ms: rounded(quantile(took, 0.99)),
      slowest_ms: rounded(Math.max(...took))
    })
  }).pipe(Effect.scoped)

const program = Effect.gen(function* () {
  const { crms, shared } = yield* settings
  const names = Object.values(adapters)
    .map(({ name }) => name)
    .filter((name) => crms.includes(name))
  const isMeant = (part: string) => shared.only === "" || part.includes(shared.only)
  yield* Console.error(conditions())
  const server = yield* startServer
  const leads = Option.getOrElse(shared.leads, () => 10_000)
  if (isMeant("limits")) yield* atTheLimit(yield* makeDatabase(server, "crm_limits"), names, leads)
  if (isMeant("throughput")) yield* withoutLimits(yield* makeDatabase(server, "crm_throughput"), names, leads)
  if (isMeant("changes")) {
    const database = yield* makeDatabase(server, "crm_changes")
    for (const crm of names.filter((name) => name in changesPerSecond)) {
      for (const isBesideResync of [false, true]) {
        yield* changes(database, crm, shared.seconds * 4, isBesideResync)
      }
    }
  }
  if (isMeant("deliveries")) yield* deliveries(yield* makeDatabase(server, "crm_deliveries"), shared.seconds * 2)
})

NodeRuntime.runMain(
  Effect.scoped(program).pipe(Effect.provide(Logger.minimumLogLevel(LogLevel.Error)), Effect.withTracerEnabled(false))
)
