import { randomUUID } from "node:crypto"
import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Effect, Either, Option } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId, Plan } from "../../Services/Accounts/Ids.ts"
import { isToBeServed } from "../../Services/Ads/AdsStates.ts"
import type { AdsCampaignId } from "../../Services/Ads/Ids.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { describeCause } from "../../Services/Core/SafeCause.ts"
import { toMillis } from "../../Services/Core/Timestamp.ts"
import { Notifications } from "../../Services/Events/Notifications.ts"
import { CustomerFiles } from "../../Services/Files/CustomerFiles.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { AdsSettings } from "./AdsSettings.ts"
import { AdsFailure, isPassing } from "./Calling/AdsFailure.ts"
import { makeAdsPlatform } from "./Calling/AdsPlatform.ts"
import { makeAudience } from "./Campaigns/Audience.ts"
import { budgetOf, type CampaignRow, makeCampaignRows, missingOf, standingOf } from "./Campaigns/CampaignRows.ts"
import { makeConversions } from "./Campaigns/Conversions.ts"
import { type Hold, makeGoLive } from "./Campaigns/GoLive.ts"
import type { Place } from "./Campaigns/PlatformContent.ts"
import { makeSpendSync } from "./Campaigns/SpendSync.ts"

/** Shorter than the lease, so that two processes never work on the same campaign. */
const longestRun = "150 seconds"
const leaseSeconds = 180
/** The interval in seconds at which the cost of a running campaign is read. */
const lookSeconds = 900
const restSeconds = 6 * 3600
const holdSeconds = 3600
const reviewSeconds = 300
/** Milliseconds after the end of a campaign for which late costs are still read. */
const lateCostMillis = 4 * 86_400_000
const longestDelaySeconds = 3600
const campaignsAtATime = 100
/** After this many refusals, creating a campaign is left for the next run. */
const mostTries = 5

const delaySeconds = (attempts: number): number => Math.min(longestDelaySeconds, 20 * 2 ** Math.min(attempts, 10))

const undeclared: Hold = {
  reason: "declaration_missing",
  detail:
    "Whoever runs this gateway has to declare that its campaigns are no political advertising in the EU. Write to support with create_support_request."
}

const suspended: Hold = {
  reason: "account_suspended",
  detail: "The ads platform suspended the account. Write to support with create_support_request."
}

/**
 * Whether the campaign waits until something changes. Adding parts to a search campaign makes it due. An automated
 * campaign uses the account's material, so it is checked regularly.
 */
const isHeldUntilChanged = ({ channelType, externalId, holdReason }: CampaignRow): boolean =>
  channelType === "Search" && holdReason === "assets_missing" && externalId === null

const lacking = (missing: ReadonlyArray<string>): Hold => ({
  reason: "assets_missing",
  detail: `The campaign lacks: ${missing.join(", ")}.`
})

export interface Reconciled {
  /** The failure that kept some changes from reaching the platform. A later run retries. */
  readonly failure: AdsFailure | undefined
}

const makeReconcileServices = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const settings = yield* AdsSettings
  const notifications = yield* Notifications
  const platform = yield* makeAdsPlatform
  const rows = makeCampaignRows(sql)
  const goLive = makeGoLive(sql, platform, settings, yield* CustomerFiles)
  const syncSpend = makeSpendSync(sql, unit, platform, rows)
  const audience = makeAudience(sql, unit, platform, settings)
  const reports = makeConversions(sql, platform, settings)
  return { audience, goLive, notifications, platform, reports, rows, settings, sql, syncSpend, unit }
})
type ReconcileServices = Effect.Effect.Success<typeof makeReconcileServices>

const makeCampaignState = ({ rows, sql }: ReconcileServices) => {
  const isOf = (accountId: AccountId, id: AdsCampaignId) => sql`account_id = ${accountId} and ads_campaign_id = ${id}`

  const again = (accountId: AccountId, row: CampaignRow) =>
    Effect.map(rows.byId(accountId, row.adsCampaignId), (found) => found ?? row)

  const hold = (accountId: AccountId, id: AdsCampaignId, found: Hold | undefined) =>
    sql`
      update ads_campaign set hold_reason = ${found?.reason ?? null}, hold_detail = ${found?.detail ?? null}
      where ${isOf(accountId, id)}`.pipe(fromSql())

  return { again, hold, isOf }
}
type CampaignState = ReturnType<typeof makeCampaignState>

