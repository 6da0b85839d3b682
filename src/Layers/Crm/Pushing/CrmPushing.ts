import { SqlClient } from "@effect/sql/SqlClient"
import { Array, Cause, Clock, Deferred, Effect, Either, Exit, Option } from "effect"
import type { Transient } from "../../../Errors.ts"
import type { Caller } from "../../../Services/Core/Calls/Caller.ts"
import type { LeadEvent } from "../../../Services/Crm/ConversationNotes.ts"
import type { CrmWarning } from "../../../Services/Crm/CrmModel.ts"
import type { MinimumStatus } from "../../../Services/Crm/CrmRules.ts"
import type { LeadId } from "../../../Services/Leads/Ids.ts"
import { bucketOf, RateLimits } from "../../../Services/Outbound/RateLimits.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { type CrmAdapter, type CrmClient, CrmFailure } from "../Calling/CrmAdapter.ts"
import { restSeconds } from "../Calling/CrmQuota.ts"
import { lanesOf, type ReachedCrm, serviceOf } from "../Calling/CrmSending.ts"
import {
  batchedConversions,
  batchedEnds,
  batchedLinks,
  batchedNotes,
  batchingClient,
  endsRun,
  eventNotes,
  isPassing,
  leadNotes,
  patience
} from "./BatchingCrm.ts"
import { makeCrmDirectories } from "./CrmDirectories.ts"
import { unnotedEvents } from "./LeadEvents.ts"
import { type CrmLeadFacts, type CrmLink, type CrmPlace, leadFacts, linksOf, recentCompanies } from "./LeadFacts.ts"
import { type CustomField, companyLanes, domainOf } from "./LeadFields.ts"
import {
  dueLeads,
  type EndedLead,
  endLeads,
  markStuck,
  type PendingLead,
  postpone,
  urgentLeads
} from "./PendingLeads.ts"
import { type CrmDirectory, type PushContext, pushLead, type SharedCompany } from "./PushLead.ts"
import { type BatchedStep, makeStepBatcher, type StepBatcher } from "./StepBatcher.ts"

/** How many calls wait for each call that the CRM processes at the same time. */
const callsAhead = 2
/** The interval in milliseconds at which a run checks for urgent changes. */
const urgentMillis = 2000
/**
 * The most leads in a batch if each record takes a call. If a call takes many records, `mostBatches` calls are the
 * limit. The batch grows while batches are fast, to share statements among leads. It shrinks while they are slow, so
 * that changes do not wait long.
 */
const mostLeads = 64
const mostBatches = 3
const shortMillis = 1000
const longMillis = 3000
/** The longest time in milliseconds that a process works for one account at one CRM before it continues with others. */
const turnMillis = 90_000
const mostAttempts = 12
/** The most members whose addresses are looked up in the CRM, in addition to the account's own. */
const mostMembers = 5

interface PushSettings {
  readonly minimum: MinimumStatus | null
  /** The account's e-mail address. Null if it has none. */
  readonly email: string | null
  readonly members: ReadonlyArray<string>
  readonly customFields: ReadonlyArray<CustomField>
}

/** The progress of a run. */
interface RunState {
  failures: number
  failure: CrmFailure | undefined
  /** An error of the gateway while it sent a lead. */
  defect: Cause.Cause<never> | undefined
  /** Failures that were counted. A failed call for many leads counts once. */
  counted: Set<CrmFailure>
  warnings: Map<string, CrmWarning>
  isSomeSent: boolean
  /** True if the CRM refused a write. */
  isRefused: boolean
}

/** An account's run at one CRM. */
interface PushRun {
  readonly place: CrmPlace
  readonly reached: ReachedCrm
  readonly adapter: CrmAdapter
  readonly pipelineId: string | undefined
  readonly lease: string
  readonly state: RunState
  /** Leads that this run is sending now. */
  readonly inHand: Set<LeadId>
  readonly picking: Effect.Semaphore
}

