import { randomUUID } from "node:crypto"
import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Duration, Effect, Either, Option } from "effect"
import type { AccountId, Plan } from "../../../Services/Accounts/Ids.ts"
import { type Connection, Connections } from "../../../Services/Connections/Connections.ts"
import { Caller } from "../../../Services/Core/Caller.ts"
import { describeCause } from "../../../Services/Core/SafeCause.ts"
import { plusSeconds, type Timestamp } from "../../../Services/Core/Timestamp.ts"
import { UnitOfWork } from "../../../Services/Core/UnitOfWork.ts"
import type { CrmName } from "../../../Services/Crm/Ids.ts"
import type { LeadId } from "../../../Services/Leads/Ids.ts"
import { LeadChanges } from "../../../Services/Leads/LeadChanges.ts"
import { Outcomes } from "../../../Services/Outcomes/Outcomes.ts"
import { makeAdaptivePoller, maximumIdle } from "../../Platform/AdaptivePoller.ts"
import { DatabasePools } from "../../Platform/Postgres/Database.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { adapters } from "../Adapters/Adapters.ts"
import type { ClosedDeal, Credentials, CrmAdapter, CrmClient, CrmFailure } from "../Calling/CrmAdapter.ts"
import { credentialsOf, makeCrmClients, type ReachedCrm, serviceOf } from "../Calling/CrmSending.ts"
import { CrmTransport } from "../Calling/CrmTransport.ts"
import { makeCrmPushing } from "../Pushing/CrmPushing.ts"
import type { CrmPlace } from "../Pushing/LeadFacts.ts"
import { makeContactReader } from "./CrmContacts.ts"

/** Changes of leads that one transaction takes over. */
const changesAtATime = 2000
const leaseSeconds = 60
const renewal = "15 seconds"
const mostAtATime = 32
const pollSeconds = 300
/** How far each look at the CRM's closed deals goes back behind the last one. */
const overlapSeconds = 900
const reachedMillis = 3_600_000
/** What an account hears of a CRM that it has to connect again. */
const toldOf = (crm: string) => ({ name: { "pt-BR": crm, en: crm, es: crm }, tool: "connect_crm" })

interface DueCrm {
  readonly accountId: AccountId
  readonly crm: CrmName
  readonly plan: Plan
}

interface Lease {
  readonly crmAccount: string
  readonly isPollDue: boolean
  readonly polledUntil: Timestamp
}