const makePlatformSteps = ({ goLive, platform, sql }: ReconcileServices, { again, isOf }: CampaignState) => {
  /** Removes a campaign at the platform that has ended in the gateway. */
  const remove = Effect.fnUntraced(function* (place: Place, row: CampaignRow) {
    const { accountId, customerId } = place
    if (row.externalId === null || row.externalStatus === "REMOVED") return
    const { rows: there } = yield* platform.search(
      customerId,
      `SELECT campaign.id, campaign.status FROM campaign WHERE campaign.id = ${row.externalId} AND campaign.status != 'REMOVED'`
    )
    if (there.length > 0) {
      yield* platform.mutate(customerId, [
        { campaignOperation: { remove: `customers/${customerId}/campaigns/${row.externalId}` } }
      ])
    }
    yield* sql`
      update ads_campaign set external_status = 'REMOVED', external_status_at = instant()
      where ${isOf(accountId, row.adsCampaignId)}`.pipe(fromSql())
  })

  const setBudget = Effect.fnUntraced(function* ({ accountId, customerId }: Place, row: CampaignRow) {
    const budget = budgetOf(row)
    if (row.externalBudgetId === null || budget === undefined || budget === row.externalBudgetMicros) return
    yield* platform.mutate(customerId, [
      {
        campaignBudgetOperation: {
          update: {
            resourceName: `customers/${customerId}/campaignBudgets/${row.externalBudgetId}`,
            amountMicros: `${budget}`
          },
          updateMask: "amount_micros"
        }
      }
    ])
    yield* sql`
      update ads_campaign set external_budget_micros = ${budget} where ${isOf(accountId, row.adsCampaignId)}`.pipe(
      fromSql()
    )
  })

  const setStatus = Effect.fnUntraced(function* ({ accountId, customerId }: Place, row: CampaignRow) {
    const status = isToBeServed(standingOf(row)) ? "ENABLED" : "PAUSED"
    if (row.externalId === null || row.externalStatus === status) return
    yield* platform.mutate(customerId, [
      {
        campaignOperation: {
          update: { resourceName: `customers/${customerId}/campaigns/${row.externalId}`, status },
          updateMask: "status"
        }
      }
    ])
    yield* sql`
      update ads_campaign set external_status = ${status}, external_status_at = instant()
      where ${isOf(accountId, row.adsCampaignId)}`.pipe(fromSql())
  })

  /**
   * Creates the campaign at the platform, without the parts that its policies refuse. Returns the hold if it cannot be
   * created.
   */
  const provision = Effect.fnUntraced(function* (place: Place, row: CampaignRow) {
    for (let tries = 0; ; tries++) {
      const present = yield* again(place.accountId, row)
      const missing = missingOf(present)
      const budget = budgetOf(present)
      if (missing.length > 0) return lacking(missing)
      if (budget === undefined || present.wanted !== "active") return undefined
      const found = yield* goLive.create(place, present, budget)
      if (found === undefined || tries >= mostTries) return found
      if (missingOf(yield* again(place.accountId, row)).length > 0) return found
    }
  })

  return { provision, remove, setBudget, setStatus }
}
type PlatformSteps = ReturnType<typeof makePlatformSteps>

