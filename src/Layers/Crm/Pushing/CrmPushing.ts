import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Deferred, Effect, Either, Option } from "effect"
import type { Transient } from "../../../Errors.ts"
import type { Caller } from "../../../Services/Core/Caller.ts"
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
  isPassing,
  patience
} from "./BatchingCrm.ts"
import { type CrmLeadFacts, type CrmLink, type CrmPlace, leadFacts, linksOf, recentCompanies } from "./LeadFacts.ts"
import { type CompanyThere, type CrmDirectory, companyLanes, domainOf, type PushContext, pushLead } from "./PushLead.ts"
import { type BatchedStep, makeStepBatcher } from "./StepBatcher.ts"

/** Calls that are asked for at a time, for each that is made at a time. */
const ahead = 2
/** How often it is looked, while leads are sent that can wait, whether there are changes that cannot. */
const urgentMillis = 2000
/**
 * Leads that are gathered at a time: few at first, more where they are done soon, so that statements are for many and a
 * change waits for no more than a moment's work. Where each record is a call of its own, and where a call takes many.
 */
const mostLeads = 64
const mostBatches = 3
const shortMillis = 1000
const longMillis = 3000
/** For how long a process works for one account at one CRM before others have their turn. */
const turnMillis = 90_000
/** For how long the CRM's stages, owners and fields are known; and where something of it was not as it was known. */
const directoryMillis = 6 * 3_600_000
const hastenedMillis = 600_000
const mostAttempts = 12
/** Members whose addresses the CRM is asked for, besides the account's own. */
const mostMembers = 5
const longestDelaySeconds = 6 * 3600

interface PendingLead {
  readonly leadId: LeadId
  readonly version: number
  readonly attempts: number
}

interface EndedLead {
  readonly pending: PendingLead
  readonly isSent: boolean
}

interface Settings {
  readonly minimum: MinimumStatus | null
  readonly email: string
  readonly members: ReadonlyArray<string>
  readonly customFields: PushContext["customFields"]
}

interface KnownDirectory {
  readonly place: CrmPlace
  readonly until: number
  readonly hastenedUntil: number
  readonly directory: CrmDirectory
}

interface SyncCounts {
  failures: number
  failure: CrmFailure | undefined
  /** One that befell a call of many leads is one failure. */
  counted: Set<CrmFailure>
  warnings: Map<string, CrmWarning>
  isSomeSent: boolean
  /** The CRM did not take what was to be written. */
  isRefused: boolean
}

const nothingKnown: CrmDirectory = { pipeline: undefined, ownerId: undefined, definitions: [] }

const delaySeconds = (attempts: number): number => Math.min(longestDelaySeconds, 60 * 2 ** Math.min(attempts, 12))

