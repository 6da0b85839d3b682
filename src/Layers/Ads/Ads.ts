import { Effect, Layer, Schema } from "effect"
import * as Task from "../../Services/Jobs/Task.ts"
import { soonAfterWrites } from "../Platform/Jobs/AfterWrites.ts"
import { recurring } from "../Platform/Jobs/Recurring.ts"
import { handle } from "../Platform/Jobs/TaskHandler.ts"
import * as Room from "../Platform/Room.ts"
import { adsChecks } from "./AdsChecks.ts"
import { AdsPostgres } from "./AdsPostgres.ts"
import { makeAdsReconcile } from "./AdsReconcile.ts"
import { AdsSettingsLive, loadAdsSettings } from "./AdsSettings.ts"
import { AdsFundingPostgres } from "./Billing/AdsFundingPostgres.ts"
import { paymentNotices } from "./Billing/PaymentNotices.ts"
import { rechargeEndpoint } from "./Billing/RechargePage.ts"
import { AdsTransport } from "./Calling/AdsTransport.ts"
import { AdsTransportConfigured } from "./Calling/AdsTransportConfigured.ts"
import { adsCommands } from "./Commands.ts"
import { adsConversionsMigration, adsMigration, adsPausesMigration } from "./Migrations.ts"
import { adsSandboxEndpoints } from "./sandbox/AdsSandboxEndpoints.ts"

const tendCampaigns = Task.make("tend_ads_campaigns", {
  payload: Schema.Struct({}),
  pool: "long",
  maxAttempts: 1,
  timeout: "10 minutes"
})

const tendAudiences = Task.make("tend_ads_audiences", {
  payload: Schema.Struct({}),
  pool: "long",
  maxAttempts: 1,
  timeout: "30 minutes"
})

const reportConversions = Task.make("report_ads_conversions", {
  payload: Schema.Struct({}),
  pool: "long",
  maxAttempts: 1,
  timeout: "30 minutes"
})

/** The room of ad campaigns. */
export const AdsRoom = Room.make({
  migrations: [adsMigration, adsPausesMigration, adsConversionsMigration],
  early: AdsFundingPostgres,
  layer: AdsPostgres.pipe(Layer.provideMerge(AdsTransportConfigured), Layer.provideMerge(AdsSettingsLive)),
  tasks: Effect.map(makeAdsReconcile, ({ audiences, conversions, round }) => [
    handle(tendCampaigns, () => round),
    handle(tendAudiences, () => audiences),
    handle(reportConversions, () => conversions)
  ]),
  recurring: [
    recurring("tend_ads_campaigns", "*/15 * * * *", tendCampaigns, {}),
    recurring("tend_ads_audiences", "7 * * * *", tendAudiences, {}),
    recurring("report_ads_conversions", "37 * * * *", reportConversions, {})
  ],
  // Runs when a campaign becomes due, and within a minute after a write.
  loops: Effect.flatMap(makeAdsReconcile, ({ dueIn }) =>
    soonAfterWrites({ name: "tend_ads_campaigns", task: tendCampaigns, payload: {} }, dueIn)
  ),
  endpoints: Effect.gen(function* () {
    return [yield* paymentNotices, yield* rechargeEndpoint, ...(yield* adsSandboxEndpoints)]
  }),
  modes: Effect.map(AdsTransport, ({ mode }) => ({ ads: mode })),
  commands: adsCommands,
  settings: [loadAdsSettings],
  checks: adsChecks
})