const makeSync = (
  { audience, goLive, settings, sql, syncSpend }: ReconcileServices,
  { again, hold, isOf }: CampaignState,
  { provision, remove, setBudget, setStatus }: PlatformSteps
) => {
  const withPlatform = Effect.fnUntraced(function* (row: CampaignRow, accountId: AccountId) {
    const standing = standingOf(row)
    const isFunded = standing.rechargedMicros > 0
    if (row.externalId === null && (!isFunded || row.wanted === "ended")) return
    if (row.externalId === null && budgetOf(row) === undefined) return
    if (row.externalId === null && missingOf(row).length > 0) {
      yield* hold(accountId, row.adsCampaignId, lacking(missingOf(row)))
      return
    }
    const { customerId, timeZone } = yield* goLive.ensureCustomer(accountId)
    const place = { accountId, customerId }
    if (row.wanted === "ended") {
      yield* remove(place, row)
      return yield* syncSpend(place, row, timeZone)
    }
    // The spend must be known before anything is enabled.
    yield* syncSpend(place, row, timeZone)
    const kept = settings.declaresNoEuPolitics ? yield* goLive.accountHold(place) : undeclared
    const provisioned =
      kept === undefined && row.externalId === null ? yield* provision(place, yield* again(accountId, row)) : undefined
    let present = yield* again(accountId, row)
    if (kept === undefined) {
      yield* goLive.sendContent(place, present)
      present = yield* again(accountId, row)
    }
    const missing = missingOf(present)
    const found =
      kept ??
      provisioned ??
      (missing.length > 0
        ? lacking(missing)
        : present.externalId === null
          ? undefined
          : yield* goLive.policyHold(place, present.externalId))
    yield* hold(accountId, row.adsCampaignId, found)
    yield* sql`
      update ads_campaign set failure = null where ${isOf(accountId, row.adsCampaignId)}`.pipe(fromSql())
    present = yield* again(accountId, row)
    if (present.wanted === "ended") {
      yield* remove(place, present)
      return
    }
    yield* setBudget(place, present)
    yield* audience.poll(place, present)
    yield* setStatus(place, yield* again(accountId, row))
  })

  return { withPlatform }
}
type Sync = ReturnType<typeof makeSync>

const makeRun = (
  { notifications, rows, sql, unit }: ReconcileServices,
  { again, hold, isOf }: CampaignState,
  { withPlatform }: Sync
) => {
  /** Returns the seconds until the next check. Null if only a change makes the campaign due. */
  const nextLook = Effect.fnUntraced(function* (row: CampaignRow, failure: AdsFailure | undefined) {
    if (failure !== undefined && isPassing(failure)) {
      return Math.max(delaySeconds(row.attempts), failure.retryAfterSeconds ?? 0)
    }
    if (row.unsent > 0 && row.externalId !== null) return delaySeconds(row.attempts)
    if (row.wanted === "ended") {
      const ended = row.endedAt === null ? 0 : toMillis(row.endedAt)
      return row.externalId !== null && (yield* Clock.currentTimeMillis) - ended < lateCostMillis ? restSeconds : null
    }
    switch (row.state) {
      case "live":
        return lookSeconds
      case "held":
        return isHeldUntilChanged(row) ? null : holdSeconds
      case "provisioning":
        return reviewSeconds
      default:
        return row.externalId === null ? null : restSeconds
    }
  })

  /** Notifies the account once of each change that needs an action. */
  const tell = Effect.fnUntraced(function* (before: CampaignRow, after: CampaignRow) {
    // A funded campaign without its required parts has just become held. The reason is determined here.
    const isHeldNow = after.state === "held" && before.holdReason === null && after.holdReason !== null
    if (before.state === after.state && !isHeldNow) return
    const { adsCampaignId, name, state } = after
    const data = { ads_campaign_id: adsCampaignId }
    if (state === "live" && before.state === "provisioning")
      yield* notifications.tell({ kind: "ads_campaign_live", name }, data)
    if (state === "depleted") yield* notifications.tell({ kind: "ads_campaign_depleted", name }, data)
    if (state === "held" || state === "failed") {
      const reason = after.failure === null ? (after.holdReason ?? "held") : "refused_by_platform"
      yield* notifications.tell({ kind: "ads_campaign_held", name, reason }, { ...data, reason })
    }
  })

  const run = Effect.fnUntraced(function* (accountId: AccountId, id: AdsCampaignId) {
    const before = yield* rows.byId(accountId, id)
    if (before === undefined) return { failure: undefined }
    const done = yield* Effect.either(
      Effect.timeoutFail(withPlatform(before, accountId), {
        duration: longestRun,
        onTimeout: () => new AdsFailure({ reason: "unknown" })
      })
    )
    const failure = Either.isLeft(done) ? done.left : undefined
    if (failure?._tag === "Transient") return yield* failure
    if (failure?.reason === "account_not_enabled") yield* hold(accountId, id, suspended)
    if (failure?.reason === "refused_by_platform") {
      const code = [...new Set((failure.errors ?? []).map(({ name }) => name))].join(", ").slice(0, 300)
      yield* sql`
        update ads_campaign set failure = ${code === "" ? "refused" : code},
          hold_detail = ${`The ads platform refused the campaign (${code === "" ? "without a code" : code}). Change what it names, then call nudge_adsplatform_provisioning.`}
        where ${isOf(accountId, id)}`.pipe(fromSql())
    }
    yield* sql`
      update ads_campaign set attempts = ${failure === undefined ? 0 : before.attempts + 1}
      where ${isOf(accountId, id)}`.pipe(fromSql())
    const read = yield* again(accountId, before)
    const settled = yield* rows.settle(accountId, id)
    const after = settled ?? read
    yield* rows.settle(accountId, id, { dueInSeconds: yield* nextLook(after, failure), version: before.version })
    yield* unit.write(tell(before, after))
    return { failure }
  })

  return { run }
}
type Run = ReturnType<typeof makeRun>

