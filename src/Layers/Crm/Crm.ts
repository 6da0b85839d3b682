import { Effect, Layer, Schema } from "effect"
import * as Task from "../../Services/Jobs/Task.ts"
import { recurring } from "../Platform/Jobs/Recurring.ts"
import { handle } from "../Platform/Jobs/TaskHandler.ts"
import * as Room from "../Platform/Room.ts"
import { CrmTransportConfigured } from "./Calling/CrmTransportConfigured.ts"
import { CrmHookBaseLive, makeHookRemovals, removeHooks } from "./Connecting/CrmHooks.ts"
import { crmWebhookEndpoints } from "./Connecting/WebhookEndpoints.ts"
import { CrmPostgres } from "./CrmPostgres.ts"
import { CrmSettings, CrmSettingsLive, loadCrmSettings } from "./CrmSettings.ts"
import { crmMigration } from "./Migrations.ts"
import { crmPersonalData } from "./PersonalData.ts"
import { resyncHandler } from "./Pushing/CrmResync.ts"
import { makeCrmSync } from "./Syncing/CrmSync.ts"
import { crmSandboxEndpoints } from "./sandbox/CrmSandboxEndpoints.ts"

/** Does the loop's work for test accounts with their own clock, which the loop skips. */
const syncCrms = Task.make("sync_crms", {
  payload: Schema.Struct({}),
  pool: "long",
  maxAttempts: 1,
  timeout: "10 minutes"
})

/** The room of accounts' CRMs, to which leads are sent. */
export const CrmRoom = Room.make({
  migrations: [crmMigration],
  layer: CrmPostgres.pipe(
    Layer.provide(CrmHookBaseLive),
    Layer.provideMerge(CrmTransportConfigured),
    Layer.provideMerge(CrmSettingsLive)
  ),
  tasks: Effect.map(Effect.all([makeCrmSync, makeHookRemovals]), ([{ round }, removals]) => [
    handle(syncCrms, () => round),
    handle(removeHooks, ({ accountId, crm }, { attempt, maxAttempts }) =>
      removals.run(accountId, crm, attempt >= maxAttempts)
    )
  ]),
  jobs: [resyncHandler],
  recurring: [recurring("sync_crms", "*/30 * * * *", syncCrms, {})],
  loops: Effect.flatMap(makeCrmSync, ({ loop }) => loop),
  endpoints: Effect.zipWith(crmSandboxEndpoints, crmWebhookEndpoints, (some, others) => [...some, ...others]),
  modes: Effect.map(CrmSettings, ({ mode }) => ({ crm: mode })),
  personalData: crmPersonalData,
  settings: [loadCrmSettings]
})
