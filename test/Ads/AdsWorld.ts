import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Context, Effect, Layer, Logger, LogLevel } from "effect"
import { AdsPostgres } from "../../src/Layers/Ads/AdsPostgres.ts"
import { makeAdsReconcile } from "../../src/Layers/Ads/AdsReconcile.ts"
import { AdsSettings } from "../../src/Layers/Ads/AdsSettings.ts"
import { AdsFundingPostgres } from "../../src/Layers/Ads/Billing/AdsFundingPostgres.ts"
import { AdsTransport } from "../../src/Layers/Ads/Calling/AdsTransport.ts"
import { makeAdsSandbox } from "../../src/Layers/Ads/sandbox/AdsSandbox.ts"
import { Ads } from "../../src/Services/Ads/Ads.ts"
import { AdsFunding } from "../../src/Services/Ads/AdsFunding.ts"
import { microsOf } from "../../src/Services/Ads/AdsMoney.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import {
  OutboundFailure,
  type OutboundRequest,
  type OutboundResponse
} from "../../src/Services/Outbound/OutboundHttp.ts"
import { AdsPlatformGroup } from "../../src/Tools/Ads/AdsPlatform.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import { LeadServices } from "../support/leads/LeadServices.ts"
import { TestSettings } from "../support/TestSettings.ts"
import { collectedFaults, faultsOfExchange, vendorJudge } from "../support/VendorJudge.ts"
import { adsSettings, Unlimited } from "./adsSettings.ts"

export const catalog = Catalog.make([AdsPlatformGroup])

/** What happens to a request on its way: before it arrives, or to its answer. */
export type Fault = (
  request: OutboundRequest,
  arrive: Effect.Effect<OutboundResponse, OutboundFailure>
) => Effect.Effect<OutboundResponse, OutboundFailure>

/** The way to the simulated platform with troubles that tests plan, and what went over it. */
export class AdsRoad extends Context.Tag("AdsRoad")<
  AdsRoad,
  {
    readonly requests: Array<{ readonly line: string; readonly body: string }>
    /** Of the next requests that `isMeant`; each is used up by one. */
    readonly plan: (isMeant: (request: OutboundRequest) => boolean, ...faults: ReadonlyArray<Fault>) => void
    readonly clear: () => void
  }
>() {}

const bodyText = (request: OutboundRequest): string => (typeof request.body === "string" ? request.body : "")

const ads = vendorJudge("google_ads")
const dataManager = vendorJudge("google_datamanager")
const judgeOf = ({ url }: OutboundRequest) => (url.startsWith(adsSettings.dataManagerUrl) ? dataManager : ads)

/** The simulated platform takes no access: that of live calls is judged in `AdsLive`. */
const withAccess = (request: OutboundRequest): OutboundRequest => ({
  ...request,
  headers: { authorization: "Bearer x", "developer-token": "x", ...request.headers }
})

const RoadLive = Layer.scopedContext(
  Effect.gen(function* () {
    const simulated = yield* makeAdsSandbox
    const faults = yield* collectedFaults
    const requests: Array<{ readonly line: string; readonly body: string }> = []
    let planned: Array<{ readonly isMeant: (request: OutboundRequest) => boolean; readonly faults: Array<Fault> }> = []
    const transport = AdsTransport.of({
      ...simulated,
      request: (request) =>
        Effect.flatMap(Caller, (caller) => {
          requests.push({ line: `${request.method} ${request.url}`, body: bodyText(request) })
          const fault = planned.find(({ faults, isMeant }) => faults.length > 0 && isMeant(request))?.faults.shift()
          const arrive = Effect.tap(Effect.provideService(simulated.request(request), Caller, caller), (answer) =>
            Effect.sync(() => {
              for (const fault of faultsOfExchange(judgeOf(request), withAccess(request), answer)) faults.add(fault)
            })
          )
          return fault === undefined ? arrive : fault(request, arrive)
        })
    })
    const road = AdsRoad.of({
      requests,
      plan: (isMeant, ...faults) => planned.push({ isMeant, faults: [...faults] }),
      clear: () => {
        planned = []
        requests.length = 0
      }
    })
    return Context.make(AdsTransport, transport).pipe(Context.add(AdsRoad, road))
  })
)