const makeLeasedRuns = ({ sql }: ReconcileServices, { isOf }: CampaignState, { run }: Run) => {
  const take = (accountId: AccountId, id: AdsCampaignId, lease: string) =>
    sql`
      update ads_campaign set leased_by = ${lease}::uuid, leased_until = instant() + make_interval(secs => ${leaseSeconds})
      where ${isOf(accountId, id)} and coalesce(leased_until, '-infinity') <= instant()
      returning ads_campaign_id`.pipe(
      fromSql(),
      Effect.map((taken) => taken.length > 0)
    )

  /**
   * Reconciles a campaign. Returns none if another process is doing it. The timer handles changes that the other
   * process missed.
   */
  const reconcile = Effect.fn("Ads.reconcile")(function* (
    id: AdsCampaignId
  ): Effect.fn.Return<Option.Option<Reconciled>, Transient, Caller> {
    const { accountId } = yield* Caller
    const lease = randomUUID()
    return yield* Effect.acquireUseRelease(
      take(accountId, id, lease),
      (isMine) => (isMine ? Effect.asSome(run(accountId, id)) : Effect.succeedNone),
      (isMine) =>
        isMine
          ? Effect.ignore(sql`
              update ads_campaign set leased_by = null, leased_until = null
              where ${isOf(accountId, id)} and leased_by = ${lease}::uuid`)
          : Effect.void
    )
  })

  /**
   * Like `reconcile`, for a person who waits. If another process is reconciling the campaign, it retries for a while.
   */
  const reconcileSoon = Effect.fnUntraced(function* (id: AdsCampaignId) {
    for (let tries = 0; tries < 20; tries++) {
      const done = yield* reconcile(id)
      if (Option.isSome(done)) return done.value
      yield* Effect.sleep("250 millis")
    }
    return { failure: new AdsFailure({ reason: "unavailable" }) }
  })

  return { reconcile, reconcileSoon }
}
type LeasedRuns = ReturnType<typeof makeLeasedRuns>

interface OfAccount {
  readonly accountId: AccountId
  readonly plan: Plan
  readonly id: AdsCampaignId
}