/** Makes what brings leads to CRMs and hears from them: by a loop of each process, and by a task now and then. */
export const makeCrmSync = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const connections = yield* Connections
  const changes = yield* LeadChanges
  const outcomes = yield* Outcomes
  const transport = yield* CrmTransport
  const clients = yield* makeCrmClients
  const readContacts = yield* makeContactReader
  const { pushAll } = yield* makeCrmPushing
  /** Clients keep what a CRM tells once: who a key is, who the users are. */
  const reachedCrms = new Map<string, { readonly until: number; readonly reached: ReachedCrm }>()

  /** Leads that changed, as leads to be sent: one row per lead and CRM, however often it changed. */
  const takeChanges = unit.write(
    Effect.gen(function* () {
      const { hasMore, leads } = yield* changes.take(changesAtATime)
      if (leads.length === 0) return false
      yield* sql`
        insert into crm_lead as p (account_id, crm, lead_id, state, due_at)
        select i.account_id, i.crm, l.lead_id, 'pending', instant()
        from unnest(${leads.map(({ accountId }) => accountId)}::bigint[], ${leads.map(({ leadId }) => leadId)}::bigint[])
          as changed (account_id, lead_id)
        join lead l on l.account_id = changed.account_id and l.lead_id = changed.lead_id
        join crm_integration i on i.account_id = changed.account_id
        join connection c on c.account_id = i.account_id and c.service = 'crm.' || i.crm and c.state <> 'disconnected'
        order by i.account_id, i.crm, l.lead_id
        on conflict (account_id, crm, lead_id) do update
          set state = 'pending', version = p.version + 1, can_wait = false, due_at = instant(), attempts = 0,
            reason = null`.pipe(fromSql())
      return hasMore
    })
  )

  const dueCrms = unit
    .acrossAccounts(sql<DueCrm>`
    select i.account_id as "accountId", i.crm, a.plan from crm_integration i
    join connection c on c.account_id = i.account_id and c.service = 'crm.' || i.crm and c.state = 'connected'
    join account a on a.account_id = i.account_id
    where a.clock is not distinct from test_clock() and coalesce(i.leased_until, '-infinity') <= instant()
      and coalesce(i.resumes_at, '-infinity') <= instant()
      and (i.polled_at <= instant() - make_interval(secs => ${pollSeconds})
        or exists (select from crm_lead p where p.account_id = i.account_id and p.crm = i.crm and p.state = 'pending'
          and p.due_at <= instant()))
    order by i.last_sync_at nulls first limit 100`)
    .pipe(fromSql())

  const firstDue = (canWait: boolean) => sql`(
    select min(p.due_at) from crm_lead p
    where p.account_id = i.account_id and p.crm = i.crm and p.state = 'pending' and p.can_wait = ${canWait})`

  /**
   * Milliseconds until one of them is due; infinite where none will be by itself. What is due stands beside its table: a
   * cluster refuses it as a query without one.
   */
  const nextDueMillis = unit
    .acrossAccounts(sql<{ readonly millis: number | null }>`
    select min(1000 * extract(epoch from greatest(i.at, i.leased_until, i.resumes_at) - instant()))::float8 as millis
    from (
      select i.account_id, i.crm, i.leased_until, i.resumes_at,
        least(i.polled_at + make_interval(secs => ${pollSeconds}), ${firstDue(false)}, ${firstDue(true)}) as at
      from crm_integration i
    ) i
    join connection c on c.account_id = i.account_id and c.service = 'crm.' || i.crm and c.state = 'connected'
    join account a on a.account_id = i.account_id
    where a.clock is not distinct from test_clock() and i.at is not null`)
    .pipe(
      fromSql(),
      Effect.map((rows) => rows[0]?.millis ?? Infinity)
    )

  const isLeased = (place: { readonly accountId: AccountId; readonly crm: string }, lease: string) =>
    sql`account_id = ${place.accountId} and crm = ${place.crm} and leased_by = ${lease}::uuid`

  const renew = (place: CrmPlace, lease: string) =>
    sql`
      update crm_integration set leased_until = instant() + make_interval(secs => ${leaseSeconds})
      where ${isLeased(place, lease)} returning crm`.pipe(
      fromSql(),
      Effect.map((rows) => rows.length > 0)
    )

  const rest = (place: CrmPlace, seconds: number) =>
    sql`
      update crm_integration set resumes_at = instant() + make_interval(secs => ${seconds}::float8)
      where account_id = ${place.accountId} and crm = ${place.crm}`.pipe(fromSql())

  /** What becomes of the connection by a failure that is not of one lead. Answers whether the run ends. */
  const heed = Effect.fnUntraced(function* (place: CrmPlace, failure: CrmFailure) {
    const service = serviceOf(place.crm)
    if (failure.kind === "unauthorized") {
      yield* unit.write(connections.loseAccess(service, "unauthorized", toldOf(place.crm)))
    } else if (failure.kind === "rate_limited") yield* rest(place, failure.retryAfterSeconds ?? 30)
  })

  const hear = Effect.fnUntraced(function* (place: CrmPlace, deal: ClosedDeal) {
    yield* unit.write(
      Effect.gen(function* () {
        // Contacts that came with one deal are several leads.
        const all = yield* sql<{ readonly leadId: LeadId; readonly outcome: string | null }>`
          update crm_link k set heard_outcome = ${deal.outcome} from lead l
          where k.account_id = ${place.accountId} and k.crm = ${place.crm} and k.crm_account = ${place.crmAccount}
            and k.kind = 'deal' and k.external_id = ${deal.id} and k.heard_outcome is null
            and l.account_id = k.account_id and l.lead_id = k.lead_id
          returning k.lead_id as "leadId", l.final_outcome as outcome`.pipe(fromSql())
        const value = deal.outcome === "won" && (deal.value ?? 0) > 0 ? deal.value : undefined
        yield* Effect.forEach(
          // What was known here first is not told back.
          all.filter(({ outcome }) => outcome === null),
          ({ leadId }) =>
            outcomes
              .register(leadId, {
                outcome: deal.outcome,
                reason: deal.reason?.slice(0, 1000) ?? `Closed in ${place.crm}.`,
                dealValueBrl: value
              })
              .pipe(Effect.catchTags({ NotFound: () => Effect.void, Refused: () => Effect.void })),
          { discard: true }
        )
      })
    )
  })

  /** Looks for deals that were closed there; goes back behind the last look, since records may come late. */
  const poll = Effect.fnUntraced(function* (place: CrmPlace, client: CrmClient | undefined, since: Timestamp) {
    // News that come while it looks make it look again.
    const isOf = sql`account_id = ${place.accountId} and crm = ${place.crm} and crm_account = ${place.crmAccount}`
    const began = yield* sql<{ readonly now: Timestamp }>`
      update crm_integration set polled_at = instant() where ${isOf} returning instant() as now`.pipe(fromSql())
    const look = client === undefined ? Effect.succeed([]) : client.closedSince(plusSeconds(since, -overlapSeconds))
    const again = sql`update crm_integration set polled_at = '-infinity' where ${isOf}`.pipe(fromSql())
    const closed = yield* Effect.tapError(look, () => again)
    yield* Effect.forEach(closed, (deal) => hear(place, deal), { discard: true })
    const until = began[0]?.now ?? since
    yield* sql`
      update crm_integration set polled_until = ${until} where ${isOf}`.pipe(fromSql())
  })

  /** The same client as long as it is the same connection. */
  const reachedBy = Effect.fnUntraced(function* (
    adapter: CrmAdapter,
    { connectedAt }: Connection,
    { accountId, crm }: CrmPlace,
    given: Credentials
  ) {
    const key = JSON.stringify([accountId, crm, connectedAt])
    const now = yield* Clock.currentTimeMillis
    const known = reachedCrms.get(key)
    if (known !== undefined && known.until > now) return known.reached
    const reached = yield* clients(adapter, given, { isWaitedFor: false })
    if (reachedCrms.size > 1000) reachedCrms.clear()
    reachedCrms.set(key, { until: now + reachedMillis, reached })
    return reached
  })

  const work = Effect.fnUntraced(function* (adapter: CrmAdapter, place: CrmPlace, found: Lease, lease: string) {
    const service = serviceOf(place.crm)
    const connection = yield* connections.get(service)
    const secrets = yield* connections.secrets(service)
    if (Option.isNone(connection) || connection.value.state !== "connected") return
    if (Option.isNone(secrets) || connection.value.isSandbox !== (transport.mode === "sandbox")) {
      yield* unit.write(
        connections.loseAccess(
          service,
          Option.isNone(secrets) ? "secrets_unreadable" : "made_in_other_mode",
          toldOf(place.crm)
        )
      )
      return
    }
    const reached = yield* reachedBy(adapter, connection.value, place, credentialsOf(secrets.value))
    const pipelineId = connection.value.settings["pipeline_id"]
    const done = yield* Effect.either(
      Effect.gen(function* () {
        yield* pushAll(place, reached, typeof pipelineId === "string" ? pipelineId : undefined, lease, adapter)
        if (found.isPollDue) {
          yield* readContacts(place, reached.client)
          yield* poll(place, reached.client, found.polledUntil)
        }
      })
    )
    if (Either.isRight(done)) return yield* connections.noteCheck(service, undefined)
    if (done.left._tag === "Transient") return yield* done.left
    yield* heed(place, done.left)
    if (done.left.kind !== "unauthorized") {
      yield* connections.noteCheck(service, done.left.reason)
      if (done.left.kind !== "rate_limited") yield* rest(place, 60)
    }
  })

  /** Works for one account at one CRM, unless another process does. */
  const syncCrm = Effect.fn("Crm.sync")(function* ({ accountId, crm, plan }: DueCrm) {
    const lease = randomUUID()
    const [found] = yield* sql<Lease>`
      update crm_integration set leased_by = ${lease}::uuid,
        leased_until = instant() + make_interval(secs => ${leaseSeconds}), resumes_at = null
      where account_id = ${accountId} and crm = ${crm} and coalesce(leased_until, '-infinity') <= instant()
        and coalesce(resumes_at, '-infinity') <= instant()
      returning crm_account as "crmAccount", polled_until as "polledUntil",
        polled_at <= instant() - make_interval(secs => ${pollSeconds}) as "isPollDue"`.pipe(fromSql())
    if (found === undefined) return
    const place = { accountId, crm, crmAccount: found.crmAccount }
    // As long as the work goes on the lease is kept; whoever loses it stops.
    const kept = Effect.repeat(Effect.delay(renew(place, lease), renewal), { while: (isMine) => isMine })
    yield* Effect.raceFirst(work(adapters[crm], place, found, lease), Effect.asVoid(kept)).pipe(
      Effect.provideService(Caller, Caller.forTask(accountId, plan, `crm-${crm}`)),
      Effect.ensuring(
        sql`update crm_integration set leased_until = null, leased_by = null where ${isLeased(place, lease)}`.pipe(
          Effect.ignore
        )
      )
    )
  })

  const guarded = (crm: DueCrm) =>
    Effect.catchAllCause(syncCrm(crm), (cause) =>
      Effect.annotateLogs(Effect.logWarning("a CRM was not brought up to date"), "cause", describeCause(cause))
    )

  /** Takes over what changed, and does what is due for every account and CRM. */
  const round = Effect.gen(function* () {
    yield* Effect.repeat(takeChanges, { while: (hasMore) => hasMore })
    yield* Effect.forEach(yield* dueCrms, guarded, { concurrency: 16, discard: true })
  })

  /** The same again and again; nobody waits for an account whose CRM is slow. */
  const loop = Effect.gen(function* () {
    let atWork = 0
    const { activity } = yield* DatabasePools
    const lookout = yield* makeAdaptivePoller(activity, { shortest: Duration.seconds(1), longest: maximumIdle })
    const look = Effect.gen(function* () {
      const isChanged = yield* unit.read(changes.areAny)
      if (isChanged) yield* Effect.repeat(takeChanges, { while: (hasMore) => hasMore })
      const due = yield* unit.read(dueCrms)
      for (const crm of due.slice(0, mostAtATime - atWork)) {
        atWork += 1
        yield* Effect.forkScoped(
          Effect.ensuring(
            guarded(crm),
            Effect.sync(() => (atWork -= 1))
          )
        )
      }
      if (isChanged || due.length > 0) return { found: true }
      return { found: false, dueIn: Math.ceil(yield* unit.read(nextDueMillis)) }
    })
    const looking = Effect.catchAllCause(look, (cause) =>
      Effect.as(
        Effect.annotateLogs(
          Effect.logWarning("changes of leads were not taken to CRMs"),
          "cause",
          describeCause(cause)
        ),
        { found: false }
      )
    )
    yield* Effect.forkScoped(lookout.poll(looking))
  })

  return { round, loop, syncCrm, nextDueMillis }
})