const emptyDirectory: CrmDirectory = { pipeline: undefined, ownerId: undefined, definitions: [] }

const newRunState = (): RunState => ({
  failures: 0,
  failure: undefined,
  defect: undefined,
  counted: new Set(),
  warnings: new Map(),
  isSomeSent: false,
  isRefused: false
})

/** Schedules a retry of the lead. After many attempts, it waits until a person fixes the cause. */
const retryLater = (sql: SqlClient, place: CrmPlace, pending: PendingLead, reason: string, lastReason: string) =>
  pending.attempts >= mostAttempts ? markStuck(sql, place, pending, lastReason) : postpone(sql, place, pending, reason)

/** Sends one lead, and records the result. */
const pushOne = Effect.fnUntraced(function* (
  sql: SqlClient,
  context: PushContext,
  pending: PendingLead,
  lead: CrmLeadFacts | undefined,
  links: ReadonlyArray<CrmLink>,
  events: ReadonlyArray<LeadEvent>,
  end: BatchedStep<EndedLead, void, Transient>,
  state: RunState
) {
  const { place } = context
  if (lead === undefined) return yield* end({ pending, isSent: false })
  const result = yield* Effect.exit(pushLead(context, lead, links, events))
  if (Exit.isSuccess(result)) {
    state.failures = 0
    state.isSomeSent = true
    for (const warning of result.value ?? []) state.warnings.set(`${warning.field_name} ${warning.reason}`, warning)
    return yield* end({ pending, isSent: result.value !== undefined })
  }
  const failed = Cause.failureOrCause(result.cause)
  if (Either.isRight(failed)) {
    if (Cause.isInterruptedOnly(failed.right)) return yield* Effect.failCause(failed.right)
    // The other leads are still sent. Then the run ends with the error.
    state.defect ??= failed.right
    return yield* retryLater(sql, place, pending, "internal_error", "internal_error")
  }
  const failure = failed.left
  if (failure._tag === "Transient") return yield* failure
  if (failure._tag === "LeadStuck") return yield* markStuck(sql, place, pending, failure.reason)
  if (endsRun(failure) || failure.isUntried === true) {
    state.failure ??= failure
    return
  }
  if (!isPassing(failure)) {
    state.isRefused = true
    return yield* markStuck(sql, place, pending, failure.reason)
  }
  if (!state.counted.has(failure)) state.failures += 1
  state.counted.add(failure)
  if (state.failures >= patience) state.failure = failure
  return yield* retryLater(sql, place, pending, failure.reason, "crm_unavailable")
})

const readSettings = (sql: SqlClient, { accountId }: CrmPlace) =>
  Effect.map(
    sql<PushSettings>`
      select s.minimum_status as minimum, array(
          select m.email from member m where m.account_id = a.account_id and m.email is not null
          order by m.member_id limit ${mostMembers}
        ) as members, a.email, array(
          select json_build_object('field_name', f.field_name, 'field_value', f.field_value) from crm_custom_field f
          where f.account_id = a.account_id order by f.field_id
        ) as "customFields"
      from account a left join crm_setting s on s.account_id = a.account_id
      where a.account_id = ${accountId}`.pipe(fromSql()),
    ([settings]) => settings
  )

/** Companies of these leads that may not be in the CRM's search index yet. */
const companiesNotIndexed = (
  sql: SqlClient,
  place: CrmPlace,
  indexLagSeconds: number,
  leads: ReadonlyArray<CrmLeadFacts>
) => {
  const folded = (texts: ReadonlyArray<string>) => [...new Set(texts.map((text) => text.trim().toLowerCase()))]
  return indexLagSeconds === 0
    ? Effect.succeed([])
    : recentCompanies(
        sql,
        place,
        indexLagSeconds,
        folded(leads.flatMap(({ company }) => company ?? [])),
        folded(leads.flatMap((lead) => domainOf(lead) ?? []))
      )
}

