import { randomUUID } from "node:crypto"
import { Cause, Clock, Duration, Effect, Either, Option } from "effect"
import { type Connection, Connections } from "../../../Services/Connections/Connections.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { describeCause } from "../../../Services/Core/SafeCause.ts"
import type { CrmName } from "../../../Services/Crm/Ids.ts"
import { makeAdaptivePoller, maximumIdle } from "../../Platform/AdaptivePoller.ts"
import { DatabasePools } from "../../Platform/Postgres/Database.ts"
import { adapters } from "../Adapters/Adapters.ts"
import type { Credentials, CrmAdapter, CrmFailure } from "../Calling/CrmAdapter.ts"
import { credentialsOf, makeCrmClients, type ReachedCrm, serviceOf } from "../Calling/CrmSending.ts"
import { CrmTransport } from "../Calling/CrmTransport.ts"
import { makeCrmPushing } from "../Pushing/CrmPushing.ts"
import type { CrmPlace } from "../Pushing/LeadFacts.ts"
import { makeClosedDeals } from "./ClosedDeals.ts"
import { makeContactReader } from "./CrmContacts.ts"
import { type DueCrm, type Lease, makeCrmLeases, makeDueCrms } from "./DueCrms.ts"
import { makeTurnDefects } from "./TurnDefects.ts"

const renewal = "15 seconds"
const mostAtATime = 32
const hourMillis = 3_600_000
const mostCachedClients = 1000
/**
 * The pause in seconds after a failure for which the CRM names no time: after a rate limit, and after any other
 * failure.
 */
const limitedRestSeconds = 30
const failedRestSeconds = 60

/** The text for the owner about a CRM that must be connected again. */
const lostConnectionOf = (crm: string) => ({ name: { "pt-BR": crm, en: crm, es: crm }, tool: "connect_crm" })

/** Caches clients while a connection exists, because they cache data that is read only once, such as the users. */
const makeCachedClients = Effect.gen(function* () {
  const clients = yield* makeCrmClients
  const cache = new Map<string, { readonly until: number; readonly reached: ReachedCrm }>()
  return Effect.fnUntraced(function* (
    adapter: CrmAdapter,
    { connectedAt }: Connection,
    { accountId, crm }: CrmPlace,
    credentials: Credentials
  ) {
    const key = JSON.stringify([accountId, crm, connectedAt])
    const now = yield* Clock.currentTimeMillis
    const cached = cache.get(key)
    if (cached !== undefined && cached.until > now) return cached.reached
    const reached = yield* clients(adapter, credentials, { isWaitedFor: false })
    if (cache.size > mostCachedClients) cache.clear()
    cache.set(key, { until: now + hourMillis, reached })
    return reached
  })
})

/** Does the work for one account at one CRM: sends leads, reads contacts and closed deals. */
const makeCrmWork = Effect.gen(function* () {
  const unit = yield* UnitOfWork
  const connections = yield* Connections
  const transport = yield* CrmTransport
  const leases = yield* makeCrmLeases
  const clientOf = yield* makeCachedClients
  const readContacts = yield* makeContactReader
  const { poll } = yield* makeClosedDeals
  const { recovered } = yield* makeTurnDefects
  const { pushAll } = yield* makeCrmPushing

  const loseAccess = (crm: CrmName, reason: string) =>
    unit.write(connections.loseAccess(serviceOf(crm), reason, lostConnectionOf(crm)))

  /** Records a failure that concerns more than one lead, and updates the connection's state. */
  const recordFailure = Effect.fnUntraced(function* (place: CrmPlace, failure: CrmFailure) {
    if (failure.kind === "unauthorized") return yield* loseAccess(place.crm, "unauthorized")
    const seconds =
      failure.kind === "rate_limited" ? (failure.retryAfterSeconds ?? limitedRestSeconds) : failedRestSeconds
    yield* connections.noteCheck(serviceOf(place.crm), failure.reason)
    yield* leases.rest(place, seconds)
  })

  return Effect.fnUntraced(function* (place: CrmPlace, { defects, isPollDue, polledUntil }: Lease, lease: string) {
    const adapter = adapters[place.crm]
    const service = serviceOf(place.crm)
    const connection = yield* connections.get(service)
    const secrets = yield* connections.secrets(service)
    if (Option.isNone(connection) || connection.value.state !== "connected") return
    if (Option.isNone(secrets)) return yield* loseAccess(place.crm, "secrets_unreadable")
    if (connection.value.isSandbox !== (transport.mode === "sandbox")) {
      return yield* loseAccess(place.crm, "made_in_other_mode")
    }
    const reached = yield* clientOf(adapter, connection.value, place, credentialsOf(secrets.value))
    const pipelineId = connection.value.settings["pipeline_id"]
    const done = yield* Effect.either(
      Effect.gen(function* () {
        yield* pushAll(place, reached, typeof pipelineId === "string" ? pipelineId : undefined, lease, adapter)
        if (isPollDue) {
          yield* readContacts(place, reached.client)
          yield* poll(place, reached.client, polledUntil)
        }
      })
    )
    if (Either.isRight(done)) {
      if (defects > 0) yield* recovered(place)
      return yield* connections.noteCheck(service, undefined)
    }
    if (done.left._tag === "Transient") return yield* done.left
    yield* recordFailure(place, done.left)
  })
})