const makeRounds = ({ audience, goLive, reports, rows, sql, unit }: ReconcileServices, { reconcile }: LeasedRuns) => {
  const due = unit
    .acrossAccounts(sql<OfAccount>`
    select c.account_id as "accountId", a.plan, c.ads_campaign_id as id
    from ads_campaign c join account a on a.account_id = c.account_id
    where c.due_at <= instant() and a.clock is not distinct from test_clock()
      and coalesce(c.leased_until, '-infinity') <= instant()
    order by c.due_at limit ${campaignsAtATime}`)
    .pipe(fromSql())

  const withAudience = unit
    .acrossAccounts(sql<OfAccount>`
    select c.account_id as "accountId", a.plan, c.ads_campaign_id as id
    from ads_audience u join ads_campaign c on c.account_id = u.account_id and c.ads_campaign_id = u.ads_campaign_id
    join account a on a.account_id = c.account_id
    where u.external_list_id is not null and a.clock is not distinct from test_clock()
      and (c.wanted <> 'ended' or exists (select from ads_audience_member m
        where m.account_id = u.account_id and m.ads_campaign_id = u.ads_campaign_id))`)
    .pipe(fromSql())

  /** One campaign of each account that ever had a running campaign. */
  const withReports = unit
    .acrossAccounts(sql<OfAccount>`
    select distinct on (c.account_id) c.account_id as "accountId", a.plan, c.ads_campaign_id as id
    from ads_campaign c join account a on a.account_id = c.account_id
    where c.live_since is not null and c.wanted <> 'ended' and a.clock is not distinct from test_clock()
    order by c.account_id, c.ads_campaign_id`)
    .pipe(fromSql())

  const each = <E>(
    campaigns: ReadonlyArray<OfAccount>,
    concurrency: number,
    work: (campaign: OfAccount) => Effect.Effect<unknown, E, Caller>
  ) =>
    Effect.forEach(
      campaigns,
      (campaign) => {
        const { accountId, id, plan } = campaign
        return Effect.catchAllCause(
          Effect.asVoid(Effect.provideService(work(campaign), Caller, Caller.forTask(accountId, plan, `ads-${id}`))),
          (cause) =>
            Effect.annotateLogs(
              Effect.logWarning("an ads campaign was not brought up to date"),
              "cause",
              describeCause(cause)
            )
        )
      },
      { concurrency, discard: true }
    )

  /** Does all due work, for all accounts. */
  const round = Effect.flatMap(due, (campaigns) => each(campaigns, 8, ({ id }) => reconcile(id)))

  /** Returns whether anything is due, or else when the next campaign is. */
  const dueIn = Effect.gen(function* () {
    if ((yield* due).length > 0) return { found: true }
    const [next] = yield* unit
      .acrossAccounts(sql<{ readonly millis: number | null }>`
      select 1000 * extract(epoch from min(greatest(c.due_at, c.leased_until)) - instant())::float8 as millis
      from ads_campaign c join account a on a.account_id = c.account_id
      where c.due_at is not null and a.clock is not distinct from test_clock()`)
      .pipe(fromSql())
    return { found: false, dueIn: Math.ceil(next?.millis ?? Infinity) }
  })

  /** Removes people who opted out from the platform's audience lists. */
  const audiences = Effect.flatMap(withAudience, (campaigns) =>
    each(campaigns, 2, ({ accountId, id }) =>
      Effect.gen(function* () {
        const row = yield* rows.byId(accountId, id)
        const customer = yield* goLive.storedCustomer(accountId)
        if (row === undefined || Option.isNone(customer)) return
        yield* audience.upkeep({ accountId, customerId: customer.value.customerId }, row)
      })
    )
  )

  /** Reports meetings and won deals of all accounts that ever had a running campaign. */
  const conversions = Effect.flatMap(withReports, (campaigns) =>
    each(campaigns, 2, ({ accountId }) =>
      Effect.gen(function* () {
        const customer = yield* goLive.storedCustomer(accountId)
        if (Option.isSome(customer)) yield* reports.tend({ accountId, customerId: customer.value.customerId })
      })
    )
  )

  return { audiences, conversions, dueIn, round }
}

/**
 * Creates the reconciliation, which applies a campaign's state to the platform and reads its cost. Funding, the timer,
 * a request and every change use it. One process at a time works on a campaign. If it is interrupted, the next run
 * finds what was already created.
 */
export const makeAdsReconcile = Effect.gen(function* () {
  const services = yield* makeReconcileServices
  const { audience, goLive, platform, rows } = services
  const state = makeCampaignState(services)
  const steps = makePlatformSteps(services, state)
  const syncing = makeSync(services, state, steps)
  const running = makeRun(services, state, syncing)
  const leasedRuns = makeLeasedRuns(services, state, running)
  const { reconcile, reconcileSoon } = leasedRuns
  const { audiences, conversions, dueIn, round } = makeRounds(services, leasedRuns)

  return {
    rows,
    platform,
    goLive,
    audience,
    reconcile,
    reconcileSoon,
    dueIn,
    round,
    audiences,
    conversions
  }
})