/** Runs batches until nothing is due, the CRM's limit is reached, or the time is up. */
const sendInBatches = <E, R>(
  { adapter, reached }: PushRun,
  sendBatch: (size: number) => Effect.Effect<boolean, E, R>
): Effect.Effect<void, E, R> =>
  Effect.gen(function* () {
    const fewest = reached.client?.batches?.leads ?? lanesOf(adapter)
    const most = reached.client?.batches === undefined ? mostLeads : fewest * mostBatches
    let size = fewest
    const deadline = (yield* Clock.currentTimeMillis) + turnMillis
    while ((yield* Clock.currentTimeMillis) < deadline) {
      const startedAt = yield* Clock.currentTimeMillis
      const isSomeDue = yield* sendBatch(size)
      if (!isSomeDue) return
      const tookMillis = (yield* Clock.currentTimeMillis) - startedAt
      if (tookMillis < shortMillis) size = Math.min(most, size * 2)
      else if (tookMillis > longMillis) size = Math.max(fewest, Math.floor(size / 2))
    }
  })

/** Returns how many leads the remaining rate limits allow, for limits that have a cost per lead. */
const leadsWithinLimits = Effect.fnUntraced(function* (
  rates: RateLimits["Type"],
  { adapter, place }: PushRun
): Effect.fn.Return<number, CrmFailure | Transient, Caller> {
  let most = Number.MAX_SAFE_INTEGER
  for (const limit of adapter.limits) {
    const { allowance, costOfLead, largestCost } = limit
    if (costOfLead === undefined) continue
    const left = yield* rates.left(serviceOf(place.crm), limit)
    most = Math.min(most, Math.floor(left / costOfLead))
    if (most < 1) {
      const seconds = (costOfLead - left) / bucketOf(allowance, largestCost).perSecond
      return yield* new CrmFailure({ kind: "rate_limited", retryAfterSeconds: restSeconds(limit, seconds) })
    }
  }
  return most
})

const noteSteps = (
  sql: SqlClient,
  place: CrmPlace,
  batcher: StepBatcher,
  client: CrmClient | undefined,
  lanes: number
): Pick<PushContext, "addNote" | "addEvent"> =>
  client === undefined
    ? { addNote: () => Effect.void, addEvent: () => Effect.void }
    : {
        addNote: batchedNotes(batcher, "note", leadNotes(sql, place), client, lanes),
        addEvent: batchedNotes(batcher, "event", eventNotes(sql, place), client, lanes)
      }