/** Sends leads to CRMs and reads outcomes from them, in a loop of each process and in a recurring task. */
export const makeCrmSync = Effect.gen(function* () {
  const unit = yield* UnitOfWork
  const leases = yield* makeCrmLeases
  const work = yield* makeCrmWork
  const defects = yield* makeTurnDefects
  const { areChanged, dueCrms, nextDueMillis, takeChanges } = yield* makeDueCrms

  /** Works for one account at one CRM, unless another process does. */
  const syncCrm = Effect.fn("Crm.sync")(function* (due: DueCrm) {
    const { accountId, crm, plan } = due
    const lease = randomUUID()
    const taken = yield* leases.take(due, lease)
    if (taken === undefined) return
    const place = { accountId, crm, crmAccount: taken.crmAccount }
    // The work ends when the lease is lost.
    const renewed = Effect.repeat(Effect.delay(leases.renew(place, lease), renewal), { while: (isMine) => isMine })
    yield* Effect.raceFirst(work(place, taken, lease), Effect.asVoid(renewed)).pipe(
      Effect.provideService(Caller, Caller.forTask(accountId, plan, `crm-${crm}`)),
      Effect.ensuring(leases.release(place, lease))
    )
  })

  const guarded = (crm: DueCrm) =>
    syncCrm(crm).pipe(
      Effect.catchAllCause((cause) => (Cause.isDie(cause) ? defects.failed(crm, cause) : Effect.failCause(cause))),
      // The database failed, or the gateway is stopping.
      Effect.catchAllCause((cause) =>
        Effect.annotateLogs(Effect.logWarning("a CRM was not brought up to date"), "cause", describeCause(cause))
      )
    )

  /** Queues changed leads, and does the due work of every account and CRM. */
  const round = Effect.gen(function* () {
    yield* Effect.repeat(takeChanges, { while: (hasMore) => hasMore })
    yield* Effect.forEach(yield* dueCrms, guarded, { concurrency: 16, discard: true })
  })

  /** Repeats the round forever. A slow CRM of one account delays no other account. */
  const loop = Effect.gen(function* () {
    let working = 0
    const { activity } = yield* DatabasePools
    const poller = yield* makeAdaptivePoller(activity, { shortest: Duration.seconds(1), longest: maximumIdle })
    const look = Effect.gen(function* () {
      const isChanged = yield* unit.read(areChanged)
      if (isChanged) yield* Effect.repeat(takeChanges, { while: (hasMore) => hasMore })
      const due = yield* unit.read(dueCrms)
      for (const crm of due.slice(0, mostAtATime - working)) {
        working += 1
        yield* Effect.forkScoped(
          Effect.ensuring(
            guarded(crm),
            Effect.sync(() => (working -= 1))
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
    yield* Effect.forkScoped(poller.poll(looking))
  })

  return { round, loop, syncCrm, nextDueMillis }
})