/** What the gateway does by its timer, when tests say so. */
export class Tending extends Context.Tag("Tending")<Tending, Effect.Effect.Success<typeof makeAdsReconcile>>() {}

export const AdsWorld = Layer.effect(Tending, makeAdsReconcile).pipe(
  Layer.provideMerge(AdsPostgres),
  Layer.provideMerge(RoadLive),
  Layer.provideMerge(Layer.mergeAll(Unlimited, AdsFundingPostgres, Layer.succeed(AdsSettings, adsSettings))),
  Layer.provideMerge(TestSettings),
  Layer.provideMerge(LeadServices),
  Layer.provideMerge(Logger.minimumLogLevel(LogLevel.None))
)

export const answered =
  (status: number, body: string, headers: { readonly [name: string]: string } = {}): Fault =>
  () =>
    Effect.succeed({ status, headers, body: Buffer.from(body) })
export const timedOutBefore: Fault = () =>
  Effect.fail(new OutboundFailure({ reason: "timed_out", mayHaveArrived: true }))
export const timedOutAfter: Fault = (_, arrive) =>
  Effect.zipRight(arrive, Effect.fail(new OutboundFailure({ reason: "timed_out", mayHaveArrived: true })))

export const isMutate = (request: OutboundRequest): boolean =>
  request.url.endsWith("googleAds:mutate") && bodyText(request).includes('"validateOnly":false')
export const isCheck = (request: OutboundRequest): boolean => bodyText(request).includes('"validateOnly":true')

export const headlines = "Agenda online\nMenos faltas\nTeste sem fidelidade"
export const descriptions = "Confirme consultas sozinho.\nImplantação em cinco dias."

/** A draft with an ad and two keywords. */
export const readyDraft = (name = "Clínicas", budget = 40) =>
  Effect.gen(function* () {
    const ads = yield* Ads
    const unit = yield* UnitOfWork
    const draft = yield* unit.write(ads.createDraft(name, budget, "Search"))
    yield* ads.createSearchAd(name, {
      adGroupId: draft.ad_group_id,
      finalUrl: "https://ondas.example/clinicas",
      headlines,
      descriptions
    })
    yield* ads.addKeywords(name, draft.ad_group_id, { keywords: "agenda online\nagenda médica", matchType: "Broad" })
    return draft
  })

export const fund = (campaign: string, brl: number, reference = `paid-${campaign}-${brl}`) =>
  Effect.gen(function* () {
    const { accountId } = yield* Caller
    const unit = yield* UnitOfWork
    const funding = yield* AdsFunding
    return yield* unit.write(
      funding.recharge({ accountId, campaign, amountMicros: microsOf(brl), reference, source: "operator" })
    )
  })

/** Goes on with all that waits, as if its time had come and whoever was at it had died. */
export const tend = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accountId } = yield* Caller
  const { round } = yield* Tending
  yield* sql`
    update ads_campaign set due_at = instant() - interval '1 second', leased_until = null
    where account_id = ${accountId} and (due_at is not null or external_id is not null)`
  yield* round
})

export const liveCampaign = (name = "Clínicas", budget = 40, funds = 500) =>
  Effect.gen(function* () {
    const draft = yield* readyDraft(name, budget)
    yield* fund(name, funds)
    yield* tend
    return draft
  })

/** Lets an effect see the clock so many milliseconds ahead. */
export const later =
  (millis: number) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
    const real = Clock.make()
    const now = () => real.unsafeCurrentTimeMillis() + millis
    return Effect.withClock(effect, {
      [Clock.ClockTypeId]: Clock.ClockTypeId,
      unsafeCurrentTimeMillis: now,
      currentTimeMillis: Effect.sync(now),
      unsafeCurrentTimeNanos: () => real.unsafeCurrentTimeNanos(),
      currentTimeNanos: real.currentTimeNanos,
      sleep: (duration) => real.sleep(duration)
    })
  }

export const campaignsThere = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accountId } = yield* Caller
  return yield* sql<{ readonly id: number; readonly name: string; readonly status: string }>`
    select record_id as id, body ->> 'name' as name, body -> 'statuses' -> -1 ->> 'value' as status
    from sandbox_ads_record where account_id = ${accountId} and kind = 'campaign' order by record_id`
})