/** Makes the function that sends an account's due leads to one CRM. */
export const makeCrmPushing = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rates = yield* RateLimits
  const directories = makeCrmDirectories()

  const pickLeads = Effect.fnUntraced(function* (run: PushRun, size: number, isUrgent: boolean) {
    const { inHand, picking, place } = run
    const most = Math.min(size, yield* leadsWithinLimits(rates, run))
    return yield* picking.withPermits(1)(
      Effect.tap((isUrgent ? urgentLeads : dueLeads)(sql, place, inHand, most), (rows) =>
        Effect.sync(() => rows.forEach(({ leadId }) => inHand.add(leadId)))
      )
    )
  })

  const directoryFor = ({ pipelineId, place }: PushRun, client: CrmClient, settings: PushSettings | undefined) =>
    directories.get(place, client, {
      pipelineId,
      ownerEmails: Array.fromNullable(settings).flatMap(({ email, members }) => [
        ...Array.fromNullable(email),
        ...members
      ])
    })

  const recordBatch = Effect.fnUntraced(function* ({ lease, place, state }: PushRun) {
    yield* sql`
      update crm_integration set
        last_sync_at = case when ${state.isSomeSent} then instant() else last_sync_at end,
        warnings = ${JSON.stringify([...state.warnings.values()])}::jsonb
      where account_id = ${place.accountId} and crm = ${place.crm} and leased_by = ${lease}::uuid`.pipe(fromSql())
    if (state.warnings.size > 0 || state.isRefused) directories.shorten(place, yield* Clock.currentTimeMillis)
  })

  /** Sends up to `size` leads. Returns whether any were due. */
  const sendBatch = Effect.fnUntraced(function* (run: PushRun, size: number, isUrgent: boolean) {
    const { adapter, inHand, place, reached, state } = run
    const { indexLagSeconds = 0 } = adapter
    const client = isUrgent ? reached.urgent : reached.client
    const lanes = callsAhead * lanesOf(adapter)
    const pending = yield* pickLeads(run, size, isUrgent)
    if (pending.length === 0) return false
    const leadIds = pending.map(({ leadId }) => leadId)
    const leads = yield* leadFacts(sql, place.accountId, leadIds)
    const facts = new Map(leads.map((lead) => [lead.leadId, lead]))
    const settings = yield* readSettings(sql, place)
    const directory = client === undefined ? emptyDirectory : yield* directoryFor(run, client, settings)
    const links = yield* linksOf(sql, place, leadIds)
    const recent = [...(yield* companiesNotIndexed(sql, place, indexLagSeconds, leads))]
    const laneOf = companyLanes(leads)
    const batcher = makeStepBatcher()
    const context: PushContext = {
      place,
      client: client === undefined ? undefined : batchingClient(batcher, client, lanes),
      convert: batchedConversions(batcher, reached.convert, lanes),
      ...noteSteps(sql, place, batcher, client, lanes),
      writerOf: batchedLinks(batcher, sql, place),
      companyTurn: batcher.turns<SharedCompany>(),
      companyLaneOf: (leadId) => laneOf.get(leadId) ?? `${leadId}`,
      directory,
      indexLagSeconds,
      recent,
      minimumStatus: settings?.minimum ?? undefined,
      customFields: settings?.customFields ?? []
    }
    const events = client === undefined ? [] : yield* unnotedEvents(sql, place, leadIds)
    const eventsByLead = Array.groupBy(events, ({ leadId }) => `${leadId}`)
    const linksByLead = Array.groupBy(links, ({ leadId }) => `${leadId}`)
    const end = batchedEnds(batcher, endLeads(sql, place))
    yield* batcher.all(
      pending.map((each) =>
        pushOne(
          sql,
          context,
          each,
          facts.get(each.leadId),
          linksByLead[`${each.leadId}`] ?? [],
          (eventsByLead[`${each.leadId}`] ?? []).map(({ body }) => body),
          end,
          state
        )
      )
    )
    for (const leadId of leadIds) inHand.delete(leadId)
    yield* recordBatch(run)
    if (state.defect !== undefined) return yield* Effect.failCause(state.defect)
    if (state.failure !== undefined) return yield* state.failure
    return true
  })

  /** Sends all due leads. Urgent changes of leads with records are sent at the same time, with priority. */
  const pushAll = Effect.fnUntraced(function* (
    place: CrmPlace,
    reached: ReachedCrm,
    pipelineId: string | undefined,
    lease: string,
    adapter: CrmAdapter
  ): Effect.fn.Return<void, CrmFailure | Transient, Caller> {
    const picking = yield* Effect.makeSemaphore(1)
    const run = { place, reached, adapter, pipelineId, lease, state: newRunState(), inHand: new Set<LeadId>(), picking }
    const over = yield* Deferred.make<void>()
    const sendAll = sendInBatches(run, (size) => sendBatch(run, size, false))
    const sendUrgent = Effect.gen(function* () {
      while (Option.isNone(yield* Effect.timeoutOption(Deferred.await(over), urgentMillis))) {
        yield* sendBatch(run, lanesOf(adapter), true)
      }
    })
    // Both parts finish what they began, even if the other one fails.
    const exits = yield* Effect.all(
      [
        Effect.exit(Effect.ensuring(sendAll, Deferred.succeed(over, undefined))),
        Effect.exit(reached.urgent === undefined ? Effect.void : sendUrgent)
      ],
      { concurrency: "unbounded" }
    )
    for (const exit of exits) yield* exit
  })

  return { pushAll }
})