/** Makes what sends an account's leads that are due to one CRM. */
export const makeCrmPushing = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rates = yield* RateLimits
  const directories = new Map<string, KnownDirectory>()

  const directoryOf = Effect.fnUntraced(function* (
    place: CrmPlace,
    client: CrmClient,
    pipelineId: string | undefined,
    ownerEmails: ReadonlyArray<string>,
    hasCustomFields: boolean
  ) {
    const key = JSON.stringify([place.accountId, place.crm, place.crmAccount, pipelineId, ownerEmails, hasCustomFields])
    const now = yield* Clock.currentTimeMillis
    const known = directories.get(key)
    if (known !== undefined && known.until > now) return known.directory
    const pipelines = yield* client.pipelines
    let owner = Option.none<string>()
    for (const email of ownerEmails) {
      if (Option.isNone(owner)) owner = yield* client.ownerByEmail(email)
    }
    const directory: CrmDirectory = {
      pipeline: pipelineId === undefined ? pipelines[0] : pipelines.find(({ id }) => id === pipelineId),
      ownerId: Option.getOrUndefined(owner),
      definitions: hasCustomFields ? yield* client.customFields : []
    }
    if (directories.size > 1000) directories.clear()
    directories.set(key, { place, until: now + directoryMillis, hastenedUntil: now + hastenedMillis, directory })
    return directory
  })

  /** Something was not as it was known: what somebody changes there now is to be seen soon. */
  const hastenDirectory = ({ accountId, crm }: CrmPlace, now: number): void => {
    for (const [key, known] of directories) {
      if (known.place.accountId !== accountId || known.place.crm !== crm) continue
      if (known.hastenedUntil <= now) directories.delete(key)
      else directories.set(key, { ...known, until: Math.min(known.until, known.hastenedUntil) })
    }
  }

  /** How many leads an allowance that ends in the middle of a few has room for. */
  const roomFor = Effect.fnUntraced(function* (
    { crm }: CrmPlace,
    allowed: CrmAdapter["limits"]
  ): Effect.fn.Return<number, CrmFailure | Transient, Caller> {
    let room = Number.MAX_SAFE_INTEGER
    for (const limit of allowed) {
      const { allowance, costOfLead, largestCost } = limit
      if (costOfLead === undefined) continue
      const left = yield* rates.left(serviceOf(crm), limit)
      room = Math.min(room, Math.floor(left / costOfLead))
      if (room < 1) {
        const seconds = (costOfLead - left) / bucketOf(allowance, largestCost).perSecond
        return yield* new CrmFailure({ kind: "rate_limited", retryAfterSeconds: restSeconds(limit, seconds) })
      }
    }
    return room
  })

  /** Leads that were sent, or are not for the CRM, unless they changed meanwhile. */
  const settle = (place: CrmPlace) => (ends: ReadonlyArray<EndedLead>) => {
    const isOf = (isSent: boolean) => {
      const meant = ends.filter((each) => each.isSent === isSent)
      const leadIds = meant.map(({ pending }) => pending.leadId)
      // The list of leads first: it is what the rows are found by, however many the account has.
      return sql`p.account_id = ${place.accountId} and p.crm = ${place.crm} and p.lead_id = any (${leadIds}::bigint[])
        and (p.lead_id, p.version) in (
          select * from unnest(${leadIds}::bigint[], ${meant.map(({ pending }) => pending.version)}::bigint[]))`
    }
    return Effect.gen(function* () {
      if (ends.some(({ isSent }) => isSent)) {
        yield* sql`
          update crm_lead p set state = 'synced', synced_at = instant(), attempts = 0, reason = null
          where ${isOf(true)}`.pipe(fromSql())
      }
      if (ends.some(({ isSent }) => !isSent)) yield* sql`delete from crm_lead p where ${isOf(false)}`.pipe(fromSql())
    })
  }

  const stick = (place: CrmPlace, { leadId, version }: PendingLead, reason: string) =>
    sql`
      update crm_lead set state = 'stuck', reason = ${reason}
      where account_id = ${place.accountId} and crm = ${place.crm} and lead_id = ${leadId}
        and version = ${version}`.pipe(fromSql())

  const postpone = (place: CrmPlace, { attempts, leadId, version }: PendingLead, reason: string) =>
    sql`
      update crm_lead set attempts = attempts + 1, reason = ${reason},
        due_at = instant() + make_interval(secs => ${delaySeconds(attempts)})
      where account_id = ${place.accountId} and crm = ${place.crm} and lead_id = ${leadId}
        and version = ${version}`.pipe(fromSql())

  const pushOne = Effect.fnUntraced(function* (
    context: PushContext,
    pending: PendingLead,
    lead: CrmLeadFacts | undefined,
    links: ReadonlyArray<CrmLink>,
    end: BatchedStep<EndedLead, void, Transient>,
    counts: SyncCounts
  ) {
    const { place } = context
    if (lead === undefined) return yield* end({ pending, isSent: false })
    const result = yield* Effect.either(pushLead(context, lead, links))
    if (Either.isRight(result)) {
      counts.failures = 0
      counts.isSomeSent = true
      for (const warning of result.right ?? []) counts.warnings.set(`${warning.field_name} ${warning.reason}`, warning)
      return yield* end({ pending, isSent: result.right !== undefined })
    }
    const failure = result.left
    if (failure._tag === "Transient") return yield* failure
    if (failure._tag === "LeadStuck") return yield* stick(place, pending, failure.reason)
    if (endsRun(failure) || failure.isUntried === true) {
      counts.failure ??= failure
      return
    }
    if (!isPassing(failure)) {
      counts.isRefused = true
      return yield* stick(place, pending, failure.reason)
    }
    if (!counts.counted.has(failure)) counts.failures += 1
    counts.counted.add(failure)
    if (counts.failures >= patience) counts.failure = failure
    return pending.attempts >= mostAttempts
      ? yield* stick(place, pending, "crm_unavailable")
      : yield* postpone(place, pending, failure.reason)
  })

  /** What is due and nobody has in hand; changes before what can wait. */
  const dueLeads = ({ accountId, crm }: CrmPlace, inHand: ReadonlySet<LeadId>, most: number) =>
    sql<PendingLead>`
      select lead_id as "leadId", version, attempts from crm_lead
      where account_id = ${accountId} and crm = ${crm} and state = 'pending' and due_at <= instant()
        and lead_id <> all (${[...inHand]}::bigint[])
      order by can_wait, due_at, lead_id limit ${most}`.pipe(fromSql())

  /** Changes of leads all of whose records are there: nothing is made that leads in hand might make too. */
  const urgentLeads = ({ accountId, crm, crmAccount }: CrmPlace, inHand: ReadonlySet<LeadId>, most: number) => {
    const link = sql`select from crm_link k where k.account_id = p.account_id and k.crm = p.crm
      and k.crm_account = ${crmAccount} and k.lead_id = p.lead_id`
    return sql<PendingLead>`
      select p.lead_id as "leadId", p.version, p.attempts
      from crm_lead p join lead l on l.account_id = p.account_id and l.lead_id = p.lead_id
      where p.account_id = ${accountId} and p.crm = ${crm} and p.state = 'pending' and not p.can_wait
        and p.due_at <= instant() and p.lead_id <> all (${[...inHand]}::bigint[])
        and exists (${link} and k.kind = 'note')
        and (trim(coalesce(l.company, '')) = '' or exists (${link} and k.kind = 'company' and k.state = 'linked'))
      order by p.due_at, p.lead_id limit ${most}`.pipe(fromSql())
  }

  /**
   * Sends what is due, batch after batch, until nothing is or the CRM takes no more. Changes of leads that are there
   * already go beside it, and their calls first.
   */
  const pushAll = Effect.fnUntraced(function* (
    place: CrmPlace,
    reached: ReachedCrm,
    pipelineId: string | undefined,
    lease: string,
    adapter: CrmAdapter
  ): Effect.fn.Return<void, CrmFailure | Transient, Caller> {
    const { indexLagSeconds = 0, limits } = adapter
    const { convert } = reached
    const lanes = ahead * lanesOf(adapter)
    const counts: SyncCounts = {
      failures: 0,
      failure: undefined,
      counted: new Set(),
      warnings: new Map(),
      isSomeSent: false,
      isRefused: false
    }
    const inHand = new Set<LeadId>()
    const picking = yield* Effect.makeSemaphore(1)

    /** Sends some leads; answers whether there were any. */
    const sendSome = Effect.fnUntraced(function* (most: number, isUrgent: boolean) {
      const client = isUrgent ? reached.urgent : reached.client
      const room = yield* roomFor(place, limits)
      const pending = yield* picking.withPermits(1)(
        Effect.tap((isUrgent ? urgentLeads : dueLeads)(place, inHand, Math.min(most, room)), (rows) =>
          Effect.sync(() => rows.forEach(({ leadId }) => inHand.add(leadId)))
        )
      )
      if (pending.length === 0) return false
      const leadIds = pending.map(({ leadId }) => leadId)
      const facts = new Map((yield* leadFacts(sql, place.accountId, leadIds)).map((lead) => [lead.leadId, lead]))
      const [settings] = yield* sql<Settings>`
        select s.minimum_status as minimum, array(
            select m.email from member m where m.account_id = a.account_id and m.email is not null
            order by m.member_id limit ${mostMembers}
          ) as members, a.email, array(
            select json_build_object('field_name', f.field_name, 'field_value', f.field_value) from crm_custom_field f
            where f.account_id = a.account_id order by f.field_id
          ) as "customFields"
        from account a left join crm_setting s on s.account_id = a.account_id
        where a.account_id = ${place.accountId}`.pipe(fromSql())
      const customFields = settings?.customFields ?? []
      const directory =
        client === undefined
          ? nothingKnown
          : yield* directoryOf(
              place,
              client,
              pipelineId,
              settings === undefined ? [] : [settings.email, ...settings.members],
              customFields.length > 0
            )
      const links = new Map<LeadId, Array<CrmLink>>()
      for (const link of yield* linksOf(sql, place, leadIds))
        links.set(link.leadId, [...(links.get(link.leadId) ?? []), link])
      const small = (texts: ReadonlyArray<string>) => [...new Set(texts.map((text) => text.trim().toLowerCase()))]
      const recent =
        indexLagSeconds === 0
          ? []
          : [
              ...(yield* recentCompanies(
                sql,
                place,
                indexLagSeconds,
                small([...facts.values()].flatMap(({ company }) => company ?? [])),
                small([...facts.values()].flatMap((lead) => domainOf(lead) ?? []))
              ))
            ]
      const lanesOfLeads = companyLanes([...facts.values()])
      const gathering = makeStepBatcher()
      const context: PushContext = {
        place,
        client: client === undefined ? undefined : batchingClient(gathering, client, lanes),
        convert: batchedConversions(gathering, convert, lanes),
        addNote: client === undefined ? () => Effect.void : batchedNotes(gathering, sql, place, client, lanes),
        writerOf: batchedLinks(gathering, sql, place),
        companyTurn: gathering.turns<CompanyThere>(),
        companyLaneOf: (leadId) => lanesOfLeads.get(leadId) ?? `${leadId}`,
        directory,
        indexLagSeconds,
        recent,
        minimumStatus: settings?.minimum ?? undefined,
        customFields
      }
      const end = batchedEnds(gathering, settle(place))
      yield* gathering.all(
        pending.map((each) => pushOne(context, each, facts.get(each.leadId), links.get(each.leadId) ?? [], end, counts))
      )
      for (const leadId of leadIds) inHand.delete(leadId)
      yield* sql`
        update crm_integration set
          last_sync_at = case when ${counts.isSomeSent} then instant() else last_sync_at end,
          warnings = ${JSON.stringify([...counts.warnings.values()])}::jsonb
        where account_id = ${place.accountId} and crm = ${place.crm} and leased_by = ${lease}::uuid`.pipe(fromSql())
      if (counts.warnings.size > 0 || counts.isRefused) hastenDirectory(place, yield* Clock.currentTimeMillis)
      if (counts.failure !== undefined) return yield* counts.failure
      return true
    })

    const sendAll = Effect.gen(function* () {
      const fewest = reached.client?.batches?.leads ?? lanesOf(adapter)
      const most = reached.client?.batches === undefined ? mostLeads : fewest * mostBatches
      let atATime = fewest
      const deadline = (yield* Clock.currentTimeMillis) + turnMillis
      while ((yield* Clock.currentTimeMillis) < deadline) {
        const began = yield* Clock.currentTimeMillis
        const isSomeDue = yield* sendSome(atATime, false)
        if (!isSomeDue) return
        const took = (yield* Clock.currentTimeMillis) - began
        if (took < shortMillis) atATime = Math.min(most, atATime * 2)
        else if (took > longMillis) atATime = Math.max(fewest, Math.floor(atATime / 2))
      }
    })

    const over = yield* Deferred.make<void>()
    const sendUrgent = Effect.gen(function* () {
      while (Option.isNone(yield* Effect.timeoutOption(Deferred.await(over), urgentMillis))) {
        yield* sendSome(lanesOf(adapter), true)
      }
    })
    // What one of them began is ended, whatever befell the other.
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
